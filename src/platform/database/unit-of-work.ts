import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Config } from '../config/config.js';
import { FairQueue } from '../fair-queue.js';
import { Database, type Lease } from './database.js';
import { documentBusy, isRetryable, translateDatabaseError } from './database-error.js';
import { DatabaseProbe } from './database-probe.js';
import {
  asOneStatement,
  insertInto,
  insertLists,
  ROLLBACK,
  type SqlStatement,
  toQuery,
  updateOf,
} from './sql-statement.js';

/**
 * One transaction, as two verbs. `read` is awaited. `write` is queued and leaves together with
 * COMMIT in one network flush. BEGIN leaves together with the first read: two round trips for a
 * whole payment.
 */
export class Tx {
  private begun = false;
  /** Taken for the first statement. */
  private lease?: Promise<Lease>;
  private readonly turnsHeld: string[] = [];
  private readonly writes: SqlStatement[] = [];
  /** The error that ended the transaction: later statements only hear that it is over. */
  private failure: unknown;

  constructor(
    private readonly database: Database,
    private readonly turns: FairQueue,
    private readonly guard?: CommitGuard<never>,
  ) {}

  /**
   * Runs now, in order with other reads; rows with bigint as `bigint` and date as `YYYY-MM-DD`.
   * @param locked ids of rows whose lock it takes. If it is the first read, only a few wait for one
   *   row with a connection, and the others without.
   */
  async read<Row>(
    text: string,
    values: unknown[] = [],
    locked: readonly string[] = [],
  ): Promise<Row[]> {
    const client = await this.connection(values, locked);
    if (this.begun) return (await this.send(client, { text, values })).rows as Row[];
    const [begin, rows, check] = together(client, () => [
      this.begin(client),
      this.send(client, { text, values }),
      // After the first read, which takes the lock: what is seen then cannot change any more.
      this.guard && this.send(client, this.guard.lookup),
    ]);
    await allOf([begin, rows, check]);
    if (this.guard && check) this.guard.onFound((await check).rows[0]);
    return (await rows).rows as Row[];
  }

  /**
   * Queued until the work returns. Later reads do not see what it changes, nor do the other writes,
   * so no two of them may change the same row.
   */
  write(text: string, values: unknown[] = []): void {
    this.writes.push({ text, values });
  }

  /** A queued write of one row or more, each with the same columns. */
  insert(table: string, ...rows: Record<string, unknown>[]): void {
    this.writes.push(insertInto(table, rows));
  }

  /** A queued write of many rows, whose columns are lists: `amount: ['bigint', amounts]`. */
  insertLists(...of: Parameters<typeof insertLists>): void {
    this.writes.push(insertLists(...of));
  }

  /** A queued write of one row, which is locked, or nobody else's. */
  update(table: string, key: Record<string, unknown>, changes: Record<string, unknown>): void {
    this.writes.push(updateOf(table, key, changes));
  }

  /**
   * Sends what is queued now, for a second step that has to see it. It costs a round trip, and the
   * second step may change the same rows again.
   */
  async flush(): Promise<void> {
    const queued = this.writes.splice(0);
    if (queued.length === 0) return;
    const client = await this.connection(queued[0]?.values);
    const [begin, writes] = together(client, () => [
      this.begun ? [] : [this.begin(client)],
      asOneStatement(queued).map((one) => this.send(client, one)),
    ]);
    await allOf([...begin, ...writes]);
  }

  /** @internal */
  async commit(): Promise<void> {
    if (!this.begun && this.guard) await this.read('SELECT 1');
    if (!this.begun && this.writes.length === 0) return;
    const client = await this.connection(this.writes[0]?.values);
    const [begin, writes, commit] = together(client, () => [
      this.begun ? [] : [this.begin(client)],
      asOneStatement(this.writes).map((one) => this.send(client, one)),
      this.send(client, 'COMMIT'),
    ]);
    await allOf([...begin, ...writes, commit]);
    // A failed write would have made it *fulfil* as ROLLBACK.
    const { command } = await commit;
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
    this.begun = false;
  }

  /** @internal Rolls back what was begun and not committed. */
  async end(): Promise<void> {
    const lease = await this.lease?.catch(() => undefined);
    try {
      if (this.begun) await lease?.client.query(ROLLBACK);
    } catch {
      // The connection is not clean, and is thrown away.
    } finally {
      lease?.giveBack(this.failure);
      for (const row of this.turnsHeld) this.turns.leave(row);
    }
  }

