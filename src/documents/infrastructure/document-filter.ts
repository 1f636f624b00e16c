import type { DocumentFilter, OrderName, FilterRange } from '../domain/document-list.js';
import { DOCUMENT_KINDS, type DocumentStatus } from '../domain/lifecycle.js';
import { DOCUMENT_ORDERS } from './document-order.js';
import {
  arePending,
  haveOneIndex,
  IS_OWED,
  overdueSql,
  REFUNDED_SQL,
  statusSql,
} from './status-sql.js';

/** Conditions on `documents d`, by what an index makes of them. */
export interface DocumentConditions {
  /** Leave few documents, or are parts of the order's own index: what they leave is read at once. */
  narrow: string[];
  /** May leave most of the documents or none, anywhere in the order. */
  wide: Wide[];
  /** Only pending ones are left: `pending_documents p` has them. */
  arePending: boolean;
  /** And has them in the order: `narrow` is about it, too. */
  isPendingInOrder: boolean;
}

/** A condition as it is asked of a document that is looked at, and as an index finds all. */
interface Wide {
  near: string;
  far: string;
}

type Bind = (value: unknown) => string;

const both = (sql: string): Wide => ({ near: sql, far: sql });

export function documentConditionsOf(
  filter: DocumentFilter,
  order: OrderName,
  now: Date,
  bind: Bind,
): DocumentConditions {
  const instant = `'${now.toISOString()}'::timestamptz`;
  // A request for one document, or a few, gets those, whatever else it filters by.
  const { ids, among, number, externalId, originId } = filter;
  const isAboutFew = (ids ?? among ?? number ?? externalId ?? originId) !== undefined;
  const own = ownConditions(filter, instant, bind);
  const pending = pendingConditions(filter, instant);
  const arePending = pending.length > 0 && !isAboutFew;
  const isPendingInOrder = arePending && DOCUMENT_ORDERS[order].pending !== undefined;
  const wide = wideConditions(filter, instant, bind);
  if (isPendingInOrder) own.push(...pending);
  else wide.push(...pending.map(both));
  for (const { name, sql } of rangeConditions(filter, bind, isPendingInOrder ? order : null)) {
    if (name === order) own.push(sql);
    else wide.push(both(sql));
  }
  const narrow = isAboutFew ? [...own, ...wide.map(({ near }) => near)] : own;
  return { narrow, wide: isAboutFew ? [] : wide, arePending, isPendingInOrder };
}

/** Leave only documents that are open and not settled. */
function pendingConditions(
  { statuses, isUnpaid, isOverdue }: DocumentFilter,
  now: string,
): string[] {
  return [
    ...(statuses && arePending(statuses) ? [anyOf(statuses, now)] : []),
    ...(isUnpaid === true ? [IS_OWED] : []),
    ...(isOverdue === true ? [overdueSql(now)] : []),
  ];
}

/** Each has an index of its own, in the order of `created_at` where there may be many. */
function ownConditions(filter: DocumentFilter, now: string, bind: Bind): string[] {
  const { ids, among, customerId, number, externalId, originId, statuses } = filter;
  const conditions: string[] = [];
  if (ids !== undefined) conditions.push(`d.document_id = ANY (${bind(ids)}::uuid[])`);
  if (among) conditions.push(`d.document_id = ANY (${bind(among)}::uuid[])`);
  if (customerId !== undefined) conditions.push(`d.customer_id = ${bind(customerId)}`);
  if (externalId !== undefined) conditions.push(`d.external_id = ${bind(externalId)}`);
  if (originId !== undefined) conditions.push(`d.origin_document_id = ${bind(originId)}`);
  if (number !== undefined) {
    // The index begins with the kind.
    const kinds = DOCUMENT_KINDS.map((kind) => `'${kind}'`).join(', ');
    conditions.push(`d.kind IN (${kinds})`, `d.number = ${bind(number)}`);
  }
  if (statuses && haveOneIndex(statuses)) conditions.push(anyOf(statuses, now));
  return conditions;
}

function wideConditions(filter: DocumentFilter, now: string, bind: Bind): Wide[] {
  const { kind, statuses, refundStatuses, isUnpaid, isOverdue, currency, series, metadata, q } =
    filter;
  const conditions: string[] = [];
  if (kind !== undefined) conditions.push(`d.kind = ${bind(kind)}`);
  const isApart = statuses && (haveOneIndex(statuses) || arePending(statuses));
  if (statuses && !isApart) conditions.push(anyOf(statuses, now));
  if (isUnpaid === false) conditions.push(`NOT (${IS_OWED})`);
  if (isOverdue === false) conditions.push(`NOT (${overdueSql(now)})`);
  if (refundStatuses) {
    const any = refundStatuses.map((one) => `(${REFUNDED_SQL[one]})`);
    conditions.push(`(${any.join(' OR ')})`);
  }
  if (currency !== undefined) conditions.push(`d.currency = ${bind(currency)}`);
  if (series !== undefined) conditions.push(`d.number_series = ${bind(series)}`);
  const pairs = metadata && `${bind(JSON.stringify(metadata))}::jsonb`;
  const attached = pairs
    ? [
        `c.metadata <> '{}' AND c.metadata @> ${pairs} ` +
          `AND metadata_pairs(c.account_id, c.metadata) @> metadata_pairs($1, ${pairs})`,
      ]
    : [];
  conditions.push(...updateConditions(filter.updated, bind));
  const words = q === undefined ? [] : [`c.search @@ (SELECT search_query($1, ${bind(q)}))`];
  return [...conditions.map(both), ...[...attached, ...words].map(inContent)];
}

/** Of `document_contents c`. An array is made once, whatever the planner knows of the account. */
function inContent(condition: string): Wide {
  return {
    near: `(SELECT ${condition} FROM document_contents c
      WHERE c.account_id = d.account_id AND c.document_id = d.document_id)`,
    far: `d.document_id = ANY (ARRAY(SELECT c.document_id FROM document_contents c
      WHERE c.account_id = $1 AND ${condition}))`,
  };
}

function anyOf(statuses: readonly DocumentStatus[], now: string): string {
  return `(${statuses.map((status) => `(${statusSql(status, now)})`).join(' OR ')})`;
}

/** A document is not updated before it is made, and the time of that has an index. */
function updateConditions({ from, to }: FilterRange<Date>, bind: Bind): string[] {
  const before = to && bind(to);
  return [
    ...(from ? [`d.updated_at >= ${bind(from)}`] : []),
    ...(before ? [`d.updated_at < ${before} AND d.created_at < ${before}`] : []),
  ];
}

/** @param ofPending the order that `pending_documents p` is read in */
function rangeConditions(
  { created, issueDate, dueDate, total }: DocumentFilter,
  bind: Bind,
  ofPending: OrderName | null,
) {
  const conditions: { name: OrderName; sql: string }[] = [];
  const add = (name: OrderName, { from, to }: FilterRange<unknown>, until = '<=') => {
    const order = DOCUMENT_ORDERS[name];
    const column = (name === ofPending && order.pending) || order.column;
    if (from !== undefined) conditions.push({ name, sql: `${column} >= ${bind(from)}` });
    if (to !== undefined) conditions.push({ name, sql: `${column} ${until} ${bind(to)}` });
    // A document without a date sorts behind every date, and is in no range.
    else if (from !== undefined && name.endsWith('_date')) {
      conditions.push({ name, sql: `${column} < '9999-12-31'` });
    }
  };
  add('created_at', created, '<');
  add('issue_date', issueDate);
  add('due_date', dueDate);
  add('total', total);
  return conditions;
}
