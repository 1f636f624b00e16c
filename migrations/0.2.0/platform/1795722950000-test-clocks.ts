import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clocks of accounts made for trying. No other account can have one. */
export class TestClocks1795722950000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE accounts ADD CONSTRAINT accounts_mode_of UNIQUE (account_id, mode)',
    );
    await runner.query(
      `CREATE TABLE test_clocks (
         account_id uuid NOT NULL PRIMARY KEY,
         mode text NOT NULL DEFAULT 'test' CONSTRAINT test_clocks_mode_known CHECK (mode IN ('test')),
         stands_at timestamptz NOT NULL,
         FOREIGN KEY (account_id, mode) REFERENCES accounts (account_id, mode)
       )`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE test_clocks');
    await runner.query('ALTER TABLE accounts DROP CONSTRAINT accounts_mode_of');
  }
}

const COMMENTS = [
  ['TABLE test_clocks', 'Clocks of accounts made for trying that were advanced.'],
  ['COLUMN test_clocks.account_id', 'Account.'],
  ['COLUMN test_clocks.mode', 'As the account says: a live one has none.'],
  ['COLUMN test_clocks.stands_at', 'What time it is for the account, until it is advanced again.'],
];
