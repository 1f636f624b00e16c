import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { InvalidSignature, SAMPLE_EVENTS } from '../../../src/payments/port/domain/gateway.js';
import { deliveredAs } from '../../../src/testing/contract/contract-trial.js';
import { LINK, reportOf } from '../gateway-builders.js';
import {
  aCancellation,
  aDebit,
  AT,
  DEBIT,
  deliveryOf,
  happened,
  lookedUpOf,
  REQUEST,
  toldOf,
  withoutToken,
} from './gocardless-objects.js';

const at = new Date(AT);
const before = '2026-11-20T11:00:00.000Z';
const earlier = '2026-11-20T10:00:00.000Z';
const path = `/payments/${DEBIT}`;
const ofDebit = (debit = aDebit(), events: object[] = []) => ({ [path]: debit, '/events': events });

describe('a delivery', () => {
  it('of many events is told one by one, in its order, each under its own id', () => {
    const events = Array.from({ length: 250 }, (_, index) =>
      happened('payments.confirmed', { links: { payment: `PM${index}` } }),
    );
    const told = toldOf(...events);
    expect(told.map((one) => one.kind === 'named' && one.objectId)).toEqual(
      events.map(({ links }) => `payments/${links.payment}`),
    );
    expect(told.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id));
    expect(told[0]).toEqual({
      kind: 'named',
      objectId: 'payments/PM0',
      eventId: events[0]?.id,
      eventType: 'payments.confirmed',
      at,
      reason: 'refer_to_payer',
      isSigned: true,
    });
  });

  it.each([
    ['payments.surcharge_fee_debited'],
    ['mandates.active'],
    ['subscriptions.payment_created'],
    ['payouts.fx_rate_confirmed'],
    ['billing_requests.flow_visited'],
    ['creditors.updated'],
    ['novelties.appeared'],
  ])('of %s is of no effect', (name) => {
    const event = happened(name);
    const told = { eventId: event.id, eventType: name, fingerprint: null, kind: 'irrelevant' };
    expect(toldOf(event)).toEqual([told]);
  });

  it('keeps an event that cannot be read for a person, once, and tells the others', () => {
    const wrong: unknown[] = [
      7,
      null,
      { id: 'EV1' },
      happened('payments.confirmed', { created_at: 'yesterday' }),
      happened('payments.confirmed', { id: 'a b' }),
      happened('payments.confirmed', { action: 'Con firmed' }),
    ];
    for (const each of wrong) {
      const told = toldOf(each as object, happened('payments.confirmed'));
      expect(told[0]).toMatchObject({
        kind: 'irrelevant',
        review: expect.any(String),
        eventId: expect.stringMatching(/^unreadable:[0-9a-f]{64}$/),
      });
      expect(told[1]?.kind).toBe('named');
      expect(toldOf(each as object)[0]?.eventId).toBe(told[0]?.eventId);
    }
    expect(new Set(wrong.map((each) => toldOf(each as object)[0]?.eventId)).size).toBe(6);
  });

  it.each(['PM1/../../x', 'PM', '../PM1', 'pm1', `PM${'1'.repeat(63)}`, 'PM1?a', 'PMä', 7, null])(
    'never makes an address of %j',
    (payment) => {
      const [told] = toldOf(happened('payments.confirmed', { links: { payment } }));
      expect(told).toMatchObject({ kind: 'irrelevant', review: expect.any(String) });
    },
  );

  it('that the dashboard sends to test is of no effect', () => {
    const links = { payment: 'index_ID_123' };
    const [told] = toldOf(happened('payments.confirmed', { id: 'EVTESTXN4AHBTB', links }));
    expect(told).not.toHaveProperty('review');
    expect(told?.kind).toBe('irrelevant');
  });

  it.each([['[]'], ['{}'], ['{"events":[]}'], ['{"events":{}}'], ['{"events":null}']])(
    'that is %s is none of GoCardless',
    (body) => {
      const delivery = { rawBody: Buffer.from(body), headers: {} };
      expect(() => withoutToken().parse(delivery)).toThrow(InvalidSignature);
    },
  );

  it('with its payment is read without a call; a payment of another event is none', () => {
    const event = happened('payments.confirmed');
    const read = (payments: unknown) =>
      withoutToken().parse(deliveryOf([event], { linked: { payments } }))[0]?.kind;
    expect(read([aDebit({ id: 'PM2' }), aDebit()])).toBe('paid');
    expect(read([aDebit({ id: 'PM2' })])).toBe('named');
    expect(read([aDebit({ amount: -1 })])).toBe('named');
    expect(read('x')).toBe('named');
  });
});

