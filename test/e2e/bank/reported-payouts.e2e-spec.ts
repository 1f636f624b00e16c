import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayoutBody } from '../../../src/bank/wire/payout.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, expectBooksToAgree } from '../documents/document-calls.js';
import { balancesOf, imported, importReport, tellOf } from './bank-calls.js';
import { aShop, paidOut, payoutBooksOf, PAYOUTS, type Shop, shopAt } from './reported-payouts.js';

// Payouts that a provider reports by signed events: booked with their lines, once, in any order.

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  shop = await aShop(service);
});
afterAll(() => closeWithBooks(service));

const FAILED_AT = '2026-11-19T08:00:00Z';
const HEADER =
  'automatic_payout_id,automatic_payout_effective_at_utc,balance_transaction_id,currency,gross,fee,net,reporting_category,source_id,payment_intent_id';

/** The payout of `paidOut`, as a report of the provider tells it. */
const reportOf = (paymentId: string) =>
  [
    HEADER,
    `po_1,2026-11-17 00:00:00,txn_1,eur,119.00,2.50,116.50,charge,ch_1,${paymentId}`,
    'po_1,2026-11-17 00:00:00,txn_2,eur,-0.20,0.00,-0.20,fee,fee_1,',
  ].join('\n');

type Step = (of: Shop, payment: string) => Promise<unknown>;
const STEPS: Record<string, Step> = {
  paid: async (of, payment) => of.told('payout.paid', paidOut(payment)),
  failed: async (of, payment) =>
    of.told('payout.failed', paidOut(payment, { at: FAILED_AT, reason: 'account_closed' })),
  import: async (of, payment) => {
    const query = `gateway=${of.gateway}&amounts_from=lines`;
    const { status } = await importReport(of.client, reportOf(payment), query);
    expect(status).toBe(200);
  },
  'by hand': async (of, payment) => {
    const { at: _at, ...stated } = paidOut(payment);
    await of.client.post(PAYOUTS, {
      gateway: of.gateway,
      ...stated,
      provider_payout_id: 'po_1',
      payout_id: undefined,
    });
  },
};
const done = async (steps: readonly string[], fee?: number) => {
  const of = await aShop(service);
  const payment = await of.paid(fee);
  for (const name of steps) await STEPS[name]?.(of, payment);
  return of;
};

