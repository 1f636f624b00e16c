import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The comment promised reports in the base currency, and there is none yet. */
export class BaseCurrencyComment1764600900002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON COLUMN accounts.base_currency IS
        'ISO 4217 code of the currency by way of which a rate is found that nobody told directly.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON COLUMN accounts.base_currency IS
        'ISO 4217 code of the currency that reports add everything up in.'`);
  }
}
