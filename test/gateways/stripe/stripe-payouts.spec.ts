import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { aGateway, NOW_SECONDS, STRIPE_SECRET } from '../gateway-builders.js';

const ARRIVAL = '2026-11-17';
const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;

const aPayout = (over: object = {}) => ({
  id: 'po_1',
  object: 'payout',
  amount: 93_57,
  currency: 'eur',
  arrival_date: seconds(ARRIVAL),
  automatic: true,
  status: 'paid',
  failure_code: null,
  statement_descriptor: 'MYSHOP',
  reconciliation_status: 'completed',
  balance_transaction: { id: 'txn_own', fee: 0 },
  ...over,
});
const charge = (id: string) => ({ id: `ch_${id}`, object: 'charge', payment_intent: `pi_${id}` });
const aTransaction = (category: string, amount: number, fee = 0, over: object = {}) => ({
  id: `txn_${category}_${amount}`,
  object: 'balance_transaction',
  amount,
  fee,
  net: amount - fee,
  currency: 'eur',
  reporting_category: category,
  source: `${category}_1`,
  ...over,
});
/** As in the CSV fixture of Stripe's report, which makes the same payout. */
const TRANSACTIONS = [
  aTransaction('payout', -93_57, 0, { source: { id: 'po_1', object: 'payout' } }),
  aTransaction('charge', 119_00, 2_03, { source: charge('1') }),
  aTransaction('refund', -19_00, 0, { source: { id: 're_1', payment_intent: 'pi_1' } }),
  aTransaction('dispute', -50_00, 15_00),
  aTransaction('dispute_reversal', 50_00, -15_00),
  aTransaction('fee', 0, 40),
  aTransaction('risk_reserved_funds', -5_00),
  aTransaction('moon_dust', 1_00, 0, { source: null }),
];

const anEvent = (type = 'payout.paid', over: object = {}) => ({
  id: 'evt_1',
  object: 'event',
  type,
  created: NOW_SECONDS,
  livemode: false,
  data: { object: { id: 'po_1' } },
  ...over,
});
const named = (event: object, settings = {}) => {
  const gateway = aGateway('stripe', { webhook_secret: STRIPE_SECRET, ...settings });
  return gateway.parse({ rawBody: Buffer.from(JSON.stringify(event)), headers: {} })[0];
};

/** The report of an event, and the calls that it took. */
async function told(
  event: object = anEvent(),
  payout: object = aPayout(),
  pages: readonly (readonly { id: string }[])[] = [TRANSACTIONS],
) {
  const urls: URL[] = [];
  const fetch = (async (text: string) => {
    const url = new URL(text);
    urls.push(url);
    if (url.pathname !== '/v1/balance_transactions') return Response.json(payout);
    const after = url.searchParams.get('starting_after');
    const at = after === null ? 0 : pages.findIndex((page) => page.at(-1)?.id === after) + 1;
    return Response.json({ data: pages[at], has_more: at + 1 < pages.length });
  }) as unknown as typeof globalThis.fetch;
  const settings = { webhook_secret: STRIPE_SECRET, api_key: 'sk_hush' };
  const name = named(event);
  if (name?.kind !== 'named') throw new Error('it names no payout');
  const reports = await aGateway('stripe', settings, { fetch }).lookUp(name);
  return { report: reports[0], urls };
}

const money = (minor: number, currency = 'EUR') => Money.of(BigInt(minor), currency);
const line = (kind: string, amount: number, fee: number, providerId: string) => ({
  kind,
  amount: money(amount),
  fee: money(fee),
  providerId,
});

