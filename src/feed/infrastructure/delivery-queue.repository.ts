import { Injectable } from '@nestjs/common';
import type { EventWindow, PastEvent } from '../../events/index.js';
import { EVENT_COLUMNS, type EventColumns, toPastEvent } from '../../events/sql.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { ENDED_XACT, HISTORY } from '../../platform/database/ended-transactions.js';
import { Retention } from '../../platform/database/retention.js';
import type { Tx } from '../../platform/database/tx.js';
import type { DeliveryStatus, DeliveryTry } from '../domain/delivery.js';
import { isUnseen, Presence } from './presence.js';
import { IS_WANTED, type TypeByScope, typeLists, typesFrom } from './wanted-events.js';

/** An endpoint that has something to send, and that nobody else works on. */
export interface DueQueue {
  accountId: Uuid;
  endpointId: Uuid;
  /** Goes up when something is added. */
  round: bigint;
  failingSince: Date | null;
}

export interface Look {
  /** There is an endpoint that is sent something. */
  isWanted: boolean;
  /** Events that nobody has queued yet. */
  hasEvents: boolean;
  /** Nothing was ever sent, so a restore has nothing to repeat. */
  isFirst: boolean;
  /** The database was restored since. */
  isOtherHistory: boolean;
  due: DueQueue[];
  /** When something is due, or may have to be taken over; null: not before it is queued. */
  nextAt: Date | null;
}

/** An event to be sent now. */
export interface QueuedDelivery {
  event: PastEvent;
  /** Tries that were made since somebody asked for it. */
  tries: number;
}

/** One try, and the state that it leaves. */
export interface DeliveryStep {
  accountId: Uuid;
  endpointId: Uuid;
  eventId: Uuid;
  status: DeliveryStatus;
  nextTryAt: Date | null;
  made: DeliveryTry;
  answer: string | null;
}

/** A place in the order of commits. */
export interface Behind {
  xact: bigint;
  event: Uuid;
}

type DueColumns = EventColumns & { round_tries: number };

/** For one whose host is gone, of which PostgreSQL hears nothing for long. */
const LEASE = `interval '6 seconds'`;
const MOST_QUEUES = 200;
const KEPT_MS = 30 * 86_400_000;
/** Of the first ten, and of those that people asked for. */
const TRIES_KEPT = 20;

const LIVE = `w.status = 'enabled' AND w.deleted_at IS NULL`;

/** A lease ends with its process, or by its time. */
const mayBeHadBy = (process: string): string => `(leased_by IS NULL OR leased_by = ${process}
  OR leased_until < now() OR ${isUnseen('leased_by')})`;

const LOOK = `SELECT "isWanted",
    -- Without endpoints the mark stays, and looking behind it would read ever more.
    CASE WHEN "isWanted" THEN EXISTS (SELECT FROM events e, event_marks m
      WHERE m.consumer = 'deliveries' AND e.xact >= m.through_xact AND e.xact < ${ENDED_XACT})
    ELSE false END AS "hasEvents",
    (SELECT history IS NULL FROM event_marks WHERE consumer = 'deliveries') AS "isFirst",
    (SELECT coalesce(history <> ${HISTORY}, false) FROM event_marks WHERE consumer = 'deliveries')
      AS "isOtherHistory",
    (SELECT coalesce(jsonb_agg(due), '[]') FROM (
      SELECT q.account_id AS "accountId", q.endpoint_id AS "endpointId", q.round::text,
        q.failing_since AS "failingSince"
      FROM webhook_queues q JOIN webhook_endpoints w USING (account_id, endpoint_id)
      WHERE q.due_at <= $1 AND (q.paused_until IS NULL OR q.paused_until <= $1) AND ${LIVE}
        AND ${mayBeHadBy('$2')}
      ORDER BY q.due_at LIMIT ${MOST_QUEUES}) due) AS due,
    -- Another process may end, which commits nothing: its endpoints are looked at all the time.
    (SELECT min(CASE WHEN q.leased_by <> $2 THEN to_timestamp(0)
        ELSE greatest(q.due_at, q.paused_until, to_timestamp(0)) END)
      FROM webhook_queues q JOIN webhook_endpoints w USING (account_id, endpoint_id)
      WHERE q.due_at < 'infinity' AND ${LIVE}) AS "nextAt"
  FROM (SELECT EXISTS (SELECT FROM webhook_endpoints w WHERE ${LIVE}) AS "isWanted") wanted`;

