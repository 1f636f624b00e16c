import { z } from 'zod';
import { queryShape } from '../../platform/http/validation/shapes.js';
import { amountMinor, oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode, shortText } from '../../platform/http/validation/text-fields.js';
import { dateText, instantIn, instantText } from '../../platform/http/validation/date-fields.js';
import { metadata } from '../../platform/http/validation/list-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { listQuery } from '../../platform/http/paging.js';
import {
  flagParameter,
  idIn,
  idParameter,
  idsIn,
  idsParameter,
  parameter,
  someOf,
} from '../../platform/http/validation/standard-fields.js';
import { DOCUMENT_SORTS, type DocumentFilter } from '../domain/document-list.js';
import { DOCUMENT_KINDS, DOCUMENT_STATUSES } from '../domain/lifecycle.js';
import { DOCUMENT_REFUND_STATUSES } from '../domain/refunded-money.js';
import { DocumentBody } from './document-body.js';
import { expand } from './expansions.js';

/** Query parameters are text. */
const asNumber = (value: string) => (/^\d{1,14}$/.test(value) ? Number(value) : value);

nameWords({
  DocumentKind: DOCUMENT_KINDS,
  DocumentStatus: DOCUMENT_STATUSES,
  DocumentRefundStatus: DOCUMENT_REFUND_STATUSES,
});

export const ListDocumentsQuery = queryShape({
  ...listQuery(() => DocumentBody).shape,
  ids: idsParameter('doc', {
    description: 'At most 100 ids. Those that do not exist are left out.',
  }),
  kind: oneOf(DOCUMENT_KINDS, { optional: true }),
  status: someOf(DOCUMENT_STATUSES, {
    description: 'One status, or several with commas between them.',
    example: ['open', 'partially_paid'],
  }),
  refund_status: someOf(DOCUMENT_REFUND_STATUSES, {
    description: 'How much of what was paid went back: one of them, or several with commas.',
  }),
  unpaid: flagParameter({ optional: true, description: 'Whether something is due: `amount_due`.' }),
  is_overdue: flagParameter({
    optional: true,
    description: 'Whether it is asked for and past its due date: `is_overdue`.',
  }),
  customer_id: idParameter('cus'),
  number: shortText({
    max: 100,
    optional: true,
    description: 'The whole number.',
    example: 'INV-00001',
  }),
  external_id: shortText({ max: 255, optional: true }),
  origin: idParameter('doc', {
    description:
      'The id of a document. The list has what was made from it, such as its credit notes.',
  }),
  currency: currencyCode({ optional: true }),
  series_id: shortText({ max: 40, optional: true, description: 'The number series.' }),
  issue_date_from: dateText({ optional: true }),
  issue_date_to: dateText({ optional: true, description: 'The last day of the range.' }),
  due_date_from: dateText({ optional: true }),
  due_date_to: dateText({ optional: true, description: 'The last day of the range.' }),
  created_from: instantText({ optional: true }),
  created_to: instantText({
    optional: true,
    description: 'Only documents created before this instant.',
  }),
  updated_from: instantText({
    optional: true,
    description:
      'Only documents that changed at this instant or later. To follow changes, begin some ' +
      'seconds before the last look: a change may show a moment after its time.',
  }),
  updated_to: instantText({
    optional: true,
    description: 'Only documents that have not changed since.',
  }),
  metadata: metadata({
    description: 'Values that you attached, such as `metadata[project]=42`; all have to be there.',
  }),
  total_min: parameter(
    asNumber,
    amountMinor({
      zero: true,
      optional: true,
      description: 'In minor units of any currency.',
    }),
  ),
  total_max: parameter(
    asNumber,
    amountMinor({
      zero: true,
      optional: true,
      description: 'In minor units of any currency.',
    }),
  ),
  q: shortText({
    max: 200,
    optional: true,
    description:
      'Finds documents by the beginnings of words in number, external id, purchase ' +
      'order, notes and lines, and in the customer’s names, e-mail address and reference. ' +
      'All words must be found. Accents, capitals and leading zeros do not matter.',
    example: 'globex 42',
  }),
  expand: expand(),
  sort: oneOf(DOCUMENT_SORTS, {
    optional: true,
    description:
      'Default: `-issue_date` or `-due_date` if the list is filtered by that date, else ' +
      '`-created_at`. Documents without the number or date come last.',
  }),
});
export type ListDocumentsQuery = z.output<typeof ListDocumentsQuery>;

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
