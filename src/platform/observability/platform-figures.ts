import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database } from '../database/database.js';
import { Replica } from '../database/servers/replica.js';
import { Transactions } from '../database/transactions.js';
import { Downloads } from '../http/downloads.js';
import { Jobs } from '../jobs.js';
import { Figures, secondsSince, type WaitingThings } from './figures.js';
import { Metrics } from './metrics.js';

const LONG_LOCK_SECONDS = 30;

/** Of sessions of our database; others of the cluster are not ours to tell of. */
const LOCKS = `SELECT count(*)::int AS count, min(l.waitstart) AS oldest FROM pg_locks l
  WHERE NOT l.granted AND l.pid IN (
    SELECT pid FROM pg_stat_activity WHERE datname = current_database())`;

const LOCK_WAITS = {
  name: 'database_lock_waits',
  help: 'Sessions that wait for a lock now.',
} as const;

const LOCK_WAIT_SECONDS = {
  name: 'database_lock_wait_seconds',
  help: 'How long the first of them has waited; 0: none does.',
  signs: [
    {
      state: 'behind',
      above: LONG_LOCK_SECONDS,
      says: 'A session of the database waits for a lock',
      next: 'pg_blocking_pids() names who holds it; docs/runbook.md#locks-waited-for',
    },
  ],
} as const;

const REPLICA_AWAY = {
  name: 'database_replica_away',
  help: '1: the replica does not answer a process, or follows another server; 0: it is read, or there is none.',
  signs: [
    {
      state: 'failed',
      says: 'Lists and reports are read from the primary, as the replica is away',
      next: 'the log says why; docs/runbook.md#replica-away',
    },
  ],
} as const;

const ROWS = `SELECT coalesce(sum(n_live_tup), 0)::float8 AS live,
    coalesce(sum(n_dead_tup), 0)::float8 AS dead
  FROM pg_stat_user_tables`;

/** Tells those who watch the service how the database, queues for places and jobs stand. */
@Injectable()
export class PlatformFigures {
  constructor(
    private readonly database: Database,
    private readonly figures: Figures,
    transactions: Transactions,
    downloads: Downloads,
    jobs: Jobs,
    metrics: Metrics,
    @Inject(Replica) replica: Replica | null,
  ) {
    metrics.watchQueue('connections', () => database.standing);
    metrics.watchQueue('locked_documents', () => transactions.standing);
    metrics.watchQueue('exports', () => downloads.standing);
    this.tellConnections(metrics);
    this.tellDatabase();
    figures.measure(REPLICA_AWAY, async () => ({ away: replica?.isAway ? 1 : 0 }));
    this.tellJobs(jobs);
  }

  private tellConnections({ registry }: Metrics): void {
    const gauge = new Gauge({
      name: 'database_connections',
      help: 'Connections of the pool of this process: used, idle, and the most that there may be.',
      labelNames: ['state'],
      registers: [registry],
      collect: () => {
        for (const [state, count] of Object.entries(this.database.connections)) {
          gauge.set({ state }, count);
        }
      },
    });
  }

  private tellDatabase(): void {
    const { database, figures } = this;
    figures.measure(
      { name: 'database_size_bytes', help: 'Size of the database, with its indexes.' },
      async () => {
        const text = 'SELECT pg_database_size(current_database())::float8 AS bytes';
        const [row] = await database.query<{ bytes: number }>(text);
        return { bytes: row?.bytes ?? 0 };
      },
    );
    figures.measure(
      {
        name: 'database_rows',
        help: 'Rows as PostgreSQL estimates them: live, and dead ones that vacuum has yet to take.',
        label: 'state',
      },
      async () => {
        const [row] = await database.query<{ live: number; dead: number }>(ROWS);
        return { live: row?.live ?? 0, dead: row?.dead ?? 0 };
      },
    );
    figures.measureTogether([LOCK_WAITS, LOCK_WAIT_SECONDS], async (now) => {
      const [row] = await database.query<WaitingThings>(LOCKS);
      return {
        [LOCK_WAITS.name]: { count: row?.count ?? 0 },
        [LOCK_WAIT_SECONDS.name]: { seconds: secondsSince(row?.oldest, now) },
      };
    });
  }

  private tellJobs(jobs: Jobs): void {
    this.figures.measure(
      {
        name: 'job_last_round_failed',
        help: '1: the last round of this work has failed in a process, by the words of the log for it.',
        label: 'work',
        signs: [
          {
            state: 'failed',
            says: 'Rounds of work that failed the last time',
            next: 'the log has the error; docs/runbook.md#jobs-failing',
          },
        ],
      },
      async () =>
        Object.fromEntries([...jobs.hasFailed].map(([job, failed]) => [job, failed ? 1 : 0])),
    );
  }
}
