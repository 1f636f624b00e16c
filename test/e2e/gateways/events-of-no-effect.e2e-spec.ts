import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adyenSignature } from '../../../src/gateways/adyen/adyen-items.js';
import { providers } from '../../../src/gateways/configured-gateways.js';
import { signGoCardless } from '../../../src/gateways/gocardless/gocardless.gateway.js';
import { signMollie } from '../../../src/gateways/mollie/mollie.gateway.js';
import { signPayPal } from '../../../src/gateways/paypal/paypal.gateway.js';
import { signRazorpay } from '../../../src/gateways/razorpay/razorpay.gateway.js';
import { signStandardWebhook } from '../../../src/kernel/standard-webhook.js';
import { signStripe } from '../../../src/gateways/stripe/stripe.gateway.js';
import {
  ADYEN_ACCOUNT,
  ADYEN_BASIC,
  ADYEN_KEY,
  GOCARDLESS_SECRET,
  MOLLIE_SECRET,
  RAZORPAY_SECRET,
  SANDBOX_SECRET,
  SETTINGS,
  settingsOfPayPal,
  STRIPE_SECRET,
} from '../../gateways/gateway-builders.js';
import type { TestClient } from '../../support/client.js';
import { PAYPAL_FOLDER } from '../../support/folders.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { next } from './stripe-events.js';

const inFolder = (name: string) => join(PAYPAL_FOLDER, name);
let service: TestService;
beforeAll(async () => {
  const files = {
    certificates: inFolder('certificates.pem'),
    anchors: inFolder('anchors.pem'),
    demoKey: inFolder('leaf-key.pem'),
  };
  const settings: typeof SETTINGS = { ...SETTINGS, paypal: settingsOfPayPal(files) };
  service = await startTestService({
    rateLimit: null,
    gateways: providers.map(({ name }) => ({
      name,
      provider: name,
      accounts: '*',
      settings: settings[name] ?? {},
    })),
  });
});
afterAll(() => service.close());

type Json = Record<string, unknown>;

/** An event that each provider sends to such an address and that has no effect here. */
const OF_NO_EFFECT: Record<string, { event: Json; kept: readonly string[] }> = {
  stripe: {
    event: {
      id: 'evt_1',
      object: 'event',
      type: 'customer.updated',
      created: 1_700_000_000,
      livemode: false,
      account: 'acct_1',
      data: { object: { id: 'cus_1', amount: 1, currency: 'eur' } },
    },
    kept: ['type'],
  },
  paypal: {
    event: {
      id: 'WH-1',
      event_type: 'BILLING.PLAN.CREATED',
      create_time: '2026-11-20T11:59:30Z',
      resource: { id: 'P-1' },
    },
    kept: ['event_type'],
  },
  mollie: {
    event: {
      id: 'event_1',
      type: 'payment-link.paid',
      entityId: 'pl_1',
      _embedded: { entity: { id: 'pl_1', amount: { value: '1.00', currency: 'EUR' } } },
    },
    kept: ['type'],
  },
  gocardless: {
    event: {
      id: 'EV1',
      created_at: '2026-11-20T12:00:00.000Z',
      resource_type: 'subscriptions',
      action: 'created',
      links: { subscription: 'SB1' },
      details: { origin: 'api', cause: 'subscription_created' },
    },
    kept: ['resource_type'],
  },
  adyen: {
    event: JSON.parse(
      readFileSync('test/fixtures/gateways/adyen-report-available.json', 'utf8'),
    ) as Json,
    kept: ['eventCode'],
  },
  razorpay: {
    event: { event: 'invoice.paid', created_at: 1_700_000_000, payload: { invoice: {} } },
    kept: ['event'],
  },
  'standard-webhooks': {
    event: { type: 'order.shipped', timestamp: '2026-11-20T12:00:00Z', data: { id: 'o-1' } },
    kept: ['type'],
  },
  sandbox: { event: { id: 'sbx_1', type: 'order.shipped', data: { id: 'o-1' } }, kept: ['type'] },
};

const WRONG: readonly unknown[] = [
  null,
  '',
  'a:b/../c d.csv',
  '\u0000',
  '\ud800',
  '__proto__',
  'x'.repeat(300),
  -1,
  1.5,
  1e300,
  true,
  [],
  {},
  { object: { id: 7 } },
];

