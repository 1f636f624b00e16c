import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import type { ProviderReport } from '../../../src/payments/port/domain/provider-report.js';
import {
  anEvent,
  aSettlement,
  gatewayAt,
  GONE,
  PAY,
  read,
  withoutKey,
} from './razorpay-objects.js';

const ID = 'setl_7IZKKI4Pnt2kEe';
const aRow = (type: string, entity_id: string, over: object = {}) => ({
  entity_id,
  type,
  debit: 0,
  credit: 0,
  amount: 0,
  currency: 'INR',
  fee: 0,
  tax: 0,
  settlement_id: ID,
  dispute_id: null,
  ...over,
});
/** 1000.00 less 29.00 (tax within), less a refund of 400.00 and a transfer of 70.00 that cost 1.50. */
const ROWS = [
  aRow('payment', PAY, { credit: 97_100, amount: 100_000, fee: 2900, tax: 442 }),
  aRow('refund', 'rfnd_1', { debit: 40_000, amount: 40_000 }),
  aRow('transfer', 'trf_1', { debit: 7150, amount: 7000, fee: 150, tax: 22 }),
  aRow('adjustment', 'adj_1', { credit: 1050, amount: 1050 }),
  aRow('adjustment', 'adj_2', { debit: 1000, amount: 1000, dispute_id: 'disp_1' }),
  aRow('payment', 'pay_other', { credit: 500, amount: 500, settlement_id: 'setl_other' }),
];

const inr = (minor: number) => Money.of(BigInt(minor), 'INR');
const line = (kind: string, amount: number, fee: number, providerId: string) => ({
  kind,
  amount: inr(amount),
  fee: inr(fee),
  providerId,
});
const event = (over: object = {}, settings: object = { currency: 'INR' }) =>
  read(anEvent('settlement.processed', { settlement: aSettlement(over) }), settings);

/** The settlement with its lines; `days` has the rows of each. */
async function confirmed(days: Record<string, object[]>, told: ProviderReport = event()) {
  const { gateway, sent } = gatewayAt(
    ({ url }) => {
      const { searchParams: of } = new URL(url);
      const rows = days[`${of.get('year')}-${of.get('month')}-${of.get('day')}`] ?? [];
      return Response.json({ entity: 'collection', count: rows.length, items: rows });
    },
    { currency: 'INR' },
  );
  return { report: await gateway.confirm(told), sent };
}

describe('a settlement of Razorpay', () => {
  it('gets the lines of its day, with fees that have the tax in them', async () => {
    const { report, sent } = await confirmed({ '2026-11-20': ROWS });
    expect(report).toEqual({
      ...event(),
      lines: [
        line('payment', 100_000, 2900, PAY),
        line('refund', -40_000, 0, 'rfnd_1'),
        line('adjustment', -7000, 150, 'trf_1'),
        line('adjustment', 1050, 0, 'adj_1'),
        line('dispute', -1000, 0, 'adj_2'),
      ],
    });
    expect(new URL(sent[0]?.url ?? '').pathname).toBe('/v1/settlements/recon/combined');
    expect(sent).toHaveLength(1);
  });

  it('of which another day has the rows is found there', async () => {
    const { report, sent } = await confirmed({ '2026-11-19': ROWS });
    expect(report).toMatchObject({ lines: { length: 5 } });
    expect(sent).toHaveLength(3);
    expect((await confirmed({})).report).toMatchObject({ kind: 'payout', lines: null });
  });

  it('has no fee where it is paid otherwise', async () => {
    const rows = [aRow('payment', PAY, { credit: 50_000, amount: 50_000, fee: 1000 })];
    const { report } = await confirmed({ '2026-11-20': rows });
    expect(report).toMatchObject({ lines: [line('payment', 50_000, 0, PAY)] });
  });

  it('is of the day in India', () => {
    const created_at = Date.parse('2026-11-20T20:00:00Z') / 1000;
    expect(event({ created_at })).toMatchObject({ sentOn: '2026-11-21' });
  });

  it.each([
    ['kwd', 'KWD', 12_340],
    ['jpy', 'JPY', 500],
  ])('has exact amounts in %s', async (_name, currency, amount) => {
    const rows = [aRow('payment', PAY, { currency, credit: amount - 10, amount })];
    const told = event({ amount: amount - 10 }, { currency });
    const { report } = await confirmed({ '2026-11-20': rows }, told);
    expect(report).toMatchObject({
      amount: Money.of(BigInt(amount - 10), currency),
      lines: [{ amount: Money.of(BigInt(amount), currency), fee: Money.of(10n, currency) }],
    });
  });

  it('with a row that cannot be read is for a person', async () => {
    const rows = [...ROWS, aRow('payment', 'pay_2', { credit: 'a lot' })];
    expect((await confirmed({ '2026-11-20': rows })).report).toMatchObject({
      kind: 'irrelevant',
      review: expect.stringContaining(ID),
      moved: { direction: 'out', reference: ID, amount: inr(50_000) },
    });
  });

  it('comes again while Razorpay does not answer, and is as it is without a key', async () => {
    for (const status of [401, 429, 500]) {
      const { gateway } = gatewayAt(() => Response.json({}, { status }), { currency: 'INR' });
      await expect(gateway.confirm(event())).rejects.toMatchObject(GONE);
    }
    expect(await withoutKey().confirm(event())).toEqual(event());
  });

  it('is in the list of settlements, too, under an id of its own', async () => {
    const listed = [aSettlement(), aSettlement({ id: 'setl_new', status: 'created' })];
    const { gateway, sent } = gatewayAt(
      ({ url }) => {
        const items = url.includes('/recon/') ? ROWS : listed;
        return Response.json({ entity: 'collection', count: items.length, items });
      },
      { currency: 'INR' },
    );
    const [from, to] = [new Date('2026-11-19T00:00:00Z'), new Date('2026-11-21T00:00:00Z')];
    const pages: unknown[] = [];
    for await (const page of gateway.payoutsBetween(from, to) ?? []) pages.push(page);
    expect(pages).toMatchObject([
      [{ eventId: `settlement.processed:${ID}:listed`, kind: 'payout', lines: { length: 5 } }],
    ]);
    const { searchParams: asked } = new URL(sent[0]?.url ?? '');
    expect([asked.get('from'), asked.get('to')]).toEqual(['1795046400', '1795219199']);
    expect(withoutKey().payoutsBetween(from, to)).toBeUndefined();
  });
});
