import { mkdtempSync, globSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import { type Gateway, SAMPLE_EVENTS } from '../../src/payments/port/domain/gateway.js';
import type { GatewayConfig } from '../../src/platform/config/gateway-config.js';
import {
  gatewayRefusals,
  openGateways,
  providers,
} from '../../src/gateways/configured-gateways.js';
import { missingMandateMethods } from '../../src/testing/contract/mandate-methods.js';
import { gatewayContract } from '../../src/testing/index.js';
import { paymentIdAt, PROVIDER_NAMES } from './all-gateways.js';
import { aContext, aGateway, LINK, NOW, SANDBOX_SECRET } from './gateway-builders.js';
import { providerTrials } from './provider-trials.js';

const EUROS = Money.of(12_50n, 'EUR');
const folder = mkdtempSync(join(tmpdir(), 'quittance-gateways-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run test:signatures` tries 100,000, and a full run all texts that lead elsewhere. */
const trials = await providerTrials(folder, {
  mutants: Number(process.env['SIGNATURES'] ?? '2000'),
  nameStep: process.env['TEST_FULL'] ? 1 : 5,
});

it('lists every gateway file of the folder', () => {
  const files = globSync('src/gateways/*/*.gateway.ts');
  expect(files.map((file) => basename(file, '.gateway.ts')).sort()).toEqual(
    [...PROVIDER_NAMES].sort(),
  );
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

describe.each(trials)('$name', ({ name, options }) => {
  const provider = providers.find((one) => one.name === name)!;
  for (const { name: what, run } of gatewayContract(provider, options)) it(what, run);

  it('has more than four bodies to change', () => {
    const gateway = aGateway(name, options.settings);
    const of = { linkId: LINK, paymentId: paymentIdAt(name, '0SAMPLE1'), amount: EUROS };
    const played = SAMPLE_EVENTS.filter((event) => gateway.sampleEventDelivery(event, of, NOW));
    expect(played.length + (options.bodies?.length ?? 0)).toBeGreaterThan(4);
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
