import { afterAll, beforeAll, beforeEach, expect, describe, it } from 'vitest';
import { TransferSumming } from '../../../src/books/index.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { balancesOf, imported, tellOf } from './bank-calls.js';
import { sandboxPaymentsOf } from './sandbox-payments.js';

// Money that gateways have of us, from the sums by day and month and from transfers behind them.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient({ timeZone: 'Europe/Berlin' });
});
afterAll(() => closeWithBooks(service));

const tell = tellOf(() => client);
const { paid } = sandboxPaymentsOf(
  () => service,
  () => client,
);

type Line = Record<string, number | string | null>;
type Report = { data: Line[]; totals: Line[]; code?: string };
const asked = async (query: string) =>
  (await client.get<Report>(`/v1/finance/reports/gateway-reconciliation?${query}`)).body;
/** The same with some of it in the sums, with all, and with none. */
const report = async (query = '') => {
  const told = await asked(query);
  await service.app.get(TransferSumming).sum();
  expect(await asked(query)).toEqual(told);
  await service.database.query(`TRUNCATE transfer_sums, claim_sums, gateway_sums;
    UPDATE event_marks SET through_xact = 0 WHERE consumer = 'sums'`);
  expect(await asked(query)).toEqual(told);
  return told;
};

describe('the comparison with the balances at providers', () => {
  it('tells them apart, by day, and sums to the ledger', async () => {
    const { id } = await paid(199);
    await client.post(`/v1/finance/payments/${id}/refunds`, { amount: 1000 });
    // More of the same day comes to what is summed.
    await service.app.get(TransferSumming).sum();
    // In the provider's dashboard: the refund names no gateway, its payment does.
    const byHand = { amount: 500, method: 'bank_transfer' };
    await client.post(`/v1/finance/payments/${id}/refunds`, byHand);
    const other = await client.aPaymentLink(await client.anInvoice(), { gateway: 'gateway-a' });
    await service.deliverPaid(other);
    const payout = { gateway: 'sandbox', provider_payout_id: 'po_1', currency: 'EUR' };
    const sent = { ...payout, amount: 5000, fee: 30, sent_on: '2026-11-10' };
    expect((await client.post('/v1/finance/payouts', sent)).status).toBe(201);
    const [entry] = await imported(client, { amount: '7.00' });
    await tell(entry?.id, 'book', { ledger_account: 'gateway_clearing' });
    const none = { currency: 'EUR', opening: 0, refunds: 0, fees: 0, disputes: 0, payouts: 0 };
    const { data, totals } = await report();
    expect(data).toEqual([
      { ...none, gateway: null, payments: 0, other: -700, closing: -700 },
      { ...none, gateway: 'gateway-a', payments: 11_900, other: 0, closing: 11_900 },
      {
        ...none,
        gateway: 'sandbox',
        payments: 11_900,
        refunds: -1500,
        fees: -229,
        payouts: -5000,
        other: 0,
        closing: 5171,
      },
    ]);
    const clearing = (await balancesOf(client))['gateway_clearing'];
    expect(totals).toEqual([{ currency: 'EUR', gateway_clearing: clearing }]);

    const days = ['2026-11-09', '2026-11-10', '2026-11-11', '2026-10-31', '2026-12-01'];
    for (const from of days)
      for (const date of days.filter((day) => day >= from))
        await report(`from=${from}&date=${date}`);
    const ofThen = { gateway: 'sandbox', opening: 0, payouts: -5000, fees: -30, closing: -5030 };
    expect((await report('date=2026-11-12')).data).toMatchObject([ofThen]);
    const since = (await report('from=2026-11-12')).data.find(
      ({ gateway }) => gateway === 'sandbox',
    );
    expect(since).toMatchObject({ opening: -5030, payments: 11_900, fees: -199, closing: 5171 });
    // The first day is within, not before.
    const ofThatDay = (await report('from=2026-11-10&date=2026-11-10')).data;
    expect(ofThatDay).toMatchObject([ofThen]);
    expect((await asked('from=2026-11-12&date=2026-11-11')).code).toBe('invalid_query');
  });
});
