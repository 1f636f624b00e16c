import type { IsoDate } from '../../kernel/clock.js';
import { CurrencySums } from './migration-plan.js';
import type { PatientService } from './patient-service.js';

interface AgedOpenDocument {
  document_id: string;
  currency: string;
  amount: number;
}

interface AgedCredit {
  customer_id: string;
  currency: string;
  credit: number;
}

interface TrialLine {
  account: string;
  currency: string;
  opening_balance: number;
}

/** Open and credited at the end of a day, of these alone, as the books say. */
export async function openedWith(
  service: PatientService,
  date: IsoDate,
  documents: ReadonlySet<string>,
  customers: ReadonlySet<string>,
): Promise<{ open: CurrencySums; credit: CurrencySums }> {
  const sums = { open: new CurrencySums(), credit: new CurrencySums() };
  const path = '/v1/finance/reports/aging';
  for await (const one of service.all<AgedOpenDocument>(path, { date, group: 'document' })) {
    if (documents.has(one.document_id)) sums.open.add(one.currency, BigInt(one.amount));
  }
  for await (const one of service.all<AgedCredit>(path, { date, group: 'customer' })) {
    if (customers.has(one.customer_id)) sums.credit.add(one.currency, BigInt(one.credit));
  }
  return sums;
}

/** The books of the account as its first day with them begins. */
export async function openingBalance(
  service: PatientService,
  from: IsoDate,
): Promise<{ account: string; currency: string; balance: bigint }[]> {
  const query = new URLSearchParams({ from, to: from });
  const { data } = await service.ask<{ data: TrialLine[] }>(
    'GET',
    `/v1/finance/reports/trial-balance?${query}`,
  );
  return data
    .map(({ account, currency, opening_balance: balance }) => ({
      account,
      currency,
      balance: BigInt(balance),
    }))
    .filter(({ balance }) => balance !== 0n);
}
