import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payment may be captured in parts. */
export class Captures1764609000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_receipts ADD COLUMN capture_reference text;
      COMMENT ON COLUMN provider_receipts.capture_reference IS
        'Id of the provider for the capture, where a payment may be captured in parts; null: all of it.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_receipts DROP COLUMN capture_reference');
  }
}
