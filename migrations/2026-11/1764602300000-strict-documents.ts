import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an account refuses to issue what lacks particulars. Accounts made before do not. */
export class StrictDocuments1764602300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts ADD strict boolean NOT NULL DEFAULT false;
      ALTER TABLE accounts ALTER strict DROP DEFAULT;
      COMMENT ON COLUMN accounts.strict IS
        'Whether an invoice that lacks what the law asks for is refused when it is issued.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP strict');
  }
}
