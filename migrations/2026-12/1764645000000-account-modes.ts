import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts from before are live: no sandbox pays their invoices from now on. */
export class AccountModes1764645000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts ADD COLUMN mode text NOT NULL DEFAULT 'live'
        CONSTRAINT accounts_mode_known CHECK (mode IN ('live', 'test'));
      ALTER TABLE accounts ALTER COLUMN mode DROP DEFAULT;
      COMMENT ON COLUMN accounts.mode IS
        'test: made for trying. The sandbox and the page of mails serve no other.';

      CREATE TRIGGER accounts_mode_stays BEFORE UPDATE OF mode ON accounts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an account stays live or test');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER accounts_mode_stays ON accounts;
      ALTER TABLE accounts DROP COLUMN mode;
    `);
  }
}
