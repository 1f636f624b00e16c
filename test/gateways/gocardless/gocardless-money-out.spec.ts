import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import {
  AT,
  aReturn,
  aTransfer,
  DEBIT,
  happened,
  lookedUpOf,
  toldOf,
} from './gocardless-objects.js';

const at = new Date(AT);
const BEFORE = '2026-11-20T11:00:00.000Z';
const refunded = (status = 'paid') =>
  happened(`refunds.${status}`, { links: { refund: 'RF00123' } });
const paidOut = (name = 'payouts.paid') => happened(name, { links: { payout: 'PO00123' } });
const refund = async (over: object) =>
  lookedUpOf(refunded(), { '/refunds/RF00123': aReturn(over) });
const payout = async (over: object = {}, event: object = paidOut()) =>
  lookedUpOf(event, { '/payouts/PO00123': aTransfer(over) });

describe('a refund', () => {
  it.each([
    ['paid', 'succeeded'],
    ['created', 'pending'],
    ['pending_submission', 'pending'],
    ['submitted', 'pending'],
    ['cancelled', 'failed'],
    ['bounced', 'failed'],
    ['funds_returned', 'failed'],
  ])('that is %s', async (status, outcome) => {
    expect(await refund({ status, created_at: BEFORE })).toMatchObject({
      kind: 'refund',
      refundId: 'rfnd_1',
      providerRefundId: 'RF00123',
      providerPaymentId: DEBIT,
      amount: Money.of(500n, 'EUR'),
      outcome: { status: outcome },
      at: new Date(BEFORE),
    });
  });

  it.each([{ links: { mandate: 'MD1' } }, { currency: 'JPY' }, { amount: 0 }])(
    'with %j is for a person',
    async (over) =>
      expect(await refund(over)).toMatchObject({
        kind: 'irrelevant',
        review: expect.any(String),
        moved: { direction: 'out', reference: 'RF00123' },
      }),
  );
});

describe('a payout', () => {
  it('is of the amount that arrives', async () => {
    expect(await payout()).toMatchObject({
      kind: 'payout',
      payoutId: 'PO00123',
      amount: Money.of(98_70n, 'EUR'),
      status: 'sent',
      sentAt: at,
      arrivesAt: new Date('2026-11-23T00:00:00Z'),
      reason: null,
      at,
    });
    const fx = { fx_currency: 'GBP', fx_amount: 85_01 };
    expect(await payout({ fx, arrival_date: null })).toMatchObject({
      amount: Money.of(85_01n, 'GBP'),
      arrivesAt: null,
    });
  });

  it('may come back', async () => {
    const bounced = { ...paidOut('creditors.bounced_payout'), details: null };
    expect(await payout({ status: 'bounced' }, bounced)).toMatchObject({
      kind: 'payout',
      status: 'failed',
      reason: 'bounced',
    });
    const [nameless] = toldOf(happened('creditors.bounced_payout', { links: { creditor: 'CR1' } }));
    expect(nameless).toMatchObject({ kind: 'irrelevant', review: expect.any(String) });
  });

  it.each([{ fx: { fx_currency: 'GBP', fx_amount: null } }, { currency: 'JPY', fx: null }])(
    'with %j is for a person',
    async (over) =>
      expect(await payout(over)).toMatchObject({
        kind: 'irrelevant',
        review: expect.any(String),
        moved: { direction: 'out', reference: 'PO00123', amount: null },
      }),
  );

  it('that is not sent yet is of no effect', async () =>
    expect((await payout({ status: 'pending' })).kind).toBe('irrelevant'));
});
