import { ApiProperty } from '@nestjs/swagger';
import { TAX_CATEGORIES } from '../../documents/index.js';
import { DomainError } from '../../kernel/domain-error.js';
import {
  DecimalText,
  Nested,
  NestedList,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { MergePatchOf } from '../../platform/http/validation/merge-patch.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { type ChartSettings, chartOf, NO_CHART_SETTINGS } from '../domain/chart-of-accounts.js';
import { CHART_TEMPLATES, type ChartTemplate } from '../domain/chart-templates.js';
import { POSTINGS, type Posting, type TaxedAccount } from '../domain/taxed-account.js';
import {
  CashAccountBody,
  CashAccountRequest,
  mistakesInCash,
  presentCash,
  toCash,
} from './cash-accounts.dto.js';
import { AccountNumber, saidTwice } from './chart-fields.js';
import {
  LEDGER_ACCOUNTS,
  type LedgerAccount,
  LOSS_KINDS,
  type LossKind,
} from '../domain/ledger.js';

nameWords({ ChartTemplate: CHART_TEMPLATES });

/** The first days of the months. */
const FISCAL_YEAR_STARTS = Array.from(
  { length: 12 },
  (_, month) => `${String(month + 1).padStart(2, '0')}-01`,
);

class ChartNumberBody {
  @OneOf(LEDGER_ACCOUNTS)
  account!: LedgerAccount;

  @AccountNumber()
  number!: string;
}

class TaxedAccountRequest {
  @OneOf(TAX_CATEGORIES, { example: 'S' })
  tax_category!: string;

  @DecimalText({
    min: '0',
    max: '100',
    places: 4,
    optional: true,
    textOnly: true,
    example: '19',
    description: 'Absent: each rate that no other line names.',
  })
  tax_rate?: string | null;

  @AccountNumber()
  number!: string;

  @Text({ max: 4, optional: true, description: 'The tax key of the accountant’s program.' })
  tax_key?: string | null;

  @OneOf(POSTINGS, {
    description:
      '`gross`: the program takes the tax out by itself; `net`: tax is a line of its own.',
  })
  posting!: Posting;
}

class LossAccountRequest extends TaxedAccountRequest {
  @OneOf(LOSS_KINDS, {
    description: '`write_off`; or `waiver`: a cash discount, or a shortfall that was let pass.',
  })
  loss!: LossKind;
}

class DatevClientBody {
  @WholeNumber({ min: 1001, max: 9_999_999, description: 'Beraternummer.', example: 29098 })
  consultant_number!: number;

  @WholeNumber({ min: 1, max: 99_999, description: 'Mandantennummer.', example: 55003 })
  client_number!: number;

  @OneOf(FISCAL_YEAR_STARTS, {
    optional: true,
    example: '01-01',
    description: 'The first day of a fiscal year. Default: `01-01`.',
  })
  fiscal_year_start?: string | null;
}

class ChartRequest {
  @OneOf(CHART_TEMPLATES, { optional: true, description: 'Null means `plain`.' })
  template?: ChartTemplate;

  @NestedList(() => ChartNumberBody, {
    min: 0,
    max: LEDGER_ACCOUNTS.length,
    optional: true,
    description: 'Numbers other than those of the template. The list is replaced as a whole.',
  })
  accounts?: ChartNumberBody[];

  @NestedList(() => TaxedAccountRequest, {
    min: 0,
    max: 200,
    optional: true,
    description:
      'Accounts of revenue by tax, which come before those of the template. The list is replaced ' +
      'as a whole.',
  })
  revenue?: TaxedAccountRequest[];

  @NestedList(() => LossAccountRequest, {
    min: 0,
    max: 200,
    optional: true,
    description:
      'Accounts of losses whose tax is claimed back, by tax, which come before those of the ' +
      'template. The list is replaced as a whole.',
  })
  losses?: LossAccountRequest[];

  @NestedList(() => CashAccountRequest, {
    min: 0,
    max: 100,
    optional: true,
    description:
      'Numbers of bank accounts and tills instead of that of `cash`, which come before those of ' +
      'the template. The list is replaced as a whole.',
  })
  cash_accounts?: CashAccountRequest[];

  @Nested(() => DatevClientBody, { optional: true, description: 'The header of DATEV files.' })
  datev?: DatevClientBody;
}

export class PatchChartRequest extends MergePatchOf(ChartRequest) {}

class TaxedAccountBody {
  @ApiProperty({ example: 'S' }) tax_category!: string;
  @ApiProperty({ type: String, nullable: true, example: '19' }) tax_rate!: string | null;
  @ApiProperty({ example: '8400' }) number!: string;
  @ApiProperty({ type: String, nullable: true }) tax_key!: string | null;
  @ApiProperty({ enum: POSTINGS }) posting!: Posting;
}

class LossAccountBody extends TaxedAccountBody {
  @ApiProperty({ enum: LOSS_KINDS }) loss!: LossKind;
}

class ChartDatevBody {
  @ApiProperty() consultant_number!: number;
  @ApiProperty() client_number!: number;
  @ApiProperty({ example: '01-01' }) fiscal_year_start!: string;
}

export class ChartBody {
  @ApiProperty({ enum: CHART_TEMPLATES }) template!: ChartTemplate;
  @ApiProperty({ type: [ChartNumberBody], description: 'Each account of the ledger.' })
  accounts!: ChartNumberBody[];
  @ApiProperty({ type: [TaxedAccountBody] }) revenue!: TaxedAccountBody[];
  @ApiProperty({ type: [LossAccountBody] }) losses!: LossAccountBody[];
  @ApiProperty({ type: [CashAccountBody] }) cash_accounts!: CashAccountBody[];
  @ApiProperty({ type: ChartDatevBody, nullable: true }) datev!: ChartDatevBody | null;
  @ApiProperty() version!: number;
}

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
  if (wrong.length > 0) throw DomainError.invalidFields(wrong);
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
