import { describe, expect, it } from 'vitest';
import {
  ADYEN_ACCOUNT,
  ADYEN_KEY,
  aGateway,
  NOW,
  SANDBOX_SECRET,
  STRIPE_SECRET,
} from './gateway-builders.js';

type Answers = Record<string, [status: number, body: unknown, headers?: Record<string, string>]>;

/** The last part of an address leads to its answer; what is not there breaks the connection. */
function fetchOf(answers: Answers) {
  const asked: string[] = [];
  const fetch = (async (url: string) => {
    const path = new URL(url).pathname;
    asked.push(path);
    const answer = answers[path];
    if (!answer) throw new Error('sk_hush: connection refused');
    const [status, body, headers] = answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers });
  }) as unknown as typeof globalThis.fetch;
  return { asked, fetch };
}

const HOOK = 'https://pay.example/v1/webhooks/';
const STRIPE = { webhook_secret: STRIPE_SECRET, api_key: 'sk_hush' };
const PAYPAL = {
  webhook_id: 'WH-1',
  environment: 'sandbox',
  client_id: 'id',
  client_secret: 'sk_hush',
};
const TOKEN: Answers[string] = [200, { access_token: 't', expires_in: 100 }];
const WEBHOOK = '/v1/notifications/webhooks/WH-1';

async function detailsOf(provider: string, settings: Record<string, string>, answers: Answers) {
  const { fetch } = fetchOf(answers);
  const checks = await aGateway(provider, settings, { fetch }).check();
  expect(JSON.stringify(checks)).not.toContain('sk_hush');
  return Object.fromEntries(checks.map(({ check, status, detail }) => [check, [status, detail]]));
}

async function checksOf(provider: string, settings: Record<string, string>, answers: Answers) {
  const details = await detailsOf(provider, settings, answers);
  return Object.fromEntries(Object.entries(details).map(([check, [status]]) => [check, status]));
}

describe('Stripe', () => {
  const endpoint = (over: object = {}) => ({
    data: [{ url: `${HOOK}stripe`, status: 'enabled', enabled_events: ['*'], ...over }],
  });
  const ok: Answers = {
    '/v1/balance': [200, { object: 'balance' }, { date: NOW.toUTCString() }],
    '/v1/webhook_endpoints': [200, endpoint()],
  };
  const stripe = async (answers: Answers) => checksOf('stripe', STRIPE, { ...ok, ...answers });

  it('takes the key, sends all events and has our time', async () => {
    expect(await stripe({})).toEqual({ credentials: 'ok', clock: 'ok', webhook: 'ok' });
  });

  it('refuses a key, and is asked nothing more', async () => {
    expect(await stripe({ '/v1/balance': [401, {}] })).toEqual({ credentials: 'failed' });
  });

  it.each([
    ['another right', [403, {}]],
    ['an outage', [503, {}]],
    ['too many calls', [429, {}]],
  ] as const)('that answers with %s leaves the key unknown', async (_what, [status, body]) => {
    const checks = await stripe({ '/v1/balance': [status, body] });
    expect(checks['credentials']).toBe('unknown');
  });

  it('that does not answer leaves all unknown', async () => {
    expect(await checksOf('stripe', STRIPE, {})).toEqual({ credentials: 'unknown' });
  });

  it.each([
    [{ enabled_events: ['charge.refunded'] }, 'warning'],
    [{ status: 'disabled' }, 'failed'],
    [{ url: `${HOOK}another` }, 'unknown'],
    [{ enabled_events: 7 }, 'unknown'],
  ] as const)('with the endpoint %j is %s', async (over, status) => {
    const checks = await stripe({ '/v1/webhook_endpoints': [200, endpoint(over)] });
    expect(checks['webhook']).toBe(status);
  });

  it('may tell no webhooks: a restricted key', async () => {
    const checks = await stripe({ '/v1/webhook_endpoints': [403, {}] });
    expect(checks).toMatchObject({ credentials: 'ok', webhook: 'unknown' });
  });

  it.each([
    [61_000, 'failed'],
    [-61_000, 'failed'],
    [59_000, 'ok'],
  ])('whose clock is %d ms off is %s', async (offset, status) => {
    const date = new Date(NOW.getTime() + offset).toUTCString();
    expect((await stripe({ '/v1/balance': [200, {}, { date }] }))['clock']).toBe(status);
  });

  it('without a date says nothing of clocks', async () => {
    const checks = await stripe({ '/v1/balance': [200, {}, { date: 'yesterday' }] });
    expect(checks['clock']).toBeUndefined();
  });

  it('is not asked without a key', async () => {
    const checks = await checksOf('stripe', { webhook_secret: STRIPE_SECRET }, ok);
    expect(checks).toEqual({ credentials: 'unknown' });
  });
});

