import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { Counter } from 'prom-client';
import { setTimeout as sleep } from 'node:timers/promises';
import { Log } from '../../observability/log.js';
import { Metrics } from '../../observability/metrics.js';
import { isRecoveryConflict, translateDatabaseError } from '../database-error.js';
import { send } from '../named-query.js';
import { toQuery } from '../sql-statement.js';
import { CommonRefusal } from '../../../kernel/common-refusals.js';
import { Connections, type Lease, type Lessor } from './connections.js';
import { TIMELINE } from './succession.js';

/** How long a read waits for the replica to get what was just written. */
const PATIENCE_MS = 100;
const LOOK_MS = 5;
/** A replica that is behind is not waited for by each read. */
const BEHIND_MS = 1000;
/** Nor is one asked again at once that failed, or follows another server. */
const AWAY_MS = 5000;

/** A place in the log of the server that takes changes; all that was acknowledged lies before it. */
export interface LogPosition {
  lsn: string;
  timeline: number;
  /** Of the server and its copies. */
  system: string;
}

export const LOG_POSITION = `SELECT pg_current_wal_flush_lsn()::text AS lsn, ${TIMELINE} AS timeline,
  system_identifier::text AS system FROM pg_control_system()`;

/**
 * Of a copy: whether it has the history of a position, and has come so far. A timeline that it
 * follows stands in its control file within a checkpoint; until then it is not read.
 */
export const REPLICA_STATE = `SELECT s.system_identifier::text = $3
    AND greatest(c.timeline_id, r.min_recovery_end_timeline) = $2 AS follows,
  pg_is_in_recovery() AND coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS "hasIt",
  pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())::float8 AS "behindBytes"
  FROM pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r`;

export interface ReplicaState {
  follows: boolean;
  hasIt: boolean;
  /** Null of a server that follows none; below 0 where it has come further. */
  behindBytes: number | null;
}

type Outcome = 'read' | 'behind' | 'away';

/**
 * A standby that answers what only reads. It is asked only where it has all that was acknowledged
 * before the question; else the server that takes changes answers (decision 298).
 */
@Injectable()
export class Replica implements OnApplicationShutdown {
  private readonly connections: Connections;
  private readonly reads: Counter<'outcome'>;
  private restsUntil = 0;
  /** Told in the log, and not again until it is back. */
  private awayFor?: string | undefined;
  private asked: Promise<unknown> = Promise.resolve();
  private next?: Promise<LogPosition> | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.connections = new Connections(pool);
    metrics.watchQueue('replica_connections', () => this.connections.standing);
    this.reads = new Counter({
      name: 'database_replica_reads_total',
      help: 'Lists and reports, by whether the replica was read, was behind, or was away.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
  }

  get isAway(): boolean {
    return this.awayFor !== undefined;
  }

  /**
   * @param here takes a connection of the server that takes changes
   * @param position where that server is now
   */
  async reading<Result>(
    work: (lessor: Lessor) => Promise<Result>,
    here: Lessor,
    position: () => Promise<LogPosition>,
  ): Promise<Result> {
    let isRead = false;
    try {
      return await work(async (values) => {
        const lease = await this.lease(values, position);
        isRead = lease !== null;
        return lease ?? here(values);
      });
    } catch (error) {
      if (!isRead || !isAbsence(error)) throw error;
      // One that goes on, and ended this read for it, is there.
      if (!isRecoveryConflict(error)) this.rest('away', wordsOf(error));
      return work(here);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** Null where the other server is to be read. @throws DomainError 503 `database_busy` */
  private async lease(
    values: readonly unknown[],
    position: () => Promise<LogPosition>,
  ): Promise<Lease | null> {
    if (performance.now() < this.restsUntil) {
      this.reads.inc({ outcome: this.awayFor === undefined ? 'behind' : 'away' });
      return null;
    }
    let lease: Lease | undefined;
    try {
      const wanted = await this.positionAfterNow(position);
      lease = await this.connections.lease(values);
      const outcome = await reach(lease.client, wanted);
      if (outcome === 'read') {
        this.isBack();
        return lease;
      }
      lease.giveBack();
      this.rest(outcome, 'it does not follow the server of DATABASE_URL');
    } catch (error) {
      lease?.giveBack(error);
      // Its callers wait, and do not come to the other server as well.
      if (CommonRefusal.database_busy.is(error)) throw error;
      this.rest('away', wordsOf(error));
    }
    return null;
  }

  /**
   * One question for all who came before it was sent. Others may have written meanwhile, and wait for the
   * next.
   */
  private async positionAfterNow(position: () => Promise<LogPosition>): Promise<LogPosition> {
    this.next ??= this.asked.then(async () => {
      this.next = undefined;
      const asked = position();
      this.asked = asked.catch(() => undefined);
      return asked;
    });
    return this.next;
  }

  private rest(outcome: 'behind' | 'away', why: string): void {
    this.reads.inc({ outcome });
    this.restsUntil = performance.now() + (outcome === 'away' ? AWAY_MS : BEHIND_MS);
    if (outcome === 'behind' || this.awayFor !== undefined) return;
    this.awayFor = why;
    this.log.warn({ why }, 'the replica is away: lists and reports are read from the primary');
  }

  private isBack(): void {
    this.reads.inc({ outcome: 'read' });
    if (this.awayFor === undefined) return;
    this.awayFor = undefined;
    this.log.info({}, 'the replica is back');
  }
}

/** Waits a little for it to come so far. */
async function reach(client: pg.ClientBase, wanted: LogPosition): Promise<Outcome> {
  const { lsn, timeline, system } = wanted;
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await send(
      client,
      toQuery({ text: REPLICA_STATE, values: [lsn, timeline, system] }),
    );
    const [{ follows, hasIt }] = rows as [ReplicaState];
    if (!follows) return 'away';
    if (hasIt) return 'read';
    if (performance.now() > until) return 'behind';
    await sleep(LOOK_MS);
  }
}

const STATEMENT_TIMEOUT = '57014';

/** Of the server, or of the way to it; not of a question that takes too long anywhere. */
function isAbsence(error: unknown): boolean {
  if ((error as { code?: unknown }).code === STATEMENT_TIMEOUT) return false;
  const translated = translateDatabaseError(error);
  return (
    CommonRefusal.database_unavailable.is(translated) ||
    CommonRefusal.database_read_only.is(translated)
  );
}

function wordsOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
