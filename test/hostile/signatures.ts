import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { forgeCrc } from '../gateways/paypal/paypal-test-chain.js';
import type { SampleDelivery } from '../../src/payments/index.js';
import type { Shot } from './attacker.js';
import type { Chance } from '../../src/testing/chance.js';
import type { RealDelivery } from './webhooks.js';

/** Another amount than was signed, with the same CRC32: PayPal's signature covers no more. */
const FORGED_VALUE = '9999.00';
export const FORGED_MINOR = 999_900;

/** Forged deliveries to gateways of every provider, configured ones and an account's own. */
export class Signatures {
  constructor(
    private readonly real: readonly RealDelivery[],
    private readonly chance: Chance,
  ) {}

  *shots(count: number): Generator<Shot> {
    for (let at = 0; at < count; at += 1) {
      const { gateway, provider, delivery } = this.chance.of(this.real);
      const { name, headers, body } = this.forged(provider, delivery);
      const shot = webhook(gateway, body, headers);
      const of = gateway.startsWith('gw_') ? `own ${provider}` : gateway;
      const refusal = provider === 'gocardless' ? { refusal: 498 } : {};
      yield { ...shot, ...refusal, operation: `forged: ${of}, ${name}` };
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

  private forged(provider: string, real: SampleDelivery): Forged {
    if (provider === 'adyen') return this.forgedInside(real);
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
      ...(isTimed(headers)
        ? ([
            ['an old time', aged(headers, now - 100_000), body],
            ['a time to come', aged(headers, now + 100_000), body],
          ] satisfies typeof all)
        : []),
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

  /** Adyen's signature stands in the body, and covers some fields of each item. */
  private forgedInside(real: SampleDelivery): Forged {
    const headers = Object.entries(real.headers);
    const { chance } = this;
    const whole = JSON.parse(real.body) as { notificationItems: AdyenItems };
    const [first] = whole.notificationItems;
    const item = first!.NotificationRequestItem;
    const having = (over: object) => ({ NotificationRequestItem: { ...item, ...over } });
    const signedBy = (hmacSignature: unknown) => having({ additionalData: { hmacSignature } });
    const mac = item.additionalData.hmacSignature;
    const amount = { ...item.amount, value: item.amount.value + 1 + chance.below(1000) };
    const items: [string, object[]][] = [
      ['an amount', [having({ amount })]],
      ['a currency', [having({ amount: { ...item.amount, currency: 'KWD' } })]],
      ['another payment', [having({ pspReference: chance.hex(8).toUpperCase() })]],
      ['an original', [having({ originalReference: chance.hex(8).toUpperCase() })]],
      ['another link', [having({ merchantReference: `${item.merchantReference}0` })]],
      ['another event', [having({ eventCode: 'CHARGEBACK' })]],
      ['another outcome', [having({ success: 'false' })]],
      ['fields moved', [having({ pspReference: `${item.pspReference}:` })]],
      ['no signature', [having({ additionalData: null })]],
      ['another key', [signedBy(Buffer.from(chance.hex(32), 'hex').toString('base64'))]],
      ['a cut signature', [signedBy(mac.slice(0, -1 - chance.below(20)))]],
      ['an empty signature', [signedBy('')]],
      ['a long signature', [signedBy(mac.repeat(200))]],
      ['a list of signatures', [signedBy([mac])]],
      ['one of two unsigned', [first!, having({ amount })]],
      ['no items', []],
    ];
    const ofItems = items.map(([name, notificationItems]): Forged => {
      return { name, headers, body: JSON.stringify({ ...whole, notificationItems }) };
    });
    const without = headers.filter(([name]) => name !== 'authorization');
    const { body } = real;
    const all: Forged[] = [
      ...ofItems,
      { name: 'no password', headers: without, body },
      { name: 'another password', headers: [...without, basic('adyen:guess')], body },
      { name: 'no user', headers: [...without, basic(':')], body },
      { name: 'bytes for a body', headers, body: '\u0000\u00ff'.repeat(100) },
      { name: 'no body', headers, body: '' },
    ];
    return chance.of(all);
  }
}

const basic = (text: string): Shot['headers'][number] => [
  'authorization',
  `Basic ${Buffer.from(text).toString('base64')}`,
];

interface Forged {
  name: string;
  headers: Shot['headers'];
  body: string;
}

type AdyenItems = {
  NotificationRequestItem: {
    pspReference: string;
    merchantReference: string;
    amount: { value: number; currency: string };
    additionalData: { hmacSignature: string };
  };
}[];

function webhook(gateway: string, body: string, headers: Shot['headers']): Shot {
  return {
    operation: '',
    method: 'POST',
    path: `/v1/webhooks/${gateway}`,
    headers,
    body: Buffer.from(body, 'utf8'),
  };
}

/** Whether they say when they were sent. */
function isTimed(headers: Shot['headers']): boolean {
  return headers.some(([name, value]) => /time(stamp)?$/.test(name) || /^t=\d/.test(value));
}

/** The same headers, signed for another time than they then say. */
function aged(headers: Shot['headers'], seconds: number): Shot['headers'] {
  return headers.map(([name, value]) => {
    if (name.endsWith('time')) return [name, new Date(seconds * 1000).toISOString()];
    if (name.endsWith('timestamp')) return [name, String(seconds)];
    return [name, value.replace(/^t=\d+/, `t=${seconds}`)];
  });
}
