import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The fee of money without a document is booked when it arrives, not when somebody assigns it. */
export class ReceiptFees1764600800100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Receipts from before have none: their payments book it.
      ALTER TABLE unmatched_receipts ADD COLUMN booked_fee bigint NOT NULL DEFAULT 0,
        ADD CONSTRAINT unmatched_receipts_books_its_fee
          CHECK (booked_fee = 0 OR booked_fee IS NOT DISTINCT FROM fee);
      COMMENT ON COLUMN unmatched_receipts.booked_fee IS
        'Fee that was booked when it arrived, in minor units; 0: its payment books it.';
      DROP TRIGGER unmatched_receipts_fee_stays ON unmatched_receipts;
      CREATE TRIGGER unmatched_receipts_fee_stays BEFORE UPDATE OF fee, booked_fee
        ON unmatched_receipts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts are append-only');
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