const paypal = async (answers: Answers) =>
  checksOf('paypal', PAYPAL, { '/v1/oauth2/token': TOKEN, ...answers });

describe('PayPal', () => {
  const webhook = { url: `${HOOK}paypal`, event_types: [{ name: '*' }] };

  it('takes the credentials, and sends all events', async () => {
    expect(await paypal({ [WEBHOOK]: [200, webhook] })).toEqual({
      credentials: 'ok',
      webhook: 'ok',
    });
  });

  it('refuses the credentials', async () => {
    const checks = await paypal({ '/v1/oauth2/token': [401, { error: 'invalid_client' }] });
    expect(checks).toEqual({ credentials: 'failed' });
  });

  it('knows no such webhook, although it takes the credentials', async () => {
    const checks = await paypal({ [WEBHOOK]: [404, {}] });
    expect(checks).toEqual({ credentials: 'ok', webhook: 'failed' });
  });

  it.each([
    [{ ...webhook, url: 'https://other.test' }, 'warning'],
    [{ ...webhook, event_types: [{ name: 'PAYMENT.CAPTURE.COMPLETED' }] }, 'warning'],
    ['<html>', 'unknown'],
  ])('with the webhook %j is %s', async (body, status) => {
    expect((await paypal({ [WEBHOOK]: [200, body] }))['webhook']).toBe(status);
  });
});

const AT_NOW = { date: NOW.toUTCString() };
const SLOW = { date: new Date(NOW.getTime() - 90_000).toUTCString() };
const NO_RIGHT = 'the credentials have no right to read this: ';

describe('GoCardless', () => {
  const settings = { webhook_secret: 'x', access_token: 'sk_hush' };
  const goCardless = async (answers: Answers) => detailsOf('gocardless', settings, answers);
  const webhook = ['unknown', expect.stringContaining('Webhook endpoints, in its dashboard')];

  it('takes the token and has our time; its webhooks are in its dashboard', async () => {
    expect(await goCardless({ '/creditors': [200, { creditors: [] }, AT_NOW] })).toEqual({
      credentials: ['ok', 'GoCardless takes them'],
      clock: ['ok', 'our clock agrees'],
      webhook,
    });
  });

  it.each([
    [401, 'failed', 'the credentials are refused'],
    [403, 'unknown', `${NO_RIGHT}GoCardless answers 403 (forbidden)`],
    [503, 'unknown', 'GoCardless does not answer; try again.'],
  ])('that answers %d says so in words', async (status, judged, words) => {
    const body = { error: { errors: [{ reason: 'forbidden' }] } };
    const { credentials } = await goCardless({ '/creditors': [status, body, AT_NOW] });
    expect(credentials).toEqual([judged, words]);
  });

  it('whose clock is another', async () => {
    const { clock } = await goCardless({ '/creditors': [200, {}, SLOW] });
    expect(clock).toEqual([
      'failed',
      "our clock is 90 s ahead of the provider's; signatures may be refused",
    ]);
  });

  it('is not asked without a token', async () => {
    const checks = await detailsOf('gocardless', { webhook_secret: 'x' }, {});
    expect(checks).toEqual({
      credentials: ['unknown', 'without ACCESS_TOKEN nothing can be asked'],
    });
  });
});

describe('Adyen', () => {
  const settings = { webhook_secret: ADYEN_KEY, merchant_account: ADYEN_ACCOUNT };
  const adyen = async (...[status, body, headers]: Answers[string]) =>
    detailsOf(
      'adyen',
      { ...settings, api_key: 'sk_hush' },
      { '/v72/paymentMethods': [status, body, headers] },
    );
  const webhook = ['unknown', expect.stringContaining('in the Customer Area')];

  it('takes the key for the merchant account; its webhooks are in the Customer Area', async () => {
    expect(await adyen(200, { paymentMethods: [] }, AT_NOW)).toEqual({
      credentials: ['ok', 'Adyen takes them'],
      clock: ['ok', 'our clock agrees'],
      webhook,
    });
  });

  it.each([
    [401, '000', 'failed', 'the credentials are refused'],
    [403, '901', 'failed', 'the key is not of this MERCHANT_ACCOUNT'],
    [422, '901', 'failed', 'the key is not of this MERCHANT_ACCOUNT'],
    [403, '010', 'failed', 'the key has no right to make pay pages: it needs the Checkout role'],
    [422, '702', 'unknown', 'Adyen answers 422 (702)'],
    [500, '905', 'unknown', 'Adyen does not answer; try again.'],
  ])('that answers %d, %s says so in words', async (status, errorCode, judged, words) => {
    const { credentials } = await adyen(status, { errorCode }, AT_NOW);
    expect(credentials).toEqual([judged, words]);
  });

  it('whose clock is another', async () => {
    expect((await adyen(403, {}, SLOW))['clock']?.[0]).toBe('failed');
  });

  it('is not asked without a key', async () => {
    const checks = await detailsOf('adyen', settings, {});
    expect(checks).toEqual({ credentials: ['unknown', 'without API_KEY nothing can be asked'] });
  });
});

