import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Demo } from '../../src/demo/demo-account.js';
import { SystemClock } from '../../src/kernel/clock.js';
import { Money } from '../../src/kernel/money.js';
import { configuredGateways } from '../../src/gateways/index.js';
import { testConfig } from '../support/service.js';
import { forgeCrc } from '../gateways/paypal/paypal-test-chain.js';
import type { Shot } from './attacker.js';
import type { Chance } from './chance.js';

interface Delivery {
  body: string;
  headers: Record<string, string>;
}

/** Another amount than was signed, with the same CRC32: PayPal's signature covers no more. */
const FORGED_VALUE = '9999.00';
export const FORGED_MINOR = 999_900;

/** Forged deliveries to each gateway of a demo. */
export class Signatures {
  private readonly real: { gateway: string; delivery: Delivery }[];

  constructor(
    demo: Demo,
    private readonly chance: Chance,
  ) {
    const gateways = Object.entries(demo.gateways).map(
      ([name, { provider = '', ...settings }]) => ({
        name,
        provider,
        settings,
      }),
    );
    const clock = new SystemClock();
    const configured = configuredGateways({ ...testConfig(0), gateways }, clock);
    this.real = demo.payment_links.map(({ id, gateway, amount, currency }) => {
      const of = configured.get(gateway);
      if (!of) throw new Error(`${gateway} is not configured`);
      const link = { id, amount: Money.of(BigInt(amount), currency) };
      return { gateway, delivery: of.samplePaidDelivery(link, clock.now()) };
    });
  }

  *shots(count: number): Generator<Shot> {
    for (let at = 0; at < count; at += 1) {
      const { gateway, delivery } = this.chance.of(this.real);
      const { name, headers, body } = this.forged(delivery);
      yield { ...webhook(gateway, body, headers), operation: `forged: ${gateway}, ${name}` };
    }
  }

  /** A body that verifies and was never signed. Undefined without a gateway of PayPal's. */
  collision(): Shot | undefined {
    const found = this.real.find(({ delivery }) => delivery.headers['paypal-transmission-sig']);
    if (!found) return undefined;
    const { gateway, delivery } = found;
    const event = JSON.parse(delivery.body) as { resource: { amount: { value: string } } };
    const filler = 'abcdefghijklmnop'.repeat(4);
    event.resource.amount.value = FORGED_VALUE;
    const greedy = JSON.stringify({ ...event, note: filler });
    const body = forgeCrc(greedy, filler, crc32(delivery.body), crc32);
    return {
      ...webhook(gateway, body, Object.entries(delivery.headers)),
      operation: 'CRC32 collision',
    };
  }

  private forged(real: Delivery): { name: string; headers: Shot['headers']; body: string } {
    const headers = Object.entries(real.headers);
    const signed = headers.find(([one]) => one.endsWith('signature') || one.endsWith('-sig'));
    const [name, signature] = signed ?? ['', ''];
    const without = headers.filter(([other]) => other !== name);
    const now = Math.floor(Date.now() / 1000);
    const hmac = (text: string) =>
      createHmac('sha256', this.chance.hex(16)).update(text).digest('hex');
    const { body } = real;
    const all: [string, Shot['headers'], string][] = [
      ['another body', headers, `${body} `],
      [
        'an amount',
        headers,
        body.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
      ],
      ['no signature', without, body],
      ['no headers', [['Content-Type', 'application/json']], body],
      ['another key', [...without, [name, `t=${now},v1=${hmac(`${now}.${body}`)}`]], body],
      ['another base64 key', [...without, [name, `v1,${this.chance.hex(22)}=`]], body],
      ['an old time', aged(headers, now - 100_000), body],
      ['a time to come', aged(headers, now + 100_000), body],
      ['two signatures', [...headers, [name, signature]], body],
      ['two of all headers', [...headers, ...headers], body],
      [
        'a cut signature',
        [...without, [name, signature.slice(0, -1 - this.chance.below(20))]],
        body,
      ],
      ['an empty signature', [...without, [name, '']], body],
      ['a long signature', [...without, [name, `v1=${'0'.repeat(6_000)}`]], body],
      [
        'many signatures',
        [...without, [name, `t=${now}${`,v1=${this.chance.hex(32)}`.repeat(80)}`]],
        body,
      ],
      ['bytes for a body', headers, '\u0000\u00ff'.repeat(100)],
      ['no body', headers, ''],
    ];
    const [what, given, text] = this.chance.of(all);
    return { name: what, headers: given, body: text };
  }
}

function webhook(gateway: string, body: string, headers: Shot['headers']): Shot {
  return {
    operation: '',
    method: 'POST',
    path: `/v1/webhooks/${gateway}`,
    headers,
    body: Buffer.from(body, 'utf8'),
  };
}

/** The same headers, signed for another time than they then say. */
function aged(headers: Shot['headers'], seconds: number): Shot['headers'] {
  return headers.map(([name, value]) => {
    if (name.endsWith('time')) return [name, new Date(seconds * 1000).toISOString()];
    if (name.endsWith('timestamp')) return [name, String(seconds)];
    return [name, value.replace(/^t=\d+/, `t=${seconds}`)];
  });
}
