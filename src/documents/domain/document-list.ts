import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { DocumentRefundStatus } from './refunded-money.js';
import type { DocumentKind, DocumentStatus } from './lifecycle.js';

/** An absent field does not filter. Both ends of a range belong to it, but not `to` of an instant. */
export interface DocumentFilter {
  ids?: readonly Uuid[];
  kind?: DocumentKind;
  /** Any of these. */
  statuses?: readonly DocumentStatus[];
  /** Any of these. */
  refundStatuses?: readonly DocumentRefundStatus[];
  /** Whether something is due. */
  isUnpaid?: boolean;
  isOverdue?: boolean;
  customerId?: Uuid;
  number?: string;
  externalId?: string;
  /** Only documents made from this one. */
  originId?: Uuid;
  currency?: string;
  series?: string;
  issueDate: FilterRange<IsoDate>;
  dueDate: FilterRange<IsoDate>;
  created: FilterRange<Date>;
  updated: FilterRange<Date>;
  /** Minor units of whatever currency. */
  total: FilterRange<number>;
  /** All of these. */
  metadata?: Readonly<Record<string, string>>;
  /** Documents that may match, where it is known; the other conditions judge them. */
  among?: readonly Uuid[] | null;
  /** Words, each of which must begin a word of the document. */
  q?: string;
}

export interface FilterRange<Value> {
  from?: Value;
  to?: Value;
}

const ORDER_NAMES = ['created_at', 'issue_date', 'due_date', 'number', 'total'] as const;
export type OrderName = (typeof ORDER_NAMES)[number];

/** A minus is for the newest or largest first. */
export type DocumentSort = OrderName | `-${OrderName}`;

export const DOCUMENT_SORTS = ORDER_NAMES.flatMap((name): DocumentSort[] => [`-${name}`, name]);

/** A date is a range's own order: a list of that range is in it unless another is asked for. */
export function usualSort({ issueDate, dueDate }: DocumentFilter): DocumentSort {
  if (issueDate.from ?? issueDate.to) return '-issue_date';
  return (dueDate.from ?? dueDate.to) ? '-due_date' : '-created_at';
}
