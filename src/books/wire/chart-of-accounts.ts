import { z } from 'zod';
import { invalidFields } from '../../kernel/field-refusals.js';
import { answerShape, patchOf, requestShape } from '../../platform/http/validation/shapes.js';
import { TAX_CATEGORIES } from '../../documents/index.js';
import {
  decimalText,
  nested,
  nestedList,
  oneOf,
  wholeNumber,
} from '../../platform/http/validation/fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { type ChartSettings, chartOf, NO_CHART_SETTINGS } from '../domain/chart-of-accounts.js';
import { CHART_TEMPLATES } from '../domain/chart-templates.js';
import { POSTINGS, type TaxedAccount } from '../domain/taxed-account.js';
import {
  CashAccountBody,
  CashAccountRequest,
  mistakesInCash,
  presentCash,
  toCash,
} from './cash-accounts.js';
import { accountNumber, saidTwice } from './chart-fields.js';
import { LEDGER_ACCOUNTS, LOSS_KINDS } from '../domain/ledger.js';

nameWords({ ChartTemplate: CHART_TEMPLATES });

/** The first days of the months. */
const FISCAL_YEAR_STARTS = Array.from(
  { length: 12 },
  (_, month) => `${String(month + 1).padStart(2, '0')}-01`,
);

const ChartNumberBody = requestShape('ChartNumberBody', {
  account: oneOf(LEDGER_ACCOUNTS),
  number: accountNumber(),
});
type ChartNumberBody = z.output<typeof ChartNumberBody>;

const TaxedAccountRequest = requestShape('TaxedAccountRequest', {
  tax_category: oneOf(TAX_CATEGORIES, { example: 'S' }),
  tax_rate: decimalText({
    min: '0',
    max: '100',
    places: 4,
    optional: true,
    textOnly: true,
    example: '19',
    description: 'Absent: each rate that no other line names.',
  }),
  number: accountNumber(),
  tax_key: shortText({
    max: 4,
    optional: true,
    description: 'The tax key of the accountant’s program.',
  }),
  posting: oneOf(POSTINGS, {
    description:
      '`gross`: the program takes the tax out by itself; `net`: tax is a line of its own.',
  }),
});
type TaxedAccountRequest = z.output<typeof TaxedAccountRequest>;

const LossAccountRequest = requestShape('LossAccountRequest', {
  ...TaxedAccountRequest.shape,
  loss: oneOf(LOSS_KINDS, {
    description: '`write_off`; or `waiver`: a cash discount, or a shortfall that was let pass.',
  }),
});
type LossAccountRequest = z.output<typeof LossAccountRequest>;

const DatevClientBody = requestShape('DatevClientBody', {
  consultant_number: wholeNumber({
    min: 1001,
    max: 9_999_999,
    description: 'Beraternummer.',
    example: 29098,
  }),
  client_number: wholeNumber({
    min: 1,
    max: 99_999,
    description: 'Mandantennummer.',
    example: 55003,
  }),
  fiscal_year_start: oneOf(FISCAL_YEAR_STARTS, {
    optional: true,
    example: '01-01',
    description: 'The first day of a fiscal year. Default: `01-01`.',
  }),
});
type DatevClientBody = z.output<typeof DatevClientBody>;

const ChartRequest = requestShape('ChartRequest', {
  template: oneOf(CHART_TEMPLATES, { optional: true, description: 'Null means `plain`.' }),
  accounts: nestedList(() => ChartNumberBody, {
    min: 0,
    max: LEDGER_ACCOUNTS.length,
    optional: true,
    description: 'Numbers other than those of the template. The list is replaced as a whole.',
  }),
  revenue: nestedList(() => TaxedAccountRequest, {
    min: 0,
    max: 200,
    optional: true,
    description:
      'Accounts of revenue by tax, which come before those of the template. The list is replaced ' +
      'as a whole.',
  }),
  losses: nestedList(() => LossAccountRequest, {
    min: 0,
    max: 200,
    optional: true,
    description:
      'Accounts of losses whose tax is claimed back, by tax, which come before those of the ' +
      'template. The list is replaced as a whole.',
  }),
  cash_accounts: nestedList(() => CashAccountRequest, {
    min: 0,
    max: 100,
    optional: true,
    description:
      'Numbers of bank accounts and tills instead of that of `cash`, which come before those of ' +
      'the template. The list is replaced as a whole.',
  }),
  datev: nested(() => DatevClientBody, {
    optional: true,
    description: 'The header of DATEV files.',
  }),
});
type ChartRequest = z.output<typeof ChartRequest>;

