import type pg from 'pg';
import type { Clock } from '../../kernel/clock.js';
import type { IdGenerator, Uuid } from '../../kernel/ids.js';
import type { FairQueue } from '../fair-queue.js';
import { tracing } from '../tracing/tracing.js';
import type { Database } from './database.js';
import type { Lease } from './servers/connections.js';
import { send } from './named-query.js';
import {
  asOneStatement,
  ROLLBACK,
  type SqlStatement,
  toQuery,
  toStatement,
} from './sql-statement.js';
import { type CommitGuard, type Lookup, MustBeAlone, Tx } from './tx.js';

/** The parts of the service that a transaction stands on. */
export interface TxMeans {
  database: Database;
  /** Requests that wait for a locked row must not keep the connections of all others. */
  turns: FairQueue;
  clock: Clock;
  ids: IdGenerator;
}

export interface LoneTxOptions {
  guard?: CommitGuard<never> | undefined;
  isPatient?: boolean;
  lease?: Promise<Lease> | undefined;
}

/**
 * A transaction of its own. Writes leave together with COMMIT in one network flush, and BEGIN with
 * the first read: two round trips for a whole payment.
 */
export class LoneTx extends Tx {
  private begun = false;
  /** COMMIT was sent: only its answer tells whether it was carried out. */
  isCommitting = false;
  private isCommitUnderWay = false;
  private readonly turnsHeld: string[] = [];
  /** The error that ended the transaction: later statements only hear that it is over. */
  private failure: unknown;

  private readonly guard: CommitGuard<never> | undefined;
  /** Whether it waits for rows that others hold; else `MustBeAlone`. */
  private readonly isPatient: boolean;
  /** Taken for the first statement, unless another transaction hands its own on. */
  private lease: Promise<Lease> | undefined;

  constructor(
    private readonly means: TxMeans,
    { guard, isPatient = true, lease }: LoneTxOptions = {},
  ) {
    super();
    [this.guard, this.isPatient, this.lease] = [guard, isPatient, lease];
  }

  now(): Date {
    return this.means.clock.now();
  }

  newId(): Uuid {
    return this.means.ids.next();
  }

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

  async load<Row>({ text, withoutWaiting, values, locks }: Lookup): Promise<Row[]> {
    if (this.isPatient || withoutWaiting === undefined) return this.read(text, values, locks);
    const rows = await this.read<Row>(withoutWaiting, values);
    if (rows.length === 0) throw new MustBeAlone();
    return rows;
  }

  handedOn<Thing>(_key: string, loaded: () => Thing): Thing {
    return loaded();
  }

  async flush(): Promise<void> {
    const queued = this.writes.splice(0);
    if (queued.length === 0) return;
    const statements = asOneStatement(queued.map(toStatement));
    const client = await this.connection(statements[0]?.values);
    const [begin, writes] = together(client, () => [
      this.begun ? [] : [this.begin(client)],
      statements.map((one) => this.send(client, one)),
    ]);
    await allOf([...begin, ...writes]);
  }

  /**
   * @internal
   * @param also statements of their own, in their order
   * @param onSent once COMMIT is on its way: the connection can be handed on from then
   */
  async commit(also: readonly SqlStatement[] = [], onSent?: () => void): Promise<void> {
    if (!this.begun && this.guard) await this.read('SELECT 1');
    const statements = [...asOneStatement(this.writes.map(toStatement)), ...also];
    if (!this.begun && statements.length === 0) return;
    const client = await this.connection(statements[0]?.values);
    this.isCommitting = true;
    const [begin, writes, commit] = together(client, () => [
      this.begun ? [] : [this.begin(client)],
      statements.map((one) => this.send(client, one)),
      this.send(client, 'COMMIT'),
    ]);
    this.isCommitUnderWay = true;
    onSent?.();
    try {
      await allOf([...begin, ...writes, commit]);
    } finally {
      this.isCommitUnderWay = false;
    }
    // A failed write would have made it *fulfil* as ROLLBACK.
    const { command } = await commit;
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
    this.begun = false;
    for (const note of this.noted) note();
  }

  /** @internal Whether somebody can be sent behind COMMIT now, on the same connection. */
  get canHandOn(): boolean {
    return this.isCommitUnderWay && this.lease !== undefined;
  }

  /** @internal The connection, for whoever gives it back instead. */
  handOn(): Promise<Lease> | undefined {
    const { lease } = this;
    this.lease = undefined;
    return lease;
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
      for (const row of this.turnsHeld) this.means.turns.leave(row);
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
      const turn = this.means.turns.enter(row);
      if (turn) await turn;
      this.turnsHeld.push(row);
    }
    return this.means.database.lease(values);
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
      if (typeof statement === 'string') {
        return await tracing.statement(statement, async () => client.query(statement));
      }
      return await send(client, toQuery(statement));
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
