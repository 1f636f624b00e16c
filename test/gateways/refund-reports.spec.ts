import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import { InvalidSignature } from '../../src/payments/port/domain/gateway.js';
import type { ProviderReport } from '../../src/payments/port/domain/provider-report.js';
import { type ProviderStub, startProviderStub } from '../support/provider-stub.js';
import {
  aGateway,
  aPayPalEvent,
  NOW_SECONDS,
  SANDBOX_SECRET,
  reportOf,
} from './gateway-builders.js';

const REFUND = 'rfnd_01k9x3v7e8f2r4t6y8w0a1b2c3';
const ours = {
  kind: 'refund',
  refundId: REFUND,
  providerRefundId: 're_1',
  providerPaymentId: 'pi_1',
  amount: Money.of(500n, 'EUR'),
};
const done = { status: 'succeeded', providerRefundId: 're_1' };
const toReview = { kind: 'irrelevant', review: expect.any(String) };

/** Parsing looks at no signature: `verify` comes first, always. */
function read(provider: string, body: object, settings: Record<string, string> = {}) {
  const secrets: Record<string, Record<string, string>> = {
    stripe: { webhook_secret: 'a' },
    paypal: { webhook_id: 'WH-1' },
    sandbox: { webhook_secret: SANDBOX_SECRET },
  };
  const gateway = aGateway(provider, { ...secrets[provider], ...settings });
  const headers = { 'paypal-transmission-id': 'a1b2c3d4-0000-11f1-8000-000000000000' };
  return reportOf(gateway, { rawBody: Buffer.from(JSON.stringify(body)), headers });
}

const aStripeEvent = (type: string, object: object) => ({
  id: 'evt_1',
  type,
  created: NOW_SECONDS,
  livemode: false,
  data: { object },
});

const aStripeRefund = (over: object = {}) => ({
  id: 're_1',
  object: 'refund',
  amount: 500,
  currency: 'eur',
  status: 'succeeded',
  payment_intent: 'pi_1',
  metadata: { refund_id: REFUND },
  ...over,
});

const aPayPalRefundEvent = (resource: object) => ({
  id: 'WH-EVENT',
  event_type: 'PAYMENT.CAPTURE.REFUNDED',
  create_time: '2026-11-20T11:59:30.123Z',
  resource,
});

const aPayPalRefund = (over: object = {}) => ({
  id: 're_1',
  status: 'COMPLETED',
  amount: { currency_code: 'EUR', value: '5.00' },
  custom_id: REFUND,
  links: [{ rel: 'up', href: 'https://x.test/v2/payments/captures/pi_1' }],
  ...over,
});

const aSandboxEvent = (type: string, data: object) => ({
  id: 'evt_1',
  type,
  data: { payment_id: 'pi_1', amount: 500, currency: 'EUR', ...data },
});

describe('Stripe', () => {
  it.each(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])(
    'reads a refund from %s',
    (type) =>
      expect(read('stripe', aStripeEvent(type, aStripeRefund()))).toMatchObject({
        ...ours,
        outcome: done,
      }),
  );

  it.each([
    [{ status: 'pending' }, { status: 'pending', providerRefundId: 're_1' }],
    [{ status: 'requires_action' }, { status: 'pending', providerRefundId: 're_1' }],
    [
      { status: 'failed', failure_reason: 'declined' },
      { status: 'failed', reason: 'declined' },
    ],
    [
      { status: 'failed', failure_reason: 'a b' },
      { status: 'failed', reason: 'failed' },
    ],
    [{ status: 'canceled' }, { status: 'failed', reason: 'canceled' }],
  ])('takes %j as %j', (over, outcome) =>
    expect(read('stripe', aStripeEvent('refund.updated', aStripeRefund(over)))).toMatchObject({
      outcome,
    }),
  );

  it.each([undefined, null, {}, { refund_id: 7 }])('names no refund of ours in %j', (metadata) =>
    expect(
      read('stripe', aStripeEvent('refund.created', aStripeRefund({ metadata }))),
    ).toMatchObject({
      kind: 'refund',
      refundId: null,
      review: expect.any(String),
    }),
  );

  it('reads how much of a charge went back in all', () => {
    const charge = { id: 'ch_1', amount_refunded: 700, currency: 'eur', payment_intent: 'pi_1' };
    const report = read('stripe', aStripeEvent('charge.refunded', charge));
    expect(report).toMatchObject({ kind: 'refunded_in_all', providerPaymentId: 'pi_1' });
    expect(report).toMatchObject({ amount: Money.of(700n, 'EUR') });
  });

  it.each([
    ['refund.created', aStripeRefund({ payment_intent: null })],
    ['refund.created', aStripeRefund({ status: 'new_word' })],
    ['refund.created', aStripeRefund({ currency: 'usdc' })],
    ['refund.created', {}],
    ['charge.refunded', { amount_refunded: 700, currency: 'eur' }],
    ['charge.refunded', {}],
  ])('leaves %s %j to a person', (type, object) =>
    expect(read('stripe', aStripeEvent(type, object))).toMatchObject(toReview),
  );

  it('leaves a test refund at a live gateway to a person', () => {
    const live = { environment: 'live' };
    expect(read('stripe', aStripeEvent('refund.created', aStripeRefund()), live)).toMatchObject(
      toReview,
    );
  });

  it.each([
    [{ fee: 66, currency: 'eur' }, Money.of(66n, 'EUR')],
    [{ fee: 66, currency: 'usd' }, null],
    [{ fee: 0, currency: 'eur' }, null],
    [{ fee: 1251, currency: 'eur' }, null],
    ['txn_1', null],
    [undefined, null],
  ])('reads the fee of %j', (transaction, fee) => {
    const intent = {
      id: 'pi_1',
      amount_received: 1250,
      currency: 'eur',
      latest_charge: transaction && { id: 'ch_1', balance_transaction: transaction },
    };
    const report = read('stripe', aStripeEvent('payment_intent.succeeded', intent));
    expect(report).toMatchObject({ kind: 'paid', fee });
  });
});

