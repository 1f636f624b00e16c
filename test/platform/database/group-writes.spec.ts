import { describe, expect, it } from 'vitest';
import { GroupWrites } from '../../../src/platform/database/group-writes.js';
import { columnList } from '../../../src/platform/database/column-lists.js';
import { rowsInto, type Write } from '../../../src/platform/database/sql-statement.js';

const A = '00000000-0000-0000-0000-00000000000a';
const B = '00000000-0000-0000-0000-00000000000b';
const sums = (id: string, paid: number, version: number): Write => ({
  table: 'documents',
  key: { document_id: id },
  changes: { amount_paid: paid, version },
});
const credit = (customer: string): Write => ({
  text: 'UPDATE customer_balances SET credit = credit + 1 WHERE account_id = $1 AND customer_id = $2',
  values: ['account', customer],
});
const client = (...scopes: string[]) => rowsInto('api_clients', [{ scopes }]);
const statementsOf = (...writes: Write[]) => {
  const group = new GroupWrites();
  for (const write of writes) group.add([write]);
  return group
    .statements()
    .map(({ text, values }) => ({ text: text.replaceAll(/\s+/g, ' '), values }));
};

describe('the writes of a group', () => {
  it('change a row once, as the last of its members leaves it', () => {
    expect(statementsOf(sums(A, 1, 2), sums(A, 3, 4))).toEqual([
      {
        text: 'UPDATE documents SET amount_paid = $2, version = $3 WHERE document_id = $1',
        values: [A, 3, 4],
      },
    ]);
  });

  it('keep what only a member before has changed of a row', () => {
    const state: Write = {
      table: 'documents',
      key: { document_id: A },
      changes: { amount_paid: 1, version: 2, lifecycle: 'open' },
    };
    const text =
      'UPDATE documents SET amount_paid = $2, version = $3, lifecycle = $4 WHERE document_id = $1';
    expect(statementsOf(state, sums(A, 3, 4))).toEqual([{ text, values: [A, 3, 4, 'open'] }]);
    expect(statementsOf(sums(A, 3, 4), state)).toEqual([{ text, values: [A, 1, 2, 'open'] }]);
  });

  it('change several rows with one statement, whose text is the same for any number', () => {
    const two = statementsOf(sums(A, 1, 2), sums(B, 3, 4));
    expect(two).toEqual([
      {
        text:
          'UPDATE documents AS t SET amount_paid = v.amount_paid, version = v.version FROM ' +
          'unnest($1::uuid[], $2::bigint[], $3::integer[]) AS v (document_id, amount_paid, version) ' +
          'WHERE t.document_id = v.document_id',
        values: [columnList([A, B]), columnList([1, 3]), columnList([2, 4])],
      },
    ]);
  });

  it('insert the rows of all members with one statement', () => {
    const key = (name: string) => rowsInto('idempotency_keys', [{ account_id: A, key: name }]);
    expect(statementsOf(key('one'), key('two'))).toEqual([
      {
        text:
          'INSERT INTO idempotency_keys (account_id, key) ' +
          'SELECT * FROM unnest($1::uuid[], $2::text[])',
        values: [columnList([A, A]), columnList(['one', 'two'])],
      },
    ]);
  });

  it('insert rows that have no lists with a parameter for each value', () => {
    expect(statementsOf(client('a'), client('b', 'c'))).toEqual([
      { text: 'INSERT INTO api_clients (scopes) VALUES ($1), ($2)', values: [['a'], ['b', 'c']] },
    ]);
  });

  it('take the locks of their other rows in one order', () => {
    const order = statementsOf(credit('c'), credit('a'), credit('b')).map(
      ({ values }) => values[1],
    );
    expect(order).toEqual(['a', 'b', 'c']);
  });
});
