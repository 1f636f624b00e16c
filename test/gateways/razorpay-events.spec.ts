import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import { InvalidSignature } from '../../src/payments/domain/gateway.js';
import { LINK, NOW, NOW_SECONDS } from './gateway-builders.js';
import {
  aDispute,
  anEvent,
  anOrder,
  aPage,
  aPayment,
  aRefund,
  aSettlement,
  PAGE,
  PAY,
  read,
  REFUND_ID,
} from './razorpay-objects.js';

const inr = (minor: number) => Money.of(BigInt(minor), 'INR');
const paid = (over: object = {}, settings = {}) =>
  read(anEvent('payment_link.paid', { payment_link: aPage(), payment: aPayment(over) }), settings);

describe('a payment', () => {
  it('of a link is told with the link, its fee and its time', () => {
    expect(paid()).toEqual({
      eventId: `payment_link.paid:${PAGE}:${PAY}:${NOW_SECONDS}`,
      eventType: 'payment_link.paid',
      fingerprint: null,
      kind: 'paid',
      linkId: LINK,
      providerObjectId: PAGE,
      providerPaymentId: PAY,
      amount: inr(1250),
      fee: inr(30),
      paidAt: NOW,
    });
  });

  it('is the same payment in each event that tells of it, and each event is its own', () => {
    const entities = { payment: aPayment(), order: anOrder(), payment_link: aPage() };
    const types = ['payment_link.paid', 'payment_link.partially_paid', 'payment.captured'];
    const told = [...types, 'order.paid'].map((type) => read(anEvent(type, entities)));
    for (const report of told) {
      expect(report).toMatchObject({ kind: 'paid', providerPaymentId: PAY, linkId: LINK });
    }
    expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(told.length);
  });

  it.each([
    ['the notes of its link', { payment_link: aPage({ reference_id: 'INV-1' }) }, LINK],
    ['the reference of its link', { payment_link: aPage({ notes: [] }) }, LINK],
    ['the notes of its order', { order: anOrder({ receipt: null }) }, LINK],
    ['the receipt of its order', { order: anOrder({ notes: [] }) }, LINK],
    ['its own notes', { payment: aPayment({ notes: { payment_link_id: LINK } }) }, LINK],
    ['nothing', {}, null],
    [
      "somebody else's reference",
      { payment_link: aPage({ notes: null, reference_id: PAGE }) },
      null,
    ],
    [
      'a note of another form',
      { order: anOrder({ notes: { payment_link_id: 'x' }, receipt: 'x' }) },
      null,
    ],
    ['its description', { payment: aPayment({ description: `#${PAGE.slice(6)}` }) }, null],
  ])('finds its link in %s', (_where, over, linkId) => {
    const report = read(anEvent('payment.captured', { payment: aPayment(), ...over }));
    const providerObjectId = 'payment_link' in over ? PAGE : null;
    expect(report).toMatchObject({ kind: 'paid', linkId, providerObjectId });
  });

  it.each([
    ['of the balance, if nobody says which', {}, {}, inr(30)],
    ['of the balance that is set', {}, { currency: 'INR' }, inr(30)],
    ['of another balance', {}, { currency: 'MYR' }, null],
    ['that is none', { fee: 0 }, {}, null],
    ['that is not told', { fee: null }, {}, null],
    ['that is more than the payment', { fee: 1251 }, {}, null],
    ['of a payment that was converted', { currency: 'USD', base_amount: 100_000 }, {}, null],
    ['of a payment in another currency', { currency: 'USD' }, {}, null],
    ['of a payment with its base', { currency: 'USD', base_currency: 'INR' }, {}, null],
    ['in dollars', { currency: 'USD' }, { currency: 'USD' }, Money.of(30n, 'USD')],
  ])('has the fee %s', (_which, over, settings, fee) =>
    expect(paid(over, settings)).toMatchObject({ kind: 'paid', fee }),
  );

  it.each([
    ['JPY', 500, '500 JPY'],
    ['KWD', 12_340, '12.340 KWD'],
    ['BHD', 12_345, '12.345 BHD'],
    ['OMR', 10, '0.010 OMR'],
    ['USD', 1, '0.01 USD'],
    ['INR', 10_000_000_000_000, '100000000000.00 INR'],
  ])('of %s %d is exact', (currency, amount, text) => {
    const report = paid({ currency, amount, base_amount: amount });
    expect(report.kind === 'paid' && report.amount.toString()).toBe(text);
  });

  it.each([
    ['of a currency in doubt', { currency: 'HUF' }],
    ['of a currency without certain decimals', { currency: 'ISK' }],
    ['of no currency', { currency: 'XXX' }],
    ['of nothing', { amount: 0 }],
    ['of more than we can say', { amount: 10_000_000_000_001 }],
    ['of a part of a paisa', { amount: 12.5 }],
    ['of less than nothing', { amount: -1 }],
    ['in text', { amount: '1250' }],
    ['that is not captured', { status: 'authorized' }],
    ['in a state nobody knows', { status: 'teleported' }],
  ])('%s is for a person', (_what, over) =>
    expect(paid(over)).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
      moved: { direction: 'in', reference: null, providerPaymentId: PAY },
    }),
  );

  it('that is missing from its event is for a person', () =>
    expect(read(anEvent('payment_link.paid', { payment_link: aPage() }))).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
      moved: { direction: 'in', providerPaymentId: null, amount: null },
    }));

  it('that is authorized is on its way', () =>
    expect(
      read(
        anEvent('payment.authorized', {
          payment: aPayment({ status: 'authorized', notes: { payment_link_id: LINK } }),
        }),
      ),
    ).toMatchObject({ kind: 'processing', linkId: LINK, at: NOW }));

  it('that failed may be tried again, and names no payment: it may still be captured', () => {
    const failed = { status: 'failed', error_code: 'BAD_REQUEST_ERROR' };
    const event = (over: object) =>
      read(anEvent('payment.failed', { payment: aPayment({ ...failed, ...over }) }));
    expect(event({ error_reason: 'incorrect_otp' })).toMatchObject({
      kind: 'failed',
      reason: 'incorrect_otp',
      providerPaymentId: null,
      isFinal: false,
      at: NOW,
    });
    expect(event({})).toMatchObject({ reason: 'BAD_REQUEST_ERROR' });
    expect(event({ id: 7 })).toMatchObject({ kind: 'failed', reason: 'failed' });
  });

  it('is dated by its event, or itself where that is later', () =>
    expect(paid({ created_at: NOW_SECONDS + 5 })).toMatchObject({
      paidAt: new Date(NOW.getTime() + 5000),
    }));
});

