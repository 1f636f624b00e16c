import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { NOW, NOW_SECONDS } from '../gateway-builders.js';
import {
  aDispute,
  anEvent,
  aPayment,
  aRefund,
  aSettlement,
  gatewayAt,
  GONE,
  PAY,
  read,
  REFUND_ID,
  SILENCE,
} from './razorpay-objects.js';

const inr = (minor: number) => Money.of(BigInt(minor), 'INR');

describe('a refund', () => {
  it.each([
    ['created', 'pending', 'pending'],
    ['created', 'processed', 'succeeded'],
    ['speed_changed', 'pending', 'pending'],
    ['processed', 'processed', 'succeeded'],
    ['failed', 'failed', 'failed'],
  ])('that is %s and %s has %s', (type, status, outcome) =>
    expect(
      read(anEvent(`refund.${type}`, { refund: aRefund({ status }), payment: aPayment() })),
    ).toMatchObject({
      kind: 'refund',
      eventId: `refund.${type}:rfnd_FgRAHdNOM4ZVbO:${NOW_SECONDS}`,
      refundId: REFUND_ID,
      providerRefundId: 'rfnd_FgRAHdNOM4ZVbO',
      providerPaymentId: PAY,
      amount: inr(500),
      outcome: { status: outcome },
      at: NOW,
    }),
  );

  it.each([
    [{ notes: [], receipt: REFUND_ID }, REFUND_ID],
    [{ notes: [], receipt: 'rfnd_FgRAHdNOM4ZVbO' }, null],
    [{ notes: { refund_id: 7 } }, null],
  ])('is ours by its notes or its receipt alone: %j', (over, refundId) =>
    expect(read(anEvent('refund.created', { refund: aRefund(over) }))).toMatchObject({ refundId }),
  );

  it.each([
    [{ currency: '' }],
    [{ currency: 'HUF' }],
    [{ amount: 0 }],
    [{ status: 'lost' }],
    [{ payment_id: 'pay_a/../b' }],
  ])('that cannot be read is for a person: %j', (over) =>
    expect(read(anEvent('refund.processed', { refund: aRefund(over) }))).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
      moved: { direction: 'out', reference: 'rfnd_FgRAHdNOM4ZVbO' },
    }),
  );
});

const dispute = (said: string, over: object = {}, settings = {}) =>
  read(
    anEvent(`payment.dispute.${said}`, { payment: aPayment(), dispute: aDispute(over) }),
    settings,
  );

const NONE = Money.zero('INR');

describe('a dispute', () => {
  it.each([
    ['created', {}, 'open', NONE],
    ['created', { amount_deducted: 0 }, 'open', NONE],
    // Taken from the start, as where Razorpay deducts at the onset.
    ['created', { amount_deducted: 1250 }, 'open', inr(1250)],
    ['under_review', { status: 'under_review' }, 'open', NONE],
    ['action_required', { status: 'open', phase: 'pre_arbitration' }, 'open', NONE],
    ['created', { phase: 'retrieval' }, 'inquiry', NONE],
    ['created', { phase: 'fraud' }, 'inquiry', NONE],
    ['created', { phase: 'fraud', amount_deducted: 1250 }, 'open', inr(1250)],
    ['won', { status: 'won' }, 'won', NONE],
    ['lost', { status: 'lost', amount_deducted: 1250 }, 'lost', inr(1250)],
    ['lost', { status: 'lost', amount_deducted: 400 }, 'lost', inr(400)],
    ['lost', { status: 'lost', amount_deducted: 99_999 }, 'lost', inr(1250)],
    ['lost', { status: 'lost' }, 'lost', inr(1250)],
    ['closed', { status: 'closed' }, 'closed', NONE],
    ['closed', { status: 'under_review' }, 'closed', NONE],
  ])('that is %s (%j) is %s', (said, over, status, withdrawn) =>
    expect(dispute(said, over)).toMatchObject({
      kind: 'dispute',
      eventId: `payment.dispute.${said}:disp_AHfqOvkldwsbqt:${NOW_SECONDS}:${status}`,
      disputeId: 'disp_AHfqOvkldwsbqt',
      providerPaymentId: PAY,
      status,
      amount: inr(1250),
      withdrawn,
      fee: null,
      reason: 'goods_not_received',
      evidenceDueBy: new Date((NOW_SECONDS + 3600) * 1000),
      at: NOW,
    }),
  );

  it('in another currency than the balance takes all of it, as what was taken is not in that', () => {
    const lost = { status: 'lost', amount_deducted: 400, currency: 'USD' };
    expect(dispute('lost', lost)).toMatchObject({ withdrawn: Money.of(1250n, 'USD') });
    expect(dispute('lost', lost, { currency: 'USD' })).toMatchObject({
      withdrawn: Money.of(400n, 'USD'),
    });
  });

  it.each([[{ status: 'sleeping' }], [{ amount: 0 }], [{ currency: 'ISK' }], [{ payment_id: 7 }]])(
    'that cannot be read is for a person: %j',
    (over) =>
      expect(dispute('created', over)).toMatchObject({
        kind: 'irrelevant',
        review: expect.any(String),
        moved: { direction: 'out', reference: 'disp_AHfqOvkldwsbqt' },
      }),
  );
});

