import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canBeLists, columnList } from '../../../src/platform/database/column-lists.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';

/*
 * A list says to PostgreSQL what its values say alone: both are compared there, so that nothing of
 * ours reads what we wrote.
 */

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  client = await database.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const instants = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
/** PostgreSQL has no NUL in texts, and UTF-8 no half of a surrogate pair. Both are refused before. */
const texts = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('"', '\\', '{', '}', ',', 'NULL', '\n'),
      fc.string({ unit: 'binary' }),
    ),
  })
  .map((text) => text.toWellFormed().replaceAll('\0', ''));
const bytes = fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array));

const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  uuid: fc.uuid(),
  text: texts,
  jsonb: fc.oneof(
    fc.dictionary(texts, fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null))),
    texts.map((text) => JSON.stringify([text])),
  ),
  bytea: bytes,
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  integer: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  smallint: fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }),
  boolean: fc.boolean(),
  timestamptz: instants,
  date: instants.map((instant) => instant.toISOString().slice(0, 10)),
};

async function areTheSame(type: string, values: readonly unknown[]): Promise<boolean> {
  const alone = values.map((_, index) => `$${index + 2}::${type}`).join(', ');
  const { rows } = await client.query<{ same: boolean }>(
    `SELECT $1::${type}[] IS NOT DISTINCT FROM ARRAY[${alone}] AS same`,
    [columnList(values), ...values],
  );
  return rows[0]?.same ?? false;
}

describe('a list of values', () => {
  it.each(Object.keys(VALUES))('of %s says what they say alone', async (type) => {
    const value = fc.option(VALUES[type] as fc.Arbitrary<unknown>);
    const values = fc.array(value, { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(values, (some) => areTheSame(type, some)),
      { numRuns: 100 },
    );
  });

  it('takes what is left out for null', async () => {
    expect(await areTheSame('text', ['a', undefined, null])).toBe(true);
  });

  it('exists for the types that are tested here', () => {
    expect(canBeLists(Object.keys(VALUES))).toBe(true);
    expect(canBeLists(['uuid', 'text[]'])).toBe(false);
    expect(canBeLists(['toString'])).toBe(false);
  });
});
