import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Database } from './database.js';
import { translateDatabaseError } from './database-error.js';
import { toUnnamedQuery } from './statement.js';

/** A statement inside the snapshot, planned for exactly its values. */
export type Read = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/**
 * Several reads that see one state of the database, so that their figures agree, whatever is booked
 * meanwhile. They lock nothing, and no writer waits for them.
 */
@Injectable()
export class Snapshots {
  constructor(private readonly database: Database) {}

  async run<Result>(work: (read: Read) => Promise<Result>): Promise<Result> {
    const snapshot = await this.begin();
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
    next: (read: Read, last: Line | null) => Promise<Line[]>,
  ): AsyncGenerator<Line[], void> {
    const snapshot = await this.begin();
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

  private async begin(): Promise<{ read: Read; end(): Promise<void> }> {
    const client = await this.database.connect();
    const begun = client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    // Its failure is also that of the first read.
    begun.catch(() => undefined);
    return {
      async read<Row>(text: string, values: unknown[] = []) {
        return (await client.query(toUnnamedQuery({ text, values }))).rows as Row[];
      },
      end: async () => endOf(client),
    };
  }
}

async function endOf(client: pg.PoolClient): Promise<void> {
  const broken = await client.query('ROLLBACK').then(
    () => undefined,
    (error: Error) => error,
  );
  client.release(broken);
}
