import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import { deliveredAs } from '../../../src/testing/contract/contract-trial.js';
import { LINK, NOW, NOW_SECONDS, reportOf } from '../gateway-builders.js';
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
  withoutKey,
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
    ['of a payment that was converted', { base_amount: 100_000 }, {}, null],
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

describe('any other event', () => {
  it.each(['payment.pending', 'payment_link.created', 'invoice.paid', 'payment.downtime.started'])(
    '%s is of no effect',
    (type) =>
      expect(read(anEvent(type, { payment: aPayment() }))).toMatchObject({ kind: 'irrelevant' }),
  );

  it.each(['{}', '{"event":"payment.captured"}', '[]', 'x', '{"event":7,"created_at":1}'])(
    'is none of Razorpay without a name and a time: %s',
    (body) => expect(() => read(body)).toThrow(InvalidSignature),
  );
});

describe('nonsense that is really signed', () => {
  const entities = {
    payment: aPayment(),
    order: anOrder(),
    payment_link: aPage(),
    refund: aRefund(),
    dispute: aDispute(),
    settlement: aSettlement(),
  };
  const values = [null, '', 'zzz', -1, 1.5, 1e300, true, [], {}, '\u0000', '../..', undefined];

  it.each([
    'payment_link.paid',
    'payment_link.expired',
    'payment.captured',
    'payment.failed',
    'payment.authorized',
    'order.paid',
    'refund.processed',
    'payment.dispute.lost',
    'settlement.processed',
  ])('in any part of %s is a report of its own', (type) => {
    for (const [name, entity] of Object.entries(entities)) {
      for (const part of Object.keys(entity)) {
        for (const value of values) {
          const changed = { ...entities, [name]: { ...entity, [part]: value } };
          const { eventId, eventType, kind } = read(anEvent(type, changed), { currency: 'INR' });
          expect([eventType, eventId.length < 256]).toEqual([type, true]);
          expect([
            'paid',
            'failed',
            'processing',
            'refund',
            'dispute',
            'payout',
            'irrelevant',
          ]).toContain(kind);
        }
      }
      for (const value of values) read(anEvent(type, { ...entities, [name]: value }));
    }
  });
});

describe('a sample', () => {
  const of = { linkId: LINK, paymentId: PAY, amount: inr(1250) };
  it.each([
    ['processing', { kind: 'processing', linkId: LINK }],
    ['failed', { kind: 'failed', linkId: LINK }],
    ['dispute.inquiry', { kind: 'dispute', status: 'inquiry', providerPaymentId: PAY }],
    ['dispute.opened', { kind: 'dispute', status: 'open' }],
    ['dispute.won', { kind: 'dispute', status: 'won' }],
    ['dispute.lost', { kind: 'dispute', status: 'lost' }],
  ] as const)('of %s verifies, and says so', async (event, expected) => {
    const gateway = withoutKey();
    const sample = gateway.sampleEventDelivery(event, of, NOW) ?? { body: '', headers: {} };
    await gateway.verify(deliveredAs(sample));
    expect(reportOf(gateway, deliveredAs(sample))).toMatchObject(expected);
  });

  it('is none where Razorpay has no such event, or the payment is of another provider', () => {
    expect(withoutKey().sampleEventDelivery('reversed', of, NOW)).toBeUndefined();
    const other = { ...of, paymentId: 'sbx-1' };
    expect(withoutKey().sampleEventDelivery('failed', other, NOW)).toBeUndefined();
  });
});
