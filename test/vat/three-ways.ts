import type { LedgerBalancesBody } from '../../src/books/wire/ledger.js';
import type { TaxReportBody } from '../../src/books/wire/tax.js';
import type { TrialBalanceBody } from '../../src/books/wire/trial-balance.js';
import type { VatReturnBody } from '../../src/books/wire/vat-return.js';
import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import { good } from '../e2e/documents/document-calls.js';
import type { TestClient } from '../support/client.js';
import { type ExtfFile, readExtf, vatByAccount } from './extf-reader.js';
import { CURRENCIES, FIRST_DAY, LAST_DAY } from './months.js';

/*
 * The same tax three ways: as documents say it, as the report has it, and as DATEV computes it from our file.
 * Each line of the report stands in the boxes of the return, or outside; the trial balance moves as the file does.
 */

type Currency = (typeof CURRENCIES)[number];
type Template = 'skr03' | 'skr04';

const PERIODS = [
  ['2026-08-01', '2026-08-31'],
  ['2026-09-01', '2026-09-30'],
  ['2026-10-01', '2026-10-31'],
  ['2026-11-01', LAST_DAY],
] as const;

/** Accounts of both charts, as the charts have them. */
const NUMBERS = {
  skr03: {
    rates: { '19': ['8400', '8736', '2406'], '7': ['8300', '8731', '2401'] },
    tax: '1770',
    supplies: ['8125', '8743', '2402'],
    bank: '1200',
  },
  skr04: {
    rates: { '19': ['4400', '4736', '6936'], '7': ['4300', '4731', '6931'] },
    tax: '3800',
    supplies: ['4125', '4743', '6932'],
    bank: '1800',
  },
} as const;

/** By rate, and `supplies`: base of sales to businesses of other member states. */
type Figures = Record<'19' | '7' | 'other' | 'supplies', [base: number | null, tax: number]>;

/** @returns all that differs, in words */
export async function differences(
  client: TestClient,
  template: Template,
  isByCash: boolean,
): Promise<string[]> {
  const datev = { consultant_number: 29_098, client_number: 55_003 };
  good(await client.patch('/v1/finance/chart-of-accounts', { template, datev }), 200);
  const wrong: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) wrong.push(`${what}: ${a} beside ${b}`);
  };
  const documents = await documentsOf(client);
  const report = await reportOf(client, FIRST_DAY, LAST_DAY);
  for (const currency of CURRENCIES) {
    const file = await fileOf(client, currency, FIRST_DAY, LAST_DAY);
    const ofDatev = byDatev(file, template, currency);
    const ofDocuments = byDocuments(documents, currency);
    compare(`${currency}, DATEV beside documents`, ofDatev, ofDocuments);
    const due = report.totals.find((total) => total.currency === currency);
    compare(
      `${currency}, report beside documents`,
      (due?.tax_amount ?? 0) + (due?.tax_not_due ?? 0),
      taxIn(ofDocuments),
    );
    for (const line of await balancesBeside(client, file, template, currency)) {
      compare(`${currency}, ${line.name}`, line.file, line.ledger);
    }
    for (const [from, to] of PERIODS) {
      const month = await fileOf(client, currency, from, to);
      for (const line of await movesBeside(client, month, template, currency, [from, to])) {
        compare(`${currency}, trial balance from ${from}, ${line.name}`, line.told, line.file);
      }
    }
    if (isByCash) continue;
    compare(`${currency}, report by rate`, byReport(report, currency), ofDocuments);
    for (const [from, to] of PERIODS) {
      const month = byDatev(await fileOf(client, currency, from, to), template, currency);
      const reported = byReport(await reportOf(client, from, to), currency);
      compare(`${currency}, DATEV beside report from ${from}`, month, reported);
    }
  }
  for (const [from, to] of [...PERIODS, [FIRST_DAY, LAST_DAY] as const]) {
    const told = await returnOf(client, from, to);
    compare(`the return from ${from}`, inReturn(told), inReport(await reportOf(client, from, to)));
  }
  return wrong;
}

