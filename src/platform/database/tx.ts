import type { Uuid } from '../../kernel/ids.js';
import {
  insertLists,
  rowOf,
  type RowShape,
  type RowUpdate,
  rowsInto,
  type SqlStatement,
  type Write,
} from './sql-statement.js';

/**
 * A question by key, with which work begins: a group of transactions asks for all of its members
 * with one statement.
 */
export interface Lookup extends SqlStatement {
  /** PostgreSQL's types of the values, of which columns can be lists. */
  types: readonly string[];
  /**
   * The same, but a row that somebody else holds is left out instead of waited for. Then no row
   * means that the member has to wait by itself.
   */
  withoutWaiting?: string;
  /**
   * No two members of a group may have it: what the one writes would change what the other found.
   * Null: nothing that members write does, or what they load is handed on (`Tx.handedOn`).
   */
  claims: string | null;
  /** Ids of rows that it locks: only a few wait for one row with a connection, others without. */
  locks?: readonly string[];
}

/** The work needs more than it is given here, or waits for a row: it is done again, alone. */
export class MustBeAlone extends Error {}

/**
 * One transaction, as two verbs: `read` is awaited, `write` is queued until the work returns
 * (decision 183).
 */
export abstract class Tx {
  protected readonly writes: Write[] = [];
  protected readonly noted: (() => void)[] = [];

  /**
   * The time of what is written here: that of the account whose work it is, as `Clock.now` says it.
   * One fact has one of it (decision 270).
   */
  abstract now(): Date;

  /** For something that is written here. Each is after the one before it. */
  abstract newId(): Uuid;

  /**
   * Runs now, in order with other reads; rows with bigint as `bigint` and date as `YYYY-MM-DD`.
   * @param locked ids of rows whose lock it takes. If it is the first read, only a few wait for one
   *   row with a connection, and the others without.
   */
  abstract read<Row>(text: string, values?: unknown[], locked?: readonly string[]): Promise<Row[]>;

  /** A read that a group can make for all of its members. Work begins with it. */
  abstract load<Row>(lookup: Lookup): Promise<Row[]>;

  /**
   * Something loaded and locked, as the members of the group before this one leave it.
   * @param again a copy of it, for the next member
   */
  abstract handedOn<Thing>(key: string, loaded: () => Thing, again: (left: Thing) => Thing): Thing;

  /**
   * Sends what is queued now, for a second step that has to see it. It costs a round trip, and the
   * second step may change the same rows again.
   */
  abstract flush(): Promise<void>;

  /**
   * Queued until the work returns. Later reads do not see what it changes, nor do the other writes,
   * so no two of them may change the same row.
   */
  write(text: string, values: unknown[] = []): void {
    this.writes.push({ text, values });
  }

  /** A queued write of one row or more, each with the same columns. */
  insert(table: string, ...rows: Record<string, unknown>[]): void {
    this.writes.push(rowsInto(table, rows));
  }

  /** A queued write of many rows, with one text for any number of them. */
  insertLists(...of: Parameters<typeof insertLists>): void {
    const [, , rows] = of;
    if (rows.length > 0) this.writes.push(insertLists(...of));
  }

  /**
   * A queued write of rows that are found by others: `UPDATE t SET ... FROM` these
   * `AS r (id, at) WHERE ...`. A group sends those of all members together.
   */
  writeFrom(shape: RowShape, ...rows: (readonly unknown[])[]): void {
    this.writes.push({ shape, rows });
  }

  /** A queued write of one row, which is locked, or nobody else's. A later one adds to it. */
  update(table: string, key: RowUpdate['key'], changes: RowUpdate['changes']): void {
    const row = rowOf({ table, key });
    const at = this.writes.findIndex((write) => 'table' in write && rowOf(write) === row);
    const before = this.writes[at];
    if (before && 'changes' in before) {
      this.writes[at] = { table, key, changes: { ...before.changes, ...changes } };
    } else {
      this.writes.push({ table, key, changes });
    }
  }

  /** Called once COMMIT was answered with yes, and never otherwise. It must not throw. */
  onCommit(...noted: (() => void)[]): void {
    this.noted.push(...noted);
  }

  /** A queued write that was made elsewhere. */
  queue(write: Write): void {
    this.writes.push(write);
  }
}

/**
 * Something that must be looked up once the first lock is held and recorded in the same commit:
 * the idempotency key of a request.
 */
export interface CommitGuard<Result> {
  lookup: Lookup;
  /** Gets the row found, if any; throws to stop the transaction. */
  onFound(row: Record<string, unknown> | undefined): void;
  /** Absent where only the look-up is wanted. */
  record?(result: Result): Write;
  /** Which request it is, for work that needs more than one transaction. */
  request?(): RequestIdentity;
}

/** Its look-up alone, for a transaction before the one whose answer it records. */
export function lookUpOf(
  guard: CommitGuard<never> | undefined,
): Pick<CommitGuard<never>, 'lookup' | 'onFound'> | undefined {
  return guard && { lookup: guard.lookup, onFound: guard.onFound.bind(guard) };
}

/** A repeat of a request has the same scope; the same scope with another body is a mistake. */
export interface RequestIdentity {
  scope: Buffer;
  sha256: Buffer;
}
