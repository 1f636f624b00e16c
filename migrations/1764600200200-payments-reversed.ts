import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A receipt is one payment at a time, and so is a bank entry: once that payment is reversed, another
 * one may take its place.
 */
export class PaymentsReversed1764600200200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments ADD COLUMN is_reversed boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN payments.is_reversed IS
        'Whether it stands in payment_reversals: unique keys cannot look there.';
      UPDATE payments p SET is_reversed = true FROM payment_reversals v
        WHERE (v.account_id, v.payment_id) = (p.account_id, p.payment_id);

      DROP INDEX payments_provider;
      CREATE UNIQUE INDEX payments_provider ON payments (account_id, gateway, provider_payment_id)
        WHERE gateway IS NOT NULL AND NOT is_reversed;
      DROP INDEX payments_receipt;
      CREATE UNIQUE INDEX payments_receipt ON payments (account_id, receipt_id)
        WHERE receipt_id IS NOT NULL AND NOT is_reversed;
      DROP INDEX payments_bank_entry;
      CREATE UNIQUE INDEX payments_bank_entry ON payments (account_id, bank_entry_id)
        WHERE bank_entry_id IS NOT NULL AND NOT is_reversed;
      CREATE TRIGGER payments_stay_reversed BEFORE UPDATE OF is_reversed ON payments
        FOR EACH ROW WHEN (OLD.is_reversed)
        EXECUTE FUNCTION refuse_change('a payment that is reversed stays so');
    `);
  }

  async down(): Promise<void> {
    throw new Error('Two payments of one receipt would break the old keys: restore a backup.');
  }
}
