import { mkdtempSync, globSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Money } from '../../src/kernel/money.js';
import {
  type Gateway,
  InvalidSignature,
  type SampleDelivery,
} from '../../src/payments/port/domain/gateway.js';
import type { GatewayConfig } from '../../src/platform/config/gateway-config.js';
import { gatewayRefusals, openGateways } from '../../src/gateways/configured-gateways.js';
import { meaningOf, openAllGateways, PROVIDER_NAMES, SIGNS_FIELDS } from './all-gateways.js';
import { missingMandateMethods } from './mandate-methods.js';
import {
  aCheckoutRequest,
  aContext,
  aGateway,
  delivered,
  everyValueSwapped,
  LINK,
  NOW,
  SANDBOX_SECRET,
  signedAgain,
  signedInside,
  reportOf,
} from './gateway-builders.js';

const names = PROVIDER_NAMES;
/** Currencies that a provider is not asked for: it has none, or its decimals are not certain. */
const IN_DOUBT: Record<string, string[]> = {
  razorpay: ['ISK', 'UGX', 'MGA', 'HUF', 'TWD'],
  adyen: ['MGA'],
  gocardless: ['JPY', 'KWD', 'ISK', 'UGX', 'MGA', 'HUF', 'TWD'],
};
let gateways = new Map<string, Gateway>();
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-gateways-'));
  gateways = await openAllGateways(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('lists every gateway file of the folder', () => {
  const files = globSync('src/gateways/*/*.gateway.ts');
  expect(files.map((file) => basename(file, '.gateway.ts')).sort()).toEqual([...names].sort());
});

it('says in words what a provider of mandates has not', () => {
  const half = { collect: () => 'PM1', setUp: () => ({}) };
  const gateway = { provider: 'acme', directDebits: half, tellsCheckouts: false };
  expect(missingMandateMethods(gateway as unknown as Gateway)).toEqual([
    'acme: directDebits has no lookUp, which tells how a mandate stands, because events get lost',
    'acme: directDebits has no cancel, which ends a mandate that its customer or its seller takes back',
    'acme: directDebits has no find, which finds the debit of a call whose answer was lost, so that it is not made twice',
    'acme: debits have to be looked up and canceled, so tellsCheckouts is true',
  ]);
});

it('has a whole set of methods for mandates at GoCardless', () => {
  const settings = { webhook_secret: 'secret', access_token: 'sandbox_token' };
  const gateway = aGateway('gocardless', settings);
  expect(gateway.directDebits).toBeDefined();
  expect(missingMandateMethods(gateway)).toEqual([]);
});

describe.each(names)('%s', (name) => {
  const gateway = (): Gateway => {
    const found = gateways.get(name);
    if (!found) throw new Error(`${name} is not open`);
    return found;
  };
  const sample = (amount = Money.of(12_50n, 'EUR')): SampleDelivery =>
    gateway().samplePaidDelivery({ id: LINK, amount }, NOW);
  const verdict = async ({ body, headers }: SampleDelivery | Changed): Promise<unknown> =>
    gateway()
      .verify({ rawBody: Buffer.from(body), headers })
      .then(
        () => 'verified',
        (error: unknown) => error,
      );

  it('knows its name and provider', () => {
    expect(gateway()).toMatchObject({ name, provider: name });
  });

  it('verifies its own sample and reads link and amount', async () => {
    const delivery = delivered(sample());
    await gateway().verify(delivery);
    const report = reportOf(gateway(), delivery);
    expect(report).toMatchObject({ kind: 'paid', linkId: LINK, paidAt: NOW });
    if (report.kind !== 'paid') throw new Error('not paid');
    expect(report.amount.toString()).toBe('12.50 EUR');
    expect(await gateway().confirm(report)).toEqual(report);
  });

  it.each(['JPY', 'KWD', 'ISK', 'UGX', 'MGA', 'HUF', 'TWD'])('carries %s exactly', (currency) => {
    const amount = Money.of(123_400n, currency);
    if (IN_DOUBT[name]?.includes(currency)) {
      expect(() => sample(amount)).toThrow(/takes no/);
      return;
    }
    const report = reportOf(gateway(), delivered(sample(amount)));
    expect(report.kind === 'paid' && report.amount.toString()).toBe(amount.toString());
  });

  it('keeps mandates whole, or not at all', () => {
    expect(missingMandateMethods(gateway())).toEqual([]);
  });

  it('gives every sample its own event and payment', () => {
    const [one, other] = [sample(), sample()].map((each) => reportOf(gateway(), delivered(each)));
    expect(one?.eventId).not.toBe(other?.eventId);
  });

  it('refuses every change of one byte of the body that counts', async () => {
    const { body, headers } = sample();
    const meaning = (rawBody: Buffer) => meaningOf(reportOf(gateway(), { rawBody, headers }));
    let unsigned = 0;
    for (let at = 0; at < body.length; at += 1) {
      const changed = Buffer.from(body);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      const outcome = await verdict({ body: changed, headers });
      if (outcome === 'verified') {
        unsigned += 1;
        expect(meaning(changed)).toEqual(meaning(Buffer.from(body)));
      } else expect(outcome).toBeInstanceOf(InvalidSignature);
    }
    expect(unsigned > 0).toBe(SIGNS_FIELDS.has(name));
    expect(await verdict({ body: '', headers })).toBeInstanceOf(InvalidSignature);
    const longer = SIGNS_FIELDS.has(name) ? `${body}x` : `${body} `;
    expect(await verdict({ body: longer, headers })).toBeInstanceOf(InvalidSignature);
  });

  it('refuses headers that are missing, empty, repeated, cut or garbled', async () => {
    const { body, headers } = sample();
    for (const key of Object.keys(headers).filter((each) => each !== 'content-type')) {
      const value = headers[key] ?? '';
      const wrong = [
        undefined,
        '',
        ' ',
        [],
        [value],
        [value, value],
        `${value}, ${value}`,
        value.slice(0, 4),
        // The certificate's address is a hint, not signed; its last letters may be any.
        ...(key === 'paypal-cert-url' ? [] : [value.slice(0, -4), `${value}x`]),
        `\u00e9${value}`,
        'x'.repeat(10_000),
        '__proto__',
        '-1',
        '1e3',
        '0x10',
        'NaN',
      ];
      for (const each of wrong) {
        const outcome = await verdict({ body, headers: { ...headers, [key]: each } });
        expect([key, each, outcome]).toEqual([key, each, expect.any(InvalidSignature)]);
      }
    }
  });

  it('never verifies random headers, and never fails in another way', async () => {
    const { body, headers } = sample();
    const keys = Object.keys(headers);
    const anyHeaders = fc.record(
      Object.fromEntries(
        keys.map((key) => [key, fc.oneof(fc.string(), fc.constant(headers[key]))]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(anyHeaders, async (random) => {
        fc.pre(keys.some((key) => key !== 'content-type' && random[key] !== headers[key]));
        expect(await verdict({ body, headers: random })).toBeInstanceOf(InvalidSignature);
      }),
    );
  });

  it('refuses bytes that are no UTF-8 inside a signed string', () => {
    const { body } = sample();
    const rawBody = Buffer.from(body.replace(LINK, '\u00ff'), 'latin1');
    const headers = signedAgain(name, body, folder);
    expect(() => gateway().parse({ rawBody, headers })).toThrow(InvalidSignature);
  });

  it('answers really signed nonsense with InvalidSignature or a report', async () => {
    const { body } = sample();
    const whole = JSON.parse(body) as Record<string, unknown>;
    const nonsense = [
      '',
      '{',
      'null',
      '[]',
      '1',
      '"x"',
      '{}',
      '['.repeat(100_000),
      '\uFEFF{}',
      Buffer.from([0xff, 0xfe, 0x00]),
      JSON.stringify({ ...whole, id: 'a\u0000b', event_type: 'a b', type: '' }),
      ...Object.keys(whole).map((key) => JSON.stringify({ ...whole, [key]: null })),
      ...Object.keys(whole).map((key) =>
        JSON.stringify({ ...whole, [key]: { object: { id: 7 } } }),
      ),
      ...everyValueSwapped(whole, ['', -1, 1.5, 1e300, '1e3', {}, [], null, '\u0000', 'zzz', true]),
    ];
    for (const each of nonsense) {
      const headers = signedAgain(name, each, folder);
      const signed = SIGNS_FIELDS.has(name) ? signedInside(String(each)) : each;
      const delivery = { rawBody: Buffer.from(signed), headers };
      if (!SIGNS_FIELDS.has(name)) await gateway().verify(delivery);
      try {
        await gateway().verify(delivery);
        const kinds = gateway()
          .parse(delivery)
          .map(({ kind }) => kind);
        expect(kinds).toHaveLength(1);
        expect(['paid', 'approved', 'irrelevant', 'named']).toContain(kinds[0]);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidSignature);
      }
    }
  });

  it('makes no call to create a checkout without an API key', async () => {
    const checkout = await gateway().createCheckout(aCheckoutRequest());
    expect(checkout.providerObjectId).toBeNull();
  });
});

const refusal = (provider: string, settings: Record<string, string>, name = 'gateway-a') => {
  try {
    openGateways([{ name, provider, settings }], aContext());
  } catch (error) {
    return error instanceof Error ? error.message : 'no Error';
  }
  return 'accepted';
};

const RAZORPAY_LIVE = { webhook_secret: 'a', key_id: 'rzp_live_hush', key_secret: 'hush' };

describe('openGateways', () => {
  it.each([
    ['stripe', {}, 'GATEWAY_A_WEBHOOK_SECRET is required'],
    ['stripe', { webhook_secret: '' }, 'GATEWAY_A_WEBHOOK_SECRET is required'],
    ['stripe', { webhook_secret: 'hush,' }, 'GATEWAY_A_WEBHOOK_SECRET holds an empty secret'],
    ['stripe', { webhook_secret: 'hush,a,b' }, 'GATEWAY_A_WEBHOOK_SECRET holds more than two'],
    ['stripe', { webhook_secret: 'a', nonsense: 'hush' }, 'GATEWAY_A_NONSENSE is not known'],
    ['stripe', { webhook_secret: 'a', environment: 'hush' }, 'GATEWAY_A_ENVIRONMENT has to be one'],
    ['stripe', { webhook_secret: 'a', api_base: 'hush' }, 'GATEWAY_A_API_BASE is not an http'],
    ['sandbox', { webhook_secret: 'hush' }, 'GATEWAY_A_WEBHOOK_SECRET has to be whsec_'],
    ['sandbox', { webhook_secret: 'whsec_aHVzaA==' }, 'GATEWAY_A_WEBHOOK_SECRET has to be whsec_'],
    ['paypal', {}, 'GATEWAY_A_WEBHOOK_ID is required'],
    ['paypal', { webhook_id: 'a', client_id: 'hush' }, 'GATEWAY_A_CLIENT_SECRET and the CLIENT_ID'],
    ['paypal', { webhook_id: 'a', certificates: '/hush' }, 'GATEWAY_A_CERTIFICATES names a file'],
    ['paypal', { webhook_id: 'a', demo_key: '/hush' }, 'GATEWAY_A_DEMO_KEY names no readable'],
    ['mollie', {}, 'GATEWAY_A_WEBHOOK_SECRET or the API_KEY is required'],
    ['mollie', { webhook_secret: 'hush,' }, 'GATEWAY_A_WEBHOOK_SECRET holds an empty secret'],
    ['mollie', { api_key: 'a', api_base: 'hush' }, 'GATEWAY_A_API_BASE is not an http'],
    ['razorpay', {}, 'GATEWAY_A_WEBHOOK_SECRET is required'],
    ['razorpay', { webhook_secret: 'a', key_id: 'hush' }, 'GATEWAY_A_KEY_ID is not a key id'],
    ['razorpay', { webhook_secret: 'a', key_secret: 'hush' }, 'GATEWAY_A_KEY_SECRET and the KEY'],
    ['razorpay', { ...RAZORPAY_LIVE, environment: 'sandbox' }, 'GATEWAY_A_KEY_ID is of the other'],
    ['razorpay', { ...RAZORPAY_LIVE, environment: 'live' }, 'accepted'],
    ['razorpay', { webhook_secret: 'a', currency: 'hush' }, 'GATEWAY_A_CURRENCY is no ISO 4217'],
    ['gocardless', {}, 'GATEWAY_A_WEBHOOK_SECRET is required'],
    ['gocardless', { webhook_secret: 'hush,' }, 'GATEWAY_A_WEBHOOK_SECRET holds an empty secret'],
    ['gocardless', { webhook_secret: 'a', api_base: 'hush' }, 'GATEWAY_A_API_BASE is not an http'],
    ['standard-webhooks', {}, 'GATEWAY_A_WEBHOOK_SECRET is required'],
    ['standard-webhooks', { webhook_secret: 'hush' }, 'GATEWAY_A_WEBHOOK_SECRET has to be whsec_'],
    ['nobody', {}, 'GATEWAY_A_PROVIDER has to be one of stripe, paypal, mollie, gocardless, '],
  ])('%s: names the variable and hides the value (%j)', (provider, settings, message) => {
    expect(refusal(provider, settings).slice(0, message.length)).toBe(message);
    expect(refusal(provider, settings)).not.toContain('hush');
  });

  it('names the variables of a gateway after its name', () => {
    expect(refusal('stripe', {}, 'my-shop')).toContain('GATEWAY_MY_SHOP_WEBHOOK_SECRET');
    expect(refusal('stripe', {}, 'My shop')).toContain('GATEWAYS');
  });

  it.each([
    ['shop', 'shop'],
    ['gateway-a', 'a'],
  ])('refuses %s beside %s, which has the same variables', (...pair) => {
    const settings = { webhook_secret: 'a' };
    const configs = pair.map((name) => ({ name, provider: 'stripe', settings }));
    expect(() => openGateways(configs, aContext())).toThrow(/share GATEWAY_(SHOP|A)_/);
  });

  it('refuses a demo key that belongs to no pinned certificate', () => {
    const settings = { webhook_id: 'a', demo_key: join(folder, 'leaf-key.pem') };
    expect(refusal('paypal', settings)).toContain('GATEWAY_A_DEMO_KEY belongs to none');
  });

  it('refuses test-only trust in production', () => {
    const production = aContext({ production: true });
    const open = (provider: string, settings: Record<string, string>) => () =>
      openGateways([{ name: 'gateway-b', provider, settings }], production);
    const files = {
      webhook_id: 'a',
      environment: 'sandbox',
      certificates: join(folder, 'certificates.pem'),
    };
    expect(open('sandbox', { webhook_secret: SANDBOX_SECRET })).toThrow(/GATEWAY_B_PROVIDER/);
    expect(open('paypal', { ...files, anchors: join(folder, 'anchors.pem') })).toThrow(
      /GATEWAY_B_ANCHORS is refused in production/,
    );
    expect(open('paypal', { webhook_id: 'a', demo_key: join(folder, 'leaf-key.pem') })).toThrow(
      /GATEWAY_B_DEMO_KEY is refused in production/,
    );
    const api = { client_id: 'a', client_secret: 'b' };
    expect(open('paypal', { ...files, ...api })).toThrow(/GATEWAY_B_CERTIFICATES is refused/);
    expect(open('stripe', { webhook_secret: 'a', api_base: 'http://x.test' })).toThrow(/API_BASE/);
    expect(open('paypal', { webhook_id: 'a', api_base: 'http://x.test' })).toThrow(/API_BASE/);
  });

  it('refuses PayPal without look-up in production, with everything else that is wrong', () => {
    const configs: GatewayConfig[] = [
      { name: 'gateway-b', provider: 'paypal', settings: { webhook_id: 'a', demo_key: '/x' } },
      { name: 'shop', provider: 'paypal', settings: { webhook_id: 'a', client_id: 'a' } },
      { name: 'fair', provider: 'stripe', accounts: 'acme', settings: { webhook_secret: 'a' } },
    ];
    expect(gatewayRefusals(configs)).toEqual([
      expect.stringMatching(/^GATEWAY_B_DEMO_KEY is refused/),
      expect.stringMatching(/^GATEWAY_B_CLIENT_ID is required/),
      expect.stringMatching(/^GATEWAY_SHOP_CLIENT_SECRET and the CLIENT_ID/),
      expect.stringMatching(/^GATEWAY_FAIR_ACCOUNTS has to be/),
    ]);
  });
});

interface Changed {
  body: string | Buffer;
  headers: Record<string, string | string[] | undefined>;
}
