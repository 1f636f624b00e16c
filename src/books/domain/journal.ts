import type { IsoDate } from '../../kernel/clock.js';
import { taxCorrections } from './automatic-tax.js';
import type { CashPlace } from './cash-account.js';
import {
  cashNumberOf,
  type ChartOfAccounts,
  lossAccountOf,
  revenueAccountOf,
} from './chart-of-accounts.js';
import type { LossKind } from './ledger.js';
import type { Transfer } from './transfer.js';

/** The tax of one kind on the document that a transfer books. */
interface JournalTax {
  category: string;
  rate: string;
  base: bigint;
  tax: bigint;
}

/**
 * A transfer with what an accountant asks of its document. `bankAccount` and `method` say where money of `cash` moved, and
 * are null with other accounts.
 */
export interface JournalTransfer extends Omit<Transfer, 'documentId' | 'recordedAt'>, CashPlace {
  documentNumber: string | null;
  customerName: string | null;
  /** The buyer's country, if it is another one of the EU than the seller's. */
  abroad: string | null;
  /** The buyer's VAT number. */
  taxId: string | null;
  /** The day of the supply, or the last one of its period, where the document says it. */
  suppliedOn: IsoDate | null;
  /** The first line of the document. */
  sold: string | null;
  /** The place of the customer among the debtors; null: no file had it yet. */
  debtor: number | null;
  /** Of revenue and tax alone: empty with all other transfers. */
  taxes: JournalTax[];
  /** Of tax that is claimed back: all transfers of one such fact are one. */
  loss: LossKind | null;
}

/** One amount between two accounts of the accountant's chart. */
export interface JournalLine extends Omit<
  JournalTransfer,
  'id' | 'debit' | 'credit' | 'taxes' | 'loss' | 'bankAccount' | 'method'
> {
  debit: string;
  credit: string;
  tax: { category: string; rate: string; key: string | null } | null;
  /** The account of the two that is taxed: tax keys and automatic accounts count for it. */
  taxed: 'debit' | 'credit' | null;
}

/**
 * The lines of a transfer. Revenue becomes one line for each kind of tax, with the tax in it where
 * its account takes gross amounts; the transfer of the tax then has what is left. A transfer
 * between accounts with one number is none.
 */
export function journalLines(transfer: JournalTransfer, chart: ChartOfAccounts): JournalLine[] {
  const { debit, credit } = transfer;
  const { id: _, taxes, loss, bankAccount, method, ...told } = transfer;
  const { currency } = told;
  const cash = cashNumberOf(chart, { bankAccount, method, currency });
  const numbered = { ...chart.numbers, cash };
  const numbers = { debit: numbered[debit], credit: numbered[credit] };
  const plain = { ...told, ...numbers, tax: null, taxed: null };
  const lines = loss
    ? taxes.flatMap((tax) => reliefLine(plain, tax, loss, chart))
    : taxes.length > 0
      ? billedLines(plain, transfer, chart)
      : [plain];
  return lines.filter((line) => line.amount !== 0n && line.debit !== line.credit).map(aboveZero);
}

function billedLines(
  plain: JournalLine,
  { debit, credit, taxes }: JournalTransfer,
  chart: ChartOfAccounts,
): JournalLine[] {
  const of = [debit, credit].includes('revenue') ? 'revenue' : 'tax_payable';
  const place = debit === of ? 'debit' : 'credit';
  const net = sumOf(taxes, 'base');
  const taxTotal = sumOf(taxes, 'tax');
  // A sum below zero turned the transfer round; a sum of zero is no transfer, and the other has it all.
  const sign = (of === 'revenue' ? net : taxTotal) < 0n ? -1n : 1n;
  const hasBases = of === 'revenue' || net === 0n;
  const hasTaxes = of === 'tax_payable' || taxTotal === 0n;
  return taxes.flatMap((one) => {
    const { category, rate } = one;
    const account = revenueAccountOf(chart, category, rate);
    const [base, tax] = [sign * one.base, sign * one.tax];
    const taxed = { category, rate, key: account.taxKey };
    const line = { ...plain, [place]: account.number, tax: taxed, taxed: place } as const;
    if (account.posting === 'gross') return hasBases ? grossLines(line, base, tax) : [];
    const apart = { ...plain, [place]: chart.numbers.tax_payable, amount: tax, tax: taxed };
    return [...(hasBases ? [{ ...line, amount: base }] : []), ...(hasTaxes ? [apart] : [])];
  });
}

/** The loss moves to the account of its rate, which is less by its tax; or the tax is taken off it. */
function reliefLine(
  plain: JournalLine,
  { category, rate, base, tax }: JournalTax,
  loss: LossKind,
  chart: ChartOfAccounts,
): JournalLine[] {
  const { number, posting, taxKey } = lossAccountOf(chart, loss, category, rate);
  const line = { ...plain, tax: { category, rate, key: taxKey } };
  if (posting === 'net') return [{ ...line, credit: number, amount: tax }];
  return grossLines({ ...line, debit: number, taxed: 'debit' }, base, tax);
}

/** Also those by which a program that computes the tax line by line comes to ours. */
function grossLines(line: JournalLine, base: bigint, tax: bigint): JournalLine[] {
  const amounts = [base + tax, ...taxCorrections(base + tax, tax, line.tax?.rate ?? '0')];
  return amounts.map((amount) => ({ ...line, amount }));
}

const MIRRORED = { debit: 'credit', credit: 'debit' } as const;

function aboveZero(line: JournalLine): JournalLine {
  if (line.amount > 0n) return line;
  const { amount, debit, credit, taxed } = line;
  return {
    ...line,
    amount: -amount,
    debit: credit,
    credit: debit,
    taxed: taxed && MIRRORED[taxed],
  };
}

function sumOf(taxes: readonly JournalTax[], of: 'base' | 'tax'): bigint {
  return taxes.reduce((sum, one) => sum + one[of], 0n);
}
