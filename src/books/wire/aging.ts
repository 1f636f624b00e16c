import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { DOCUMENT_REFUND_STATUSES } from '../../documents/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode } from '../../platform/http/validation/text-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { PageQuery, PageEnds } from '../../platform/http/paging.js';
import { idParameter } from '../../platform/http/validation/standard-fields.js';
import { type BaseRates, inBaseOf, summed, withoutRate } from '../domain/base-currency.js';
import {
  type AgedBalance,
  type AgedCustomer,
  type AgedDocument,
  type AgedFigures,
  agedFigures,
  AGING_BUCKETS,
  NOTHING_OWED,
} from '../domain/aging.js';
import { REPORT_FORMATS, type PrintedColumn } from './report-query.js';
import { BaseRateBody, BaseSumsBody, IN_BASE, presentBaseRate } from './base-currency.js';

export const AgingReportQuery = queryShape({
  ...PageQuery.shape,
  format: oneOf(REPORT_FORMATS, {
    optional: true,
    description: '`csv`, and `html` to print, have all lines, not only a page.',
  }),
  group: oneOf(['customer', 'document'], { optional: true, description: 'Default: `customer`.' }),
  date: dateText({
    optional: true,
    description: 'The state at the end of this day. Default: today.',
  }),
  currency: currencyCode({ optional: true }),
  customer_id: idParameter('cus'),
});
export type AgingReportQuery = z.output<typeof AgingReportQuery>;

const AgedFiguresBody = answerShape('AgedFiguresBody', {
  not_due: z.number(),
  days_1_30: z.number().describe('What has been overdue for 1 to 30 days.'),
  days_31_60: z.number(),
  days_61_90: z.number(),
  days_over_90: z.number(),
  rejected: z.number().describe('What is due on documents that their client has rejected.'),
  total: z.number().describe('The sum of the six: the ledger’s receivables.'),
  credit: z.number().describe('What was overpaid; not part of the total.'),
});
type AgedFiguresBody = z.output<typeof AgedFiguresBody>;

const AgedInBaseBody = answerShape('AgedInBaseBody', {
  ...BaseRateBody.shape,
  ...AgedFiguresBody.shape,
});
type AgedInBaseBody = z.output<typeof AgedInBaseBody>;

const AgedBalanceBody = answerShape('AgedBalanceBody', {
  ...AgedFiguresBody.shape,
  currency: z.string(),
  in_base: AgedInBaseBody.nullable().describe(IN_BASE),
});
type AgedBalanceBody = z.output<typeof AgedBalanceBody>;

const BaseAgingBody = answerShape('BaseAgingBody', {
  ...BaseSumsBody.shape,
  ...AgedFiguresBody.shape,
});
type BaseAgingBody = z.output<typeof BaseAgingBody>;

export const AgedCustomerBody = answerShape('AgedCustomerBody', {
  ...AgedBalanceBody.shape,
  customer_id: z.string(),
  customer_name: z.string(),
});
export type AgedCustomerBody = z.output<typeof AgedCustomerBody>;

export const AgedDocumentBody = answerShape('AgedDocumentBody', {
  customer_id: z.string(),
  customer_name: z.string(),
  document_id: z.string(),
  number: z.string(),
  issue_date: z.string().meta({ format: 'date' }),
  due_date: z.string().meta({ format: 'date' }),
  days_overdue: z.number().describe('Days since the due date; 0 before it.'),
  bucket: z.enum(AGING_BUCKETS),
  currency: z.string(),
  amount: z
    .number()
    .describe(
      'What is due. It is below zero while a payment counts for an earlier day than its invoice.',
    ),
  refund_status: z.string().meta({
    enum: DOCUMENT_REFUND_STATUSES,
    description: 'How much of what was paid has gone back, as of now.',
  }),
  amount_undecided: z
    .number()
    .describe('The part of it that nobody is asked for, as of now: the refund is not decided.'),
});
export type AgedDocumentBody = z.output<typeof AgedDocumentBody>;

/** The columns of a file, for each group. */
export const AGED_CUSTOMER_COLUMNS = [
  'customer_id',
  'customer_name',
  'currency',
  ...AGING_BUCKETS,
  'total',
  'credit',
] as const satisfies readonly (keyof AgedCustomerBody)[];

export const AGED_DOCUMENT_COLUMNS = [
  'customer_id',
  'customer_name',
  'document_id',
  'number',
  'issue_date',
  'due_date',
  'days_overdue',
  'bucket',
  'currency',
  'amount',
  'refund_status',
  'amount_undecided',
] as const satisfies readonly (keyof AgedDocumentBody)[];

