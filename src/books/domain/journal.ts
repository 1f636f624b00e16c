import { type ChartOfAccounts, revenueAccountOf } from './chart-of-accounts.js';
import type { Transfer } from './transfer.js';

/** The tax of one kind on the document that a transfer books. */
interface JournalTax {
  category: string;
  rate: string;
  base: bigint;
  tax: bigint;
}

/** A transfer with what an accountant asks of its document. */
export interface JournalTransfer extends Omit<Transfer, 'documentId' | 'recordedAt'> {
  documentNumber: string | null;
  customerName: string | null;
  /** The buyer's country, if it is another one of the EU than the seller's. */
  abroad: string | null;
  /** The buyer's VAT number. */
  taxId: string | null;
  /** Of revenue and tax alone: empty with all other transfers. */
  taxes: JournalTax[];
}

/** One amount between two accounts of the accountant's chart. */
export interface JournalLine extends Omit<JournalTransfer, 'id' | 'debit' | 'credit' | 'taxes'> {
  debit: string;
  credit: string;
  tax: { category: string; rate: string; key: string | null } | null;
  /** The account of revenue among the two: tax keys and automatic accounts count for it. */
  revenue: 'debit' | 'credit' | null;
}

/**
 * The lines of a transfer. Revenue becomes one line for each kind of tax, with the tax in it where
 * its account takes gross amounts; the transfer of the tax then has what is left. A transfer
 * between accounts with one number is none.
 */
export function journalLines(transfer: JournalTransfer, chart: ChartOfAccounts): JournalLine[] {
  const { debit, credit } = transfer;
  const side = [debit, credit].includes('revenue')
    ? 'revenue'
    : [debit, credit].includes('tax_payable')
      ? 'tax_payable'
      : null;
  const { id: _, taxes, ...told } = transfer;
  const numbers = { debit: chart.numbers[debit], credit: chart.numbers[credit] };
  const plain = { ...told, ...numbers, tax: null, revenue: null };
  const lines =
    side && taxes.length > 0
      ? taxes.flatMap((tax) => taxedLine(plain, transfer, tax, chart, side))
      : [plain];
  return lines.filter((line) => line.amount > 0n && line.debit !== line.credit);
}

function taxedLine(
  plain: JournalLine,
  { debit, taxes }: JournalTransfer,
  { category, rate, base, tax }: JournalTax,
  chart: ChartOfAccounts,
  of: 'revenue' | 'tax_payable',
): JournalLine[] {
  const account = revenueAccountOf(chart, category, rate);
  const isGross = account.posting === 'gross';
  const taxed = { category, rate, key: account.taxKey };
  if (of === 'tax_payable' && !isGross) return [{ ...plain, amount: tax, tax: taxed }];
  // Of a cent there may be no revenue: then nothing else has the tax.
  if (of === 'tax_payable' && taxes.some((one) => one.base !== 0n)) return [];
  const place = debit === of ? 'debit' : 'credit';
  const amount = isGross ? base + tax : base;
  return [{ ...plain, [place]: account.number, amount, tax: taxed, revenue: place }];
}