  private async connection(
    values?: readonly unknown[],
    locked: readonly string[] = [],
  ): Promise<pg.PoolClient> {
    this.lease ??= this.open(values, locked);
    return (await this.lease).client;
  }

  /** Turns in ascending order, as the locks are, so that no two wait for each other. */
  private async open(
    values: readonly unknown[] | undefined,
    locked: readonly string[],
  ): Promise<Lease> {
    for (const row of new Set(locked.toSorted())) {
      const turn = this.turns.enter(row);
      if (turn) await turn;
      this.turnsHeld.push(row);
    }
    return this.database.lease(values);
  }

  private begin(client: pg.PoolClient): Promise<unknown> {
    this.begun = true;
    return this.send(client, 'BEGIN');
  }

  private async send(
    client: pg.PoolClient,
    statement: SqlStatement | 'BEGIN' | 'COMMIT',
  ): Promise<pg.QueryResult> {
    try {
      return await client.query(typeof statement === 'string' ? statement : toQuery(statement));
    } catch (error) {
      throw (this.failure ??= error);
    }
  }
}

/** Messages of that moment leave in one packet: each would wake the server by itself. */
function together<Sent extends unknown[]>(client: pg.PoolClient, send: () => [...Sent]): [...Sent] {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** All of them, or the error of the first that failed, once none is under way. */
async function allOf(sent: readonly unknown[]): Promise<void> {
  for (const one of await Promise.allSettled(sent)) {
    if (one.status === 'rejected') throw one.reason;
  }
}

/**
 * Something that must be looked up once the first lock is held and recorded in the same commit:
 * the idempotency key of a request.
 */
export interface CommitGuard<Result> {
  lookup: SqlStatement;
  /** Gets the row found, if any; throws to stop the transaction. */
  onFound(row: Record<string, unknown> | undefined): void;
  /** Absent where only the look-up is wanted. */
  record?(result: Result): SqlStatement;
  /** Which request it is, for work that needs more than one transaction. */
  request?(): RequestIdentity;
}

/** A repeat of a request has the same scope; the same scope with another body is a mistake. */
export interface RequestIdentity {
  scope: Buffer;
  sha256: Buffer;
}

const MAX_ATTEMPTS = 4;

/** Enough that the next has asked for the lock when one gives it up. */
const MOST_FOR_ONE_ROW = 3;
const WAITING_FOR_ROWS = 500;

@Injectable()
export class UnitOfWork {
  /** Requests that wait for a locked row must not keep the connections of all others. */
  private readonly turns: FairQueue;

  constructor(
    private readonly database: Database,
    private readonly probe: DatabaseProbe,
    { databasePoolSize, lockTimeoutMs }: Config,
  ) {
    this.turns = new FairQueue({
      places: Infinity,
      each: Math.max(1, Math.min(MOST_FOR_ONE_ROW, Math.floor(databasePoolSize / 4))),
      waiting: WAITING_FOR_ROWS,
      waitMs: lockTimeoutMs,
      refusal: documentBusy,
    });
  }

  /**
   * Runs `work` in one transaction: load for update, decide, write once. Serialization failures,
   * deadlocks and lost races on a unique key that `work` can now see are run again.
   * @throws DomainError `document_busy` after a lock timeout, `database_unavailable` when the
   *   connection breaks; a broken COMMIT is settled by repeating with the same Idempotency-Key
   */
  async run<Result>(
    work: (tx: Tx) => Promise<Result>,
    guard?: CommitGuard<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await this.attempt(work, guard);
        this.probe.noteWrite();
        return result;
      } catch (error) {
        this.probe.noteFailure(error);
        if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw translateDatabaseError(error);
      }
    }
  }

  private async attempt<Result>(
    work: (tx: Tx) => Promise<Result>,
    guard?: CommitGuard<Result>,
  ): Promise<Result> {
    const tx = new Tx(this.database, this.turns, guard as CommitGuard<never> | undefined);
    try {
      const result = await work(tx);
      if (guard?.record) {
        const { text, values } = guard.record(result);
        tx.write(text, values);
      }
      await tx.commit();
      return result;
    } finally {
      await tx.end();
    }
  }
}