describe('a billing request', () => {
  const links = { billing_request: REQUEST, payment_request_payment: DEBIT };

  it('that is fulfilled has its money on its way', () => {
    expect(toldOf(happened('billing_requests.fulfilled', { links }))[0]).toMatchObject({
      kind: 'processing',
      linkId: null,
      providerObjectId: REQUEST,
      at,
    });
    const mandate = { billing_request: REQUEST, mandate_request_mandate: 'MD1' };
    const event = happened('billing_requests.fulfilled', { links: mandate });
    expect(toldOf(event)[0]?.kind).toBe('irrelevant');
  });

  it('that is cancelled has failed, unless our own call did it', () => {
    expect(toldOf(aCancellation('payer'))[0]).toMatchObject({
      kind: 'failed',
      providerObjectId: REQUEST,
      providerPaymentId: null,
      reason: 'gone',
      isFinal: true,
      at,
    });
    expect(toldOf(aCancellation('api'))[0]?.kind).toBe('irrelevant');
    const noId = happened('billing_requests.cancelled', { links: { billing_request: 'x' } });
    expect(toldOf(noId)[0]?.kind).toBe('irrelevant');
  });
});

describe('a payment', () => {
  it.each(['confirmed', 'paid_out'])('that is %s is paid, when its event says', async (action) => {
    const event = happened(`payments.${action}`);
    // Its state now may be any other: that has an event of its own.
    expect(await lookedUpOf(event, ofDebit(aDebit({ status: 'failed' })))).toEqual({
      kind: 'paid',
      eventId: event.id,
      eventType: `payments.${action}`,
      fingerprint: null,
      linkId: LINK,
      providerObjectId: null,
      providerPaymentId: DEBIT,
      amount: Money.of(1250n, 'EUR'),
      fee: null,
      paidAt: at,
    });
  });

  it.each(['created', 'customer_approval_granted', 'submitted', 'resubmission_requested'])(
    'that is %s is on its way',
    async (action) =>
      expect(await lookedUpOf(happened(`payments.${action}`), ofDebit())).toMatchObject({
        kind: 'processing',
        linkId: LINK,
        at,
      }),
  );

  it.each(['failed', 'cancelled', 'customer_approval_denied', 'late_failure_settled'])(
    'that is %s has failed, with the cause',
    async (action) => {
      const event = happened(`payments.${action}`);
      expect(await lookedUpOf(event, ofDebit())).toMatchObject({
        kind: 'failed',
        linkId: LINK,
        providerPaymentId: DEBIT,
        amount: null,
        reference: null,
        reason: 'refer_to_payer',
        isFinal: true,
        at,
      });
      const silent = { ...event, details: { cause: 'a b' } };
      expect(await lookedUpOf(silent, ofDebit())).toMatchObject({ reason: action });
    },
  );

  it.each([
    ['charged_back', 'lost'],
    ['chargeback_settled', 'lost'],
    ['chargeback_cancelled', 'won'],
  ])('with %s is a dispute that is %s', async (action, status) => {
    expect(await lookedUpOf(happened(`payments.${action}`), ofDebit())).toMatchObject({
      kind: 'dispute',
      disputeId: `${DEBIT}:chargeback`,
      providerPaymentId: DEBIT,
      status,
      amount: Money.of(1250n, 'EUR'),
      withdrawn: status === 'lost' ? Money.of(1250n, 'EUR') : Money.zero('EUR'),
      reason: 'refer_to_payer',
      at,
    });
  });

  it('finds its link by its request where it has no note of ours', async () => {
    const bare = aDebit({ metadata: {} });
    const links = { payment: DEBIT, billing_request: REQUEST };
    const events = [happened('payments.created', { links, created_at: before })];
    const paid = await lookedUpOf(happened('payments.confirmed'), ofDebit(bare, events));
    expect(paid).toMatchObject({ linkId: null, providerObjectId: REQUEST });
    const own = aDebit({ metadata: null, links: { billing_request: REQUEST } });
    expect(await lookedUpOf(happened('payments.failed'), ofDebit(own))).toMatchObject({
      linkId: null,
      providerObjectId: REQUEST,
    });
  });

  it('that is collected again after a late failure is for a person', async () => {
    const events = [
      happened('payments.failed', { created_at: before }),
      happened('payments.confirmed', { created_at: earlier }),
    ];
    const again = happened('payments.confirmed');
    expect(await lookedUpOf(again, ofDebit(aDebit(), [again, ...events]))).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
      moved: { direction: 'in', providerPaymentId: DEBIT, amount: Money.of(1250n, 'EUR') },
    });
    // The first time it was not, nor one that had failed before it was ever collected.
    const first = { ...events[1], id: 'EV1' };
    expect((await lookedUpOf(first, ofDebit(aDebit(), [again, ...events]))).kind).toBe('paid');
    const retried = [again, happened('payments.failed', { created_at: earlier })];
    expect((await lookedUpOf(again, ofDebit(aDebit(), retried))).kind).toBe('paid');
    // A refund that failed says nothing of the payment.
    const refunded = events.map((one) => ({ ...one, resource_type: 'refunds' }));
    expect((await lookedUpOf(again, ofDebit(aDebit(), refunded))).kind).toBe('paid');
  });

  it.each(['AUD', 'CAD', 'DKK', 'EUR', 'GBP', 'NZD', 'SEK', 'USD'])(
    'in %s is exact, as a number and as a text',
    async (currency) => {
      for (const amount of [1, 123_456_789, '1250']) {
        const debit = aDebit({ amount, currency });
        const report = await lookedUpOf(happened('payments.confirmed'), ofDebit(debit));
        const expected = Money.of(BigInt(amount), currency).toString();
        expect(report.kind === 'paid' && report.amount.toString()).toBe(expected);
      }
    },
  );

  it.each([
    ['JPY', 1250],
    ['XXX', 1250],
    ['EUR', 0],
    ['EUR', 10_000_000_000_001],
  ])('in %s of %d is for a person', async (currency, amount) => {
    const debit = aDebit({ currency, amount });
    for (const [name, direction] of [
      ['payments.confirmed', 'in'],
      ['payments.charged_back', 'out'],
    ] as const) {
      expect(await lookedUpOf(happened(name), ofDebit(debit))).toMatchObject({
        kind: 'irrelevant',
        review: expect.any(String),
        moved: { direction, providerPaymentId: DEBIT, amount: null },
      });
    }
  });
});

