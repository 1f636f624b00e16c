import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import type {
  ImportedPayout,
  PayoutImport,
} from '../application/payouts/payout-imports.service.js';
import { CSV_DATE_FORMATS, CSV_DECIMALS } from '../domain/bank-statement.js';
import {
  AMOUNTS_FROM,
  REPORT_PROVIDERS,
  type ReportProvider,
} from '../domain/payouts/payout-report.js';
import { presentPayout, PayoutBody } from './payout.js';
import { DELIMITER_NAMES } from './csv-hints.js';

export const ImportPayoutsQuery = queryShape({
  gateway: shortText({
    max: 63,
    example: 'gateway-a',
    description: 'The gateway that the report is of.',
  }),
  amounts_from: oneOf(AMOUNTS_FROM, {
    optional: true,
    description:
      'If the file has no rows of the payouts themselves, `lines` says that it has all lines of ' +
      'each payout. Default: `payouts`.',
  }),
  delimiter: oneOf(DELIMITER_NAMES, {
    optional: true,
    description: 'Default: what the file has.',
  }),
  decimal: oneOf(CSV_DECIMALS, { optional: true, description: 'Default: what the file has.' }),
  date_format: oneOf(CSV_DATE_FORMATS, { optional: true }),
});
export type ImportPayoutsQuery = z.output<typeof ImportPayoutsQuery>;

const ImportedPayoutBody = answerShape('ImportedPayoutBody', {
  provider_payout_id: z.string(),
  status: z.string().meta({
    enum: ['created', 'known', 'refused'],
    description: '`known`: it was recorded just so. `refused`: `code` and `detail` say why.',
  }),
  payout: PayoutBody.nullable(),
  lines: z.number().describe('The payments, refunds, disputes, fees and adjustments in it.'),
  unknown_lines: z
    .number()
    .describe('Of these, the payments and refunds that are not in these books.'),
  unknown_categories: z
    .array(z.string())
    .describe('Words of the provider that we do not know; their lines are adjustments.'),
  code: z.string().nullable().describe('The code of the refusal.'),
  detail: z.string().nullable(),
});
type ImportedPayoutBody = z.output<typeof ImportedPayoutBody>;

const LeftOutBody = answerShape('LeftOutBody', {
  category: z.string().describe('The provider’s word; `duplicate` stands in the file again.'),
  rows: z.number(),
});
type LeftOutBody = z.output<typeof LeftOutBody>;

export const PayoutImportBody = answerShape('PayoutImportBody', {
  provider: z.enum(REPORT_PROVIDERS),
  note: z.string().nullable().describe('What the report cannot tell.'),
  payouts: z.array(ImportedPayoutBody).describe('Each of the file, in its order.'),
  left_out: z.array(LeftOutBody).describe('Rows in no payout: not booked by this.'),
});
export type PayoutImportBody = z.output<typeof PayoutImportBody>;

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
