import { describe, expect, it } from 'vitest';
import {
  ADYEN_ACCOUNT,
  aCheckoutRequest,
  aGateway,
  LINK,
  NOW,
  SETTINGS,
} from './gateway-builders.js';

const END = new Date('2026-11-21T09:30:00.000Z');
const SECONDS = END.getTime() / 1000;

/** Each provider's answers when a page is made; `end` is as it writes it. */
const MAKING: Record<string, (end: unknown) => Record<string, object>> = {
  stripe: (end) => ({
    '/v1/checkout/sessions': { id: 'cs_1', url: 'https://page.test/1', expires_at: end },
  }),
  mollie: (end) => ({
    '/v2/payments': {
      id: 'tr_12345',
      expiresAt: end,
      _links: { checkout: { href: 'https://page.test/1' } },
    },
  }),
  gocardless: (end) => ({
    '/billing_requests': { billing_requests: { id: 'BRQ1' } },
    '/billing_request_flows': {
      billing_request_flows: { authorisation_url: 'https://page.test/1', expires_at: end },
    },
  }),
  adyen: (end) => ({
    '/v72/paymentLinks': {
      id: 'PL123456',
      merchantAccount: ADYEN_ACCOUNT,
      reference: LINK,
      amount: { value: 1250, currency: 'EUR' },
      status: 'active',
      url: 'https://page.test/1',
      expiresAt: end,
    },
  }),
  razorpay: (end) => ({
    '/v1/payment_links': {
      id: 'plink_1',
      amount: 1250,
      currency: 'EUR',
      amount_paid: 0,
      status: 'created',
      short_url: 'https://page.test/1',
      created_at: 1,
      expire_by: end,
    },
  }),
  paypal: () => ({
    '/v1/oauth2/token': { access_token: 't', expires_in: 100 },
    '/v2/checkout/orders': {
      id: 'ORDER1',
      links: [{ rel: 'payer-action', href: 'https://page.test/1' }],
    },
  }),
};
const KEYS: Record<string, Record<string, string>> = {
  gocardless: { access_token: 'x' },
  razorpay: { key_id: 'rzp_test_1', key_secret: 'x' },
  paypal: { webhook_id: 'WH-1', environment: 'sandbox', client_id: 'a', client_secret: 'b' },
};

async function endOf(provider: string, end: unknown) {
  const answers = MAKING[provider]?.(end) ?? {};
  const fetch = (async (url: string) =>
    Response.json(answers[new URL(url).pathname])) as unknown as typeof globalThis.fetch;
  const settings = { ...SETTINGS[provider], ...(KEYS[provider] ?? { api_key: 'x' }) };
  const checkout = await aGateway(provider, settings, { fetch }).createCheckout(aCheckoutRequest());
  expect(checkout.url).toBe('https://page.test/1');
  return checkout.pageExpiresAt;
}

describe('the end of a pay page', () => {
  it.each([
    ['stripe', SECONDS],
    ['razorpay', SECONDS],
    ['mollie', '2026-11-21T10:30:00+01:00'],
    ['gocardless', '2026-11-21T09:30:00.000Z'],
    ['adyen', '2026-11-21T09:30:00Z'],
  ])('is told by %s as %s', async (provider, end) => {
    expect(await endOf(provider, end)).toEqual(END);
  });

  const unsaid = [undefined, null, 0, -1, 'tomorrow', '2026-11-21', 1e15, {}];
  it.each(
    ['stripe', 'razorpay', 'mollie', 'gocardless', 'adyen'].flatMap((provider) =>
      unsaid.map((end) => [provider, end] as const),
    ),
  )('is unsaid where %s tells %j, and the page is made', async (provider, end) => {
    expect(await endOf(provider, end)).toBeNull();
  });

  it('is not told by PayPal, which lets an order that nobody approved end after three hours', async () => {
    expect(await endOf('paypal', undefined)).toEqual(new Date(NOW.getTime() + 3 * 3_600_000));
  });
});