describe('Razorpay', () => {
  const settings = { webhook_secret: 'x', key_id: 'rzp_test_1', key_secret: 'sk_hush' };
  const hook = (over: object = {}) => ({
    items: [{ url: `${HOOK}razorpay`, active: true, events: ['payment.failed'], ...over }],
  });
  const ok: Answers = {
    '/v1/payments': [200, { items: [] }, AT_NOW],
    '/v1/webhooks': [200, hook({ events: ['*'] })],
  };
  const razorpay = async (answers: Answers) =>
    detailsOf('razorpay', settings, { ...ok, ...answers });

  it('takes the key, sends all events and has our time', async () => {
    expect(await razorpay({})).toEqual({
      credentials: ['ok', 'Razorpay takes them'],
      clock: ['ok', 'our clock agrees'],
      webhook: ['ok', 'all events are subscribed'],
    });
  });

  it('refuses the key, and is asked nothing more', async () => {
    const refused = await razorpay({ '/v1/payments': [401, {}] });
    expect(refused).toEqual({ credentials: ['failed', 'the credentials are refused'] });
  });

  it.each([
    [403, 'unknown', `${NO_RIGHT}Razorpay answers 403 (BAD_REQUEST_ERROR)`],
    [502, 'unknown', 'Razorpay does not answer; try again.'],
  ])('that answers %d says so in words', async (status, judged, words) => {
    const body = { error: { code: 'BAD_REQUEST_ERROR' } };
    const { credentials } = await razorpay({ '/v1/payments': [status, body] });
    expect(credentials).toEqual([judged, words]);
  });

  it.each([
    [[200, hook()], 'warning', 'payment_link.paid, '],
    [[200, hook({ active: false })], 'failed', 'disabled'],
    [[200, hook({ url: `${HOOK}other` })], 'unknown', 'lists no webhook to'],
    [[200, { items: 7 }], 'unknown', 'lists no webhook to'],
    [[400, {}], 'unknown', 'does not tell its webhooks'],
    [[404, {}], 'unknown', 'does not tell its webhooks'],
  ] as const)('with the webhooks %j is %s', async ([status, body], judged, words) => {
    const { webhook } = await razorpay({ '/v1/webhooks': [status, body] });
    expect(webhook).toEqual([judged, expect.stringContaining(words)]);
  });
});

describe('Standard Webhooks', () => {
  it('has nobody to ask, and says what only its sender knows', async () => {
    const secret = { webhook_secret: SANDBOX_SECRET };
    expect(await detailsOf('standard-webhooks', secret, {})).toEqual({
      credentials: ['unknown', expect.stringContaining('the secret has the right form')],
      clock: ['unknown', expect.stringContaining(`it is ${NOW.toISOString()} here`)],
      webhook: ['unknown', expect.stringContaining('nobody can be asked')],
    });
  });
});

describe('others', () => {
  it('are asked as far as they have an API', async () => {
    const mollie = { webhook_secret: 'x', api_key: 'sk_hush' };
    const methods: Answers = { '/v2/methods': [200, {}] };
    expect(await checksOf('mollie', mollie, methods)).toEqual({ credentials: 'ok' });
    const refused: Answers = { '/v2/methods': [401, {}] };
    expect(await checksOf('mollie', mollie, refused)).toEqual({ credentials: 'failed' });
    expect(await checksOf('mollie', { webhook_secret: 'x' }, {})).toEqual({
      credentials: 'unknown',
    });
    const secret = { webhook_secret: SANDBOX_SECRET };
    expect(await checksOf('sandbox', secret, {})).toEqual({ credentials: 'ok' });
  });
});
