import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import {
  ADYEN_REFUND,
  aLaterItem,
  anItem,
  EVENT_TIME,
  type Item,
  PAYMENT_PSP,
  PSP,
  readAll,
  readItem,
} from './adyen-objects.js';
import { ADYEN_ACCOUNT, LINK } from '../gateway-builders.js';

const AT = new Date(EVENT_TIME);
const MANUAL = { capture: 'manual' };
const OUT = { kind: 'irrelevant', review: expect.any(String), moved: { direction: 'out' } };

// Of a refund that we asked for.
const ourRefund = (code: string, over: Partial<Item> = {}) =>
  aLaterItem(code, { merchantReference: ADYEN_REFUND, ...over });
const ofOtherAccount = (over: Partial<Item> = {}) =>
  anItem({ merchantAccountCode: `${ADYEN_ACCOUNT}2`, ...over });

describe('an authorisation', () => {
  it('is a payment, where it is captured by itself', async () => {
    expect(await readItem(anItem())).toEqual({
      eventId: `${PSP}:AUTHORISATION:true:1250:EUR`,
      eventType: 'AUTHORISATION',
      fingerprint: null,
      kind: 'paid',
      linkId: LINK,
      providerObjectId: null,
      providerPaymentId: PSP,
      amount: Money.of(1250n, 'EUR'),
      fee: null,
      paidAt: AT,
    });
  });

  it('is on its way, where it is captured by hand', async () => {
    const told = await readItem(anItem(), MANUAL);
    expect(told).toMatchObject({ kind: 'processing', linkId: LINK, at: AT });
    expect(await readItem(anItem({ eventCode: 'PENDING' }))).toMatchObject({ kind: 'processing' });
  });

  it.each([{}, MANUAL])('that is refused may be tried again (%j)', async (settings) => {
    const item = anItem({ success: 'false', reason: 'Expired Card' });
    expect(await readItem(item, settings)).toMatchObject({
      kind: 'failed',
      linkId: LINK,
      providerPaymentId: PSP,
      reason: 'expired_card',
      isFinal: false,
      at: AT,
    });
  });

  it('of nothing only checks a card', async () => {
    const told = await readItem(anItem({ amount: { value: 0, currency: 'EUR' } }));
    expect(told.kind).toBe('irrelevant');
    expect(told).not.toHaveProperty('review');
  });

  it.each([
    ['-1', -1, 'EUR'],
    ['a currency that Adyen does not list', 500, 'MGA'],
    ['a currency that nobody has', 500, 'ZZZ'],
    ['a part of a peso', 1250, 'CLP'],
    ['a part of a krona', 1, 'ISK'],
    ['more than our largest amount', Number.MAX_SAFE_INTEGER, 'EUR'],
  ])('of %s is for a person', async (_what, value, currency) => {
    expect(await readItem(anItem({ amount: { value, currency } }))).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
      moved: { direction: 'in', providerPaymentId: PSP, amount: null },
    });
  });

  it.each(['order-1', '', ADYEN_REFUND, 'Plink_1'])(
    'that names %j has no link',
    async (reference) => {
      const told = await readItem(anItem({ merchantReference: reference }));
      expect(told).toMatchObject({ kind: 'paid', linkId: null });
    },
  );
});

describe('a capture', () => {
  it.each([{}, MANUAL])('is the payment of its authorisation (%j)', async (settings) => {
    expect(await readItem(aLaterItem('CAPTURE'), settings)).toMatchObject({
      kind: 'paid',
      linkId: LINK,
      providerPaymentId: PAYMENT_PSP,
      paidAt: AT,
    });
  });

  it('has a reference of its own where it may be one of several', async () => {
    const reference = aLaterItem('CAPTURE').pspReference;
    expect(await readItem(aLaterItem('CAPTURE'), MANUAL)).toMatchObject({
      captureReference: reference,
    });
    expect(await readItem(aLaterItem('CAPTURE'))).not.toHaveProperty('captureReference');
  });

  it('that is refused waits for a person, as another try may come', async () => {
    expect(await readItem(aLaterItem('CAPTURE', { success: 'false' }), MANUAL)).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
      moved: { direction: 'in', providerPaymentId: PAYMENT_PSP },
    });
  });

  it('without its payment is for a person', async () => {
    const told = await readItem(aLaterItem('CAPTURE', { originalReference: '' }), MANUAL);
    expect(told).toMatchObject({ kind: 'irrelevant', moved: { direction: 'in' } });
  });

  it.each([{}, MANUAL])(
    'that fails takes the payment back, whenever it is told (%j)',
    async (settings) => {
      expect(await readItem(aLaterItem('CAPTURE_FAILED'), settings)).toMatchObject({
        kind: 'unpaid_again',
        linkId: LINK,
        providerPaymentId: PAYMENT_PSP,
        amount: Money.of(1250n, 'EUR'),
        reference: PSP,
        reason: 'capture_failed',
      });
    },
  );

  it.each<[string, Partial<Item>]>([
    ['an amount that we cannot say', { amount: { value: 5, currency: 'CLP' } }],
    ['no payment', { originalReference: null }],
    ['no success', { success: 'false' }],
  ])('that fails with %s is for a person', async (_what, over) => {
    expect(await readItem(aLaterItem('CAPTURE_FAILED', over))).toMatchObject(OUT);
  });
});

