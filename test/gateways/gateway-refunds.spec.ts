import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import type { Gateway } from '../../src/payments/port/domain/gateway.js';
import type { RefundRequest } from '../../src/payments/port/domain/refund-request.js';
import { PAYPAL_ORDER, type ProviderStub, startProviderStub } from '../support/provider-stub.js';
import { aGateway, SETTINGS } from './gateway-builders.js';
import { API_SETTINGS } from './provider-trials.js';

const REFUND = 'rfnd_01k9x3v7e8f2r4t6y8w0a1b2c3';
const unavailable = { kind: 'unavailable', code: 'gateway_unavailable' };
let stub: ProviderStub;

beforeAll(async () => {
  stub = await startProviderStub();
});
afterAll(() => stub.close());
beforeEach(() => {
  stub.refunds = [];
  stub.calls = [];
  stub.next = [];
  stub.nextLookUps = [];
});

const WITHOUT_KEY: Record<string, Record<string, string>> = {
  ...SETTINGS,
  paypal: { webhook_id: 'WH-1', environment: 'sandbox' },
};

function gatewayAt(provider: string, apiBase = stub.apiBase): Gateway {
  const settings = { ...WITHOUT_KEY[provider], ...API_SETTINGS[provider]?.(apiBase) };
  return aGateway(provider, settings, { fetch: globalThis.fetch });
}

function aRequest(over: Partial<RefundRequest> = {}): RefundRequest {
  return {
    refundId: REFUND,
    providerPaymentId: 'tr_0001',
    amount: Money.of(500n, 'EUR'),
    providerRefundId: null,
    isOurs: true,
    ...over,
  };
}

// The contract refunds at each provider, and breaks it in every way. Here a real connection is refused.
it.each(['stripe', 'paypal', 'mollie', 'gocardless', 'razorpay'])(
  '%s: knows nothing while nobody listens',
  async (name) => {
    const gateway = gatewayAt(name, 'http://127.0.0.1:1');
    await expect(gateway.refund(aRequest())).rejects.toMatchObject(unavailable);
    await expect(gateway.lookUpRefund(aRequest())).rejects.toMatchObject(unavailable);
  },
);

it.each([
  ['stripe', 'GET /v1/refunds', 3],
  ['mollie', 'GET /v2/payments/tr_0001/refunds', 2],
  ['razorpay', 'GET /v1/payments/tr_0001/refunds', 3],
])('%s: looks through every page before a refund is not found', async (name, call, pages) => {
  const others = Array.from({ length: 250 }, (_, index) => ({
    id: `re_other${index}`,
    key: `other-${index}`,
    paymentId: 'tr_0001',
    amount: '1',
    currency: name === 'stripe' ? 'eur' : 'EUR',
    ours: null,
    status: 'succeeded' as const,
  }));
  await gatewayAt(name).refund(aRequest());
  stub.refunds.unshift(...others);
  const found = await gatewayAt(name).lookUpRefund(aRequest());
  expect(found).toEqual({ status: 'succeeded', providerRefundId: 're_1' });
  expect(stub.calls.filter((line) => line === call)).toHaveLength(pages);
});

it('PayPal: goes from the capture to its order to look for a refund', async () => {
  await gatewayAt('paypal').refund(aRequest());
  stub.calls = [];
  await gatewayAt('paypal').lookUpRefund(aRequest());
  expect(stub.calls.slice(1)).toEqual([
    'GET /v2/payments/captures/tr_0001',
    `GET /v2/checkout/orders/${PAYPAL_ORDER}-tr_0001`,
  ]);
});
