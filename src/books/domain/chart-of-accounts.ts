import { type CashAccount, cashLineOf, type CashPlace, namedPlace } from './cash-account.js';
import { CHART_TEMPLATE, type ChartAccounts, type ChartTemplate } from './chart-templates.js';
import { LEDGER_ACCOUNTS, type LedgerAccount, LOSS_ACCOUNT, type LossKind } from './ledger.js';
import type { LossAccount, TaxedAccount } from './taxed-account.js';

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
  revenue: readonly TaxedAccount[];
  /** The same of what is let go. */
  losses: readonly LossAccount[];
  /** The numbers of bank accounts and tills, which `cash` is made of. */
  cashAccounts: readonly CashAccount[];
  datev: DatevClient | null;
  version: number;
}

export interface ChartOfAccounts extends ChartAccounts {
  template: ChartTemplate;
}

export const NO_CHART_SETTINGS: ChartSettings = {
  template: 'plain',
  numbers: {},
  revenue: [],
  losses: [],
  cashAccounts: [],
  datev: null,
  version: 1,
};

export function chartOf(settings: ChartSettings): ChartOfAccounts {
  const { template, numbers, revenue, losses, cashAccounts } = settings;
  const ownPlaces = new Set(cashAccounts.map(namedPlace));
  const base = CHART_TEMPLATE[template];
  return {
    template,
    numbers: { ...base.numbers, ...numbers },
    revenue: [...revenue, ...base.revenue.filter((line) => !revenue.some(isLike(line)))],
    losses: [
      ...losses,
      ...base.losses.filter(
        (line) => !losses.some((own) => own.loss === line.loss && isLike(line)(own)),
      ),
    ],
    cashAccounts: [
      ...cashAccounts,
      ...base.cashAccounts.filter((line) => !ownPlaces.has(namedPlace(line))),
    ],
  };
}

const isLike = (one: TaxedAccount) => (other: TaxedAccount) =>
  one.category === other.category && one.rate === other.rate;

/** Revenue as such and its tax apart, where no line says otherwise. */
export function revenueAccountOf(
  { revenue, numbers }: ChartOfAccounts,
  category: string,
  rate: string,
): TaxedAccount {
  return accountOf(revenue, category, rate) ?? apart(numbers.revenue, category, rate);
}

/** The account of that loss as such and its tax apart, where no line says otherwise. */
export function lossAccountOf(
  { losses, numbers }: ChartOfAccounts,
  loss: LossKind,
  category: string,
  rate: string,
): TaxedAccount {
  const own = losses.filter((line) => line.loss === loss);
  return accountOf(own, category, rate) ?? apart(numbers[LOSS_ACCOUNT[loss]], category, rate);
}

/** The number of the bank account or till, where a line says it; else that of `cash`. */
export function cashNumberOf({ cashAccounts, numbers }: ChartOfAccounts, place: CashPlace): string {
  return cashLineOf(cashAccounts, place)?.number ?? numbers.cash;
}

/** The line of that rate, else that of the category. */
function accountOf(lines: readonly TaxedAccount[], category: string, rate: string) {
  const of = lines.filter((line) => line.category === category);
  return of.find((line) => line.rate === rate) ?? of.find((line) => line.rate === null);
}

function apart(number: string, category: string, rate: string): TaxedAccount {
  return { category, rate, number, taxKey: null, posting: 'net' };
}

/** Null: it is on several, by the tax of what is booked or by where money moved. */
export function onlyNumberOf(
  { numbers, revenue, losses, cashAccounts }: ChartOfAccounts,
  account: LedgerAccount,
): string | null {
  const others = [
    ...(account === 'revenue' ? revenue : []),
    ...(account === 'cash' ? cashAccounts : []),
    ...losses.filter(({ loss }) => LOSS_ACCOUNT[loss] === account),
  ];
  return others.length > 0 ? null : numbers[account];
}

/** All numbers that a file may name, for its header and for a check of their form. */
export function numbersOf({ numbers, revenue, losses, cashAccounts }: ChartOfAccounts): string[] {
  return [
    ...LEDGER_ACCOUNTS.map((name) => numbers[name]),
    ...[...revenue, ...losses, ...cashAccounts].map(({ number }) => number),
  ];
}
