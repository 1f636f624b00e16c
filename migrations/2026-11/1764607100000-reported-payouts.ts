import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['payouts', 'payout_undoings'];

/** Payouts that a provider told of itself: no client recorded them. */
export class ReportedPayouts1764607100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`
        ALTER TABLE ${table} ALTER COLUMN client_id DROP NOT NULL;
        COMMENT ON COLUMN ${table}.client_id IS
          'Client that recorded it; null: its provider told it.';
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`
        ALTER TABLE ${table} ALTER COLUMN client_id SET NOT NULL;
        COMMENT ON COLUMN ${table}.client_id IS 'Client that recorded it.';
      `);
    }
  }
}
