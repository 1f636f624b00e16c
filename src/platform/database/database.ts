import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { translateDatabaseError } from './database-error.js';
import { toQuery, toUnnamedQuery } from './statement.js';

/** The connection pool that TypeORM owns, for plain SQL through the same connections. */
@Injectable()
export class Database {
  private readonly pool: pg.Pool;

  constructor(dataSource: DataSource) {
    this.pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
  }

  /** A connection of one's own; give it back with `release`. */
  async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.pool.connect();
      // A connection that breaks also fails its queries; without a listener it would end us too.
      if (client.listenerCount('error') === 0) client.on('error', () => undefined);
      return client;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** One more while at least half of the pool is free: nobody else waits because of it. */
  async connectBeside(): Promise<pg.PoolClient | null> {
    const { idleCount, totalCount, waitingCount, options } = this.pool;
    const free = options.max - totalCount + idleCount - waitingCount;
    return free * 2 >= options.max ? this.connect() : null;
  }

  /** One statement outside any transaction: lists and views, never money decisions. */
  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.rowsOf<Row>(toQuery({ text, values }));
  }

  /**
   * The same for a list that is sorted and filtered in many ways: planned for exactly these values,
   * so that a filter that is null costs nothing, and not kept.
   */
  async queryOnce<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.rowsOf<Row>(toUnnamedQuery({ text, values }));
  }

  private async rowsOf<Row>(query: pg.QueryConfig): Promise<Row[]> {
    try {
      return (await this.pool.query(query)).rows as Row[];
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }
}