/** The event as it is, and with each of its fields replaced by each wrong value, or gone. */
function oddOnes({ event, kept }: { event: Json; kept: readonly string[] }): Json[] {
  const fields = Object.keys(event).filter((field) => !kept.includes(field));
  return [
    event,
    ...fields.flatMap((field) => WRONG.map((value) => ({ ...event, [field]: value }))),
    ...fields.map((field) => ({ ...event, [field]: undefined })),
  ];
}

/** One more that says what it is: none is taken for the one before. */
function signed(name: string, body: string): { body: string; headers: Record<string, string> } {
  const now = service.clock.now();
  const unixSeconds = Math.floor(now.getTime() / 1000);
  const key = Buffer.from(SANDBOX_SECRET.slice('whsec_'.length), 'base64');
  const sign: Record<string, () => Record<string, string>> = {
    stripe: () => ({ 'stripe-signature': signStripe(STRIPE_SECRET, unixSeconds, body) }),
    mollie: () => signMollie(MOLLIE_SECRET, body),
    gocardless: () => signGoCardless(GOCARDLESS_SECRET, body),
    razorpay: () => signRazorpay(RAZORPAY_SECRET, body),
    sandbox: () => signStandardWebhook([key], { id: `msg_${next()}`, unixSeconds, body }),
    'standard-webhooks': () =>
      signStandardWebhook([key], { id: `msg_${next()}`, unixSeconds, body }),
    paypal: () =>
      signPayPal(createPrivateKey(readFileSync(inFolder('leaf-key.pem'))), {
        webhookId: 'WH-1',
        environment: 'sandbox',
        time: now.toISOString(),
        body,
      }),
    adyen: () => {
      const { webhook_user: user, webhook_password: password } = ADYEN_BASIC;
      return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
    },
  };
  const headers = sign[name]?.();
  if (!headers) throw new Error(`teach this test to sign for ${name}`);
  return { body, headers: { 'content-type': 'application/json', ...headers } };
}

const send = async (name: string, body: object) =>
  service.call<{ status?: string; code?: string }>(`/v1/webhooks/${name}`, {
    method: 'POST',
    ...signed(name, JSON.stringify(body)),
  });

async function aLink(client: TestClient, name: string) {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway: name });
  const paid = async () => (await client.read(invoice)).amount_paid;
  return { link, paid };
}

const openItems = async (client: TestClient) =>
  (await client.get<{ data: Json[] }>('/v1/finance/unmatched-items?status=open')).body.data;

const accepted = ({ status, text }: { status: number; text: string }) => [status, text];
const ANSWERS: Record<string, unknown[]> = {
  adyen: [200, '[accepted]'],
  gocardless: [204, ''],
};
const IGNORED = [200, '{"status":"ignored"}'];

it('knows an event of no effect of every provider', () => {
  expect(Object.keys(OF_NO_EFFECT).sort()).toEqual(providers.map(({ name }) => name).sort());
});

const SINGLE = Object.keys(OF_NO_EFFECT).filter((name) => !(name in ANSWERS));

describe.each(SINGLE)('an event of no effect from %s', (name) => {
  it('is taken whatever its fields are, and leaves nothing behind', async () => {
    const client = await service.aClient();
    const { link, paid } = await aLink(client, name);
    for (const event of oddOnes(OF_NO_EFFECT[name]!)) {
      const text = JSON.stringify(event);
      expect([text, accepted(await send(name, event))]).toEqual([text, IGNORED]);
    }
    await service.deliverPaid(link);
    expect(await paid()).toBe(11_900);
    expect(await openItems(client)).toEqual([]);
  });
});

const isText = (value: unknown) => typeof value !== 'object' || value === null;
const isGone = (value: unknown) => value === undefined || value === null;

/** Calls of a few items each, so that they are answered when they are booked. */
const AT_ONCE = 9;

describe.each(Object.keys(ANSWERS))('a call of %s with events of no effect', (name) => {
  /** Of Adyen only text can be signed, and no colon in what is behind our own reference. */
  const odd = oddOnes(OF_NO_EFFECT[name]!).filter((event) => {
    if (name !== 'adyen') return true;
    const { amount: _amount, ...fields } = event;
    return Object.values(fields).every(isText) && event['success'] !== 'a:b/../c d.csv';
  });

  const withPaid = (paidBody: string, others: readonly Json[], isFirst: boolean) => {
    const whole = JSON.parse(paidBody) as Json;
    const list = name === 'adyen' ? 'notificationItems' : 'events';
    const own = whole[list] as unknown[];
    const more = name === 'adyen' ? others.map(adyenItem) : others;
    return { ...whole, [list]: isFirst ? [...own, ...more] : [...more, ...own] };
  };

  it('books the payment beside them', { timeout: 60_000 }, async () => {
    const client = await service.aClient();
    for (let at = 0; at < odd.length; at += AT_ONCE) {
      const { link, paid } = await aLink(client, name);
      const some = odd.slice(at, at + AT_ONCE);
      const { body } = service.paidDelivery(link);
      const answer = await send(name, withPaid(body, some, at % 2 === 0));
      expect(accepted(answer)).toEqual(ANSWERS[name]);
      expect(await paid()).toBe(11_900);
    }
    expect(await openItems(client)).toEqual([]);
    await expectBooksToAgree(service);
  });
});

