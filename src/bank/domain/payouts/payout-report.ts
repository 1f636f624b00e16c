import { BankRefusal } from '../refusals.js';
import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import type { Uuid } from '../../../kernel/ids.js';
import { type CsvHints, malformedStatement } from '../bank-statement.js';
import type { CsvRow } from '../csv-header.js';
import { headerName } from '../csv-columns.js';
import { layoutOf } from '../csv-layouts.js';
import type { StatedPayout } from './payout.js';

export const REPORT_PROVIDERS = ['stripe', 'paypal'] as const;
export type ReportProvider = (typeof REPORT_PROVIDERS)[number];

/** `payouts`: the rows of the payouts themselves. `lines`: the caller says that all lines are there. */
export const AMOUNTS_FROM = ['payouts', 'lines'] as const;
export type AmountsFrom = (typeof AMOUNTS_FROM)[number];

/** A CSV file of a provider, as the provider gives it. */
export interface PayoutReportFile {
  format: 'payouts';
  bytes: Buffer;
  mostEntries: number;
  hints: CsvHints;
  amountsFrom: AmountsFrom;
}

/** A payout as a file tells it: the file does not know our name of the gateway. */
type ToldPayout = Omit<StatedPayout, 'gateway'>;

/** A payout of a file; `told` is null where `refusal` says why it cannot be recorded. */
export interface ReportedPayout {
  providerPayoutId: string;
  told: ToldPayout | null;
  refusal: { code: string; detail: string } | null;
  /** Words of the provider for lines that we do not know; such lines are adjustments. */
  unknownCategories: readonly string[];
}

/** Rows that belong to no payout, by the provider's word for what they are. */
export interface LeftOut {
  category: string;
  rows: number;
}

export interface PayoutReport {
  provider: ReportProvider;
  payouts: readonly ReportedPayout[];
  leftOut: readonly LeftOut[];
}

/** Reads a provider's report of payouts. Nothing outside of the bytes is ever looked at. */
export abstract class PayoutReportReader {
  /**
   * @param accountId who waits for it: readers are shared among accounts
   * @throws DomainError `malformed_statement`, `statement_too_large`, `statement_busy`
   */
  abstract readPayouts(accountId: Uuid, file: PayoutReportFile): Promise<PayoutReport>;
}

/** Some export a title above the table. */
const HEADER_WITHIN = 20;
/** Ids of providers are far shorter. */
export const LONGEST_PROVIDER_ID = 255;
const MOST_CATEGORIES = 100;

/** The provider whose report this is, and the line with its headers. @throws DomainError */
export function reportIn(rows: readonly CsvRow[]): { provider: ReportProvider; index: number } {
  for (const [index, { cells }] of rows.slice(0, HEADER_WITHIN).entries()) {
    const names = new Set(cells.map((cell) => headerName(cell).name));
    if (names.has('balance_transaction_id')) return { provider: 'stripe', index };
    if (layoutOf(names)?.bank.startsWith('PayPal')) return { provider: 'paypal', index };
  }
  throw malformedStatement(
    'The file is no report of payouts that we know: Stripe’s itemized payout reconciliation, or ' +
      'PayPal’s activity report, as CSV.',
  );
}

/** The file does not say of which gateway it is. */
export function assertReportOf(
  { provider }: PayoutReport,
  gateway: { name: string; provider: string },
): void {
  const isOfOther = REPORT_PROVIDERS.some((one) => one === gateway.provider && one !== provider);
  if (!isOfOther) return;
  throw malformedStatement(
    `This is a report of ${provider}, and gateway ${gateway.name} is one of ${gateway.provider}; ` +
      'send the name of the gateway that it is of.',
  );
}

/** The most frequent first. */
export function leftOutOf(
  categories: readonly string[],
  counted: Readonly<Record<string, number>>,
): LeftOut[] {
  const counts = new Map(Object.entries(counted));
  for (const one of categories) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts]
    .filter(([, rows]) => rows > 0)
    .map(([category, rows]) => ({ category, rows }))
    .toSorted((one, other) => other.rows - one.rows)
    .slice(0, MOST_CATEGORIES);
}

/** The file contradicts itself about this payout; its other payouts are not concerned. */
export function unclear(providerPayoutId: string, why: string): ReportedPayout {
  return refused(
    providerPayoutId,
    BankRefusal.payout_unclear,
    `Payout ${providerPayoutId} ${why}.`,
  );
}

export function refused(
  providerPayoutId: string,
  { code }: DomainRefusal,
  detail: string,
): ReportedPayout {
  return { providerPayoutId, told: null, refusal: { code, detail }, unknownCategories: [] };
}
