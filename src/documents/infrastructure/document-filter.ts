import type { DocumentFilter, OrderName, FilterRange } from '../domain/document-list.js';
import { DOCUMENT_KINDS } from '../domain/lifecycle.js';
import { DOCUMENT_ORDERS } from './document-order.js';
import { overdueSql, statusSql } from './status-sql.js';

/** Conditions on `documents d`, by what an index makes of them. */
export interface DocumentConditions {
  /** Leave few documents, or are parts of the order's own index: what they leave is read at once. */
  narrow: string[];
  /** May leave most of the documents or none, anywhere in the order. */
  wide: string[];
}

type Bind = (value: unknown) => string;

export function documentConditionsOf(
  filter: DocumentFilter,
  order: OrderName,
  now: Date,
  bind: Bind,
): DocumentConditions {
  const instant = `'${now.toISOString()}'::timestamptz`;
  const own = ownConditions(filter, instant, bind);
  const wide = wideConditions(filter, instant, bind);
  for (const { name, sql } of rangeConditions(filter, bind)) {
    (name === order ? own : wide).push(sql);
  }
  // A request for one document gets that one, whatever else it filters by.
  const { number, externalId, originId } = filter;
  const isAboutOne = (number ?? externalId ?? originId) !== undefined;
  return isAboutOne ? { narrow: [...own, ...wide], wide: [] } : { narrow: own, wide };
}

/** Each has an index of its own, in the order of `created_at` where there may be many. */
function ownConditions(filter: DocumentFilter, now: string, bind: Bind): string[] {
  const { customerId, number, externalId, originId, status, isOverdue } = filter;
  const conditions: string[] = [];
  if (customerId !== undefined) conditions.push(`d.customer_id = ${bind(customerId)}`);
  if (externalId !== undefined) conditions.push(`d.external_id = ${bind(externalId)}`);
  if (originId !== undefined) conditions.push(`d.origin_document_id = ${bind(originId)}`);
  if (number !== undefined) {
    // The index begins with the kind.
    const kinds = DOCUMENT_KINDS.map((kind) => `'${kind}'`).join(', ');
    conditions.push(`d.kind IN (${kinds})`, `d.number = ${bind(number)}`);
  }
  if (status !== undefined && status !== 'paid') {
    conditions.push(statusSql(status, now));
  }
  if (isOverdue === true) conditions.push(overdueSql(now));
  return conditions;
}

function wideConditions(filter: DocumentFilter, now: string, bind: Bind): string[] {
  const { kind, status, isOverdue, currency, series, q } = filter;
  const conditions: string[] = [];
  if (kind !== undefined) conditions.push(`d.kind = ${bind(kind)}`);
  if (status === 'paid') conditions.push(statusSql(status, now));
  if (isOverdue === false) conditions.push(`NOT (${overdueSql(now)})`);
  if (currency !== undefined) conditions.push(`d.currency = ${bind(currency)}`);
  if (series !== undefined) conditions.push(`d.number_series = ${bind(series)}`);
  if (q !== undefined) conditions.push(`d.search @@ (SELECT search_query($1, ${bind(q)}))`);
  return conditions;
}

function rangeConditions({ created, issueDate, dueDate, total }: DocumentFilter, bind: Bind) {
  const conditions: { name: OrderName; sql: string }[] = [];
  const add = (name: OrderName, { from, to }: FilterRange<unknown>, until = '<=') => {
    const { column } = DOCUMENT_ORDERS[name];
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