const MAKE = `WITH made AS (
    INSERT INTO webhook_deliveries (account_id, endpoint_id, event_id, event_xact, status, created_at)
    SELECT e.account_id, w.endpoint_id, e.event_id, e.xact, $3, $4
    FROM events e JOIN ${typesFrom(5)} USING (type) JOIN webhook_endpoints w USING (account_id)
    WHERE e.xact >= $1 AND e.xact < $2 AND e.xact >= w.from_xact AND ${LIVE}
      AND ${IS_WANTED}
    ON CONFLICT DO NOTHING RETURNING account_id, endpoint_id
  ), due AS (
    UPDATE webhook_queues q SET due_at = '-infinity', round = q.round + 1
    FROM (SELECT DISTINCT account_id, endpoint_id FROM made) m
    WHERE q.account_id = m.account_id AND q.endpoint_id = m.endpoint_id
  )
  SELECT FROM made LIMIT 1`;

const DUE = `SELECT ${EVENT_COLUMNS}, round_tries
  FROM webhook_deliveries JOIN events USING (account_id, event_id)
  WHERE account_id = $1 AND endpoint_id = $2 AND status = 'pending'`;

const FRESH = `${DUE} AND next_try_at IS NULL AND (event_xact, event_id) > ($3, $4::uuid)
  ORDER BY event_xact, event_id LIMIT $5`;

const AGAIN = `${DUE} AND next_try_at <= $3 AND event_id <> ALL ($4::uuid[])
  ORDER BY next_try_at LIMIT $5`;

const SETTLE = `UPDATE webhook_deliveries d SET status = r.status, next_try_at = r.next_try_at,
    round_tries = d.round_tries + 1, answer = r.answer, tries = CASE
      WHEN jsonb_array_length(d.tries) < ${TRIES_KEPT} THEN d.tries ELSE d.tries - 0 END
      || jsonb_build_array(r.made)
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::jsonb[],
    $7::text[]) AS r (account_id, endpoint_id, event_id, status, next_try_at, made, answer)
  WHERE d.account_id = r.account_id AND d.endpoint_id = r.endpoint_id AND d.event_id = r.event_id
    AND d.status = 'pending'`;

/** Those that wait for somebody's word stay. Endpoints that were deleted go after the last of theirs. */
const OLD = `WITH old AS (
    SELECT account_id, endpoint_id, event_id FROM webhook_deliveries
    WHERE created_at < $1 AND status <> 'held' LIMIT $2
  ), empty AS (
    DELETE FROM webhook_endpoints w WHERE w.deleted_at < $1 AND NOT EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.account_id = w.account_id AND d.endpoint_id = w.endpoint_id)
  )
  DELETE FROM webhook_deliveries d USING old WHERE d.account_id = old.account_id
    AND d.endpoint_id = old.endpoint_id AND d.event_id = old.event_id RETURNING 1`;

/** Deliveries for those who send them. */
@Injectable()
export class DeliveryQueueRepository {
  constructor(
    private readonly database: Database,
    private readonly presence: Presence,
    retention: Retention,
  ) {
    retention.add({ what: 'webhook deliveries', keptMs: KEPT_MS, statement: OLD });
  }

  async look(now: Date): Promise<Look> {
    const [row] = await this.database.query<
      Omit<Look, 'due'> & { due: (Record<string, string> & { failingSince: string | null })[] }
    >(LOOK, [now, this.presence.process]);
    const { due, ...seen } = row!;
    return {
      ...seen,
      due: due.map(({ accountId = '', endpointId = '', round = '0', failingSince }) => ({
        accountId,
        endpointId,
        round: BigInt(round),
        failingSince: failingSince === null ? null : new Date(failingSince),
      })),
    };
  }

  /** The first transaction that an endpoint is told of; undefined: none is. */
  async wantedFrom(tx: Tx): Promise<bigint | undefined> {
    const [row] = await tx.read<{ first: bigint | null }>(
      `SELECT min(from_xact) AS first FROM webhook_endpoints w WHERE ${LIVE}`,
    );
    return row?.first ?? undefined;
  }

