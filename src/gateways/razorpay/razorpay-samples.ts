import { randomBytes } from 'node:crypto';
import type { Money } from '../../kernel/money.js';
import type { SampleEvent, SampleOf } from '../../payments/index.js';
import { razorpayUnits } from './razorpay-amount.js';
import { RazorpayId } from './razorpay-objects.js';

/** The body of a paid link, as Razorpay would send it. */
export function paidSample(link: { id: string; amount: Money }, now: Date): string {
  const payment = aPayment({ linkId: null, paymentId: newId('pay'), amount: link.amount }, now);
  return eventBody('payment_link.paid', now, {
    payment_link: {
      id: newId('plink'),
      amount: payment.amount,
      amount_paid: payment.amount,
      currency: payment.currency,
      reference_id: link.id,
      notes: { payment_link_id: link.id },
      status: 'paid',
    },
    payment: { ...payment, status: 'captured' },
  });
}

/** The body of what comes of a payment later; undefined where Razorpay has no such event. */
export function laterSample(event: SampleEvent, of: SampleOf, now: Date): string | undefined {
  if (event === 'reversed' || event === 'payout_failed') return undefined;
  if (!RazorpayId.safeParse(of.paymentId).success) return undefined;
  const payment = aPayment(of, now);
  if (event === 'processing') {
    return eventBody('payment.authorized', now, { payment: { ...payment, status: 'authorized' } });
  }
  if (event === 'failed') {
    const failed = { ...payment, status: 'failed', error_reason: 'payment_failed' };
    return eventBody('payment.failed', now, { payment: failed });
  }
  if (event === 'paid') return eventBody('payment.captured', now, { payment });
  const suffix = payment.id.slice(payment.id.indexOf('_') + 1);
  if (event === 'refunded') {
    const { id: payment_id, amount, currency, created_at } = payment;
    const refund = { payment_id, amount, currency, status: 'processed', created_at };
    return eventBody('refund.processed', now, { refund: { id: `rfnd_${suffix}`, ...refund } });
  }
  if (event === 'payout') {
    const { amount, currency, created_at } = payment;
    const money = { amount, currency, fees: 0, tax: 0, utr: `DEMO${suffix}` };
    const settlement = { id: `setl_${suffix}`, ...money, status: 'processed', created_at };
    return eventBody('settlement.processed', now, { settlement });
  }
  const decided = event === 'dispute.won' || event === 'dispute.lost';
  const said = decided ? event.slice('dispute.'.length) : 'created';
  const { amount, currency, id, created_at } = payment;
  const dispute = {
    id: `disp_${suffix}`,
    payment_id: id,
    amount,
    currency,
    amount_deducted: said === 'lost' ? amount : 0,
    reason_code: 'chargeback',
    phase: event === 'dispute.inquiry' ? 'retrieval' : 'chargeback',
    status: decided ? said : 'open',
    created_at,
  };
  return eventBody(`payment.dispute.${said}`, now, { payment, dispute });
}

function aPayment(
  { linkId, paymentId, amount }: { linkId: string | null; paymentId: string; amount: Money },
  now: Date,
) {
  return {
    id: paymentId,
    entity: 'payment',
    amount: razorpayUnits(amount),
    currency: amount.currency,
    status: 'captured',
    notes: linkId === null ? [] : { payment_link_id: linkId },
    created_at: secondsOf(now),
  };
}

function eventBody(event: string, now: Date, entities: Record<string, object>): string {
  return JSON.stringify({
    entity: 'event',
    account_id: 'acc_sample',
    event,
    contains: Object.keys(entities),
    payload: Object.fromEntries(
      Object.entries(entities).map(([name, entity]) => [name, { entity }]),
    ),
    created_at: secondsOf(now),
  });
}

function secondsOf(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}

function newId(kind: string): string {
  return `${kind}_${randomBytes(7).toString('hex')}`;
}