describe('a payout of Stripe', () => {
  it('is looked up with its lines, as its report tells them', async () => {
    const { report, urls } = await told();
    expect(report).toEqual({
      eventId: 'evt_1',
      eventType: 'payout.paid',
      fingerprint: null,
      kind: 'payout',
      payoutId: 'po_1',
      amount: money(93_57),
      fee: money(0),
      lines: [
        line('payment', 119_00, 2_03, 'pi_1'),
        line('refund', -19_00, 0, 're_1'),
        line('dispute', -50_00, 15_00, 'dispute_1'),
        line('dispute', 50_00, -15_00, 'dispute_reversal_1'),
        line('fee', 0, 40, 'fee_1'),
        line('adjustment', -5_00, 0, 'risk_reserved_funds_1'),
        line('adjustment', 1_00, 0, 'txn_moon_dust_100'),
      ],
      status: 'sent',
      sentOn: ARRIVAL,
      arrivesOn: ARRIVAL,
      descriptor: 'MYSHOP',
      reason: null,
      at: new Date(`${ARRIVAL}T00:00:00Z`),
    });
    expect(urls.map(({ pathname }) => pathname)).toEqual([
      '/v1/payouts/po_1',
      '/v1/balance_transactions',
    ]);
    expect(urls[1]?.search).toBe('?payout=po_1&expand%5B%5D=data.source&limit=50');
  });

  it('has all pages of its lines', async () => {
    const pages = [TRANSACTIONS.slice(0, 3), TRANSACTIONS.slice(3, 6), TRANSACTIONS.slice(6)];
    const { report, urls } = await told(anEvent(), aPayout(), pages);
    expect(report).toEqual((await told()).report);
    expect(urls).toHaveLength(4);
  });

  it('is named by a thin event, too', async () => {
    const thin = {
      id: 'evt_1',
      object: 'v2.core.event',
      type: 'v1.payout.paid',
      created: '2026-11-20T12:00:00Z',
      related_object: { id: 'po_1', type: 'payout' },
    };
    expect((await told(thin)).report).toMatchObject({ kind: 'payout', status: 'sent' });
  });

  it.each([
    ['jpy', 9_500, 'JPY', 9_500],
    ['kwd', 12_340, 'KWD', 12_340],
    ['isk', 9_500_00, 'ISK', 9_500],
    ['eur', -25_00, 'EUR', -25_00],
  ])('has exact amounts in %s of %d', async (currency, units, code, minor) => {
    const lines = [aTransaction('charge', units, 0, { currency, source: charge('1') })];
    const { report } = await told(anEvent(), aPayout({ currency, amount: units }), [lines]);
    expect(report).toMatchObject({
      amount: money(minor, code),
      lines: [{ amount: money(minor, code), fee: money(0, code), providerId: 'pi_1' }],
    });
  });

  it('with a part of a unit is for a person', async () => {
    const lines = [aTransaction('charge', 950_001, 1, { currency: 'isk' })];
    const { report } = await told(anEvent(), aPayout({ currency: 'isk', amount: 950_000 }), [
      lines,
    ]);
    expect(report).toMatchObject({
      kind: 'irrelevant',
      review: expect.stringContaining('po_1'),
      moved: { direction: 'out', reference: 'po_1', amount: money(9_500, 'ISK') },
    });
  });

  it('that somebody asked for has no lines, and its own fee', async () => {
    const balance_transaction = { id: 'txn_own', fee: 50 };
    const asked = {
      automatic: false,
      reconciliation_status: 'not_applicable',
      balance_transaction,
    };
    const { report, urls } = await told(anEvent(), aPayout(asked));
    expect(report).toMatchObject({ kind: 'payout', lines: [], fee: money(50) });
    expect(urls).toHaveLength(1);
  });

  const COMPLETED = 'payout.reconciliation_completed';
  it.each([
    ['payout.paid', { status: 'paid' }, 'sent'],
    ['payout.paid', { status: 'failed' }, 'sent'],
    ['payout.paid', { status: 'in_transit' }, undefined],
    ['payout.paid', { reconciliation_status: 'in_progress' }, undefined],
    ['payout.failed', { reconciliation_status: 'in_progress' }, undefined],
    ['payout.failed', { status: 'failed', failure_code: 'account_closed' }, 'failed'],
    [COMPLETED, { status: 'paid' }, 'sent'],
    [COMPLETED, { status: 'failed' }, 'failed'],
    [COMPLETED, { status: 'in_transit' }, undefined],
  ])('told by %s as %j is %s', async (type, over, status) => {
    const { report } = await told(anEvent(type), aPayout(over));
    if (status === undefined) expect(report).not.toHaveProperty('review');
    expect(report).toMatchObject(status ? { kind: 'payout', status } : { kind: 'irrelevant' });
  });

  it('that failed is of the day on which that was told', async () => {
    const over = { status: 'failed', failure_code: 'account_closed' };
    const { report } = await told(anEvent('payout.failed'), aPayout(over));
    expect(report).toMatchObject({
      reason: 'account_closed',
      sentOn: ARRIVAL,
      at: new Date(NOW_SECONDS * 1000),
    });
  });

  it('whose lines contradict themselves comes again', async () => {
    const wrong = { ...aTransaction('charge', 100, 5), net: 96 };
    await expect(told(anEvent(), aPayout(), [[wrong]])).rejects.toMatchObject({
      code: 'gateway_unavailable',
    });
    await expect(told(anEvent(), { id: 'po_1' })).rejects.toMatchObject({
      code: 'gateway_unavailable',
    });
  });

  it('comes again until there is a key', async () => {
    const name = named(anEvent());
    if (name?.kind !== 'named') throw new Error('it names no payout');
    const gateway = aGateway('stripe', { webhook_secret: STRIPE_SECRET });
    await expect(gateway.lookUp(name)).rejects.toMatchObject({ code: 'gateway_key_missing' });
  });

  it('of a connected account or of no effect is let be; what cannot be read is for a person', () => {
    const irrelevant = { kind: 'irrelevant' };
    expect(named(anEvent('payout.paid', { account: 'acct_1' }))).toMatchObject(irrelevant);
    expect(named(anEvent('payout.created'))).toMatchObject(irrelevant);
    const review = expect.any(String);
    expect(named(anEvent('payout.paid', { data: {} }))).toMatchObject({ ...irrelevant, review });
    const live = named(anEvent(), { environment: 'live' });
    expect(live).toMatchObject({ ...irrelevant, review });
  });
});
