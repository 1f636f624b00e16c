import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultOf, hasStalePlan } from '../../../src/platform/database/database-error.js';
import { send } from '../../../src/platform/database/named-query.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';

/* Columns of a named statement are asked for once a connection. Its rows may not show it. */

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  client = new pg.Client({ connectionString: database.url, pipeline: true } as pg.ClientConfig);
  await client.connect();
  await client.query('CREATE TABLE shelves (number integer, label text, made date, size bigint)');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

let asked = 0;

describe('a named statement', () => {
  beforeAll(() => {
    const { connection } = client as unknown as { connection: pg.Connection };
    const describe = connection.describe.bind(connection);
    connection.describe = (...message) => {
      asked += 1;
      describe(...message);
    };
  });

  it('gives the same rows, types and columns each time, and is asked once', async () => {
    const query = {
      name: 'kinds',
      text: `SELECT $1::integer AS number, 'x' || $2 AS label, NULL::date AS made,
        ARRAY[1, 2] AS list, '{"a": [1]}'::jsonb AS json`,
    };
    const before = asked;
    const first = await send(client, { ...query, values: [1, 'a'] });
    const second = await send(client, { ...query, values: [2, 'b'] });
    expect(first.rows).toEqual([
      { number: 1, label: 'xa', made: null, list: [1, 2], json: { a: [1] } },
    ]);
    expect(second.rows).toEqual([{ ...first.rows[0], number: 2, label: 'xb' }]);
    expect(second.fields).toEqual(first.fields);
    expect(asked - before).toBe(1);
  });

  it('gives each its own rows where several are under way at once', async () => {
    const number = { name: 'a number', text: 'SELECT $1::integer AS number' };
    const label = { name: 'a label', text: `SELECT $1 AS label, 7 AS seven` };
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const [one, other] = await Promise.all([
          send(client, { ...number, values: [index] }),
          send(client, { ...label, values: [`l${index}`] }),
        ]);
        return [...one.rows, ...other.rows];
      }),
    );
    expect(answers).toEqual(
      answers.map((_, index) => [{ number: index }, { label: `l${index}`, seven: 7 }]),
    );
  });

  it('that has no columns changes as many rows each time', async () => {
    const query = { name: 'add', text: 'INSERT INTO shelves (number) VALUES ($1), ($1)' };
    for (const values of [[1], [2], [3]]) {
      expect(await send(client, { ...query, values })).toMatchObject({ rowCount: 2, rows: [] });
    }
  });

  it('finds no row, and then one', async () => {
    const query = { name: 'find', text: 'SELECT number FROM shelves WHERE number = $1' };
    const counts = [];
    for (const number of [9, 1, 9]) {
      counts.push((await send(client, { ...query, values: [number] })).rows.length);
    }
    expect(counts).toEqual([0, 2, 0]);
  });

  it('that failed gives rows when it no longer fails', async () => {
    const query = { name: 'divide', text: 'SELECT 10 / $1::integer AS quotient' };
    await expect(send(client, { ...query, values: [0] })).rejects.toMatchObject({ code: '22012' });
    for (const divisor of [5, 2]) {
      const { rows } = await send(client, { ...query, values: [divisor] });
      expect(rows).toEqual([{ quotient: 10 / divisor }]);
    }
    await expect(send(client, { ...query, values: [0] })).rejects.toThrow(/division by zero/);
    expect((await send(client, { ...query, values: [1] })).rows).toEqual([{ quotient: 10 }]);
  });

  it('is refused by PostgreSQL when its columns have changed', async () => {
    const query = { name: 'all', text: 'SELECT * FROM shelves WHERE number = $1', values: [1] };
    await send(client, query);
    await client.query('ALTER TABLE shelves DROP COLUMN label');
    const error: unknown = await send(client, query).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: '0A000' });
    expect([hasStalePlan(error), faultOf(error)]).toEqual([true, 'unreachable']);
  });

  it('has the stack of its caller when it fails', async () => {
    const error: unknown = await send(client, { name: 'no', text: 'SELECT 1 / 0' }).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as Error).stack).toContain('named-query.e2e-spec');
  });
});