const settled = (over: object = {}, settings: object = { currency: 'INR' }) =>
  read(anEvent('settlement.processed', { settlement: aSettlement(over) }), settings);

describe('a settlement', () => {
  it('is a payout in the currency of the balance', () =>
    expect(settled()).toEqual({
      eventId: `settlement.processed:setl_7IZKKI4Pnt2kEe:${NOW_SECONDS}`,
      eventType: 'settlement.processed',
      fingerprint: null,
      kind: 'payout',
      payoutId: 'setl_7IZKKI4Pnt2kEe',
      amount: inr(50_000),
      fee: inr(0),
      lines: null,
      status: 'sent',
      sentOn: '2026-11-20',
      arrivesOn: null,
      descriptor: expect.anything(),
      reason: null,
      at: NOW,
    }));

  it('that failed came back', () =>
    expect(settled({ status: 'failed' })).toMatchObject({ status: 'failed', reason: 'failed' }));

  it('says its own currency, if it has one', () =>
    expect(settled({ currency: 'MYR' })).toMatchObject({ amount: Money.of(50_000n, 'MYR') }));

  it('without a currency is for a person, and one of nothing for nobody', () => {
    expect(settled({}, {})).toMatchObject({
      kind: 'irrelevant',
      review: expect.stringContaining('CURRENCY'),
      moved: { direction: 'out', reference: 'setl_7IZKKI4Pnt2kEe', amount: null },
    });
    expect(settled({ amount: 0 })).not.toHaveProperty('review');
  });
});

const refusal = (status: number) => Response.json({ error: { code: 'X' } }, { status });
const items = (...all: object[]) => ({ entity: 'collection', count: all.length, items: all });

describe('a refund over the API', () => {
  const request = {
    refundId: REFUND_ID,
    providerPaymentId: PAY,
    amount: inr(500),
    providerRefundId: null,
    isOurs: true,
  };

  it('goes out with our id as key, note and receipt', async () => {
    const { sent, gateway } = gatewayAt(() => Response.json(aRefund()));
    expect(await gateway.refund(request)).toEqual({
      status: 'succeeded',
      providerRefundId: 'rfnd_FgRAHdNOM4ZVbO',
    });
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: `https://api.razorpay.com/v1/payments/${PAY}/refund`,
      headers: { 'X-Refund-Idempotency': REFUND_ID },
    });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      amount: 500,
      receipt: REFUND_ID,
      notes: { refund_id: REFUND_ID },
    });
  });

  it('is found by its receipt, if its notes were changed', async () => {
    const lost = aRefund({ notes: [], receipt: REFUND_ID, status: 'pending' });
    const { gateway } = gatewayAt(() => Response.json(items(lost)));
    expect(await gateway.lookUpRefund(request)).toMatchObject({ status: 'pending' });
  });

  it('of the dashboard is known by its own id', async () => {
    const asked = { ...request, isOurs: false, providerRefundId: 'rfnd_FgRAHdNOM4ZVbO' };
    const { gateway } = gatewayAt(() => Response.json(aRefund({ notes: null })));
    expect(await gateway.lookUpRefund(asked)).toMatchObject({ status: 'succeeded' });
    const other = gatewayAt(() => Response.json(aRefund({ id: 'rfnd_other' }))).gateway;
    await expect(other.lookUpRefund(asked)).rejects.toMatchObject(GONE);
  });

  it.each([{ payment_id: 'pay_other' }, { amount: 501 }, { currency: 'USD' }, { notes: [] }])(
    'is not taken for another: %j',
    async (over) => {
      const { gateway } = gatewayAt(() => Response.json(aRefund(over)));
      await expect(gateway.refund(request)).rejects.toMatchObject(GONE);
    },
  );

  it.each([408, 409, 425])('that is answered %d is unknown', async (status) => {
    const { gateway } = gatewayAt(() => refusal(status));
    await expect(gateway.refund(request)).rejects.toMatchObject(GONE);
  });

  it.each(SILENCE)('is unknown after %s', async (_what, answer) => {
    const { gateway } = gatewayAt(answer);
    await expect(gateway.refund(request)).rejects.toMatchObject(GONE);
    await expect(gateway.lookUpRefund(request)).rejects.toMatchObject(GONE);
  });

  it('has the last of three decimals 0', async () => {
    const { sent, gateway } = gatewayAt(() => refusal(400));
    const amount = Money.of(12_341n, 'KWD');
    expect(await gateway.refund({ ...request, amount })).toMatchObject({ status: 'failed' });
    expect(sent).toEqual([]);
  });
});
