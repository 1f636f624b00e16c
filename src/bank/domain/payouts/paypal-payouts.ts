import { type CsvHints, malformedStatement, type StatedBankEntry } from '../bank-statement.js';
import { headerName } from '../csv-columns.js';
import type { CsvRow } from '../csv-header.js';
import { readCsvStatement } from '../csv-statement.js';
import {
  leftOutOf,
  LONGEST_PROVIDER_ID,
  type PayoutReport,
  type ReportedPayout,
  unclear,
} from './payout-report.js';

/** PayPal's words for money that it sent to the bank, in both languages; as in `headerName`. */
const PAYPAL_WITHDRAWALS: ReadonlySet<string> = new Set([
  'general withdrawal',
  'general withdrawal bank account',
  'user initiated withdrawal',
  'allgemeine abbuchung',
  'allgemeine abbuchung bankkonto',
  'von nutzer eingeleitete abbuchung',
]);

/**
 * The withdrawals of PayPal's activity report, which is read as any file of a bank. Each is a payout
 * without lines: PayPal does not say which payments are in it.
 * @param rows with the header first
 * @throws DomainError `malformed_statement` with every wrong value, row by row
 */
export function paypalPayouts(rows: readonly CsvRow[], hints: CsvHints): PayoutReport {
  const { sections, pending, rejected } = readCsvStatement(rows, hints, []);
  const entries = sections.flatMap((section) => section.entries);
  const byId = new Map<string, StatedBankEntry[]>();
  for (const entry of entries.filter(isWithdrawal)) {
    const id = entry.bankReference;
    if (id === null || id.length > LONGEST_PROVIDER_ID) {
      throw malformedStatement(`A withdrawal of ${entry.bookedOn} has no transaction id.`);
    }
    byId.set(id, [...(byId.get(id) ?? []), entry]);
  }
  const others = entries.filter((entry) => !isWithdrawal(entry));
  return {
    provider: 'paypal',
    payouts: [...byId].map(([id, told]) => payoutOf(id, told)),
    leftOut: leftOutOf(
      others.map(({ transactionType }) => transactionType ?? ''),
      { pending, rejected },
    ),
  };
}

function payoutOf(id: string, [first, ...others]: readonly StatedBankEntry[]): ReportedPayout {
  const isSame = (other: StatedBankEntry) =>
    JSON.stringify(said(other)) === JSON.stringify(said(first));
  if (!first || !others.every(isSame))
    return unclear(id, 'stands twice in the file, with other values');
  const { direction, amount, fee, bookedOn } = first;
  if (direction === 'credit' || amount.isZero())
    return unclear(id, 'takes nothing out of the account');
  if (fee.isNegative()) return unclear(id, 'has a fee below zero');
  const told = {
    providerPayoutId: id,
    amount,
    fee,
    sentOn: bookedOn,
    arrivesOn: null,
    descriptor: null,
    lines: [],
  };
  return { providerPayoutId: id, told, refusal: null, unknownCategories: [] };
}

const isWithdrawal = ({ transactionType }: StatedBankEntry) =>
  PAYPAL_WITHDRAWALS.has(headerName(transactionType ?? '').name);

const said = (entry: StatedBankEntry | undefined) =>
  entry && [entry.bookedOn, entry.direction, `${entry.amount}`, `${entry.fee}`];
