import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { ENDED_XACT, HISTORY } from '../../platform/database/ended-transactions.js';
import { type FeedPosition, NO_EVENT } from '../domain/feed-position.js';
import { EVENT_COLUMNS, type EventColumns, type PastEvent, toPastEvent } from './past-event.js';

/** An undefined field does not filter. */
export interface FeedFilter {
  types: readonly string[];
  documentId?: Uuid;
  /** Public ids, as they stand in the data. */
  document?: string;
  customer?: string;
  payment?: string;
  from?: Date;
  /** Before this instant. */
  to?: Date;
}

/** The feed ends there for now: all before `ended` was committed, or never will be. */
export interface FeedEnd {
  history: string;
  ended: bigint;
  /** Another one after each commit: what is read is as it was before while this is the same. */
  snapshot: string;
}

const EVENTS = `SELECT ${EVENT_COLUMNS} FROM events`;

const FITS = `account_id = $1 AND type = ANY ($2::text[])
  AND ($3::uuid IS NULL OR document_id = $3 OR data #>> '{message,document_id}' = $4
    OR data->'documents' @> jsonb_build_array(jsonb_build_object('id', $4::text)))
  AND ($5::text IS NULL OR $5 IN (data #>> '{document,customer_id}',
    data #>> '{payment,customer_id}', data #>> '{mandate,customer_id}',
    data #>> '{customer,id}'))
  AND ($6::text IS NULL OR $6 IN (data #>> '{payment,id}', data ->> 'payment_id',
    data #>> '{refund,payment_id}', data #>> '{dispute,payment_id}',
    data #>> '{bank_entry,payment_id}'))
  AND ($7::timestamptz IS NULL OR occurred_at >= $7)
  AND ($8::timestamptz IS NULL OR occurred_at < $8)`;

const NEWEST_FIRST = `${EVENTS} WHERE ${FITS} AND ($9::uuid IS NULL OR event_id < $9)
  ORDER BY event_id DESC LIMIT $10`;

const IN_ORDER = `${EVENTS} WHERE ${FITS} AND xact >= $9 AND xact < $10
  AND (xact, event_id) > ($9, $11::uuid) ORDER BY xact, event_id LIMIT $12`;

const END = `SELECT ${ENDED_XACT} AS ended, ${HISTORY} AS history,
  pg_current_snapshot()::text AS snapshot`;

const ACCOUNTS = `SELECT DISTINCT account_id AS "accountId" FROM events
  WHERE xact >= $1 AND xact < $2`;

/** Transactions that are read at once at first: some hundred events. */
const SMALL_SPAN = 256n;
const SPAN_GROWS = 8n;

/** Events for those who follow them: no locks, no marks, and nothing that a writer would notice. */
@Injectable()
export class EventFeedQuery {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, id: Uuid): Promise<PastEvent | undefined> {
    const [row] = await this.database.query<EventColumns>(
      `${EVENTS} WHERE account_id = $1 AND event_id = $2`,
      [accountId, id],
    );
    return row && toPastEvent(row);
  }

  /** @param before the id behind which the page begins; null: the newest */
  async newestFirst(
    accountId: Uuid,
    filter: FeedFilter,
    before: Uuid | null,
    count: number,
  ): Promise<PastEvent[]> {
    const values = [...valuesOf(accountId, filter), before, count];
    const rows = await this.database.queryOnce<EventColumns>(NEWEST_FIRST, values);
    return rows.map(toPastEvent);
  }

  async end(): Promise<FeedEnd> {
    const [end] = await this.database.query<FeedEnd>(END);
    return end!;
  }

  /**
   * Events behind a position, in the order of their commits; none comes into a range that was read.
   * Few transactions are read at first, more where they have little: so a page costs about what it
   * shows, whatever is behind it.
   * @returns with the position to go on from
   */
  async inOrder(
    accountId: Uuid,
    filter: FeedFilter,
    after: Pick<FeedPosition, 'xact' | 'event'>,
    { history, ended }: FeedEnd,
    count: number,
  ): Promise<{ events: PastEvent[]; reached: FeedPosition }> {
    const events: PastEvent[] = [];
    let { xact, event } = after;
    for (let span = SMALL_SPAN; xact < ended; span *= SPAN_GROWS) {
      const through = xact + span < ended ? xact + span : ended;
      const range = [xact, through, event, count - events.length];
      const values = [...valuesOf(accountId, filter), ...range];
      const rows = await this.database.queryOnce<EventColumns>(IN_ORDER, values);
      events.push(...rows.map(toPastEvent));
      const last = events.at(-1);
      if (last && events.length === count) {
        return { events, reached: { history, xact: last.xact, event: last.id } };
      }
      [xact, event] = [through, NO_EVENT];
    }
    return { events, reached: { history, xact, event } };
  }

  /** Accounts to which something happened in some transactions. */
  async accountsBetween(from: bigint, through: bigint): Promise<Uuid[]> {
    const rows = await this.database.query<{ accountId: Uuid }>(ACCOUNTS, [from, through]);
    return rows.map(({ accountId }) => accountId);
  }
}

function valuesOf(accountId: Uuid, filter: FeedFilter): unknown[] {
  const { types, documentId, document, customer, payment, from, to } = filter;
  return [accountId, types, documentId, document, customer, payment, from, to];
}
