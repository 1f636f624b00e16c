import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import {
  DEFAULT_PAGE_SIZE,
  LARGEST_PAGE_SIZE,
  type KeyForm,
  type Position,
} from '../../platform/http/paging.js';
import type { DocumentFilter, DocumentSort } from '../domain/document-list.js';
import type { DocumentView } from '../domain/document-view.js';
import { ALL_PARTS, type ViewParts } from '../domain/view-parts.js';
import { documentConditionsOf } from './document-filter.js';
import { orderOf } from './document-order.js';
import { PENDING_DOCUMENTS } from './status-sql.js';
import { needsContent, toView, type ViewColumns, viewColumns } from './view-columns.js';

/** The contents of a document, which is looked up by its id: OFFSET keeps it from being a join. */
const ITS_CONTENT = `CROSS JOIN LATERAL (
           SELECT * FROM document_contents c
           WHERE c.account_id = d.account_id AND c.document_id = d.document_id OFFSET 0) c`;

/** The sort keys before the id. */
export function documentKeys(sort: DocumentSort): readonly KeyForm[] {
  return [orderOf(sort).form];
}

export interface ListedDocument {
  view: DocumentView;
  position: Position;
}

type ListedColumns = ViewColumns & { sort_key: string };

/** Of pages of the usual size and of the largest, and whether there is another. */
const USUAL_COUNTS = new Set([DEFAULT_PAGE_SIZE + 1, LARGEST_PAGE_SIZE + 1]);

/** Whole documents, those without contents, and those with the customer: callers choose few others often. */
const isUsualPart = (parts: ViewParts) =>
  parts === ALL_PARTS || parts.size === 0 || (parts.size === 1 && parts.has('customer'));

/** A part of a list, and as much of its documents as is wanted. */
interface ListPlace {
  /** The documents behind it, or null for the first. */
  after: Position | null;
  count: number;
  parts?: ViewParts;
}

const binding = (values: unknown[]) => (value: unknown) => `$${values.push(value)}`;

/** Of the documents next in the order, a hundred are looked at for each one that is wanted. */
const LOOKED_AT = 100;

/** Lists of documents: no locks. Each page is read at its place, so that it costs what the first does. */
@Injectable()
export class DocumentsListQuery {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** How many there are, up to `most`: each filter has an index, and the count ends there. */
  async count(accountId: Uuid, filter: DocumentFilter, most: number): Promise<number> {
    const values: unknown[] = [accountId];
    const bind = binding(values);
    const { narrow, wide, arePending } = documentConditionsOf(
      filter,
      'created_at',
      this.clock.now(),
      bind,
    );
    return this.database.countRows(
      `SELECT FROM ${arePending ? PENDING_DOCUMENTS : 'documents d'}
       WHERE ${[`${arePending ? 'p' : 'd'}.account_id = $1`, ...narrow, ...wide.map(({ far }) => far)].join(' AND ')} LIMIT ${bind(most)}`,
      values,
    );
  }

  async list(
    accountId: Uuid,
    filter: DocumentFilter,
    sort: DocumentSort,
    { after, count, parts = ALL_PARTS }: ListPlace,
  ): Promise<ListedDocument[]> {
    const now = this.clock.now();
    const values: unknown[] = [accountId];
    const bind = binding(values);
    const { name, column, pending, key, value, isDescending } = orderOf(sort);
    const { narrow, wide, ...conditions } = documentConditionsOf(filter, name, now, bind);
    const { arePending, isPendingInOrder } = conditions;
    const found = isPendingInOrder ? PENDING_DOCUMENTS : 'documents d';
    const [table, place] = isPendingInOrder ? ['p', pending] : ['d', column];
    const [direction, behind] = isDescending ? ['DESC', '<'] : ['ASC', '>'];
    const inOrder = `ORDER BY ${column} ${direction}, d.document_id ${direction}`;
    const asFound = `ORDER BY ${place} ${direction}, ${table}.document_id ${direction}`;
    const there = after
      ? `(${place}, ${table}.document_id) ${behind} (${value(bind(after.keys[0]))}, ${bind(after.id)})`
      : 'true';
    const few = [`${table}.account_id = $1`, there, ...narrow].join(' AND ');
    const near = wide.map((one) => one.near).join(' AND ');
    const far = wide.map((one) => one.far).join(' AND ');
    const isUsual = narrow.length + wide.length === 0 && USUAL_COUNTS.has(count);
    const limit = isUsual ? `LIMIT ${count}` : `LIMIT ${bind(count)}`;
    const isKept = isUsual && isUsualPart(parts);

    // Lines and relations are read for the documents of the page only. An array is made once, and
    // OFFSET has each looked up by its id. With statistics older than the account, joins found the
    // page anew for each document, or read the contents of all.
    const read = async (page: string) => {
      const text = `SELECT ${viewColumns(parts)}, ${key} AS sort_key
         FROM documents d ${needsContent(parts) ? ITS_CONTENT : ''}
         WHERE d.account_id = $1 AND d.document_id = ANY (ARRAY(${page})) ${inOrder}`;
      const rows = isKept
        ? await this.database.usualList<ListedColumns>(text, values)
        : await this.database.list<ListedColumns>(text, values);
      return rows.map((row) => ({
        view: toView(row, now, parts),
        position: { keys: [row.sort_key], id: row.document_id },
      }));
    };
    if (wide.length === 0) {
      return read(`SELECT d.document_id FROM ${found} WHERE ${few} ${asFound} ${limit}`);
    }

    // Frequent documents are found at once in the order of the list. Rare ones are soon read from
    // an index of their own and sorted. The planner takes conditions for independent of the order,
    // and walks through a million documents to find those of an old year. So one way is tried on a
    // few documents, then the other is taken.
    const next = await read(
      `SELECT d.document_id FROM (
         SELECT d.* FROM ${found} WHERE ${few} ${asFound} LIMIT ${count * LOOKED_AT}
       ) d WHERE ${near} ${inOrder} ${limit}`,
    );
    if (next.length === count) return next;
    const [all, ofPending] = arePending
      ? [PENDING_DOCUMENTS, ' AND p.account_id = $1']
      : ['documents d', ''];
    return read(
      `WITH d AS MATERIALIZED (
         SELECT d.document_id, d.${name} FROM ${all} WHERE ${few} AND ${far}${ofPending}
       ) SELECT d.document_id FROM d ${inOrder} ${limit}`,
    );
  }
}