describe('a payout that its provider reports', () => {
  it('is booked with its lines, and found at the bank', async () => {
    const payment = await shop.paid();
    expect(await shop.told('payout.paid', paidOut(payment))).toBe('ok');
    const payout = await shop.only();
    expect(payout).toMatchObject({
      status: 'sent',
      provider_payout_id: 'po_1',
      amount: 11_630,
      fee: 0,
      booked_fee: 270,
      sent_on: '2026-11-17',
      arrives_on: '2026-11-19',
      descriptor: 'MYSHOP',
      lines: [
        { kind: 'payment', booked_fee: 250, is_unknown: false },
        { kind: 'fee', booked_fee: 20, provider_id: 'fee_1' },
      ],
    });
    const inTransit = { gateway_fees: 270, payouts_in_transit: 11_630 };
    expect(await balancesOf(shop.client)).toMatchObject(inTransit);
    expect(await balancesOf(shop.client)).not.toHaveProperty('gateway_clearing');
    const [entry] = await imported(shop.client, { amount: '116.30', text: 'MYSHOP' });
    const tell = tellOf(() => shop.client);
    await tell(entry?.id, 'confirm', { payout_id: payout.id });
    expect(await shop.only()).toMatchObject({ status: 'paid' });
    // The bank has it, so a person has to say which of the two is wrong.
    expect(await shop.told('payout.failed', paidOut(payment, { at: FAILED_AT }))).toBe('ignored');
    expect(await shop.items()).toMatchObject([
      { direction: 'out', amount: 11_630, told: expect.stringContaining('unbook') },
    ]);
    await tell(entry?.id, 'unbook');
    await shop.client.post(`${PAYOUTS}/${payout.id}/fail`, { failed_on: '2026-11-19' });
    expect(await shop.items()).toEqual([]);
    expect(await shop.items('closed')).toHaveLength(1);
  });

  it('ends the same, whichever of report, file and person comes first', async () => {
    const orders = [
      ['paid'],
      ['paid', 'import'],
      ['import', 'paid'],
      ['import', 'import', 'paid', 'paid'],
      ['by hand', 'paid'],
      ['paid', 'by hand'],
    ];
    const books = await Promise.all(
      orders.map(async (steps) => payoutBooksOf((await done(steps)).client)),
    );
    for (const one of books) expect(one).toEqual(books[0]);
    expect(books[0]).toMatchObject({
      payout: { status: 'sent', booked_fee: 270 },
      items: [],
      balances: { gateway_fees: 270, payouts_in_transit: 11_630 },
    });
  });

  it('ends the same with its failure, whichever comes first, and however often', async () => {
    const orders = [
      ['paid', 'failed'],
      ['failed', 'paid'],
      ['failed'],
      ['paid', 'failed', 'import'],
      ['paid', 'import', 'failed'],
      ['failed', 'paid', 'import'],
      ['failed', 'import', 'paid'],
      ['import', 'paid', 'failed'],
      ['import', 'failed', 'paid', 'failed', 'paid'],
    ];
    const books = await Promise.all(
      orders.map(async (steps) => payoutBooksOf((await done(steps)).client)),
    );
    for (const [at, one] of books.entries()) {
      expect([orders[at], one]).toEqual([orders[at], books[0]]);
    }
    expect(books[0]).toMatchObject({
      payout: { status: 'failed', failed_on: '2026-11-19', booked_fee: 270 },
      items: [],
      balances: { gateway_fees: 270, gateway_clearing: 11_630 },
    });
  });

  it('books no fee that its payment has booked', async () => {
    const of = await done(['paid', 'import'], 250);
    expect((await of.only()).booked_fee).toBe(20);
    expect(await balancesOf(of.client)).toMatchObject({ gateway_fees: 270 });
  });

  it.each(['paid', 'import', 'by hand'])(
    'that came before its payment books its fee with the payment, by %s',
    async (step) => {
      await STEPS[step]?.(shop, 'sbx_late');
      const [before] = (await shop.only()).lines;
      expect(before).toMatchObject({ booked_fee: 0, is_unknown: true, payment_id: null });
      await shop.paid(undefined, 'sbx_late');
      const { id, booked_fee, lines } = await shop.only();
      expect(booked_fee).toBe(270);
      expect(lines).toHaveLength(2);
      expect(lines[0]).toMatchObject({
        amount: 11_900,
        fee: 250,
        booked_fee: 250,
        is_unknown: false,
        payment_id: expect.stringMatching(/^pay_/),
      });
      expect(await balancesOf(shop.client)).toMatchObject({ gateway_fees: 270 });
      expect(await balancesOf(shop.client)).not.toHaveProperty('gateway_clearing');
      await shop.client.post(`${PAYOUTS}/${id}/reverse`, {});
      expect(await balancesOf(shop.client)).not.toHaveProperty('gateway_fees');
      await STEPS['by hand']?.(shop, 'sbx_late');
      expect(await balancesOf(shop.client)).toMatchObject({ gateway_fees: 270 });
      await expectBooksToAgree(service);
    },
  );

  it('is booked once, if it is told by two events and a file at once', async () => {
    const payment = await shop.paid();
    const twice = shop.event('payout.paid', paidOut(payment));
    const step = async (name: string) => STEPS[name]?.(shop, payment);
    const all = [
      shop.deliver(twice),
      shop.deliver(twice),
      ...['paid', 'import', 'failed', 'failed'].map(step),
    ];
    await Promise.all(all);
    expect(await shop.only()).toMatchObject({ status: 'failed', booked_fee: 270 });
    expect(await shop.items()).toEqual([]);
  });

  it('may take money from the bank, and has exact amounts in any currency', async () => {
    const below = { amount: -2500, lines: [{ kind: 'adjustment', amount: -2500 }] };
    expect(await shop.told('payout.paid', paidOut('none', below))).toBe('ok');
    for (const [payout_id, currency, amount] of [
      ['po_2', 'JPY', 980],
      ['po_3', 'KWD', 9_995],
    ] as const) {
      const lines = [{ kind: 'adjustment', amount: amount + 5, fee: 5 }];
      const over = { payout_id, currency, amount, lines };
      expect(await shop.told('payout.paid', paidOut('none', over))).toBe('ok');
    }
    const told = (await shop.payouts()).map(({ amount, currency }) => [amount, currency]);
    expect(told.toSorted()).toEqual(
      [
        [-2500, 'EUR'],
        [980, 'JPY'],
        [9995, 'KWD'],
      ].toSorted(),
    );
  });

  it('of a day to come in the time zone of the account is of today', async () => {
    const of = { sent_on: '2899-01-01', arrives_on: null };
    expect(await shop.told('payout.paid', paidOut(await shop.paid(), of))).toBe('ok');
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(
      service.clock.now(),
    );
    expect(await shop.only()).toMatchObject({ sent_on: today, arrives_on: null });
  });
});