describe('PayPal', () => {
  let stub: ProviderStub;
  beforeAll(async () => {
    stub = await startProviderStub();
    stub.refunds.push({
      id: 're_1',
      key: REFUND,
      paymentId: 'pi_1',
      amount: '5.00',
      currency: 'EUR',
      ours: REFUND,
      status: 'succeeded',
    });
  });
  afterAll(() => stub.close());

  const confirm = async (report: ProviderReport) => {
    const settings = { client_id: 'client', client_secret: 'hush', api_base: stub.apiBase };
    const gateway = aGateway(
      'paypal',
      { webhook_id: 'WH-1', environment: 'sandbox', ...settings },
      { fetch: globalThis.fetch },
    );
    return gateway.confirm(report);
  };

  it('reads a refund, its capture by the link up', () =>
    expect(read('paypal', aPayPalRefundEvent(aPayPalRefund()))).toMatchObject({
      ...ours,
      outcome: done,
    }));

  it.each([
    { status: 'NEW_WORD' },
    { links: undefined },
    { links: [{ rel: 'up', href: 'https://x.test/v2/checkout/orders/1' }] },
    { amount: { currency_code: 'EUR', value: '5.001' } },
  ])('leaves %j to a person', (over) =>
    expect(read('paypal', aPayPalRefundEvent(aPayPalRefund(over)))).toMatchObject(toReview),
  );

  it('believes what PayPal itself says, not what the event says', async () => {
    const report = read('paypal', aPayPalRefundEvent(aPayPalRefund({ status: 'PENDING' })));
    expect(await confirm(report)).toMatchObject({ ...ours, outcome: done });
  });

  it.each([{ custom_id: 'rfnd_other' }, { amount: { currency_code: 'EUR', value: '6.00' } }])(
    'is denied when PayPal says otherwise than %j',
    async (over) => {
      const report = read('paypal', aPayPalRefundEvent(aPayPalRefund({ ...over })));
      await expect(confirm(report)).rejects.toBeInstanceOf(InvalidSignature);
    },
  );

  it('settles nothing by an event alone: without a look-up it is left to a person', async () => {
    const gateway = aGateway('paypal', { webhook_id: 'WH-1' });
    expect(
      await gateway.confirm(read('paypal', aPayPalRefundEvent(aPayPalRefund()))),
    ).toMatchObject(toReview);
  });

  it.each([
    [{ currency_code: 'EUR', value: '0.66' }, Money.of(66n, 'EUR')],
    [{ currency_code: 'USD', value: '0.66' }, null],
    [{ currency_code: 'EUR', value: '0.00' }, null],
    [{ currency_code: 'EUR', value: '12.51' }, null],
    [7, null],
  ])('reads the fee of %j', (fee, expected) => {
    const body = aPayPalEvent({ seller_receivable_breakdown: { paypal_fee: fee } });
    const report = read('paypal', JSON.parse(body) as object);
    expect(report).toMatchObject({ kind: 'paid', fee: expected });
  });
});

describe('the sandbox', () => {
  const refund = { sandbox_refund_id: 're_1', refund_id: REFUND };
  it.each([
    ['refund.succeeded', done],
    ['refund.failed', { status: 'failed', reason: 'failed' }],
  ])('reads %s', (type, outcome) =>
    expect(read('sandbox', aSandboxEvent(type, refund))).toMatchObject({ ...ours, outcome }),
  );

  it('reads a fee', () =>
    expect(
      read(
        'sandbox',
        aSandboxEvent('payment.succeeded', { fee: 20, paid_at: '2026-11-20T12:00:00Z' }),
      ),
    ).toMatchObject({ kind: 'paid', fee: Money.of(20n, 'EUR') }));
});
