import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEALED_TABLES } from '../../src/integrity/infrastructure/sealed-tables.js';
import { aDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.drop());

/** Types that PostgreSQL makes itself have these ids in every database and version. */
const FIRST_OWN_ID = 16_384n;

it.each(SEALED_TABLES)(
  'seals $name by types that are the same in every database',
  async (table) => {
    const types = table.columns.map(
      (column, at) => `('${column}', pg_typeof(v${at})::oid::bigint,
      (SELECT typtype FROM pg_type WHERE oid = pg_typeof(v${at})))`,
    );
    const values = table.columns.map((column, at) => `${column} AS v${at}`);
    const rows = await database.query<{ name: string; id: bigint; kind: string }>(
      `SELECT type.* FROM (SELECT) one LEFT JOIN (
         SELECT ${values.join(', ')} FROM ${table.from}) row ON false
       CROSS JOIN LATERAL (VALUES ${types.join(', ')}) AS type (name, id, kind)`,
    );
    expect(rows).toHaveLength(table.columns.length);
    expect(rows.filter(({ id, kind }) => id >= FIRST_OWN_ID || kind !== 'b')).toEqual([]);
  },
);