describe('a payout that cannot be booked', () => {
  it.each<[string, object, RegExp]>([
    ['has lines that do not add up', { amount: 11_640 }, /make 116\.30 EUR, and it says 116\.40/],
    ['comes without lines', { lines: null }, /does not tell its lines/],
    ['is of a year long ago', { sent_on: '1999-01-01' }, /sent_on must not be before/],
    [
      'is larger than all money',
      { lines: [{ kind: 'adjustment', amount: 10_000_000_000_000 }] },
      /larger than/,
    ],
  ])('as it %s is an item, which its import closes', async (_why, over, why) => {
    const payment = await shop.paid();
    const before = await balancesOf(shop.client);
    const event = shop.event('payout.paid', paidOut(payment, over));
    expect((await shop.deliver(event)).body).toEqual({ status: 'ignored' });
    expect((await shop.deliver(event)).body).toEqual({ status: 'ignored' });
    expect(await shop.payouts()).toEqual([]);
    expect(await balancesOf(shop.client)).toEqual(before);
    expect(await shop.items()).toMatchObject([
      { direction: 'out', told: expect.stringMatching(why) },
    ]);
    type Events = { data: { id: string; outcome: string }[] };
    const path = '/v1/finance/gateway-events';
    const { body: events } = await shop.client.get<Events>(`${path}?event_type=payout.paid`);
    const [kept] = events.data;
    const { body: whole } = await shop.client.get<Record<string, unknown>>(`${path}/${kept?.id}`);
    expect(whole).toMatchObject({ outcome: 'ignored' });
    expect(JSON.stringify(whole)).toMatch(/item_/);
    await STEPS['import']?.(shop, payment);
    expect(await shop.items()).toEqual([]);
    expect((await shop.only()).booked_fee).toBe(270);
  });

  it('is recorded otherwise, and stays as it is', async () => {
    const payment = await shop.paid();
    await STEPS['import']?.(shop, payment);
    const over = { amount: 11_650, lines: [{ kind: 'adjustment', amount: 11_650 }] };
    expect(await shop.told('payout.paid', paidOut(payment, over))).toBe('ignored');
    expect(await shop.only()).toMatchObject({ amount: 11_630, status: 'sent' });
    const told = expect.stringMatching(/is recorded over 116\.30 EUR/);
    expect(await shop.items()).toMatchObject([{ amount: 11_650, told }]);
  });

  it('was taken back by a person, or failed and is sent again', async () => {
    const payment = await shop.paid();
    await STEPS['paid']?.(shop, payment);
    await STEPS['failed']?.(shop, payment);
    const again = paidOut(payment, { at: '2026-11-20T08:00:00Z' });
    expect(await shop.told('payout.paid', again)).toBe('ignored');
    expect(await shop.items()).toMatchObject([{ told: expect.stringContaining('sent again') }]);
    const { id } = await shop.only();
    await shop.client.post<PayoutBody>(`${PAYOUTS}/${id}/reverse`, {});
    const books = await balancesOf(shop.client);
    expect(await shop.told('payout.paid', again)).toBe('ignored');
    expect(await balancesOf(shop.client)).toEqual(books);
    await STEPS['by hand']?.(shop, payment);
    expect(await shop.items()).toEqual([]);
    expect((await shop.payouts()).map(({ status }) => status)).toEqual(['sent', 'reversed']);
  });
});

const line = (provider_id: string) => ({
  kind: 'payment',
  amount: 11_900,
  fee: 250,
  provider_id,
});

