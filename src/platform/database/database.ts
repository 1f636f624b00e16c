import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import { FairQueue, type QueueStanding } from '../fair-queue.js';
import { tracing } from '../tracing/tracing.js';
import { hasStalePlan, translateDatabaseError } from './database-error.js';
import { send } from './named-query.js';
import { clientKindOf } from './servers/server-client.js';
import { toQuery, toUnnamedQuery } from './sql-statement.js';
import type { Tx } from './tx.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';

/** Long enough for a burst to be worked off. */
const WAIT_MS = 15_000;
const WAITING_FOR_EACH_CONNECTION = 100;
/** Work for no account: jobs, and providers before it is known whom they mean. */
const NOBODY = '';

/** A connection of one's own, until it is given back. */
export interface Lease {
  client: pg.PoolClient;
  /**
   * It is thrown away where it broke, is in a transaction, or may still get an answer that was given up.
   * @param error what its last statement failed with
   */
  giveBack(error?: unknown): void;
}

/** The connection pool that TypeORM owns, for plain SQL through the same connections. */
@Injectable()
export class Database {
  private readonly pool: pg.Pool;
  private readonly places: FairQueue;

  constructor(dataSource: DataSource) {
    this.pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
    const { max } = this.pool.options;
    this.places = new FairQueue({
      places: max,
      waiting: max * WAITING_FOR_EACH_CONNECTION,
      waitMs: WAIT_MS,
      refusal: databaseBusy,
    });
  }

  /**
   * Accounts share the connections: while others wait, a free one goes to whoever has the fewest.
   * @param values of the first statement; in ours the account comes first
   */
  async lease(values: readonly unknown[] = []): Promise<Lease> {
    const owner = typeof values[0] === 'string' ? values[0] : NOBODY;
    const turn = this.places.enter(owner);
    if (turn) await tracing.span('wait for a connection', {}, async () => turn);
    try {
      const client = await this.pool.connect();
      const giveBack = (error?: unknown) => {
        client.release(!isClean(client) || hasStalePlan(error));
        this.places.leave(owner);
      };
      return { client, giveBack };
    } catch (error) {
      this.places.leave(owner);
      throw translateDatabaseError(error);
    }
  }

  /** Runs `work` on one connection. */
  async using<Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
    values?: readonly unknown[],
  ): Promise<Result> {
    const { client, giveBack } = await this.lease(values);
    let failure: unknown;
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      giveBack(failure);
    }
  }

  /** A connection beside the pool, for a lock that lasts. The caller ends it. */
  async connect(name: string): Promise<pg.Client> {
    const { options } = this.pool;
    const client = new (clientKindOf(options))({ ...options, application_name: name });
    await client.connect();
    return client;
  }

  /** Those who want a connection. */
  get standing(): QueueStanding {
    return this.places.standing;
  }

  get connections(): { most: number; used: number; idle: number } {
    const { idleCount: idle, totalCount, options } = this.pool;
    return { most: options.max, used: totalCount - idle, idle };
  }

  get isWaitedFor(): boolean {
    return this.places.waitingCount > 0;
  }

  /** One more while at least half of the pool is free: nobody else waits because of it. */
  async leaseBeside(): Promise<Lease | null> {
    const { idleCount, totalCount, waitingCount, options } = this.pool;
    const waiting = waitingCount + this.places.waitingCount;
    const free = options.max - totalCount + idleCount - waiting;
    return free * 2 >= options.max ? this.lease() : null;
  }

  /** One statement outside any transaction: lists and views, never money decisions. */
  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.rowsOf<Row>(toQuery({ text, values }));
  }

  /**
   * The same where there may be a transaction: a second connection may be held by those who wait for
   * its locks.
   */
  async queryIn<Row>(tx: Tx | null, text: string, values: unknown[] = []): Promise<Row[]> {
    return tx ? tx.read<Row>(text, values) : this.query<Row>(text, values);
  }

  /**
   * The same for a list that is sorted and filtered in many ways. It is planned for exactly these
   * values, so that a filter that is null costs nothing, and the plan is not kept.
   */
  async queryOnce<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.rowsOf<Row>(toUnnamedQuery({ text, values }));
  }

  /** How many rows a list's statement gives. PostgreSQL drops the columns that nobody reads then. */
  async countRows(text: string, values: unknown[]): Promise<number> {
    const [row] = await this.queryOnce<{ found: number }>(
      `SELECT count(*)::integer AS found FROM (${text}) listed`,
      values,
    );
    return row?.found ?? 0;
  }

  private async rowsOf<Row>(query: pg.QueryConfig): Promise<Row[]> {
    try {
      const answer = await this.using(async (client) => send(client, query), query.values);
      return answer.rows as Row[];
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }
}

/** A statement that was given up has ended its socket, so that its late answer is nobody's. */
function isClean(client: pg.PoolClient): boolean {
  return !client.connection.stream.destroyed && client.getTransactionStatus() === 'I';
}

export function databaseBusy(): DomainError {
  return CommonRefusal.database_busy.later(
    1,
    'Too many requests wait for the database; send the same request again in a moment.',
  );
}
