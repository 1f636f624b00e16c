import { Injectable } from '@nestjs/common';
import { tracing } from '../tracing/tracing.js';
import { Database, type Lease } from './database.js';
import { translateDatabaseError } from './database-error.js';
import { ROLLBACK, toUnnamedQuery } from './sql-statement.js';

/** A statement inside the snapshot, planned for exactly its values. */
export type SnapshotRead = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/**
 * Several reads that see one state of the database, so that their figures agree, whatever is booked
 * meanwhile. They lock nothing, and no writer waits for them.
 */
@Injectable()
export class Snapshots {
  constructor(private readonly database: Database) {}

  async run<Result>(work: (read: SnapshotRead) => Promise<Result>): Promise<Result> {
    const snapshot = this.begin();
    try {
      return await work(snapshot.read);
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      await snapshot.end();
    }
  }

  /**
   * The same page by page, for as long as somebody takes them. It holds a connection of the pool
   * meanwhile, and the database ends it when nothing is asked of it for half a minute.
   * @param next up to `count` lines behind the last one
   */
  async *pages<Line>(
    count: number,
    next: (read: SnapshotRead, last: Line | null) => Promise<Line[]>,
  ): AsyncGenerator<Line[], void> {
    const snapshot = this.begin();
    try {
      for (let last: Line | null = null; ;) {
        const lines: Line[] = await next(snapshot.read, last);
        yield lines;
        if (lines.length < count) return;
        last = lines.at(-1) ?? null;
      }
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      await snapshot.end();
    }
  }

  /** The connection is taken for the first read. */
  private begin(): { read: SnapshotRead; end(): Promise<void> } {
    let lease: Promise<Lease> | undefined;
    return {
      read: async <Row>(text: string, values: unknown[] = []) => {
        const { client } = await (lease ??= this.open(values));
        const query = toUnnamedQuery({ text, values });
        return (await tracing.statement(text, async () => client.query(query))).rows as Row[];
      },
      end: async () => {
        const opened = await lease?.catch(() => undefined);
        // A connection that cannot be rolled back is thrown away.
        await opened?.client.query(ROLLBACK).catch(() => undefined);
        opened?.giveBack();
      },
    };
  }

  private async open(values: unknown[]): Promise<Lease> {
    const lease = await this.database.lease(values);
    // Its failure is also that of the first read.
    lease.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY').catch(() => undefined);
    return lease;
  }
}
