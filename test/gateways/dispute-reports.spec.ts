import { describe, expect, it } from 'vitest';
import type { ProviderReport } from '../../src/payments/port/domain/provider-report.js';
import { Money } from '../../src/kernel/money.js';
import { aGateway, NOW_SECONDS, reportOf } from './gateway-builders.js';

const eur = (minor: number) => Money.of(BigInt(minor), 'EUR');
const none = eur(0);

/** A transaction of Stripe's balance: what it took is below zero. */
const moved = (amount: number, fee = 0, currency = 'eur') => ({ amount, fee, currency });

function stripe(over: object, type = 'charge.dispute.updated'): ProviderReport {
  const object = {
    id: 'du_1',
    object: 'dispute',
    amount: 500,
    currency: 'eur',
    charge: 'ch_1',
    payment_intent: 'pi_1',
    reason: 'fraudulent',
    status: 'needs_response',
    evidence_details: { due_by: NOW_SECONDS + 100, has_evidence: false },
    ...over,
  };
  const event = { id: 'evt_1', type, created: NOW_SECONDS, livemode: false, data: { object } };
  const gateway = aGateway('stripe', { webhook_secret: 'a' });
  return reportOf(gateway, { rawBody: Buffer.from(JSON.stringify(event)), headers: {} });
}

const timeOf = (over: object) => (stripe(over) as { at: Date }).at.getTime();

describe('a dispute at Stripe', () => {
  it.each([
    ['an inquiry', { status: 'warning_needs_response' }, 'inquiry', none, null],
    ['an inquiry that ended', { status: 'warning_closed' }, 'closed', none, null],
    [
      'funds that are held',
      { status: 'under_review', balance_transactions: [moved(-500, 1500)] },
      'open',
      eur(500),
      eur(1500),
    ],
    [
      'won, before its money is back',
      { status: 'won', balance_transactions: [moved(-500, 1500)] },
      'won',
      eur(500),
      eur(1500),
    ],
    [
      'won, with money and fee',
      { status: 'won', balance_transactions: [moved(-500, 1500), moved(500, -1500)] },
      'won',
      none,
      none,
    ],
    [
      'lost in part',
      { status: 'lost', balance_transactions: [moved(-500, 1500), moved(200)] },
      'lost',
      eur(300),
      eur(1500),
    ],
    [
      'funds in another currency',
      { status: 'lost', balance_transactions: [moved(-550, 1500, 'usd')] },
      'lost',
      eur(500),
      null,
    ],
    ['nothing told of funds', { status: 'lost', balance_transactions: [] }, 'lost', eur(500), null],
  ])('tells of %s', (_, over, status, withdrawn, fee) => {
    expect(stripe(over)).toMatchObject({
      kind: 'dispute',
      disputeId: 'du_1',
      providerPaymentId: 'pi_1',
      amount: eur(500),
      reason: 'fraudulent',
      evidenceDueBy: new Date((NOW_SECONDS + 100) * 1000),
      status,
      withdrawn,
      fee,
    });
  });

  it('says with more movements what was said later in the same second', () => {
    const taken = { balance_transactions: [moved(-500)] };
    const back = { balance_transactions: [moved(-500), moved(500)] };
    expect(timeOf({})).toBeLessThan(timeOf(taken));
    expect(timeOf(taken)).toBeLessThan(timeOf(back));
  });

  it.each([
    ['no PaymentIntent', { payment_intent: null }],
    ['an unknown state', { status: 'frozen' }],
    ['a state that every object has', { status: 'constructor' }],
    ['an amount that we cannot say', { currency: 'xxx' }],
  ])('with %s is for a person', (_, over) => {
    expect(stripe(over)).toMatchObject({ kind: 'irrelevant', review: expect.any(String) });
  });
});

const money = (value: string, currency_code = 'EUR') => ({ currency_code, value });
const movement = (type: string, value: string, reason = 'DISPUTE_SETTLEMENT') => ({
  affected_party: 'SELLER',
  type,
  reason,
  amount: money(value),
});

function paypal(over: object): ProviderReport {
  const resource = {
    dispute_id: 'PP-D-1',
    update_time: '2026-11-20T12:00:00.000Z',
    disputed_transactions: [{ seller_transaction_id: 'CAPTURE1', buyer_transaction_id: 'B1' }],
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status: 'UNDER_REVIEW',
    dispute_amount: money('5.00'),
    dispute_life_cycle_stage: 'CHARGEBACK',
    seller_response_due_date: '2026-12-01T00:00:00.000Z',
    ...over,
  };
  const event = {
    id: 'WH-1',
    event_type: 'CUSTOMER.DISPUTE.UPDATED',
    create_time: '2026-11-20T12:00:01Z',
    resource,
  };
  const headers = {
    'paypal-transmission-id': 'a1b2c3d4-0000-11f1-8000-000000000000',
    'paypal-transmission-time': '2026-11-20T12:00:00Z',
  };
  const gateway = aGateway('paypal', { webhook_id: 'WH-1' });
  return reportOf(gateway, { rawBody: Buffer.from(JSON.stringify(event)), headers });
}

const outcome = (code: string, more: object = {}) => ({
  status: 'RESOLVED',
  dispute_outcome: { outcome_code: code, ...more },
});

describe('a dispute at PayPal', () => {
  it.each([
    ['asked', { dispute_life_cycle_stage: 'INQUIRY' }, 'inquiry', none, null],
    ['escalated', {}, 'open', eur(500), null],
    [
      'what was held, and a fee',
      { money_movements: [movement('DEBIT', '5.00'), movement('DEBIT', '14.00', 'DISPUTE_FEE')] },
      'open',
      eur(500),
      eur(1400),
    ],
    ['the buyer’s favour', outcome('RESOLVED_BUYER_FAVOUR'), 'lost', eur(500), null],
    [
      'the buyer’s favour in part',
      outcome('RESOLVED_BUYER_FAVOUR', { amount_refunded: money('2.00') }),
      'lost',
      eur(200),
      null,
    ],
    ['the seller’s favour', outcome('RESOLVED_SELLER_FAVOUR'), 'won', none, null],
    [
      'the seller’s favour, and what came back',
      {
        ...outcome('RESOLVED_SELLER_FAVOUR'),
        money_movements: [movement('DEBIT', '5.00'), movement('CREDIT', '5.00')],
      },
      'won',
      none,
      null,
    ],
    ['a claim that is paid by a refund', outcome('ACCEPTED'), 'closed', none, null],
    ['PayPal’s own payout', outcome('RESOLVED_WITH_PAYOUT'), 'won', none, null],
  ])('tells of %s', (_, over, status, withdrawn, fee) => {
    expect(paypal(over)).toMatchObject({
      kind: 'dispute',
      disputeId: 'PP-D-1',
      providerPaymentId: 'CAPTURE1',
      amount: eur(500),
      reason: 'merchandise_or_service_not_received',
      evidenceDueBy: new Date('2026-12-01T00:00:00Z'),
      at: new Date('2026-11-20T12:00:00Z'),
      status,
      withdrawn,
      fee,
    });
  });

  it.each([
    [
      'of two payments',
      { disputed_transactions: [1, 2].map((n) => ({ seller_transaction_id: `C${n}` })) },
    ],
    ['of an unknown outcome', outcome('NONE')],
    ['of an outcome that every object has', outcome('constructor')],
    ['over an amount that we cannot say', { dispute_amount: money('5.001') }],
  ])('%s is for a person', (_, over) => {
    expect(paypal(over)).toMatchObject({ kind: 'irrelevant', review: expect.any(String) });
  });
});
