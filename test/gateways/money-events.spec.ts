import { describe, expect, it } from 'vitest';
import type { ProviderReport } from '../../src/payments/port/domain/provider-report.js';
import { itemOf, unknownReturn } from '../../src/payments/recording/domain/unmatched-item.js';
import {
  aGateway,
  NOW_SECONDS,
  RAZORPAY_SECRET,
  SANDBOX_SECRET,
  reportOf,
} from './gateway-builders.js';
import { aDispute, anEvent, aPayment, aRefund } from './razorpay/razorpay-objects.js';

// Every event about money that moved is booked, or leaves an item behind: whatever becomes of it,
// nobody is left without a trace. Events about money that has not moved are listed, too.

const SETTINGS: Record<string, Record<string, string>> = {
  stripe: { webhook_secret: 'a' },
  paypal: { webhook_id: 'WH-1' },
  sandbox: { webhook_secret: SANDBOX_SECRET },
  razorpay: { webhook_secret: RAZORPAY_SECRET },
};

function read(provider: string, body: object): ProviderReport {
  const gateway = aGateway(provider, SETTINGS[provider] ?? {});
  const headers = {
    'paypal-transmission-id': 'a1b2c3d4-0000-11f1-8000-000000000000',
    'paypal-transmission-time': '2026-11-20T12:00:00Z',
  };
  return reportOf(gateway, { rawBody: Buffer.from(JSON.stringify(body)), headers });
}

/** Of everything that a Stripe object of money says. */
const object = {
  id: 'x_1',
  payment_status: 'paid',
  payment_intent: 'pi_1',
  amount_total: 500,
  amount_received: 500,
  amount_refunded: 500,
  amount: 500,
  currency: 'eur',
  status: 'succeeded',
};
const stripe = (type: string) =>
  read('stripe', { id: 'evt_1', type, created: NOW_SECONDS, livemode: false, data: { object } });

const amount = { currency_code: 'EUR', value: '5.00' };
const up = [{ rel: 'up', href: 'https://x.test/v2/payments/captures/C1' }];
const paypal = (event_type: string) =>
  read('paypal', {
    id: 'WH-1',
    event_type,
    create_time: '2026-11-20T12:00:00Z',
    resource: { id: 'X1', dispute_id: 'PP-D-1', status: 'COMPLETED', amount, links: up },
  });

const at = '2026-11-20T12:00:00Z';
const data = {
  payment_id: 'p1',
  sandbox_refund_id: 'r1',
  dispute_id: 'd1',
  amount: 500,
  currency: 'EUR',
  paid_at: at,
};
const sandbox = (type: string) => read('sandbox', { id: 'evt_1', type, data: { ...data, at } });

const razorpay = (type: string) =>
  read(
    'razorpay',
    JSON.parse(
      anEvent(type, { payment: aPayment(), refund: aRefund(), dispute: aDispute() }),
    ) as object,
  );

const MOVES: [string, (type: string) => ProviderReport][] = [
  ['checkout.session.completed', stripe],
  ['checkout.session.async_payment_succeeded', stripe],
  ['payment_intent.succeeded', stripe],
  ['refund.created', stripe],
  ['refund.updated', stripe],
  ['refund.failed', stripe],
  ['charge.refund.updated', stripe],
  ['charge.refunded', stripe],
  ['charge.dispute.created', stripe],
  ['charge.dispute.updated', stripe],
  ['charge.dispute.closed', stripe],
  ['charge.dispute.funds_withdrawn', stripe],
  ['charge.dispute.funds_reinstated', stripe],
  ['PAYMENT.CAPTURE.COMPLETED', paypal],
  ['PAYMENT.CAPTURE.REFUNDED', paypal],
  ['PAYMENT.CAPTURE.REVERSED', paypal],
  ['CUSTOMER.DISPUTE.CREATED', paypal],
  ['CUSTOMER.DISPUTE.UPDATED', paypal],
  ['CUSTOMER.DISPUTE.RESOLVED', paypal],
  ['payment.succeeded', sandbox],
  ['payment.reversed', sandbox],
  ['refund.succeeded', sandbox],
  ['dispute.opened', sandbox],
  ['dispute.updated', sandbox],
  ['dispute.won', sandbox],
  ['dispute.lost', sandbox],
  ['payment_link.paid', razorpay],
  ['payment_link.partially_paid', razorpay],
  ['payment.captured', razorpay],
  ['order.paid', razorpay],
  ['refund.created', razorpay],
  ['refund.processed', razorpay],
  ['refund.failed', razorpay],
  ['refund.speed_changed', razorpay],
  ['payment.dispute.created', razorpay],
  ['payment.dispute.under_review', razorpay],
  ['payment.dispute.action_required', razorpay],
  ['payment.dispute.won', razorpay],
  ['payment.dispute.lost', razorpay],
  ['payment.dispute.closed', razorpay],
];

/** Refunds that disagree with our books become this. */
const kept = (report: ProviderReport): ProviderReport =>
  report.kind === 'refund' || report.kind === 'refunded_in_all' ? unknownReturn(report) : report;

describe('an event about money that moved', () => {
  it.each(MOVES)('%s leaves an item where it is not booked', (type, of) => {
    const report = of(type);
    const item = itemOf(
      kept(report),
      report.kind === 'irrelevant' ? 'ignored' : 'no_link_id',
      false,
    );
    expect(item).toMatchObject({
      direction: expect.stringMatching(/^(in|out)$/),
      told: expect.any(String),
      eventType: type,
    });
    expect(item?.subject).not.toBe('evt_1');
    expect(itemOf(report, 'ok', false)).toBeNull();
  });

  it.each([
    ['checkout.session.expired', stripe],
    ['customer.created', stripe],
    ['payment_intent.payment_failed', stripe],
    ['CHECKOUT.ORDER.COMPLETED', paypal],
    ['PAYMENT.CAPTURE.PENDING', paypal],
    ['payment.failed', sandbox],
    ['payment.failed', razorpay],
    ['payment.authorized', razorpay],
    ['payment_link.expired', razorpay],
    ['payment_link.cancelled', razorpay],
  ] as [string, (type: string) => ProviderReport][])('%s leaves none: none moved', (type, of) =>
    expect(itemOf(of(type), 'ignored', false)).toBeNull(),
  );
});