describe('a link', () => {
  it.each(['expired', 'cancelled'])('that is %s has failed', (status) =>
    expect(
      read(anEvent(`payment_link.${status}`, { payment_link: aPage({ status, amount_paid: 0 }) })),
    ).toMatchObject({
      kind: 'failed',
      linkId: LINK,
      providerObjectId: PAGE,
      providerPaymentId: null,
      reason: status,
      isFinal: true,
      at: NOW,
    }),
  );

  it('that expired after a part was paid takes nothing back', () => {
    const page = aPage({ status: 'expired', amount_paid: 100 });
    expect(read(anEvent('payment_link.expired', { payment_link: page })).kind).toBe('irrelevant');
    expect(read(anEvent('payment_link.expired', {})).kind).toBe('irrelevant');
  });
});

const capture = (over: object = {}, payment: object = {}) =>
  read(anEvent('payment.captured', { payment: aPayment(payment) }, over)).eventId;

describe('an event id', () => {
  it('is of what is signed: repeated it stays, and another payment or time has its own', () => {
    expect(capture()).toBe(capture());
    expect(capture()).toBe(capture({ account_id: 'acc_other' }));
    expect(capture()).not.toBe(capture({ created_at: NOW_SECONDS + 1 }));
    expect(capture()).not.toBe(capture({}, { id: 'pay_other' }));
  });

  it('is of the whole body where there is no object to name', () => {
    const [one, other] = [1, 2].map(
      (count) => read(anEvent('payment.captured', { count })).eventId,
    );
    expect(one).toMatch(/^payment\.captured:[0-9a-f]{64}:\d+$/);
    expect(one).not.toBe(other);
    expect(read(anEvent('vpa.edited', {})).eventId).toMatch(/^vpa\.edited:[0-9a-f]{64}/);
  });
});

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

describe('a dispute', () => {
  it.each([
    ['created', {}, 'open', null],
    ['under_review', { status: 'under_review' }, 'open', null],
    ['action_required', { status: 'open', phase: 'pre_arbitration' }, 'open', null],
    ['created', { phase: 'retrieval' }, 'inquiry', null],
    ['created', { phase: 'fraud' }, 'inquiry', null],
    ['created', { phase: 'fraud', amount_deducted: 1250 }, 'open', null],
    ['won', { status: 'won' }, 'won', null],
    ['lost', { status: 'lost', amount_deducted: 1250 }, 'lost', inr(1250)],
    ['lost', { status: 'lost', amount_deducted: 400 }, 'lost', inr(400)],
    ['lost', { status: 'lost', amount_deducted: 99_999 }, 'lost', null],
    ['lost', { status: 'lost' }, 'lost', null],
    ['closed', { status: 'closed' }, 'closed', null],
    ['closed', { status: 'under_review' }, 'closed', null],
  ])('that is %s (%j) is %s', (said, over, status, withdrawn) =>
    expect(dispute(said, over)).toMatchObject({
      kind: 'dispute',
      eventId: `payment.dispute.${said}:disp_AHfqOvkldwsbqt:${NOW_SECONDS}`,
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

  it('in another currency than the balance does not say what was taken', () => {
    const lost = { status: 'lost', amount_deducted: 1250, currency: 'USD' };
    expect(dispute('lost', lost)).toMatchObject({ withdrawn: null });
    expect(dispute('lost', lost, { currency: 'USD' })).toMatchObject({
      withdrawn: Money.of(1250n, 'USD'),
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
      status: 'sent',
      sentAt: new Date((NOW_SECONDS - 1) * 1000),
      arrivesAt: null,
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

describe('any other event', () => {
  it.each(['payment.pending', 'payment_link.created', 'invoice.paid', 'payment.downtime.started'])(
    '%s is of no effect',
    (type) =>
      expect(read(anEvent(type, { payment: aPayment() }))).toMatchObject({ kind: 'irrelevant' }),
  );

  it.each(['{}', '{"event":"payment.captured"}', '[]', 'x', '{"event":" ","created_at":1}'])(
    'is none of Razorpay without a name and a time: %s',
    (body) => expect(() => read(body)).toThrow(InvalidSignature),
  );
});
