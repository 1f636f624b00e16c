import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  INDEXED,
  ofPart,
  partKindOf,
  type Touched,
  touchedIn,
  whole,
} from '../../../src/integrity/infrastructure/books-part.js';
import type { BooksPart } from '../../../src/integrity/domain/integrity-run.js';
import type { IntegrityCheck } from '../../../src/integrity/infrastructure/checks/integrity-check.js';
import { INTEGRITY_CHECKS } from '../../../src/integrity/infrastructure/checks/all-checks.js';
import { MIGRATED_SCHEMA } from '../../../src/platform/database/schema-listing.js';
import type { SqlStatement } from '../../../src/platform/database/sql-statement.js';
import { Chance } from '../../../src/testing/chance.js';
import { booksOfEverything, sealAll } from '../../support/books.js';
import { withoutConstraints } from '../../support/without-constraints.js';
import { startTestService, type TestService } from '../../support/service.js';
import { oneIn } from '../../support/share.js';

// A check of a part of the books, beside the check of all of them. The books are sound, or their
// owner changed a column of every row. Both tell the same of each id of the part.

const WITH_PARTS = INTEGRITY_CHECKS.filter((check) =>
  ['documents', 'payments', 'facts', 'transfers'].includes(partKindOf(check)),
);
const OTHER: Record<string, (column: string) => string> = {
  bigint: (column) => `${column} + 1`,
  numeric: (column) => `${column} + 1`,
  date: (column) => `${column} + 40`,
  timestamptz: (column) => `${column} + interval '40 days'`,
  uuid: () => 'gen_random_uuid()',
};

let service: TestService;
let owner: pg.Client;
let ends: bigint[];
beforeAll(async () => {
  service = await startTestService({ doesJobs: false });
  await booksOfEverything(service, await service.aClient());
  await sealAll(service);
  await withoutConstraints(service.database);
  owner = await service.database.connect();
  const { rows } = await owner.query<{ xact: string }>(
    'SELECT DISTINCT xact FROM events ORDER BY xact',
  );
  ends = rows.map(({ xact }) => BigInt(xact));
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

const idsOf = async ({ text, values }: SqlStatement) => {
  const { rows } = await owner.query<{ id: string }>(text, values);
  return new Set(rows.map(({ id }) => id));
};

/** A share of the transactions, and what is new behind another one. */
function aPart(chance: Chance): BooksPart {
  const [from = 0n, to = 0n, since = 0n] = [1, 2, 3]
    .map(() => chance.of(ends))
    .sort((one, other) => (one < other ? -1 : 1));
  return { since: chance.isIn(2) ? since : (ends.at(-1) ?? 0n) + 1n, again: { from, to } };
}

async function bothWays(check: IntegrityCheck, part: BooksPart, touched: Touched) {
  const statement = ofPart(check, null, part, touched);
  if (!statement) throw new Error(`${check.name} has no parts`);
  return { few: await idsOf(statement), all: await idsOf(whole(check, null)) };
}

it('is the most of the checks', () => {
  expect(WITH_PARTS.length).toBeGreaterThan(40);
});

it('reads tables by indexes that there are', async () => {
  const { rows } = await owner.query<{ place: string }>(
    `SELECT DISTINCT i.indrelid::regclass || '.' || a.attname AS place
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[1]
       JOIN pg_attribute o ON o.attrelid = i.indrelid AND o.attnum = i.indkey[0]
     WHERE o.attname = 'account_id' AND i.indpred IS NULL`,
  );
  const places = new Set(rows.map(({ place }) => place));
  expect([...INDEXED].filter((place) => !places.has(place))).toEqual([]);
});

it('is all where transactions are about too much, but for what is sealed', async () => {
  const part = aPart(new Chance(1));
  const touched = { ...(await touchedIn(owner, part, null)), isMuch: true };
  const partial = INTEGRITY_CHECKS.filter((check) => ofPart(check, null, part, touched));
  expect(new Set(partial.map(partKindOf))).toEqual(new Set(['windows', 'transfers']));
});

describe('of sound books', () => {
  it('no part has a difference', async () => {
    const wrong = [];
    for (let seed = 1; seed <= 5; seed += 1) {
      const part = aPart(new Chance(seed));
      const touched = await touchedIn(owner, part, null);
      for (const check of WITH_PARTS) {
        const { few } = await bothWays(check, part, touched);
        if (few.size > 0) wrong.push([seed, check.name, ...few]);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('of books with a wrong column', () => {
  const columns = Object.entries(MIGRATED_SCHEMA.columns).flatMap(([table, all]) =>
    Object.entries(all)
      .filter(([name, { type }]) => type in OTHER && !/^(account_id|(\w+_)?xact)$/.test(name))
      .map(([name, { type }]) => ({ table, name, type })),
  );

  it('a part has the differences of its ids, and no others', async () => {
    const wrong: unknown[] = [];
    let judged = 0;
    for (const [seed, { table, name, type }] of oneIn(20, [...columns.entries()])) {
      const part = aPart(new Chance(seed + 1));
      const touched = await touchedIn(owner, part, null);
      await owner.query('BEGIN');
      try {
        await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
        await owner.query(`UPDATE ${table} SET ${name} = ${OTHER[type]?.(name)}`);
      } catch (error) {
        // Of a key.
        expect(error).toMatchObject({ code: '23505' });
        await owner.query('ROLLBACK');
        continue;
      }
      for (const check of WITH_PARTS) {
        const { few, all } = await bothWays(check, part, touched);
        const kind = partKindOf(check);
        if (kind === 'transfers' || all.size === 0) continue;
        const subjects = new Set(
          (touched[kind as 'documents' | 'payments' | 'facts'].ids ?? '{}').slice(1, -1).split(','),
        );
        const due = [...all].filter((id) => subjects.has(id)).sort();
        judged += due.length;
        if ([...few].sort().join() !== due.join()) {
          wrong.push([`${table}.${name}`, check.name, few.size, due.length]);
        }
      }
      await owner.query('ROLLBACK');
    }
    expect(wrong).toEqual([]);
    expect(judged).toBeGreaterThan(0);
  });
});
