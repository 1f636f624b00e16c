import type { Tx } from '../../platform/database/tx.js';

type Row = Readonly<Record<string, unknown>>;
type OwnTable = `ext_${string}`;

const CHANGES_OWN = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+ext_\w/i;

/** The transaction of a fact, as an extension may write in it: into tables of extensions alone. */
export class OwnTables {
  constructor(private readonly tx: Tx) {}

  /** Queued until the commit; all rows have the same columns. */
  insert(table: OwnTable, ...rows: Row[]): void {
    if (!table.startsWith('ext_')) throw foreign(table);
    this.tx.insert(table, ...rows);
  }

  /**
   * Any other change, with `$1` for its values, as an `INSERT ... ON CONFLICT DO UPDATE` of a sum.
   * Two of them in one transaction must not be of the same row.
   */
  write(text: string, values: unknown[] = []): void {
    if (!CHANGES_OWN.test(text)) throw foreign(text.slice(0, 60));
    this.tx.write(text, values);
  }
}

function foreign(what: string): Error {
  return new Error(
    `An extension writes into tables of its own, ext_<name>_..., and not: ${what}. For all else ` +
      'call the service that has it, such as Payments, in a transaction of its own.',
  );
}
