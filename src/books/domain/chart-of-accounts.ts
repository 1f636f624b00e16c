import { LEDGER_ACCOUNTS, type LedgerAccount } from './ledger.js';

export const CHART_TEMPLATES = ['plain', 'skr03', 'skr04'] as const;
export type ChartTemplate = (typeof CHART_TEMPLATES)[number];

/** `gross`: the accountant's program takes the tax out of it by itself; `net`: it is a row of its own. */
export const POSTINGS = ['gross', 'net'] as const;
export type Posting = (typeof POSTINGS)[number];

/** The account of revenue that is taxed in one way. */
export interface RevenueAccount {
  /** UNCL 5305, as on documents. */
  category: string;
  /** Percent as on documents; null: each rate that no other line names. */
  rate: string | null;
  number: string;
  /** The tax key of the accountant's program, such as the BU-Schlüssel of DATEV. */
  taxKey: string | null;
  posting: Posting;
}

/** The header of a DATEV file: who keeps the books, and whose they are. */
export interface DatevClient {
  consultantNumber: number;
  clientNumber: number;
  /** The first day of each fiscal year, `01-01`. */
  fiscalYearStart: string;
}

/** The account's own chart; version 1 is that it said nothing yet. */
export interface ChartSettings {
  template: ChartTemplate;
  /** Numbers other than those of the template. */
  numbers: Partial<Record<LedgerAccount, string>>;
  /** These come before those of the template. */
  revenue: readonly RevenueAccount[];
  datev: DatevClient | null;
  version: number;
}

/** The numbers of an accountant's chart for the accounts of the ledger. */
export interface ChartOfAccounts {
  template: ChartTemplate;
  numbers: Readonly<Record<LedgerAccount, string>>;
  revenue: readonly RevenueAccount[];
}

type Template = Omit<ChartOfAccounts, 'template'>;

/** Zero-rated in one way each: gross and net are the same. */
const untaxed = (numbers: Record<string, string>): RevenueAccount[] =>
  Object.entries(numbers).map(([category, number]) => ({
    category,
    rate: null,
    number,
    taxKey: null,
    posting: 'gross',
  }));

/** Of accounts that know their tax: DATEV takes it out of the gross amount, without a key. */
const automatic = (rate: string, number: string): RevenueAccount => ({
  category: 'S',
  rate,
  number,
  taxKey: null,
  posting: 'gross',
});

/** Receivables, credit and the clearing of credit notes are all the customer's: one account. */
const TEMPLATES: Record<ChartTemplate, Template> = {
  plain: {
    numbers: {
      receivables: '1200',
      rejected_receivables: '1210',
      cash: '1000',
      gateway_clearing: '1010',
      payouts_in_transit: '1020',
      disputed_funds: '1030',
      customer_credit: '2100',
      unmatched_receipts: '2110',
      credit_notes: '1200',
      revenue: '4000',
      tax_payable: '2200',
      rounding: '4910',
      bad_debt: '6000',
      payment_differences: '6010',
      gateway_fees: '6100',
      payment_losses: '6020',
      bank_fees: '6110',
      other_expenses: '6200',
      other_income: '4900',
      opening_balances: '3000',
      currency_exchange: '1040',
      exchange_gains: '4920',
      exchange_losses: '6030',
    },
    revenue: [],
  },
  skr03: {
    numbers: {
      receivables: '1410',
      rejected_receivables: '1460',
      cash: '1200',
      gateway_clearing: '1210',
      payouts_in_transit: '1360',
      disputed_funds: '1500',
      customer_credit: '1410',
      unmatched_receipts: '1590',
      credit_notes: '1410',
      revenue: '8200',
      tax_payable: '1770',
      rounding: '2700',
      bad_debt: '2400',
      payment_differences: '8700',
      gateway_fees: '4970',
      payment_losses: '2300',
      bank_fees: '4970',
      other_expenses: '4900',
      other_income: '2700',
      opening_balances: '9000',
      currency_exchange: '1360',
      exchange_gains: '2660',
      exchange_losses: '2150',
    },
    revenue: [
      automatic('19', '8400'),
      automatic('7', '8300'),
      ...untaxed({ E: '8100', K: '8125', G: '8120', AE: '8337', O: '8950', Z: '8200' }),
    ],
  },
  skr04: {
    numbers: {
      receivables: '1210',
      rejected_receivables: '1240',
      cash: '1800',
      gateway_clearing: '1810',
      payouts_in_transit: '1460',
      disputed_funds: '1300',
      customer_credit: '1210',
      unmatched_receipts: '1370',
      credit_notes: '1210',
      revenue: '4200',
      tax_payable: '3800',
      rounding: '4830',
      bad_debt: '6930',
      payment_differences: '4700',
      gateway_fees: '6855',
      payment_losses: '6300',
      bank_fees: '6855',
      other_expenses: '6300',
      other_income: '4830',
      opening_balances: '9000',
      currency_exchange: '1460',
      exchange_gains: '4840',
      exchange_losses: '6880',
    },
    revenue: [
      automatic('19', '4400'),
      automatic('7', '4300'),
      ...untaxed({ E: '4100', K: '4125', G: '4120', AE: '4337', O: '4690', Z: '4200' }),
    ],
  },
};

export const NO_CHART_SETTINGS: ChartSettings = {
  template: 'plain',
  numbers: {},
  revenue: [],
  datev: null,
  version: 1,
};

export function chartOf({ template, numbers, revenue }: ChartSettings): ChartOfAccounts {
  const base = TEMPLATES[template];
  return {
    template,
    numbers: { ...base.numbers, ...numbers },
    revenue: [...revenue, ...base.revenue.filter((line) => !revenue.some(isLike(line)))],
  };
}

const isLike = (one: RevenueAccount) => (other: RevenueAccount) =>
  one.category === other.category && one.rate === other.rate;

/** The line of that rate, else that of the category, else revenue as such and its tax apart. */
export function revenueAccountOf(
  { revenue, numbers }: ChartOfAccounts,
  category: string,
  rate: string,
): RevenueAccount {
  const of = revenue.filter((line) => line.category === category);
  return (
    of.find((line) => line.rate === rate) ??
    of.find((line) => line.rate === null) ?? {
      category,
      rate,
      number: numbers.revenue,
      taxKey: null,
      posting: 'net',
    }
  );
}

/** All numbers that a file may name, for its header and for a check of their form. */
export function numbersOf({ numbers, revenue }: ChartOfAccounts): string[] {
  return [...LEDGER_ACCOUNTS.map((name) => numbers[name]), ...revenue.map(({ number }) => number)];
}
