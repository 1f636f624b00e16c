import type pg from 'pg';
import { CommonRefusal } from '../../../kernel/common-refusals.js';
import type { DomainError } from '../../../kernel/domain-error.js';
import { FairQueue, type QueueStanding } from '../../fair-queue.js';
import { tracing } from '../../tracing/tracing.js';
import { hasStalePlan, translateDatabaseError } from '../database-error.js';
import { clientKindOf } from './server-client.js';

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

/** Takes a connection for statements of which the first has these values. */
export type Lessor = (values: readonly unknown[]) => Promise<Lease>;

/** The connections of a pool, which accounts share. */
export class Connections {
  private readonly places: FairQueue;

  constructor(private readonly pool: pg.Pool) {
    const { max } = pool.options;
    this.places = new FairQueue({
      places: max,
      waiting: max * WAITING_FOR_EACH_CONNECTION,
      waitMs: WAIT_MS,
      refusal: databaseBusy,
    });
  }

  /**
   * While others wait, a free one goes to the account that has the fewest.
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
    return during(await this.lease(values), work);
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
}

/** Gives the lease back when the work has ended. */
export async function during<Result>(
  { client, giveBack }: Lease,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
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
