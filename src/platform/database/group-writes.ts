import { keyOf } from './group-lookups.js';
import {
  asLists,
  asOneStatement,
  asRows,
  rowOf,
  type RowShape,
  type RowsStatement,
  type RowUpdate,
  type SqlStatement,
  toStatement,
  type Write,
} from './sql-statement.js';

/**
 * The writes of a group: rows of one shape together, and all shapes as one statement. A row that
 * several members change is written as the last of them leaves it.
 */
export class GroupWrites {
  private readonly rows = new Map<RowShape, (readonly unknown[])[]>();
  /** By table and row. */
  private readonly updates = new Map<string, RowUpdate>();
  private readonly others: { order: string; statement: SqlStatement }[] = [];
  /** Of all values, near enough. */
  bytes = 0;

  add(writes: readonly Write[]): void {
    for (const write of writes) {
      if ('shape' in write) this.addRows(write);
      else if ('table' in write) this.addUpdate(write);
      else this.addOther(write);
    }
  }

  statements(): SqlStatement[] {
    const byShape = new Map<string, RowUpdate[]>();
    for (const update of this.updates.values()) {
      const shape = `${update.table} ${Object.keys(update.changes).join(' ')}`;
      const ofShape = byShape.get(shape) ?? [];
      ofShape.push(update);
      byShape.set(shape, ofShape);
    }
    const others = this.others.toSorted((one, other) => (one.order < other.order ? -1 : 1));
    return [
      ...asOneStatement([
        ...Array.from(this.rows, ([shape, rows]) => rowsOf({ shape, rows })),
        ...Array.from(byShape.values(), updatesOf).flat(),
      ]),
      ...others.map(({ statement }) => statement),
    ];
  }

  /** Columns that only a member before has changed stay as that one leaves them. */
  private addUpdate(update: RowUpdate): void {
    const row = rowOf(update);
    const before = this.updates.get(row);
    this.updates.set(row, { ...update, changes: { ...before?.changes, ...update.changes } });
    this.bytes += sizeOf(Object.values(update.changes));
  }

  /** Writes keep one order, so that no two groups wait for each other's rows. */
  private addOther(statement: SqlStatement): void {
    this.others.push({ order: keyOf(statement), statement });
    this.bytes += sizeOf(statement.values);
  }

  private addRows({ shape, rows }: RowsStatement): void {
    const before = this.rows.get(shape);
    if (before) before.push(...rows);
    else this.rows.set(shape, [...rows]);
    for (const row of rows) this.bytes += sizeOf(row);
  }
}

/** All rows of a shape as one statement. */
function rowsOf(all: RowsStatement): SqlStatement {
  return asLists(all) ?? toStatement(all);
}

function updatesOf(updates: readonly RowUpdate[]): SqlStatement[] {
  const together = updates.length > 1 ? asLists(asRows(updates)) : null;
  return together ? [together] : updates.map(toStatement);
}

function sizeOf(values: readonly unknown[]): number {
  let size = 0;
  for (const value of values) {
    if (typeof value === 'string' || Buffer.isBuffer(value)) size += value.length;
  }
  return size;
}
