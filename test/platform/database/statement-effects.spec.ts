import type { MigrationInterface, QueryRunner } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { effectsOf } from '../../../src/platform/database/upgrade/statement-effects.js';
import { upgradePlan } from '../../../src/platform/database/upgrade/upgrade-plan.js';

// test/schema/upgrade-locks.e2e-spec.ts compares the locks with those that PostgreSQL takes.

describe('a statement of a migration', () => {
  it.each([
    ['ALTER TABLE t ADD COLUMN c text', 'adds the column t.c', null, true],
    [`ALTER TABLE t ADD COLUMN c text NOT NULL DEFAULT 'a'`, 'adds the column t.c', null, true],
    ['ALTER TABLE t ADD COLUMN c text NOT NULL', 'adds the column t.c', null, false],
    ['ALTER TABLE t ADD COLUMN c text CHECK (c > 0)', 'adds the column t.c', 'scan', true],
    [
      'ALTER TABLE t ADD COLUMN c uuid DEFAULT gen_random_uuid()',
      'adds the column t.c',
      'rewrite',
      true,
    ],
    ['ALTER TABLE t ADD CONSTRAINT n CHECK (c > 0)', 'adds the rule n to t', 'scan', false],
    ['ALTER TABLE t ADD CONSTRAINT n CHECK (c > 0) NOT VALID', 'adds the rule n to t', null, false],
    ['ALTER TABLE t VALIDATE CONSTRAINT n', 'checks all rows of t by n', 'scan', true],
    ['ALTER TABLE t ALTER COLUMN c TYPE bigint', 'changes the type of t.c', 'rewrite', false],
    ['ALTER TABLE t ALTER COLUMN c SET NOT NULL', 'wants a value in t.c', 'scan', false],
    ['ALTER TABLE t DROP COLUMN c', 'drops the column t.c', null, false],
    ['CREATE INDEX n ON t (c)', 'makes the index n of t', 'index', true],
    ['CREATE INDEX n ON t USING brin (c)', 'makes the index n of t', 'scan', true],
    ['UPDATE t SET c = 1', 'changes rows of t', 'update', true],
    ['DROP TABLE t', 'drops the table t', null, false],
    ['CREATE TABLE t (c text)', 'makes the table t', null, true],
    ['VACUUM t', 'does what is not known here: VACUUM t', null, false],
  ])('%s', (sql, says, work, oldMayGoOn) => {
    const [effect, ...more] = effectsOf(sql);
    expect(more).toEqual([]);
    expect([effect?.says, effect?.work?.kind ?? null, effect?.oldMayGoOn]).toEqual([
      says,
      work,
      oldMayGoOn,
    ]);
  });

  it('has an effect for each action of an ALTER TABLE', () => {
    const sql = `ALTER TABLE t DROP CONSTRAINT a, ADD CONSTRAINT b CHECK (c IN ('x, (y', 'z')),
      ADD COLUMN d numeric(3, 2)`;
    expect(effectsOf(sql).map(({ says }) => says)).toEqual([
      'drops the rule a of t',
      'adds the rule b to t',
      'adds the column t.d',
    ]);
  });
});

describe('the plan of an upgrade', () => {
  const rows = [{ name: 'documents', rows: 3_000_000, bytes: 2e9 }];
  const planOf = async (...statements: string[]) => {
    const up = async (runner: QueryRunner) => {
      for (const statement of statements) await runner.query(statement);
    };
    const instance = { up } as MigrationInterface;
    const [plan] = await upgradePlan(
      [{ name: 'm', instance }],
      async <Row>(sql: string) => (/pg_index/.test(sql) ? [] : rows) as Row[],
    );
    return plan;
  };

  it('counts a lock for all of a migration, which takes it first', async () => {
    const add = 'ALTER TABLE documents ADD COLUMN b text';
    const plan = await planOf('UPDATE documents SET a = 1', add);
    expect(plan?.seconds).toBeGreaterThan(2);
    const { seconds } = plan ?? {};
    expect(plan?.tables).toMatchObject([
      { mode: 'AccessExclusiveLock', isBlocking: true, seconds },
    ]);
    const [beside] = (await planOf('UPDATE documents SET a = 1'))?.tables ?? [];
    expect(beside).toMatchObject({ mode: 'RowExclusiveLock', isBlocking: false });
  });

  it('leaves out tables that it makes', async () => {
    const plan = await planOf('CREATE TABLE n (a text)', 'CREATE INDEX i ON n (a)');
    expect(plan).toMatchObject({ tables: [], does: ['makes the table n'], oldMayGoOn: true });
  });
});
