import { describe, expect, it } from 'vitest';
import { GroupWrites } from '../../../src/platform/database/group-writes.js';
import type { Write } from '../../../src/platform/database/sql-statement.js';

const SUMS = { id: 'uuid', paid: 'bigint', version: 'int' };
const sums = (id: string, paid: number, version: number): Write => ({
  table: 'documents',
  key: { id },
  changes: { paid, version },
  types: SUMS,
});
const credit = (customer: string): Write => ({
  text: 'UPDATE customer_balances SET credit = credit + 1 WHERE account_id = $1 AND customer_id = $2',
  values: ['account', customer],
});
const statementsOf = (...writes: Write[]) => {
  const group = new GroupWrites();
  for (const write of writes) group.add([write]);
  return group
    .statements()
    .map(({ text, values }) => ({ text: text.replaceAll(/\s+/g, ' '), values }));
};

describe('the writes of a group', () => {
  it('change a row once, as the last of its members leaves it', () => {
    expect(statementsOf(sums('a', 1, 2), sums('a', 3, 4))).toEqual([
      { text: 'UPDATE documents SET paid = $2, version = $3 WHERE id = $1', values: ['a', 3, 4] },
    ]);
  });

  it('keep what only a member before has changed of a row', () => {
    const state: Write = {
      table: 'documents',
      key: { id: 'a' },
      changes: { paid: 1, version: 2, state: 'accepted' },
    };
    const together = 'UPDATE documents SET paid = $2, version = $3, state = $4 WHERE id = $1';
    expect(statementsOf(state, sums('a', 3, 4))).toEqual([
      { text: together, values: ['a', 3, 4, 'accepted'] },
    ]);
    expect(statementsOf(sums('a', 3, 4), state)).toEqual([
      { text: together, values: ['a', 1, 2, 'accepted'] },
    ]);
  });

  it('change several rows with one statement where their types are known', () => {
    const [statement] = statementsOf(sums('a', 1, 2), sums('b', 3, 4));
    expect(statement?.text).toContain('FROM (VALUES ($1::uuid, $2::bigint, $3::int), ($4::uuid');
    expect(statement?.values).toEqual(['a', 1, 2, 'b', 3, 4]);
  });

  it('take the locks of their other rows in one order', () => {
    const order = statementsOf(credit('c'), credit('a'), credit('b')).map(
      ({ values }) => values[1],
    );
    expect(order).toEqual(['a', 'b', 'c']);
  });
});