describe('a cancellation', () => {
  it.each(['CANCELLATION', 'TECHNICAL_CANCEL'])(
    '%s takes back what counted as paid',
    async (code) => {
      expect(await readItem(aLaterItem(code))).toMatchObject({
        kind: 'unpaid_again',
        providerPaymentId: PAYMENT_PSP,
        amount: null,
        reference: PSP,
      });
      expect((await readItem(aLaterItem(code, { success: 'false' }))).kind).toBe('irrelevant');
    },
  );

  it.each(['CANCELLATION', 'TECHNICAL_CANCEL', 'EXPIRE'])(
    '%s ends a link that waits to be captured, and no payment',
    async (code) => {
      expect(await readItem(aLaterItem(code), MANUAL)).toMatchObject({
        kind: 'failed',
        linkId: LINK,
        providerPaymentId: null,
        isFinal: true,
      });
    },
  );

  it('by expiry is for a person, where captures should come by themselves', async () => {
    expect(await readItem(anItem({ eventCode: 'EXPIRE' }))).toMatchObject(OUT);
  });

  it('of an offer leaves the link open for another try', async () => {
    expect(await readItem(anItem({ eventCode: 'OFFER_CLOSED' }))).toMatchObject({
      kind: 'failed',
      linkId: LINK,
      providerPaymentId: null,
      reason: 'offer_closed',
      isFinal: false,
    });
  });

  it.each(['CANCEL_OR_REFUND', 'REFUND_WITH_DATA', 'VOID_PENDING_REFUND'])(
    '%s is for a person: it does not say, or only unsigned, of which kind it is',
    async (code) => {
      expect(await readItem(aLaterItem(code))).toMatchObject({
        ...OUT,
        moved: { direction: 'out', reference: PSP, providerPaymentId: PAYMENT_PSP },
      });
    },
  );
});

describe('a refund', () => {
  it.each([
    ['REFUND', 'true', { status: 'succeeded', providerRefundId: PSP }],
    ['REFUND', 'false', { status: 'failed', reason: 'not_captured' }],
    ['POSTPONED_REFUND', 'true', { status: 'pending', providerRefundId: PSP }],
    ['REFUND_FAILED', 'true', { status: 'failed', reason: 'refund_failed' }],
    ['REFUNDED_REVERSED', 'true', { status: 'failed', reason: 'refunded_reversed' }],
  ])('%s with success %s', async (code, success, outcome) => {
    expect(await readItem(ourRefund(code, { success, reason: 'Not captured' }))).toMatchObject({
      kind: 'refund',
      refundId: ADYEN_REFUND,
      providerRefundId: PSP,
      providerPaymentId: PAYMENT_PSP,
      amount: Money.of(1250n, 'EUR'),
      outcome,
      at: AT,
    });
  });

  it('of the dashboard has the reference of its payment, and no id of ours', async () => {
    expect(await readItem(aLaterItem('REFUND'))).toMatchObject({ kind: 'refund', refundId: null });
  });

  it.each<[string, string, Partial<Item>]>([
    ['REFUND', 'an amount that we cannot say', { amount: { value: 5, currency: 'CLP' } }],
    ['REFUND', 'no payment', { originalReference: '' }],
    ['REFUND_FAILED', 'success false, which may mean that it went through', { success: 'false' }],
    ['REFUNDED_REVERSED', 'success false', { success: 'false' }],
    ['POSTPONED_REFUND', 'success false', { success: 'false' }],
  ])('%s with %s is for a person', async (code, _what, over) => {
    expect(await readItem(ourRefund(code, over))).toMatchObject(OUT);
  });
});

