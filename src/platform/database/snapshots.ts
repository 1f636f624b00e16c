import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { throwTranslated, translateDatabaseError } from './database-error.js';
import { send } from './named-query.js';
import type { Lease, Lessor } from './servers/connections.js';
import { ROLLBACK, toQuery, toUnnamedQuery } from './sql-statement.js';

/** A statement inside the snapshot. */
export type SnapshotRead = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

interface Snapshot {
  read: SnapshotRead;
  end(): Promise<void>;
}

/**
 * Several reads that see one state of the database, so that their figures agree, whatever is booked
 * meanwhile. They lock nothing, and no writer waits for them.
 */
@Injectable()
export class Snapshots {
  constructor(private readonly database: Database) {}

  /**
   * A report, planned for exactly its values: on the replica where that has all that there is. Its work
   * may be done twice.
   */
  async run<Result>(work: (read: SnapshotRead) => Promise<Result>): Promise<Result> {
    return this.database
      .reading(async (lessor) => this.within(lessor, work))
      .catch(throwTranslated);
  }

  /**
   * The same for what is decided by, again and again: never on the replica, and planned once for each
   * connection.
   */
  async runToDecide<Result>(work: (read: SnapshotRead) => Promise<Result>): Promise<Result> {
    const lessor: Lessor = async (values) => this.database.lease(values);
    return this.within(lessor, work, toQuery).catch(throwTranslated);
  }

  /**
   * A report page by page, for as long as somebody takes them. It holds a connection of the pool
   * meanwhile, and the database ends it when nothing is asked of it for half a minute.
   * @param next up to `count` lines behind the last one
   */
  async *pages<Line>(
    count: number,
    next: (read: SnapshotRead, last: Line | null) => Promise<Line[]>,
  ): AsyncGenerator<Line[], void> {
    let snapshot: Snapshot | undefined;
    try {
      let lines = await this.database.reading(async (lessor) => {
        await snapshot?.end();
        snapshot = begin(lessor);
        return next(snapshot.read, null);
      });
      for (;;) {
        yield lines;
        if (!snapshot || lines.length < count) return;
        lines = await next(snapshot.read, lines.at(-1) ?? null);
      }
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      await snapshot?.end();
    }
  }

  private async within<Result>(
    lessor: Lessor,
    work: (read: SnapshotRead) => Promise<Result>,
    asQuery = toUnnamedQuery,
  ): Promise<Result> {
    const snapshot = begin(lessor, asQuery);
    try {
      return await work(snapshot.read);
    } finally {
      await snapshot.end();
    }
  }
}

/** The connection is taken for the first read. */
function begin(lessor: Lessor, asQuery = toUnnamedQuery): Snapshot {
  let lease: Promise<Lease> | undefined;
  return {
    read: async <Row>(text: string, values: unknown[] = []) => {
      const { client } = await (lease ??= open(lessor, values));
      return (await send(client, asQuery({ text, values }))).rows as Row[];
    },
    end: async () => {
      const opened = await lease?.catch(() => undefined);
      // A connection that cannot be rolled back is thrown away.
      await opened?.client.query(ROLLBACK).catch(() => undefined);
      opened?.giveBack();
    },
  };
}

async function open(lessor: Lessor, values: unknown[]): Promise<Lease> {
  const lease = await lessor(values);
  // Its failure is also that of the first read.
  lease.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY').catch(() => undefined);
  return lease;
}