async function documentsOf(client: TestClient): Promise<DocumentBody[]> {
  const all: DocumentBody[] = [];
  for (let after = ''; ;) {
    const path = `/v1/finance/documents?limit=100${after}`;
    const page = good(
      await client.get<{ data: DocumentBody[]; next_cursor: string | null }>(path),
      200,
    );
    for (const { id } of page.data) all.push(await client.read({ id }));
    if (!page.next_cursor) return all;
    after = `&cursor=${page.next_cursor}`;
  }
}

const nothing = (): Figures => ({
  '19': [0, 0],
  '7': [0, 0],
  other: [null, 0],
  supplies: [0, 0],
});

function add(to: Figures, category: string, rate: string, base: number, tax: number): void {
  const key =
    category === 'K'
      ? 'supplies'
      : category === 'S' && (rate === '19' || rate === '7')
        ? rate
        : 'other';
  const figures = to[key];
  figures[0] = figures[0] === null ? null : figures[0] + base;
  figures[1] += tax;
}

const taxIn = (figures: Figures) => Object.values(figures).reduce((sum, [, tax]) => sum + tax, 0);

/** Each document that stands, less the losses whose tax is claimed back. */
function byDocuments(documents: readonly DocumentBody[], currency: Currency): Figures {
  const figures = nothing();
  for (const document of documents) {
    if (document.currency !== currency || ['draft', 'void'].includes(document.status)) continue;
    const sign = document.kind === 'credit_note' ? -1 : 1;
    for (const { tax_category, tax_rate, taxable_amount, tax_amount } of document.tax_groups) {
      add(figures, tax_category, tax_rate, sign * taxable_amount, sign * tax_amount);
    }
    if (!document.loss?.tax_relief) continue;
    for (const { tax_category, tax_rate, taxable_amount, tax_amount } of document.loss.taxes) {
      add(figures, tax_category, tax_rate, -taxable_amount, -tax_amount);
    }
  }
  return figures;
}

function byReport({ data }: TaxReportBody, currency: Currency): Figures {
  const figures = nothing();
  for (const line of data) {
    if (line.currency !== currency) continue;
    add(figures, line.tax_category, line.tax_rate, line.taxable_amount, line.tax_amount);
  }
  return figures;
}

function byDatev(file: ExtfFile, template: Template, currency: Currency): Figures {
  const { rates, tax, supplies } = NUMBERS[template];
  const unit = currency === 'JPY' ? 100 : 1;
  const balances = balancesOf(file);
  const taxes = vatByAccount(file);
  const sum = (of: ReadonlyMap<string, bigint>, accounts: readonly string[], sign = 1) =>
    (sign * Number(accounts.reduce((total, name) => total + (of.get(name) ?? 0n), 0n))) / unit || 0;
  const ofRate = (accounts: readonly string[]): [number, number] => {
    const owed = sum(taxes, accounts);
    return [sum(balances, accounts, -1) - owed || 0, owed];
  };
  return {
    '19': ofRate(rates['19']),
    '7': ofRate(rates['7']),
    other: [null, sum(taxes, [tax])],
    supplies: [sum(balances, supplies, -1), 0],
  };
}

/** Debits less credits, in hundredths. */
function balancesOf({ postings }: ExtfFile): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { debit, credit, amount } of postings) {
    balances.set(debit, (balances.get(debit) ?? 0n) + amount);
    balances.set(credit, (balances.get(credit) ?? 0n) - amount);
  }
  return balances;
}

/** No money is lost on the way: bank, customers, and all of the file against the ledger. */
async function balancesBeside(
  client: TestClient,
  file: ExtfFile,
  template: Template,
  currency: Currency,
) {
  const path = `/v1/finance/ledger/balances?date=${LAST_DAY}&currency=${currency}`;
  const { data } = good(await client.get<LedgerBalancesBody>(path), 200);
  const ledger = (...names: string[]) =>
    data
      .filter(({ account }) => names.includes(account))
      .reduce((sum, one) => sum + one.balance, 0);
  const { bank, customers } = moneyIn(file, template, currency);
  return [
    { name: 'the bank', file: bank, ledger: ledger('cash') },
    {
      name: 'the customers',
      file: customers,
      ledger: ledger('receivables', 'customer_credit', 'credit_notes'),
    },
  ];
}