describe('a dispute', () => {
  const EUROS = Money.of(1250n, 'EUR');
  const NONE = Money.zero('EUR');

  it.each([
    ['REQUEST_FOR_INFORMATION', 'inquiry', NONE],
    ['NOTIFICATION_OF_CHARGEBACK', 'open', NONE],
    ['CHARGEBACK', 'lost', EUROS],
    ['CHARGEBACK_REVERSED', 'won', NONE],
    ['PREARBITRATION_OPEN', 'open', null],
    ['SECOND_CHARGEBACK', 'lost', EUROS],
    ['PREARBITRATION_LOST', 'lost', EUROS],
    ['PREARBITRATION_WON', 'won', NONE],
  ])('by %s is %s', async (code, status, withdrawn) => {
    expect(await readItem(aLaterItem(code))).toMatchObject({
      kind: 'dispute',
      disputeId: PSP,
      providerPaymentId: PAYMENT_PSP,
      status,
      amount: EUROS,
      withdrawn,
      fee: null,
      reason: 'chargeback',
      evidenceDueBy: null,
    });
  });

  it('has the steps of one second in their order', async () => {
    const codes = [
      'REQUEST_FOR_INFORMATION',
      'NOTIFICATION_OF_CHARGEBACK',
      'CHARGEBACK',
      'CHARGEBACK_REVERSED',
      'SECOND_CHARGEBACK',
      'PREARBITRATION_WON',
    ];
    const told = await readAll(codes.map((code) => aLaterItem(code)));
    const times = told.map((report) => report.kind === 'dispute' && report.at.getTime());
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => Number(a) - Number(b)));
    expect(Number(times.at(-1)) - AT.getTime()).toBeLessThan(1000);
  });

  it('shows its reason and its deadline', async () => {
    const additionalData = {
      chargebackReasonCode: ' 4853',
      defensePeriodEndsAt: '2026-12-31T03:03:07+02:00',
    };
    const told = await readItem(aLaterItem('CHARGEBACK', { additionalData }));
    expect(told).toMatchObject({
      reason: '4853',
      evidenceDueBy: new Date('2026-12-31T01:03:07Z'),
    });
    const nonsense = { chargebackReasonCode: 'a\u0000b', defensePeriodEndsAt: 'soon' };
    expect(await readItem(aLaterItem('CHARGEBACK', { additionalData: nonsense }))).toMatchObject({
      reason: 'chargeback',
      evidenceDueBy: null,
    });
  });

  it.each<[string, Partial<Item>]>([
    ['no payment', { originalReference: '' }],
    ['an amount that we cannot say', { amount: { value: 5, currency: 'CLP' } }],
    ['no success', { success: 'false' }],
  ])('with %s is for a person', async (_what, over) => {
    for (const code of ['CHARGEBACK', 'CHARGEBACK_REVERSED']) {
      expect(await readItem(aLaterItem(code, over))).toMatchObject({
        ...OUT,
        moved: { direction: 'out', reference: PSP },
      });
    }
  });

  it('by a step that does not say who won is for a person', async () => {
    expect(await readItem(aLaterItem('PREARBITRATION_ACCEPTED'))).toMatchObject(OUT);
  });

  it.each([
    'DISPUTE_DEFENSE_PERIOD_ENDED',
    'INFORMATION_SUPPLIED',
    'ISSUER_COMMENTS',
    'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
    'NOTIFICATION_OF_FRAUD',
    'REPORT_AVAILABLE',
    'PAYOUT_THIRDPARTY',
    'AUTHORISATION_ADJUSTMENT',
    'SOMETHING_NEW',
  ])('%s moves no money, and is of no effect', async (code) => {
    const { kind, ...rest } = await readItem(aLaterItem(code));
    expect(kind).toBe('irrelevant');
    expect(rest).not.toHaveProperty('review');
  });
});

describe('an event of another mode', () => {
  it.each([
    ['live', 'true', 'paid'],
    ['sandbox', 'false', 'paid'],
    ['live', 'false', 'irrelevant'],
    ['sandbox', 'true', 'irrelevant'],
    ['live', undefined, 'irrelevant'],
    ['live', true, 'irrelevant'],
  ])('at a %s gateway, with live %j, is %s', async (environment, live, kind) => {
    const told = await readItem(anItem(), { environment }, live);
    expect(told.kind).toBe(kind);
    if (kind === 'paid') return;
    const eventId = `${PSP}:AUTHORISATION:true:1250:EUR:other_mode`;
    const moved = { direction: 'in', reference: null, providerPaymentId: PSP };
    expect(told).toMatchObject({ eventId, review: expect.any(String), moved });
  });

  it('is of no mode, where nobody said which is ours', async () => {
    for (const live of ['true', 'false', 7]) {
      expect((await readItem(anItem(), {}, live)).kind).toBe('paid');
    }
  });

  it('leaves an item only where money moved', async () => {
    const items = [
      ...['CAPTURE_FAILED', 'REFUND', 'CHARGEBACK', 'CANCEL_OR_REFUND'].map((c) => aLaterItem(c)),
      ...['PENDING', 'OFFER_CLOSED', 'REPORT_AVAILABLE'].map((code) => anItem({ eventCode: code })),
    ];
    const told = await readAll(items, { environment: 'live' });
    const has = told.map((report) => report.kind === 'irrelevant' && report.moved !== undefined);
    expect(has).toEqual([true, true, true, true, false, false, false]);
  });
});

describe('an event of another merchant account', () => {
  it('is not ours, and pays nothing', async () => {
    const { kind, ...rest } = await readItem(ofOtherAccount({ merchantReference: 'order-1' }));
    expect(kind).toBe('irrelevant');
    expect(rest).not.toHaveProperty('review');
  });

  it('is for a person if it names a link or a refund of ours', async () => {
    expect(await readItem(ofOtherAccount())).toMatchObject({
      eventId: `${PSP}:AUTHORISATION:true:1250:EUR:other_account`,
      kind: 'irrelevant',
      review: expect.any(String),
      moved: { direction: 'in', providerPaymentId: PSP, amount: Money.of(1250n, 'EUR') },
    });
    const refund = { eventCode: 'REFUND', originalReference: PAYMENT_PSP };
    const told = await readItem(ofOtherAccount({ ...refund, merchantReference: ADYEN_REFUND }));
    expect(told).toMatchObject({ moved: { direction: 'out', reference: PSP } });
  });
});