describe('a gateway that several accounts share', () => {
  it('has payouts booked if all in them is surely of one account', async () => {
    const [anna, ben] = [await aShop(service), await aShop(service)];
    const [of, other] = [anna, ben].map(({ client }) => shopAt(service, client, 'sandbox'));
    if (!of || !other) throw new Error('there are two');
    const [one, two] = [await of.paid(), await other.paid()];
    const payout_id = `po_${one}`;
    const said = (lines: object[], amount: number, id: string) =>
      of.told('payout.paid', paidOut(one, { payout_id: id, amount, lines }));
    expect(await said([line(one), line(two)], 23_300, `${payout_id}_both`)).toBe('ignored');
    const foreign = { ...line('sbx_unknown'), amount: 350 };
    expect(await said([line(one), foreign], 11_750, `${payout_id}_foreign`)).toBe('ignored');
    const dispute = { kind: 'dispute', amount: -100, provider_id: 'dp_1' };
    expect(await said([line(one), dispute], 11_550, `${payout_id}_dispute`)).toBe('ignored');
    expect(await said([{ kind: 'fee', amount: -20 }], -20, `${payout_id}_fee`)).toBe('ignored');
    expect([...(await of.payouts()), ...(await other.payouts())]).toEqual([]);
    // It is nobody's, so no account sees it: it is the operator's.
    expect([...(await of.items()), ...(await other.items())]).toEqual([]);
    const [kept] = await service.database.query<{ items: number }>(
      `SELECT count(*)::int AS items FROM unmatched_items WHERE gateway = 'sandbox'
         AND starts_with(subject, $1) AND told LIKE '%Several accounts%'`,
      [`payout ${payout_id}`],
    );
    expect(kept?.items).toBe(4);
    expect(await said([line(one), { kind: 'fee', amount: -20 }], 11_630, payout_id)).toBe('ok');
    expect(await of.only()).toMatchObject({ gateway: 'sandbox', booked_fee: 270 });
    expect(await other.payouts()).toEqual([]);
  });

  it('has a payout of refunds alone booked, which takes money from the bank', async () => {
    const { client } = await aShop(service);
    const of = shopAt(service, client, 'sandbox');
    const payment_id = await of.paid();
    const refund = { payment_id, amount: 2900, currency: 'EUR', at: '2026-11-16T08:00:00Z' };
    const provider_id = `back_${payment_id}`;
    await of.told('refund.succeeded', { sandbox_refund_id: provider_id, ...refund });
    const lines = [{ kind: 'refund', amount: -2900, provider_id }];
    const payout_id = `po_${payment_id}`;
    const told = paidOut(payment_id, { payout_id, amount: -2900, lines });
    expect(await of.told('payout.paid', told)).toBe('ok');
    expect(await of.only()).toMatchObject({ amount: -2900, lines: [{ is_unknown: false }] });
  });

  it('has payouts recorded by hand that nobody could book, whoever closes their item', async () => {
    const { client } = await aShop(service);
    const of = shopAt(service, client, 'sandbox');
    const payment = await of.paid();
    const dispute = { kind: 'dispute', amount: -100, fee: 0, provider_id: null };
    const lines = [line(payment), dispute];
    const payout_id = `po_${payment}`;
    const told = paidOut(payment, { payout_id, amount: 11_550, lines });
    expect(await of.told('payout.paid', told)).toBe('ignored');
    const byHand = {
      gateway: 'sandbox',
      provider_payout_id: payout_id,
      amount: 11_550,
      currency: 'EUR',
      sent_on: '2026-11-17',
      lines,
    };
    // Somebody else closes the item just then, and is faster.
    const other = await service.database.connect();
    try {
      await other.query('BEGIN');
      await other.query(
        `INSERT INTO unmatched_item_steps (account_id, item_id, step, status, reason, at)
         SELECT account_id, item_id, 1, 'closed', 'seen to', now() FROM unmatched_items
         WHERE subject = $1`,
        [`payout ${payout_id}`],
      );
      const answer = client.post(PAYOUTS, byHand);
      await service.database.untilBlocked();
      await other.query('COMMIT');
      expect(await answer).toMatchObject({ status: 201 });
    } finally {
      await other.end();
    }
    const [item] = await service.database.query<{ status: string }>(
      `SELECT status FROM unmatched_items JOIN unmatched_item_steps USING (account_id, item_id)
       WHERE subject = $1`,
      [`payout ${payout_id}`],
    );
    expect(item).toEqual({ status: 'closed' });
  });
});
