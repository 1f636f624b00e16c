import { addDays, type IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { LedgerAccount, LedgerFact } from './ledger.js';
import type { TransferSum } from './transfer.js';
import type { Days } from './period.js';

export const INTERVALS = ['day', 'month', 'quarter', 'year'] as const;
export type RevenueInterval = (typeof INTERVALS)[number];

/** The sum between two accounts for facts of one kind, in the period that begins that day. */
export interface PeriodFlow extends TransferSum {
  period: IsoDate;
  fact: LedgerFact;
}

/** The tax of one kind on the documents of a period; below zero if more was taken back. */
export interface PeriodTax extends TaxSum {
  period: IsoDate;
  currency: Currency;
}

interface TaxSum {
  category: string;
  /** Percent. */
  rate: string;
  base: bigint;
  tax: bigint;
}

/** The amounts that documents ask for, or take back. */
export interface BilledAmounts {
  net: bigint;
  tax: bigint;
  rounding: bigint;
  /** The sum of the three. */
  total: bigint;
}

/** Revenue, tax and money of one period in one currency. */
interface RevenueFigures {
  invoiced: BilledAmounts;
  invoicesVoided: BilledAmounts;
  credited: BilledAmounts;
  creditNotesVoided: BilledAmounts;
  /** Invoiced less voided less credited, and what voided credit notes gave back. */
  net: BilledAmounts;
  /** Written off, less what came in for it after all, and less the tax claimed back of it. */
  badDebt: bigint;
  /** Shortfalls that were let pass, less the tax claimed back of them. */
  waived: bigint;
  /** Tax that was claimed back of losses, less what is owed again. */
  taxRelief: bigint;
  cash: { received: bigint; reversed: bigint; refunded: bigint; fees: bigint };
}

export interface RevenueOfCurrency {
  currency: Currency;
  figures: RevenueFigures;
  /** The taxes in `net`. */
  taxes: TaxSum[];
}

export interface RevenuePeriod extends RevenueOfCurrency {
  from: IsoDate;
  to: IsoDate;
}

export interface RevenueReport {
  periods: RevenuePeriod[];
  /** From the first day to the last, by currency. */
  totals: RevenueOfCurrency[];
}

/** In order of time, then of currency; the first and the last period may be cut. */
export function revenueReport(
  { from, to, interval }: Days & { interval: RevenueInterval },
  flows: readonly PeriodFlow[],
  taxes: readonly PeriodTax[],
): RevenueReport {
  const starts = [...new Set(flows.map(({ period }) => period))].sort();
  return {
    periods: starts.flatMap((start) => {
      const last = lastDayOf(interval, start);
      const cut = { from: start < from ? from : start, to: last > to ? to : last };
      const within = ({ period }: { period: IsoDate }) => period === start;
      return byCurrency(flows.filter(within), taxes.filter(within)).map((revenue) => ({
        ...cut,
        ...revenue,
      }));
    }),
    totals: byCurrency(flows, taxes),
  };
}

const MONTHS = { month: 1, quarter: 3, year: 12 };

function lastDayOf(interval: RevenueInterval, start: IsoDate): IsoDate {
  if (interval === 'day') return start;
  const next = new Date(`${start}T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + MONTHS[interval]);
  return addDays(next.toISOString().slice(0, 10), -1);
}

function byCurrency(
  flows: readonly PeriodFlow[],
  taxes: readonly PeriodTax[],
): RevenueOfCurrency[] {
  const currencies = [...new Set(flows.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => ({
    currency,
    figures: figuresOf(flows.filter((flow) => flow.currency === currency)),
    taxes: summedTaxes(taxes.filter((tax) => tax.currency === currency)),
  }));
}

/** One for each category and rate, in the order in which they come. */
export function summedTaxes(taxes: readonly TaxSum[]): TaxSum[] {
  const sums = new Map<string, TaxSum>();
  for (const { category, rate, base, tax } of taxes) {
    const key = `${category} ${rate}`;
    const sum = sums.get(key) ?? { category, rate, base: 0n, tax: 0n };
    sums.set(key, { category, rate, base: sum.base + base, tax: sum.tax + tax });
  }
  return [...sums.values()];
}

function figuresOf(flows: readonly PeriodFlow[]): RevenueFigures {
  return {
    invoiced: askedBy(flows, 'document.issued', 1n),
    invoicesVoided: askedBy(flows, 'document.voided', -1n),
    credited: askedBy(flows, 'credit_note.issued', -1n),
    creditNotesVoided: askedBy(flows, 'credit_note.voided', 1n),
    net: asked(without(flows, RELIEF), 1n),
    badDebt: -gained(flows, 'bad_debt'),
    waived: -gained(flows, 'payment_differences'),
    taxRelief: -gained(of(flows, RELIEF), 'tax_payable'),
    cash: cashOf(flows),
  };
}

function askedBy(flows: readonly PeriodFlow[], fact: LedgerFact, sign: bigint): BilledAmounts {
  return asked(of(flows, fact), sign);
}

const RELIEF = 'document.tax_relieved';

function of(flows: readonly PeriodFlow[], fact: LedgerFact): PeriodFlow[] {
  return flows.filter((flow) => flow.fact === fact);
}

function without(flows: readonly PeriodFlow[], fact: LedgerFact): PeriodFlow[] {
  return flows.filter((flow) => flow.fact !== fact);
}

function asked(flows: readonly PeriodFlow[], sign: bigint): BilledAmounts {
  const net = sign * gained(flows, 'revenue');
  const tax = sign * gained(flows, 'tax_payable');
  const rounding = sign * gained(flows, 'rounding');
  return { net, tax, rounding, total: net + tax + rounding };
}

/** The accounts that hold money. A flow between the two is neither income nor expense. */
const CASH: readonly LedgerAccount[] = ['cash', 'gateway_clearing'];

function cashOf(flows: readonly PeriodFlow[]): RevenueFigures['cash'] {
  const fees = -gained(flows, 'gateway_fees');
  const moved = (wanted: (fact: LedgerFact) => boolean) => {
    const own = flows.filter(
      ({ fact, debit, credit }) => wanted(fact) && ![debit, credit].includes('gateway_fees'),
    );
    return CASH.reduce((sum, account) => sum - gained(own, account), 0n);
  };
  return {
    reversed: -moved((fact) => fact === 'payment.reversed'),
    refunded: -moved((fact) => fact === 'payment.refunded' || fact === 'receipt.refunded'),
    received: moved((fact) => fact === 'payment.recorded' || fact === 'receipt.unmatched'),
    fees,
  };
}

/** Credit less debit. */
function gained(flows: readonly PeriodFlow[], account: LedgerAccount): bigint {
  return flows.reduce((sum, { debit, credit, amount }) => {
    if (credit === account) return sum + amount;
    return debit === account ? sum - amount : sum;
  }, 0n);
}

export const NO_REVENUE = figuresOf([]);