/** The event of a payout, with what it brings along. */
function toldWith(linked: object) {
  const events = [happened('payouts.paid', { links: { payout: 'PO123' } })];
  const rawBody = Buffer.from(JSON.stringify({ events, linked }));
  return withoutToken().parse({ rawBody, headers: {} })[0];
}

it('believes a payout that an event brings along with its items; any other is looked up', () => {
  const created_at = '2026-11-20T12:00:00Z';
  const noCurrency = { id: 'PO123', created_at, status: 'paid', amount: 1250 };
  const payout = { ...noCurrency, currency: 'EUR' };
  const item = { type: 'payment_paid_out', amount: '1250.0', links: { payment: DEBIT } };
  const whole = { payouts: [payout], payout_items: [item] };
  expect(toldWith(whole)).toMatchObject({ kind: 'payout', lines: [{ providerId: DEBIT }] });
  for (const other of [
    { payouts: [{ ...payout, id: 'PO124' }] },
    { payouts: [payout, { ...payout, id: 'PO124' }] },
    { payouts: [noCurrency] },
    { payouts: [] },
    { payout_items: [] },
    { payout_items: [{ ...item, amount: 'all' }] },
  ]) {
    const looked = { kind: 'named', objectId: 'payouts/PO123' };
    expect(toldWith({ ...whole, ...other })).toMatchObject(looked);
  }
});

it('plays later events of a payment, signed, and none that GoCardless does not tell', async () => {
  const of = { linkId: LINK, paymentId: DEBIT, amount: Money.of(1250n, 'EUR') };
  const played = await Promise.all(
    SAMPLE_EVENTS.map(async (event) => {
      const gateway = withoutToken();
      const sample = gateway.sampleEventDelivery(event, of, at);
      if (!sample) return [event, null];
      await gateway.verify(deliveredAs(sample));
      const report = reportOf(gateway, deliveredAs(sample));
      return [event, report.kind === 'dispute' ? report.status : report.kind];
    }),
  );
  expect(Object.fromEntries(played)).toEqual({
    processing: 'processing',
    paid: 'paid',
    refunded: null,
    failed: 'failed',
    reversed: 'failed',
    'dispute.inquiry': null,
    'dispute.opened': null,
    'dispute.won': 'won',
    'dispute.lost': 'lost',
    payout: 'payout',
    payout_failed: 'payout',
  });
});