export const AGED_CUSTOMER_PRINTED: PrintedColumn<(typeof AGED_CUSTOMER_COLUMNS)[number]>[] = [
  { name: 'customer_name', heading: 'Customer', is: 'text' },
  { name: 'not_due', heading: 'Not due', is: 'summed' },
  { name: 'days_1_30', heading: '1–30 days', is: 'summed' },
  { name: 'days_31_60', heading: '31–60 days', is: 'summed' },
  { name: 'days_61_90', heading: '61–90 days', is: 'summed' },
  { name: 'days_over_90', heading: 'Over 90 days', is: 'summed' },
  { name: 'total', heading: 'Total', is: 'summed' },
  { name: 'rejected', heading: 'Rejected', is: 'summed' },
  { name: 'credit', heading: 'Credit', is: 'summed' },
];

export const AGED_DOCUMENT_PRINTED: PrintedColumn<(typeof AGED_DOCUMENT_COLUMNS)[number]>[] = [
  { name: 'customer_name', heading: 'Customer', is: 'text' },
  { name: 'number', heading: 'Document', is: 'text' },
  { name: 'issue_date', heading: 'Issued', is: 'text' },
  { name: 'due_date', heading: 'Due', is: 'text' },
  { name: 'days_overdue', heading: 'Days overdue', is: 'count' },
  { name: 'amount', heading: 'Open', is: 'summed' },
  { name: 'amount_undecided', heading: 'Not asked for', is: 'summed' },
];

const AgingPage = answerShape('AgingPage', {
  ...PageEnds.shape,
  date: z.string().meta({ format: 'date' }),
  totals: z
    .array(AgedBalanceBody)
    .nullable()
    .describe('The sums of all pages, by currency. Only the first page has them.'),
  base: BaseAgingBody.nullable().describe(
    'The sums of `in_base` of all totals. Only the first page has them.',
  ),
});
type AgingPage = z.output<typeof AgingPage>;

export const AgedCustomerPage = answerShape('AgedCustomerPage', {
  ...AgingPage.shape,
  data: z.array(AgedCustomerBody),
});
export type AgedCustomerPage = z.output<typeof AgedCustomerPage>;

export const AgedDocumentPage = answerShape('AgedDocumentPage', {
  ...AgingPage.shape,
  data: z.array(AgedDocumentBody),
});
export type AgedDocumentPage = z.output<typeof AgedDocumentPage>;

/** The head of a page. @param totals null behind the first page */
export function presentAgedTotals(
  date: IsoDate,
  totals: readonly AgedBalance[] | null,
  rates: BaseRates,
): Pick<AgingPage, 'date' | 'totals' | 'base'> {
  if (!totals) return { date, totals: null, base: null };
  const lines = totals.map((balance) => agedInBase(balance, date, rates));
  const known = lines.flatMap(({ inBase }) => inBase?.figures ?? []);
  return {
    date,
    totals: lines.map(presentAgedBalance),
    base: {
      currency: rates.currency,
      without_rate: withoutRate(lines),
      ...presentAged(summed([NOTHING_OWED, ...known])),
    },
  };
}

function agedInBase(balance: AgedBalance, day: IsoDate, rates: BaseRates) {
  const { currency } = balance;
  const figures = agedFigures(balance);
  return { currency, figures, inBase: inBaseOf(figures, { currency, day }, rates) };
}

function presentAgedBalance(line: ReturnType<typeof agedInBase>): AgedBalanceBody {
  const { currency, figures, inBase } = line;
  return {
    currency,
    ...presentAged(figures),
    in_base: inBase && { ...presentBaseRate(inBase.rate), ...presentAged(inBase.figures) },
  };
}

function presentAged(balance: AgedFigures): AgedFiguresBody {
  return {
    not_due: minorNumber(balance.not_due),
    days_1_30: minorNumber(balance.days_1_30),
    days_31_60: minorNumber(balance.days_31_60),
    days_61_90: minorNumber(balance.days_61_90),
    days_over_90: minorNumber(balance.days_over_90),
    rejected: minorNumber(balance.rejected),
    total: minorNumber(balance.total),
    credit: minorNumber(balance.credit),
  };
}

/** A row of a file, in which a sum of any size is exact. */
export function agedCustomerRow({ customerId, customerName, ...balance }: AgedCustomer) {
  return { customer_id: publicId('cus', customerId), customer_name: customerName, ...balance };
}

export function presentAgedCustomer(
  line: AgedCustomer,
  date: IsoDate,
  rates: BaseRates,
): AgedCustomerBody {
  return { ...agedCustomerRow(line), ...presentAgedBalance(agedInBase(line, date, rates)) };
}

export function presentAgedDocument(line: AgedDocument): AgedDocumentBody {
  return {
    customer_id: publicId('cus', line.customerId),
    customer_name: line.customerName,
    document_id: publicId('doc', line.documentId),
    number: line.number,
    issue_date: line.issueDate,
    due_date: line.dueDate,
    days_overdue: line.daysOverdue,
    bucket: line.bucket,
    currency: line.currency,
    amount: minorNumber(line.amount),
    refund_status: line.refundStatus,
    amount_undecided: minorNumber(line.undecided),
  };
}
