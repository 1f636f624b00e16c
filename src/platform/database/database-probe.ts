import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { CommonRefusal } from '../../kernel/common-refusals.js';
import { clientFor } from './servers/server-client.js';
import { type DatabaseFault, faultOf } from './database-error.js';

const WITHIN_MS = 3000;
/** Settings of a database or a role are only seen by a new session. */
const SESSION_MS = 10_000;
/** A disk is full, or broken, until a write has shown otherwise; so one is tried after that. */
const REMEMBERED_MS = 10_000;

const STATE = `SELECT current_setting('transaction_read_only') = 'on' AS "readOnly",
  has_table_privilege('payments', 'INSERT') AS "mayInsert",
  has_table_privilege('payments', 'SELECT') AS "maySelect"`;

interface Answer {
  readOnly: boolean;
  mayInsert: boolean;
  maySelect: boolean;
}

/**
 * Tells whether the database does its work, writes included. It asks over a connection of its own,
 * so that the answer does not wait for the pool. It also learns from the writes of requests.
 */
@Injectable()
export class DatabaseProbe implements OnApplicationShutdown {
  private session?: { client: pg.Client; openedAt: number };
  private asking?: Promise<DatabaseFault | undefined>;
  private failure?: { fault: DatabaseFault; at: number };

  /** @param onlyReads then it need not take changes */
  constructor(
    private readonly url: string,
    private readonly onlyReads = false,
  ) {}

  noteWrite(): void {
    this.failure = undefined;
  }

  /** A fault that only writes meet is remembered; the rest is seen when it is asked for. */
  noteFailure(error: unknown): void {
    const fault = faultOf(error);
    if (!fault || fault === 'unreachable' || fault === 'read_only') return;
    this.failure = { fault, at: performance.now() };
  }

  /** Callers that ask meanwhile get the same answer. @throws DomainError with the `reason` */
  async check(): Promise<void> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    const fault = (await this.asking) ?? this.rememberedFault();
    if (!fault) return;
    const { database_read_only: readOnly, database_unavailable: other } = CommonRefusal;
    throw (fault === 'read_only' ? readOnly : other).of(
      `The database does not take changes now (${fault}); ask again.`,
      { retry_after: 2, reason: fault },
    );
  }

  onApplicationShutdown(): void {
    this.close();
  }

  private async ask(): Promise<DatabaseFault | undefined> {
    try {
      const client = await this.open();
      const { rows } = await client.query<Answer>(STATE);
      if (this.onlyReads) return rows[0]?.maySelect ? undefined : 'no_privilege';
      if (rows[0]?.readOnly) return 'read_only';
      return rows[0]?.mayInsert ? undefined : 'no_privilege';
    } catch (error) {
      this.close();
      return faultOf(error) ?? 'unreachable';
    }
  }

  private async open(): Promise<pg.Client> {
    const now = performance.now();
    if (this.session && now - this.session.openedAt < SESSION_MS) return this.session.client;
    this.close();
    const client = clientFor(this.url, {
      application_name: 'quittance readiness',
      connectionTimeoutMillis: WITHIN_MS,
      statement_timeout: WITHIN_MS,
      query_timeout: WITHIN_MS,
      keepAlive: true,
    });
    this.session = { client, openedAt: now };
    await client.connect();
    return client;
  }

  /** Without a farewell, which could be waited for. */
  private close(): void {
    this.session?.client.connection.stream.destroy();
    this.session = undefined;
  }

  private rememberedFault(): DatabaseFault | undefined {
    const { failure } = this;
    return failure && performance.now() - failure.at < REMEMBERED_MS ? failure.fault : undefined;
  }
}
