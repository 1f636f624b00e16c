import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import type { ProviderReport } from '../../../src/payments/port/domain/provider-report.js';
import { gatewayAt, UNAVAILABLE, withoutKey } from './mollie-objects.js';

const TOKEN = { organization_token: 'access_hush' };
const [FROM, TO] = [new Date('2026-11-17T00:00:00Z'), new Date('2026-11-20T00:00:00Z')];
const euro = (value: string) => ({ currency: 'EUR', value });
const money = (minor: number, currency = 'EUR') => Money.of(BigInt(minor), currency);
const costOf = (value: string, currency = 'EUR') => ({ amountGross: { currency, value } });

/** 86.10 of payments less 43.20 of refunds, and 3.146 of costs: the example of Mollie's own pages. */
const aSettlement = (over: object = {}) => ({
  resource: 'settlement',
  id: 'stl_jDk30akdN',
  reference: '1234567.2611.03',
  createdAt: '2026-11-18T06:00:01.0Z',
  settledAt: '2026-11-18T09:41:44.0Z',
  status: 'paidout',
  amount: euro('39.75'),
  periods: { 2026: { 11: { revenue: [], costs: [costOf('2.5410'), costOf('0.6050')] } } },
  ...over,
});
const of = (id: string, settledAt: string | null, status = 'paidout') =>
  aSettlement({ id, settledAt, status });
type Part = Record<string, unknown> & { id: string };
const PARTS: Record<string, Part[]> = {
  payments: [
    { id: 'tr_one1', amount: euro('50.00'), settlementAmount: euro('50.00') },
    { id: 'tr_two2', amount: euro('36.10') },
  ],
  refunds: [{ id: 're_1', amount: euro('20.00'), settlementAmount: euro('-20.00') }],
  chargebacks: [{ id: 'chb_1', amount: euro('23.20') }],
};

/** All that the list of settlements tells, page by page. */
async function told(
  settlements: readonly Part[][] = [[aSettlement()]],
  parts: Record<string, Part[]> = PARTS,
) {
  const { gateway, sent } = gatewayAt(({ url: text }) => {
    const url = new URL(text);
    const collection = url.pathname.split('/').at(-1) ?? '';
    const after = url.searchParams.get('from');
    const page = after === null ? 0 : settlements.findIndex((one) => one.at(-1)?.id === after) + 1;
    const isList = collection === 'settlements';
    const listed = isList ? settlements[page] : (parts[collection] ?? []);
    const next = isList && page + 1 < settlements.length ? { href: 'https://evil.test' } : null;
    return Response.json({ _embedded: { [collection]: listed }, _links: { next } });
  }, TOKEN);
  const reports: ProviderReport[] = [];
  for await (const page of gateway.payoutsBetween(FROM, TO) ?? []) reports.push(...page);
  return { reports, sent };
}
const line = (kind: string, minor: number, providerId: string | null) => ({
  kind,
  amount: money(minor),
  fee: money(0),
  providerId,
});

describe('a settlement of Mollie', () => {
  it('is read with its lines and its costs, rounded as Mollie rounds them', async () => {
    const { reports, sent } = await told();
    expect(reports).toEqual([
      {
        eventId: 'stl_jDk30akdN:paidout',
        eventType: 'settlement.paidout',
        fingerprint: null,
        kind: 'payout',
        payoutId: 'stl_jDk30akdN',
        amount: money(3975),
        fee: money(0),
        lines: [
          line('payment', 5000, 'tr_one1'),
          line('payment', 3610, 'tr_two2'),
          line('refund', -2000, 're_1'),
          line('dispute', -2320, 'chb_1'),
          line('fee', -315, null),
        ],
        status: 'sent',
        sentOn: '2026-11-18',
        arrivesOn: null,
        descriptor: '1234567.2611.03',
        reason: null,
        at: new Date('2026-11-18T09:41:44Z'),
      },
    ]);
    const calls = sent.map(({ url, headers }) => [new URL(url).pathname, headers['Authorization']]);
    const token = 'Bearer access_hush';
    expect(calls).toEqual([
      ['/v2/settlements', token],
      ['/v2/settlements/stl_jDk30akdN/payments', token],
      ['/v2/settlements/stl_jDk30akdN/refunds', token],
      ['/v2/settlements/stl_jDk30akdN/chargebacks', token],
    ]);
  });

  it.each([
    ['3.1401', -315],
    ['3.1559', -315],
    ['3.1610', -316],
    ['-1.0000', 100],
  ])('with costs of %s has a fee of %d', async (costs, fee) => {
    const periods = { 2026: { 11: { costs: [costOf(costs)] } } };
    const { reports } = await told([[aSettlement({ periods })]]);
    expect(reports[0]).toMatchObject({
      lines: [{}, {}, {}, {}, { kind: 'fee', amount: money(fee) }],
    });
  });

  it.each([
    ['JPY', '500', 500],
    ['EUR', '-12.50', -1250],
  ])('has exact amounts in %s, also below zero', async (currency, value, minor) => {
    const amount = { currency, value };
    const settlement = aSettlement({ amount, periods: [] });
    const { reports } = await told([[settlement]], { payments: [{ id: 'tr_one1', amount }] });
    expect(reports).toMatchObject([
      {
        amount: money(minor, currency),
        lines: [{ kind: 'payment', amount: money(minor, currency) }],
      },
    ]);
  });

  it.each([
    ['a payment of a part of a cent', { payments: [{ id: 'tr_one1', amount: euro('1.001') }] }, {}],
    [
      'costs in another currency',
      {},
      { periods: { 2026: { 11: { costs: [costOf('1.00', 'USD')] } } } },
    ],
  ])('with %s is for a person', async (_what, parts, over) => {
    const { reports } = await told([[aSettlement(over)]], parts);
    expect(reports).toMatchObject([
      { kind: 'irrelevant', review: expect.any(String), moved: { reference: 'stl_jDk30akdN' } },
    ]);
  });

  it('is one that was paid out in that time; older pages are not asked for', async () => {
    const { reports, sent } = await told(
      [
        [of('stl_open', null, 'open'), of('stl_late', '2026-11-20T00:00:00Z')],
        [of('stl_good', '2026-11-17T00:00:00Z'), of('stl_fail', '2026-11-18T00:00:00Z', 'failed')],
        [of('stl_past', '2026-11-16T23:59:59Z')],
        [of('stl_never', '2026-11-15T00:00:00Z')],
      ],
      {},
    );
    expect(reports.map((one) => one.eventId)).toEqual(['stl_good:paidout']);
    expect(sent.filter(({ url }) => url.includes('/v2/settlements?'))).toHaveLength(3);
  });

  it('cannot be read without the token of the organization', async () => {
    expect(withoutKey().payoutsBetween(FROM, TO)).toBeUndefined();
    expect(gatewayAt(() => Response.json({})).gateway.payoutsBetween(FROM, TO)).toBeUndefined();
    for (const status of [401, 403, 429, 500]) {
      const { gateway } = gatewayAt(() => Response.json({}, { status }), TOKEN);
      const first = async () => {
        for await (const page of gateway.payoutsBetween(FROM, TO) ?? []) return page;
        return [];
      };
      await expect(first()).rejects.toMatchObject(UNAVAILABLE);
    }
    expect(() => withoutKey({ organization_token: 'live_hush' })).toThrow(/ORGANIZATION_TOKEN/);
  });
});
