import type { KeyForm } from '../../platform/http/paging.js';
import type { DocumentSort, OrderName } from '../domain/document-list.js';

/** The columns that a list is sorted by, each with an index; ids settle ties. */
interface Order {
  column: string;
  /** The same of `pending_documents p`, where that has an index for it. */
  pending?: string;
  /** The column's value as text in a cursor, and back. */
  form: KeyForm;
  key: string;
  value: (key: string) => string;
}

export const DOCUMENT_ORDERS: Record<OrderName, Order> = {
  created_at: {
    column: 'd.created_at',
    pending: 'p.created_at',
    form: 'instant',
    key: `to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    value: (key) => `${key}::timestamptz`,
  },
  issue_date: dateOrder(`coalesce(d.issue_date, '9999-12-31')`),
  due_date: { ...dateOrder(`coalesce(d.due_date, '9999-12-31')`), pending: 'p.due_date' },
  number: {
    column: 'number_order(d.number) COLLATE "C"',
    form: 'text',
    key: `coalesce(d.number, '')`,
    value: (key) => `number_order(nullif(${key}::text, '')) COLLATE "C"`,
  },
  total: {
    column: 'd.total',
    form: 'integer',
    key: 'd.total::text',
    value: (key) => `${key}::bigint`,
  },
};

/** A date that a draft does not have yet is behind all others. */
function dateOrder(column: string): Order {
  return { column, form: 'date', key: `${column}::text`, value: (key) => `${key}::date` };
}

/** The same, said apart. */
export function orderOf(sort: DocumentSort): Order & { name: OrderName; isDescending: boolean } {
  const name = sort.replace('-', '') as OrderName;
  return { ...DOCUMENT_ORDERS[name], name, isDescending: name !== sort };
}