/** The bank, and all debtors together, of a file. */
function moneyIn(file: ExtfFile, template: Template, currency: Currency) {
  const unit = currency === 'JPY' ? 100 : 1;
  const balances = balancesOf(file);
  const sumOf = (numbers: readonly string[]) =>
    Number(numbers.reduce((sum, name) => sum + (balances.get(name) ?? 0n), 0n)) / unit;
  const debtors = [...balances.keys()].filter((number) => /^[1-6]\d{4}$/.test(number));
  return { bank: sumOf([NUMBERS[template].bank]), customers: sumOf(debtors) };
}

/** The movement of some accounts in a month. */
async function movesBeside(
  client: TestClient,
  file: ExtfFile,
  template: Template,
  currency: Currency,
  [from, to]: readonly [string, string],
) {
  const path = `/v1/finance/reports/trial-balance?from=${from}&to=${to}&currency=${currency}`;
  const { data, totals } = good(await client.get<TrialBalanceBody>(path), 200);
  const moved = (...names: string[]) =>
    data
      .filter(({ account }) => names.includes(account))
      .reduce((sum, one) => sum + one.closing_balance - one.opening_balance, 0);
  const { bank, customers } = moneyIn(file, template, currency);
  const [total = { opening_balance: 0, debit: 0, credit: 0, closing_balance: 0 }] = totals;
  return [
    { name: 'the bank', told: moved('cash'), file: bank },
    {
      name: 'the customers',
      told: moved('receivables', 'customer_credit', 'credit_notes'),
      file: customers,
    },
    {
      name: 'its totals',
      told: [total.opening_balance, total.debit - total.credit, total.closing_balance],
      file: [0, 0, 0],
    },
  ];
}

/** In euros; other currencies have no rate here, and stand outside. */
function inReturn({ data, outside }: VatReturnBody) {
  const beside = outside.filter(({ currency }) => currency === 'EUR');
  return {
    base: sumOf([...data, ...beside], ({ taxable_amount: base }) => base),
    tax: sumOf([...data, ...beside], ({ tax_amount: tax }) => tax ?? 0),
    others: sumOf(outside, ({ reason, tax_amount: tax }) => (reason === 'no_rate' ? tax : 0)),
  };
}

function inReport({ totals }: TaxReportBody) {
  const euros = totals.filter(({ currency }) => currency === 'EUR');
  const others = totals.filter(({ currency }) => currency !== 'EUR');
  return {
    base: sumOf(euros, ({ taxable_amount: base }) => base),
    tax: sumOf(euros, ({ tax_amount: tax }) => tax),
    others: sumOf(others, ({ tax_amount: tax }) => tax),
  };
}

function sumOf<Line>(lines: readonly Line[], of: (line: Line) => number): number {
  return lines.reduce((sum, line) => sum + of(line), 0);
}

async function returnOf(client: TestClient, from: string, to: string): Promise<VatReturnBody> {
  const path = `/v1/finance/reports/vat-return?from=${from}&to=${to}&country=DE`;
  return good(await client.get<VatReturnBody>(path), 200);
}

async function reportOf(client: TestClient, from: string, to: string): Promise<TaxReportBody> {
  const path = `/v1/finance/reports/tax?from=${from}&to=${to}`;
  return good(await client.get<TaxReportBody>(path), 200);
}

async function fileOf(
  client: TestClient,
  currency: Currency,
  from: string,
  to: string,
): Promise<ExtfFile> {
  const query = new URLSearchParams({ from, to, currency, format: 'datev' });
  const { status, bytes, text } = await client.get(`/v1/finance/reports/journal?${query}`);
  if (status !== 200) throw new Error(text);
  return readExtf(bytes);
}
