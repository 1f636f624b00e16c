import { describe, expect, it } from 'vitest';
import { aGateway, NOW, SANDBOX_SECRET, STRIPE_SECRET } from './gateway-builders.js';

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

async function checksOf(provider: string, settings: Record<string, string>, answers: Answers) {
  const { fetch } = fetchOf(answers);
  const checks = await aGateway(provider, settings, { fetch }).check();
  expect(JSON.stringify(checks)).not.toContain('sk_hush');
  return Object.fromEntries(checks.map(({ check, status }) => [check, status]));
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
    expect(await checksOf('standard-webhooks', secret, {})).toEqual({});
  });
});