function adyenItem(item: Json): Json {
  const additionalData = { hmacSignature: adyenSignature(ADYEN_KEY, signable(item)) };
  return { NotificationRequestItem: { ...item, additionalData } };
}

/** As Adyen's own packages sign: what is missing is empty. */
function signable(item: Json) {
  const text = (value: unknown) => (isGone(value) ? '' : String(value));
  const amount = (isGone(item['amount']) ? {} : item['amount']) as Json;
  return {
    pspReference: text(item['pspReference']),
    originalReference: text(item['originalReference']),
    merchantAccountCode: text(item['merchantAccountCode']),
    merchantReference: text(item['merchantReference']),
    amount: { value: text(amount['value']), currency: text(amount['currency']) },
    eventCode: text(item['eventCode']),
    success: text(item['success']),
  };
}

describe('an item of Adyen that is acted on, and odd', () => {
  const anItem = (over: Json): Json => ({
    amount: { currency: 'EUR', value: 1250 },
    eventCode: 'AUTHORISATION',
    merchantAccountCode: ADYEN_ACCOUNT,
    merchantReference: 'of the shop',
    pspReference: `PSP${next()}`,
    originalReference: '',
    success: 'true',
    ...over,
  });

  it.each<[string, Json, Json]>([
    ['a reference', { pspReference: 'a/../b.csv' }, { direction: 'in', amount: 1250 }],
    ['an amount', { amount: { currency: 'EUR', value: 12.5 } }, { direction: 'in', amount: null }],
    ['a currency', { amount: { currency: 'euro', value: 1 } }, { direction: 'in', amount: null }],
    ['no amount', { amount: undefined }, { direction: 'in', amount: null }],
    ['an outcome', { success: 'perhaps' }, { direction: 'in', amount: 1250 }],
    [
      'a dispute with an odd reference',
      { eventCode: 'CHARGEBACK', originalReference: 'a b' },
      { direction: 'out', amount: 1250 },
    ],
  ])('in %s is for a person, once, and the others are booked', async (_what, over, item) => {
    const only = await startOnly();
    const { link, paid } = await aLink(only.client, 'adyen');
    const { body } = only.service.paidDelivery(link);
    const whole = JSON.parse(body) as { notificationItems: unknown[] };
    whole.notificationItems.unshift(adyenItem(anItem(over)));
    for (const _time of [1, 2]) {
      const sent = { method: 'POST', ...signed('adyen', JSON.stringify(whole)) } as const;
      const answer = await only.service.call('/v1/webhooks/adyen', sent);
      expect(accepted(answer)).toEqual(ANSWERS['adyen']);
    }
    expect(await paid()).toBe(11_900);
    expect(await openItems(only.client)).toEqual([expect.objectContaining(item)]);
    await only.service.close();
  });

  it('refuses all of the call with a bad signature, or with a colon of which it does not say where it was', async () => {
    const client = await service.aClient();
    const { link, paid } = await aLink(client, 'adyen');
    const whole = JSON.parse(service.paidDelivery(link).body) as { notificationItems: unknown[] };
    const bad = adyenItem(OF_NO_EFFECT['adyen']!.event) as { NotificationRequestItem: Json };
    bad.NotificationRequestItem['pspReference'] = 'another.csv';
    const cut = adyenItem(anItem({ pspReference: 'a:b' }));
    for (const item of [bad, cut]) {
      const notificationItems = [...whole.notificationItems, item];
      const answer = await send('adyen', { ...whole, notificationItems });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_signature']);
      expect(await paid()).toBe(0);
    }
  });
});

/** With one account, which then has the items. */
async function startOnly() {
  const own = { webhook_secret: ADYEN_KEY, merchant_account: ADYEN_ACCOUNT, ...ADYEN_BASIC };
  const only = await startTestService({
    gateways: [{ name: 'adyen', provider: 'adyen', accounts: '*', settings: own }],
  });
  return { service: only, client: await only.aClient() };
}