export const PatchChartRequest = requestShape('PatchChartRequest', patchOf(ChartRequest.shape));
export type PatchChartRequest = z.output<typeof PatchChartRequest>;

const TaxedAccountBody = answerShape('TaxedAccountBody', {
  tax_category: z.string().meta({ example: 'S' }),
  tax_rate: z.string().nullable().meta({ example: '19' }),
  number: z.string().meta({ example: '8400' }),
  tax_key: z.string().nullable(),
  posting: z.enum(POSTINGS),
});
type TaxedAccountBody = z.output<typeof TaxedAccountBody>;

const LossAccountBody = answerShape('LossAccountBody', {
  ...TaxedAccountBody.shape,
  loss: z.enum(LOSS_KINDS),
});
type LossAccountBody = z.output<typeof LossAccountBody>;

const ChartDatevBody = answerShape('ChartDatevBody', {
  consultant_number: z.number(),
  client_number: z.number(),
  fiscal_year_start: z.string().meta({ example: '01-01' }),
});
type ChartDatevBody = z.output<typeof ChartDatevBody>;

export const ChartBody = answerShape('ChartBody', {
  template: z.enum(CHART_TEMPLATES),
  accounts: z.array(ChartNumberBody).describe('Each account of the ledger.'),
  revenue: z.array(TaxedAccountBody),
  losses: z.array(LossAccountBody),
  cash_accounts: z.array(CashAccountBody),
  datev: ChartDatevBody.nullable(),
  version: z.number(),
});
export type ChartBody = z.output<typeof ChartBody>;

export function presentChart(settings: ChartSettings): ChartBody {
  const { template, numbers, revenue, losses, cashAccounts } = chartOf(settings);
  const { datev, version } = settings;
  return {
    template,
    accounts: LEDGER_ACCOUNTS.map((account) => ({ account, number: numbers[account] })),
    revenue: revenue.map(presentTaxed),
    losses: losses.map((line) => ({ loss: line.loss, ...presentTaxed(line) })),
    cash_accounts: cashAccounts.map(presentCash),
    datev: datev && {
      consultant_number: datev.consultantNumber,
      client_number: datev.clientNumber,
      fiscal_year_start: datev.fiscalYearStart,
    },
    version,
  };
}

function presentTaxed({ category, rate, number, taxKey, posting }: TaxedAccount): TaxedAccountBody {
  return { tax_category: category, tax_rate: rate, number, tax_key: taxKey, posting };
}

/** @throws DomainError `said_twice`, `one_value_required`, with all that is wrong */
export function toChartChange(body: PatchChartRequest): Partial<Omit<ChartSettings, 'version'>> {
  const { template, accounts, revenue, losses, cash_accounts: cash, datev } = body;
  const wrong = [
    ...saidTwice(accounts ?? [], 'accounts', ({ account }) => account),
    ...saidTwice(revenue ?? [], 'revenue', kindOf),
    ...saidTwice(losses ?? [], 'losses', (line) => `${line.loss} ${kindOf(line)}`),
    ...mistakesInCash(cash ?? [], 'cash_accounts'),
  ];
  if (wrong.length > 0) throw invalidFields(wrong);
  return {
    ...(template !== undefined && { template: template ?? NO_CHART_SETTINGS.template }),
    ...(accounts !== undefined && { numbers: numbersIn(accounts ?? []) }),
    ...(revenue !== undefined && { revenue: (revenue ?? []).map(toTaxed) }),
    ...(losses !== undefined && {
      losses: (losses ?? []).map((line) => ({ loss: line.loss, ...toTaxed(line) })),
    }),
    ...(cash !== undefined && { cashAccounts: (cash ?? []).map(toCash) }),
    ...(datev !== undefined && {
      datev: datev && {
        consultantNumber: datev.consultant_number,
        clientNumber: datev.client_number,
        fiscalYearStart: datev.fiscal_year_start ?? '01-01',
      },
    }),
  };
}

function numbersIn(lines: readonly ChartNumberBody[]): ChartSettings['numbers'] {
  return Object.fromEntries(lines.map(({ account, number }) => [account, number]));
}

const kindOf = (line: TaxedAccountRequest) => `${line.tax_category} ${line.tax_rate ?? 'any'}`;

function toTaxed(line: TaxedAccountRequest): TaxedAccount {
  return {
    category: line.tax_category,
    rate: line.tax_rate ?? null,
    number: line.number,
    taxKey: line.tax_key ?? null,
    posting: line.posting,
  };
}
