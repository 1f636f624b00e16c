import {
  AmountMinor,
  CurrencyCode,
  DateText,
  instantIn,
  InstantText,
  OneOf,
  Text,
} from '../../platform/http/validation/fields.js';
import { Metadata } from '../../platform/http/validation/list-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { CountedQuery } from '../../platform/http/paging.js';
import { Tidied } from '../../platform/http/validation/rules.js';
import {
  FlagParameter,
  idIn,
  IdParameter,
  idsIn,
  IdsParameter,
  SomeOf,
} from '../../platform/http/validation/standard-fields.js';
import { DOCUMENT_SORTS, type DocumentFilter, type DocumentSort } from '../domain/document-list.js';
import {
  DOCUMENT_KINDS,
  DOCUMENT_STATUSES,
  type DocumentKind,
  type DocumentStatus,
} from '../domain/lifecycle.js';
import { DOCUMENT_REFUND_STATUSES, type DocumentRefundStatus } from '../domain/refunded-money.js';
import { Expand, type Expansion } from './document-expansions.js';

/** Query parameters are text. */
const AsNumber = () =>
  Tidied((value) => (/^\d{1,14}$/.test(String(value)) ? Number(value) : value));

nameWords({
  DocumentKind: DOCUMENT_KINDS,
  DocumentStatus: DOCUMENT_STATUSES,
  DocumentRefundStatus: DOCUMENT_REFUND_STATUSES,
});

export class ListDocumentsQuery extends CountedQuery {
  @IdsParameter('doc', { description: 'At most 100 ids. Those that do not exist are left out.' })
  ids?: string[];

  @OneOf(DOCUMENT_KINDS, { optional: true })
  kind?: DocumentKind;

  @SomeOf(DOCUMENT_STATUSES, {
    description: 'One status, or several with commas between them.',
    example: ['open', 'partially_paid'],
  })
  status?: DocumentStatus[];

  @SomeOf(DOCUMENT_REFUND_STATUSES, {
    description: 'How much of what was paid went back: one of them, or several with commas.',
  })
  refund_status?: DocumentRefundStatus[];

  @FlagParameter({ optional: true, description: 'Whether something is due: `amount_due`.' })
  unpaid?: boolean;

  @FlagParameter({
    optional: true,
    description: 'Whether it is asked for and past its due date: `is_overdue`.',
  })
  is_overdue?: boolean;

  @IdParameter('cus')
  customer_id?: string;

  @Text({ max: 100, optional: true, description: 'The whole number.', example: 'INV-00001' })
  number?: string;

  @Text({ max: 255, optional: true })
  external_id?: string;

  @IdParameter('doc', {
    description:
      'The id of a document. The list has what was made from it, such as its credit notes.',
  })
  origin?: string;

  @CurrencyCode({ optional: true })
  currency?: string;

  @Text({ max: 40, optional: true, description: 'The number series.' })
  series_id?: string;

  @DateText({ optional: true })
  issue_date_from?: string;

  @DateText({ optional: true, description: 'The last day of the range.' })
  issue_date_to?: string;

  @DateText({ optional: true })
  due_date_from?: string;

  @DateText({ optional: true, description: 'The last day of the range.' })
  due_date_to?: string;

  @InstantText({ optional: true })
  created_from?: string;

  @InstantText({ optional: true, description: 'Only documents created before this instant.' })
  created_to?: string;

  @InstantText({
    optional: true,
    description:
      'Only documents that changed at this instant or later. To follow changes, begin some ' +
      'seconds before the last look: a change may show a moment after its time.',
  })
  updated_from?: string;

  @InstantText({ optional: true, description: 'Only documents that have not changed since.' })
  updated_to?: string;

  @Metadata({
    description: 'Values that you attached, such as `metadata[project]=42`; all have to be there.',
  })
  metadata?: Record<string, string>;

  @AsNumber()
  @AmountMinor({ zero: true, optional: true, description: 'In minor units of any currency.' })
  total_min?: number;

  @AsNumber()
  @AmountMinor({ zero: true, optional: true, description: 'In minor units of any currency.' })
  total_max?: number;

  @Text({
    max: 200,
    optional: true,
    description:
      'Finds documents by the beginnings of words in number, external id, purchase ' +
      'order, notes and lines, and in the customer’s names, e-mail address and reference. ' +
      'All words must be found. Accents, capitals and leading zeros do not matter.',
    example: 'globex 42',
  })
  q?: string;

  @Expand()
  expand?: Expansion[];

  @OneOf(DOCUMENT_SORTS, {
    optional: true,
    description:
      'Default: `-issue_date` or `-due_date` if the list is filtered by that date, else ' +
      '`-created_at`. Documents without the number or date come last.',
  })
  sort?: DocumentSort;
}

export function toFilter(query: ListDocumentsQuery): DocumentFilter {
  const {
    kind,
    status,
    unpaid,
    is_overdue,
    number,
    external_id,
    currency,
    series_id: series,
    q,
  } = query;
  return {
    ids: idsIn('doc', query.ids),
    kind,
    statuses: status,
    refundStatuses: query.refund_status,
    isUnpaid: unpaid,
    isOverdue: is_overdue,
    customerId: idIn('cus', query.customer_id),
    number,
    externalId: external_id,
    originId: idIn('doc', query.origin),
    currency,
    series,
    issueDate: { from: query.issue_date_from, to: query.issue_date_to },
    dueDate: { from: query.due_date_from, to: query.due_date_to },
    created: { from: instantIn(query.created_from), to: instantIn(query.created_to) },
    updated: { from: instantIn(query.updated_from), to: instantIn(query.updated_to) },
    metadata: query.metadata,
    total: { from: query.total_min, to: query.total_max },
    q,
  };
}
