import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import {
  AT,
  aReturn,
  aTransfer,
  DEBIT,
  happened,
  goCardlessAt,
  lookedUpOf,
  someItems,
  toldOf,
} from './gocardless-objects.js';

const at = new Date(AT);
const BEFORE = '2026-11-20T11:00:00.000Z';
const refunded = (status = 'paid') =>
  happened(`refunds.${status}`, { links: { refund: 'RF00123' } });
const paidOut = (name = 'payouts.paid') => happened(name, { links: { payout: 'PO00123' } });
const refund = async (over: object) =>
  lookedUpOf(refunded(), { '/refunds/RF00123': aReturn(over) });
const payout = async (over: object = {}, event: object = paidOut(), items = someItems()) =>
  lookedUpOf(event, { '/payouts/PO00123': aTransfer(over), '/payout_items': items });

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

const money = (minor: number) => Money.of(BigInt(minor), 'EUR');
const line = (kind: string, minor: number, providerId: string | null) => ({
  kind,
  amount: money(minor),
  fee: money(0),
  providerId,
});

describe('a payout', () => {
  it('is of the amount that arrives, with its lines; the fees are one, to the cent', async () => {
    expect(await payout()).toEqual({
      eventId: expect.any(String),
      eventType: 'payouts.paid',
      fingerprint: null,
      kind: 'payout',
      payoutId: 'PO00123',
      amount: money(98_70),
      fee: money(0),
      lines: [
        line('payment', 120_00, DEBIT),
        line('refund', -5_00, 'RF00123'),
        line('dispute', -15_00, 'PM2'),
        line('fee', -1_30, null),
      ],
      status: 'sent',
      sentOn: '2026-11-18',
      arrivesOn: '2026-11-23',
      descriptor: 'MYSHOP-8BA1',
      reason: null,
      at,
    });
  });

  it.each([
    ['its taxes are apart', [{ amount: '-100.0', taxes: [{ amount: '-29.7' }] }], -130],
    ['they are rounded to it', [{ amount: '-130.9' }], -130],
    ['they do not explain it, which shows', [{ amount: '-131.1' }], -131],
    ['a part of them is given back', [{ amount: '-200.5' }, { amount: '70.0' }], -130],
  ])('has fees of which %s', async (_how, fees, told) => {
    const items = [
      { type: 'payment_paid_out', amount: '10000.0', links: { payment: DEBIT } },
      ...fees.map((fee) => ({ type: 'gocardless_fee', links: {}, ...fee })),
    ];
    expect(await payout({}, paidOut(), items as ReturnType<typeof someItems>)).toMatchObject({
      lines: [line('payment', 100_00, DEBIT), line('fee', told, null)],
    });
  });

  it('with a part of a cent in anything but a fee is for a person', async () => {
    const items = [
      { type: 'payment_paid_out', amount: '9870.1', taxes: [], links: { payment: DEBIT } },
    ];
    expect(await payout({}, paidOut(), items)).toMatchObject({
      kind: 'irrelevant',
      moved: { direction: 'out', reference: 'PO00123', amount: money(98_70) },
    });
  });

  it('in another currency is of the amount that arrives in that', async () => {
    const fx = { fx_currency: 'GBP', fx_amount: 85_01 };
    expect(await payout({ fx, arrival_date: null })).toMatchObject({
      amount: Money.of(85_01n, 'GBP'),
      arrivesOn: null,
    });
  });

  it('may come back, by the word of the event: the object may be newer or older', async () => {
    const bounced = { ...paidOut('creditors.bounced_payout'), details: null };
    for (const status of ['bounced', 'paid']) {
      expect(await payout({ status }, bounced)).toMatchObject({
        kind: 'payout',
        status: 'failed',
        sentOn: '2026-11-18',
        reason: 'bounced',
      });
      expect(await payout({ status })).toMatchObject({ status: 'sent', reason: null });
    }
    const [nameless] = toldOf(happened('creditors.bounced_payout', { links: { creditor: 'CR1' } }));
    expect(nameless).toMatchObject({ kind: 'irrelevant', review: expect.any(String) });
  });

  it('that is too old for its items has no lines', async () => {
    const [named] = toldOf(paidOut());
    if (named?.kind !== 'named') throw new Error('it names no object');
    const { gateway } = goCardlessAt(({ url }) =>
      url.pathname === '/payout_items'
        ? Response.json({}, { status: 410 })
        : Response.json({ payouts: aTransfer() }),
    );
    expect(await gateway.lookUp(named)).toMatchObject([{ kind: 'payout', lines: null }]);
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

  it.each([{ status: 'pending' }, { amount: 0 }])('with %j is of no effect', async (over) => {
    const report = await payout(over, paidOut(), []);
    expect(report).not.toHaveProperty('review');
    expect(report.kind).toBe('irrelevant');
  });
});
