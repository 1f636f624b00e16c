import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Text } from '../../platform/http/validation/fields.js';
import type {
  ImportedPayout,
  PayoutImport,
} from '../application/payouts/payout-imports.service.js';
import { CSV_DATE_FORMATS, CSV_DECIMALS, type CsvHints } from '../domain/bank-statement.js';
import {
  AMOUNTS_FROM,
  type AmountsFrom,
  REPORT_PROVIDERS,
  type ReportProvider,
} from '../domain/payouts/payout-report.js';
import { presentPayout } from '../domain/payouts/present-payout.js';
import { DELIMITERS } from './csv-hints.dto.js';
import { PayoutBody } from './payout.dto.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;

export class ImportPayoutsQuery {
  @Text({ max: 63, example: 'gateway-a', description: 'The gateway that the report is of.' })
  gateway!: string;

  @OneOf(AMOUNTS_FROM, {
    optional: true,
    description:
      'If the file has no rows of the payouts themselves, `lines` says that it has all lines of ' +
      'each payout. Default: `payouts`.',
  })
  amounts_from?: AmountsFrom;

  @OneOf(Object.keys(DELIMITERS), { optional: true, description: 'Default: what the file has.' })
  delimiter?: keyof typeof DELIMITERS;

  @OneOf(CSV_DECIMALS, { optional: true, description: 'Default: what the file has.' })
  decimal?: NonNullable<CsvHints['decimal']>;

  @OneOf(CSV_DATE_FORMATS, { optional: true })
  date_format?: NonNullable<CsvHints['dateFormat']>;
}

class ImportedPayoutBody {
  @ApiProperty() provider_payout_id!: string;
  @ApiProperty({
    enum: ['created', 'known', 'refused'],
    description: '`known`: it was recorded just so. `refused`: `code` and `detail` say why.',
  })
  status!: string;
  @ApiProperty({ type: PayoutBody, nullable: true }) payout!: PayoutBody | null;
  @ApiProperty({ description: 'The payments, refunds, disputes, fees and adjustments in it.' })
  lines!: number;
  @ApiProperty({ description: 'Of these, the payments and refunds that are not in these books.' })
  unknown_lines!: number;
  @ApiProperty({
    type: [String],
    description: 'Words of the provider that we do not know; their lines are adjustments.',
  })
  unknown_categories!: string[];
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The code of the refusal.' }) code!: string | null;
  @ApiProperty(NULLABLE_TEXT) detail!: string | null;
}

class LeftOutBody {
  @ApiProperty({ description: 'The provider’s word; `duplicate` stands in the file again.' })
  category!: string;
  @ApiProperty() rows!: number;
}

export class PayoutImportBody {
  @ApiProperty({ enum: REPORT_PROVIDERS }) provider!: ReportProvider;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'What the report cannot tell.' })
  note!: string | null;
  @ApiProperty({ type: [ImportedPayoutBody], description: 'Each of the file, in its order.' })
  payouts!: ImportedPayoutBody[];
  @ApiProperty({ type: [LeftOutBody], description: 'Rows in no payout: not booked by this.' })
  left_out!: LeftOutBody[];
}

const NOTES: Record<ReportProvider, string | null> = {
  stripe: null,
  paypal: 'PayPal does not say which payments are in a withdrawal: these payouts have no lines.',
};

export function presentPayoutImport({ report, payouts }: PayoutImport): PayoutImportBody {
  return {
    provider: report.provider,
    note: NOTES[report.provider],
    payouts: payouts.map(presentImported),
    left_out: report.leftOut.map(({ category, rows }) => ({ category, rows })),
  };
}

function presentImported(one: ImportedPayout): ImportedPayoutBody {
  const { reported, status, payout, lines, refusal } = one;
  return {
    provider_payout_id: reported.providerPayoutId,
    status,
    payout: payout && presentPayout(payout),
    lines: lines.all,
    unknown_lines: lines.unknown,
    unknown_categories: [...reported.unknownCategories],
    code: refusal?.code ?? null,
    detail: refusal?.detail ?? null,
  };
}
