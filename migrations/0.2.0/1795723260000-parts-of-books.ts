import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A check of the books looks at what is new and at a share of what is old. Those of before looked at
 * all, but did not say up to where.
 */
export class PartsOfBooks1795723260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE integrity_runs
         ADD COLUMN is_full boolean NOT NULL DEFAULT true,
         ADD COLUMN since_xact bigint,
         ADD COLUMN again_from_xact bigint,
         ADD COLUMN again_to_xact bigint,
         ADD COLUMN through_xact bigint`,
    );
    for (const [column, comment] of COMMENTS) {
      await runner.query(`COMMENT ON COLUMN integrity_runs.${column} IS '${comment}'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE integrity_runs DROP COLUMN is_full, DROP COLUMN since_xact,
         DROP COLUMN again_from_xact, DROP COLUMN again_to_xact, DROP COLUMN through_xact`,
    );
  }
}

const COMMENTS = [
  ['is_full', 'Whether it looks at all; asked for, or nothing was checked before.'],
  ['since_xact', 'First transaction that no check looked at yet; null: it looks at all.'],
  ['again_from_xact', 'First transaction of the share that it looks at again.'],
  ['again_to_xact', 'First transaction behind that share.'],
  ['through_xact', 'First transaction that was not sealed when it began; null: not begun.'],
] as const;