  /** Makes deliveries of the events of a window. */
  async make(
    tx: Tx,
    { from, through }: EventWindow,
    types: readonly TypeByScope[],
    status: 'pending' | 'held',
    now: Date,
  ): Promise<void> {
    await tx.read(MAKE, [from, through, status, now, ...typeLists(types)]);
  }

  /** All that was queued before a restore may have left already. */
  hold(tx: Tx): void {
    tx.write(
      `UPDATE webhook_deliveries SET status = 'held', next_try_at = NULL WHERE status = 'pending'`,
    );
  }

  /** @returns whether this process may send now */
  async lease({ accountId, endpointId }: DueQueue): Promise<boolean> {
    await this.presence.show();
    const rows = await this.database.query(
      `UPDATE webhook_queues SET leased_by = $3, leased_until = now() + ${LEASE}
       WHERE account_id = $1 AND endpoint_id = $2
         AND ${mayBeHadBy('$3')} RETURNING 1`,
      [accountId, endpointId, this.presence.process],
    );
    return rows.length > 0;
  }

  /** @returns endpoints that are still this process's own */
  async renew(): Promise<Set<Uuid>> {
    await this.presence.show();
    const rows = await this.database.query<{ endpoint_id: Uuid }>(
      `UPDATE webhook_queues SET leased_until = now() + ${LEASE} WHERE leased_by = $1
       RETURNING endpoint_id`,
      [this.presence.process],
    );
    return new Set(rows.map((row) => row.endpoint_id));
  }

  /**
   * Gives an endpoint back until something of it is due.
   * @returns false if something was added since `round`
   */
  async release({ accountId, endpointId, round }: DueQueue): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE webhook_queues q SET leased_by = NULL, leased_until = NULL, due_at = coalesce((
         SELECT min(coalesce(d.next_try_at, '-infinity')) FROM webhook_deliveries d
         WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.status = 'pending'), 'infinity')
       WHERE account_id = $1 AND endpoint_id = $2 AND leased_by = $3 AND round = $4 RETURNING 1`,
      [accountId, endpointId, this.presence.process, round],
    );
    return rows.length > 0;
  }

  /** Before this process ends, or where an endpoint wants to be left alone until a time. */
  async giveUp({ accountId, endpointId }: DueQueue, until: Date | null): Promise<void> {
    await this.database.query(
      `UPDATE webhook_queues SET leased_by = NULL, leased_until = NULL, due_at = '-infinity',
         paused_until = $4
       WHERE account_id = $1 AND endpoint_id = $2 AND leased_by = $3`,
      [accountId, endpointId, this.presence.process, until],
    );
  }

  /** Those that were never tried, in the order of their commits. */
  async fresh(
    { accountId, endpointId }: DueQueue,
    { xact, event }: Behind,
    count: number,
  ): Promise<QueuedDelivery[]> {
    const values = [accountId, endpointId, xact, event, count];
    return (await this.database.query<DueColumns>(FRESH, values)).map(toQueued);
  }

  /** Those whose wait is over. */
  async again(
    { accountId, endpointId }: DueQueue,
    now: Date,
    without: readonly Uuid[],
    count: number,
  ): Promise<QueuedDelivery[]> {
    const values = [accountId, endpointId, now, without, count];
    return (await this.database.query<DueColumns>(AGAIN, values)).map(toQueued);
  }

  async settle(steps: readonly DeliveryStep[]): Promise<void> {
    await this.database.query(SETTLE, [
      steps.map(({ accountId }) => accountId),
      steps.map(({ endpointId }) => endpointId),
      steps.map(({ eventId }) => eventId),
      steps.map(({ status }) => status),
      steps.map(({ nextTryAt }) => nextTryAt),
      steps.map(({ made }) => JSON.stringify(made)),
      steps.map(({ answer }) => answer),
    ]);
  }

  /** @param since null: it does not */
  async noteFailing({ accountId, endpointId }: DueQueue, since: Date | null): Promise<void> {
    await this.database.query(
      'UPDATE webhook_queues SET failing_since = $3 WHERE account_id = $1 AND endpoint_id = $2',
      [accountId, endpointId, since],
    );
  }
}

const toQueued = (row: DueColumns): QueuedDelivery => ({
  event: toPastEvent(row),
  tries: row.round_tries,
});
