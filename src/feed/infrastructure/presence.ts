import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import { translateDatabaseError } from '../../platform/database/database-error.js';
import { Database } from '../../platform/database/database.js';

/**
 * A lock by which the others see that this process lives. PostgreSQL frees it with the connection
 * that holds it: at once where the process is killed.
 */
@Injectable()
export class Presence implements OnApplicationShutdown {
  readonly process: Uuid = randomUUID();
  private shown: Promise<pg.Client> | undefined;

  constructor(private readonly database: Database) {}

  /** From now on it is seen, until its connection breaks or the process ends. */
  async show(): Promise<void> {
    this.shown ??= this.begin();
    await this.shown;
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.shown)?.end();
  }

  private async begin(): Promise<pg.Client> {
    let client: pg.Client | undefined;
    try {
      client = await this.database.connect('quittance deliveries');
      client.on('end', () => (this.shown = undefined));
      await client.query(`SELECT pg_advisory_lock(${keyOf('$1')})`, [this.process]);
      return client;
    } catch (error) {
      this.shown = undefined;
      await client?.end();
      throw translateDatabaseError(error);
    }
  }
}

/** SQL: whether the process that a column names is seen no more. */
export const isUnseen = (column: string): string =>
  `pg_try_advisory_xact_lock_shared(${keyOf(column)})`;

const keyOf = (process: string): string => `hashtextextended('deliveries ' || ${process}::text, 0)`;
