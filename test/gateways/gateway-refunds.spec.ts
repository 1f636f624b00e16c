import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import type { Gateway } from '../../src/payments/port/domain/gateway.js';
import type { RefundRequest } from '../../src/payments/port/domain/refund-request.js';
import { providers } from '../../src/gateways/configured-gateways.js';
import {
  type Behaviour,
  PAYPAL_ORDER,
  type ProviderStub,
  startProviderStub,
} from '../support/provider-stub.js';
import {
  aGateway,
  GOCARDLESS_SECRET,
  MOLLIE_SECRET,
  RAZORPAY_SECRET,
  SANDBOX_SECRET,
  STRIPE_SECRET,
} from './gateway-builders.js';

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
  stripe: { webhook_secret: STRIPE_SECRET },
  paypal: { webhook_id: 'WH-1', environment: 'sandbox' },
  mollie: { webhook_secret: MOLLIE_SECRET },
  razorpay: { webhook_secret: RAZORPAY_SECRET },
  gocardless: { webhook_secret: GOCARDLESS_SECRET },
  sandbox: { webhook_secret: SANDBOX_SECRET },
};

function gatewayAt(provider: string, apiBase = stub.apiBase): Gateway {
  const keys: Record<string, Record<string, string>> = {
    stripe: { api_key: 'sk_hush', api_base: apiBase },
    mollie: { api_key: 'test_hush', api_base: apiBase },
    razorpay: { key_id: 'rzp_test_1', key_secret: 'hush', api_base: apiBase },
    gocardless: { access_token: 'sandbox_hush', api_base: apiBase },
    paypal: { client_id: 'client', client_secret: 'hush', api_base: apiBase },
  };
  const settings = { ...WITHOUT_KEY[provider], ...keys[provider] };
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

/** The one has no API, and the other tells of refunds by events alone: it has a test of its own. */
const TELL_NOTHING: ReadonlySet<string> = new Set(['standard-webhooks', 'adyen']);
const refunding = providers.flatMap(({ name }) => (TELL_NOTHING.has(name) ? [] : [name]));

describe.each(refunding)('%s', (name) => {
  it('refunds once, however often it is asked', async () => {
    const gateway = gatewayAt(name);
    expect(gateway.canRefund).toBe(true);
    const first = await gateway.refund(aRequest());
    expect(first).toEqual({ status: 'succeeded', providerRefundId: expect.any(String) });
    expect(await gateway.refund(aRequest())).toEqual(first);
    expect(await gatewayAt(name).refund(aRequest())).toEqual(first);
    expect(stub.refunds.length).toBeLessThanOrEqual(1);
  });

  it('tells two refunds of one payment apart', async () => {
    const gateway = gatewayAt(name);
    const [one, other] = await Promise.all([
      gateway.refund(aRequest()),
      gateway.refund(aRequest({ refundId: `${REFUND.slice(0, -1)}4` })),
    ]);
    expect(one).not.toEqual(other);
  });

  it('finds a refund by its id', async () => {
    const gateway = gatewayAt(name);
    const made = await gateway.refund(aRequest());
    const providerRefundId = 'providerRefundId' in made ? made.providerRefundId : null;
    expect(await gateway.lookUpRefund(aRequest({ providerRefundId }))).toEqual(made);
  });

  it('does not find what it was never asked for', async () => {
    await gatewayAt(name).refund(aRequest({ refundId: `${REFUND.slice(0, -1)}4` }));
    expect(await gatewayAt(name).lookUpRefund(aRequest())).toEqual({ status: 'not_found' });
  });

  it('finds a refund without its id, or makes the same one again', async () => {
    const gateway = gatewayAt(name);
    const made = await gateway.refund(aRequest());
    const found = await gateway.lookUpRefund(aRequest());
    expect(found.status === 'not_found' ? await gateway.refund(aRequest()) : found).toEqual(made);
  });

  it('can refund only with what the API asks for', () =>
    expect(aGateway(name, WITHOUT_KEY[name] ?? {}).canRefund).toBe(name === 'sandbox'));
});

const REFUSED: Record<string, string> = {
  mollie: 'refused',
  razorpay: 'BAD_REQUEST_ERROR',
  gocardless: 'number_of_refunds_exceeded',
};

describe.each(['stripe', 'paypal', 'mollie', 'gocardless', 'razorpay'])(
  '%s, over its API,',
  (name) => {
    it.each<Behaviour>(['lost', 'broken', 'failing', 'garbled', 'busy'])(
      'does not know what became of a refund whose request is %s',
      async (behaviour) => {
        stub.next = [behaviour];
        await expect(gatewayAt(name).refund(aRequest())).rejects.toMatchObject(unavailable);
        const done = behaviour === 'lost' || behaviour === 'garbled';
        const found = await gatewayAt(name).lookUpRefund(aRequest());
        expect(found.status).toBe(done ? 'succeeded' : 'not_found');
        // Sent again under the same key, it is still one.
        expect(await gatewayAt(name).refund(aRequest())).toMatchObject({ status: 'succeeded' });
        expect(stub.refunds).toHaveLength(1);
      },
    );

    it('says why a refund is refused, in a word', async () => {
      stub.next = ['refused'];
      expect(await gatewayAt(name).refund(aRequest())).toEqual({
        status: 'failed',
        reason: REFUSED[name] ?? 'charge_already_refunded',
      });
    });

    it('asks for no amount that the provider does not have', async () => {
      const amount = name === 'stripe' ? Money.of(1231n, 'KWD') : Money.of(1250n, 'HUF');
      expect((await gatewayAt(name).refund(aRequest({ amount }))).status).toBe('failed');
      expect(stub.calls).toEqual([]);
    });

    it('follows a pending refund to its end', async () => {
      stub.next = ['pending'];
      const gateway = gatewayAt(name);
      const pending = { status: 'pending', providerRefundId: 're_1' };
      expect(await gateway.refund(aRequest())).toEqual(pending);
      expect(await gateway.lookUpRefund(aRequest())).toEqual(pending);
      for (const refund of stub.refunds) refund.status = 'failed';
      const later = await gateway.lookUpRefund(aRequest({ providerRefundId: 're_1' }));
      const reason = name === 'gocardless' ? 'bounced' : 'failed';
      expect(later).toEqual({ status: 'failed', reason });
    });

    it.each([401, 403, 404, 429, 500])(
      'leaves a look-up that says %d undecided',
      async (status) => {
        const asked = [aRequest(), aRequest({ providerRefundId: 're_1' })];
        for (const request of asked) {
          // A second 401 is about our credentials; the first may be about an old token.
          stub.nextLookUps = [status, status];
          await expect(gatewayAt(name).lookUpRefund(request)).rejects.toMatchObject(unavailable);
        }
      },
    );

    it('believes no answer about another refund', async () => {
      await gatewayAt(name).refund(aRequest());
      const wrong = [
        aRequest({ providerRefundId: 're_1', refundId: 'rfnd_other' }),
        aRequest({ providerRefundId: 're_1', amount: Money.of(501n, 'EUR') }),
        aRequest({ providerRefundId: 're_1', amount: Money.of(500n, 'USD') }),
      ];
      for (const request of wrong) {
        await expect(gatewayAt(name).lookUpRefund(request)).rejects.toMatchObject(unavailable);
      }
    });

    it('knows nothing while the provider is out of reach', async () => {
      const gateway = gatewayAt(name, 'http://127.0.0.1:1');
      await expect(gateway.refund(aRequest())).rejects.toMatchObject(unavailable);
      await expect(gateway.lookUpRefund(aRequest())).rejects.toMatchObject(unavailable);
    });

    it('makes no call without a key', async () => {
      const gateway = aGateway(name, WITHOUT_KEY[name] ?? {});
      await expect(gateway.refund(aRequest())).rejects.toMatchObject(unavailable);
      await expect(gateway.lookUpRefund(aRequest())).rejects.toMatchObject(unavailable);
    });
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
