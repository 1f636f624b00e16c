import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import { translateDatabaseError } from '../../platform/database/database-error.js';
import { beginHeld } from '../../platform/database/held-transaction.js';
import { Database } from '../../platform/database/database.js';

/**
 * A lock by which the others see that this process lives. PostgreSQL frees it with the transaction
 * that holds it: at once where the process is killed.
 */
@Injectable()
export class Presence implements OnApplicationShutdown {
  readonly process: Uuid = randomUUID();
  private shown: Promise<pg.Client> | undefined;

  constructor(private readonly database: Database) {}

  /** From now on it is seen, until its connection breaks or the process ends. */
  async show(): Promise<void> {
    this.shown ??= this.begin().catch((error: unknown) => {
      this.shown = undefined;
      throw translateDatabaseError(error);
    });
    await this.shown;
  }

  async onApplicationShutdown(): Promise<void> {
    const client = await this.shown?.catch(() => undefined);
    await client?.end();
  }

  private async begin(): Promise<pg.Client> {
    const client = await this.database.connect('quittance deliveries');
    try {
      await beginHeld(client);
      await client.query(`SELECT pg_advisory_xact_lock(${keyOf('$1')})`, [this.process]);
    } catch (error) {
      await client.end();
      throw error;
    }
    // Only now: the end of one that got no lock says nothing of the next one.
    client.on('end', () => (this.shown = undefined));
    return client;
  }
}

/** SQL: whether the process that a column names is seen no more. */
export const isUnseen = (column: string): string =>
  `pg_try_advisory_xact_lock_shared(${keyOf(column)})`;

const keyOf = (process: string): string => `hashtextextended('deliveries ' || ${process}::text, 0)`;
