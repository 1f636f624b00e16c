import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { Connections, during, type Lease, type Lessor } from './servers/connections.js';
import { throwTranslated } from './database-error.js';
import { send } from './named-query.js';
import { LOG_POSITION, type LogPosition, Replica } from './servers/replica.js';
import { toQuery, toUnnamedQuery } from './sql-statement.js';
import type { Tx } from './tx.js';

/** The connection pool that TypeORM owns, for plain SQL through the same connections. */
@Injectable()
export class Database extends Connections {
  constructor(
    dataSource: DataSource,
    @Inject(Replica) private readonly replica: Replica | null = null,
  ) {
    super((dataSource.driver as unknown as { master: pg.Pool }).master);
  }

  get hasReplica(): boolean {
    return this.replica !== null;
  }

  /** One statement outside any transaction: views, never money decisions. */
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
   * The same for a statement that is planned for exactly these values, so that a filter that is null
   * costs nothing. The plan is not kept.
   */
  async queryOnce<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.rowsOf<Row>(toUnnamedQuery({ text, values }));
  }

  /**
   * A list or a report: on the replica where that has all that there is. It is planned for exactly
   * these values.
   */
  async list<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.listed<Row>(toUnnamedQuery({ text, values }));
  }

  /** The same for one that is read so often that its plan is kept. */
  async usualList<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.listed<Row>(toQuery({ text, values }));
  }

  /** How many rows a list's statement gives. PostgreSQL drops the columns that nobody reads then. */
  async countRows(text: string, values: unknown[]): Promise<number> {
    const [row] = await this.list<{ found: number }>(
      `SELECT count(*)::integer AS found FROM (${text}) listed`,
      values,
    );
    return row?.found ?? 0;
  }

  /**
   * Work that only reads, and decides nothing: on the replica where that has all that there is.
   * It is done again here if the replica fails.
   */
  async reading<Result>(work: (lessor: Lessor) => Promise<Result>): Promise<Result> {
    const here: Lessor = async (values) => this.lease(values);
    const { replica } = this;
    if (!replica) return work(here);
    return replica.reading(work, here, async () => this.position());
  }

  private async position(): Promise<LogPosition> {
    const [row] = await this.query<LogPosition>(LOG_POSITION);
    return row!;
  }

  private async listed<Row>(query: pg.QueryConfig): Promise<Row[]> {
    if (!this.replica) return this.rowsOf<Row>(query);
    return this.reading(async (lessor) =>
      rowsOn<Row>(await lessor(query.values ?? []), query),
    ).catch(throwTranslated);
  }

  private async rowsOf<Row>(query: pg.QueryConfig): Promise<Row[]> {
    return this.lease(query.values)
      .then((lease) => rowsOn<Row>(lease, query))
      .catch(throwTranslated);
  }
}

async function rowsOn<Row>(lease: Lease, query: pg.QueryConfig): Promise<Row[]> {
  return (await during(lease, async (client) => send(client, query))).rows as Row[];
}
