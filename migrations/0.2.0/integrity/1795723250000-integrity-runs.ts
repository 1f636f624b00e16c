import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A check of the books is asked for, goes on in steps, and keeps what it found. Processes of before
 * insert theirs as they did: finished.
 */
export class IntegrityRuns1795723250000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE integrity_runs
         DROP CONSTRAINT integrity_runs_pkey,
         ADD COLUMN run_id uuid NOT NULL DEFAULT gen_random_uuid(),
         ADD COLUMN status text NOT NULL DEFAULT 'finished'
           CONSTRAINT integrity_runs_status_known CHECK (status IN
             ('waiting', 'running', 'paused', 'finished', 'canceled', 'failed')),
         ADD COLUMN requested_at timestamptz NOT NULL DEFAULT now(),
         ADD COLUMN checks integer,
         ADD COLUMN checks_done text[] NOT NULL DEFAULT '{}',
         ADD COLUMN found jsonb NOT NULL DEFAULT '[]',
         ADD COLUMN head_sequence bigint,
         ADD COLUMN head_digest bytea,
         ADD COLUMN held_by uuid,
         ADD COLUMN alive_at timestamptz,
         ADD COLUMN tries integer NOT NULL DEFAULT 0,
         ADD COLUMN failed_check text,
         ADD COLUMN is_full boolean NOT NULL DEFAULT true,
         ADD COLUMN since_xact bigint,
         ADD COLUMN again_from_xact bigint,
         ADD COLUMN again_to_xact bigint,
         ADD COLUMN through_xact bigint,
         ALTER COLUMN started_at DROP NOT NULL,
         ALTER COLUMN finished_at DROP NOT NULL,
         ALTER COLUMN differences SET DEFAULT 0,
         ADD CONSTRAINT integrity_runs_finished CHECK (status <> 'finished' OR finished_at IS NOT NULL)`,
    );
    await runner.query('UPDATE integrity_runs SET requested_at = started_at');
    await runner.query(
      'ALTER TABLE integrity_runs ADD CONSTRAINT integrity_runs_pkey PRIMARY KEY (account_id, run_id)',
    );
    await runner.query(
      `CREATE UNIQUE INDEX integrity_runs_under_way ON integrity_runs (account_id)
       WHERE finished_at IS NULL`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX integrity_runs_under_way');
    await runner.query(`DELETE FROM integrity_runs WHERE status <> 'finished'`);
    await runner.query(
      `ALTER TABLE integrity_runs
         DROP CONSTRAINT integrity_runs_pkey, DROP CONSTRAINT integrity_runs_finished,
         DROP COLUMN run_id, DROP COLUMN status, DROP COLUMN requested_at, DROP COLUMN checks,
         DROP COLUMN checks_done, DROP COLUMN found, DROP COLUMN head_sequence,
         DROP COLUMN head_digest, DROP COLUMN held_by, DROP COLUMN alive_at, DROP COLUMN tries,
         DROP COLUMN failed_check, DROP COLUMN is_full, DROP COLUMN since_xact,
         DROP COLUMN again_from_xact, DROP COLUMN again_to_xact, DROP COLUMN through_xact,
         ALTER COLUMN started_at SET NOT NULL, ALTER COLUMN finished_at SET NOT NULL,
         ALTER COLUMN differences DROP DEFAULT`,
    );
    await runner.query(
      'ALTER TABLE integrity_runs ADD CONSTRAINT integrity_runs_pkey PRIMARY KEY (account_id, started_at)',
    );
    await runner.query(
      `COMMENT ON TABLE integrity_runs IS
       'When everything was checked, by whichever process. The account of zeros: all accounts.'`,
    );
  }
}

const COMMENTS = [
  ['TABLE integrity_runs', 'Checks of the books, one at a time of an account.'],
  ['COLUMN integrity_runs.run_id', 'Identifies the check.'],
  ['COLUMN integrity_runs.status', 'How it stands.'],
  ['COLUMN integrity_runs.requested_at', 'When it was asked for, or was due.'],
  ['COLUMN integrity_runs.checks', 'How many single checks it has; null: not begun, or of before.'],
  ['COLUMN integrity_runs.checks_done', 'Names of those that are done: it goes on behind them.'],
  ['COLUMN integrity_runs.found', 'The first of the differences.'],
  [
    'COLUMN integrity_runs.head_sequence',
    'Last seal of the account when it began; null: none, or all accounts.',
  ],
  ['COLUMN integrity_runs.head_digest', 'Digest of that seal.'],
  ['COLUMN integrity_runs.held_by', 'Process that is at it.'],
  ['COLUMN integrity_runs.alive_at', 'When that process last said that it is.'],
  ['COLUMN integrity_runs.tries', 'How often a check of it could not be made.'],
  ['COLUMN integrity_runs.failed_check', 'Name of the check that could not be made.'],
  [
    'COLUMN integrity_runs.is_full',
    'Whether it looks at all; asked for, or nothing was checked before.',
  ],
  [
    'COLUMN integrity_runs.since_xact',
    'First transaction that no check looked at yet; null: it looks at all.',
  ],
  [
    'COLUMN integrity_runs.again_from_xact',
    'First transaction of the share that it looks at again.',
  ],
  ['COLUMN integrity_runs.again_to_xact', 'First transaction behind that share.'],
  [
    'COLUMN integrity_runs.through_xact',
    'First transaction that was not sealed when it began; null: not begun, or of before.',
  ],
] as const;
