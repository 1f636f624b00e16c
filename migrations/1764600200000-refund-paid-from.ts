import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A refund says which account its money leaves: what is recorded by hand need not leave `cash`. */
export class RefundPaidFrom1764600200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE refunds ADD COLUMN paid_from text;
      COMMENT ON COLUMN refunds.paid_from IS 'Account of the ledger that the money leaves.';

      -- Until now, what was recorded by hand left cash.
      ALTER TABLE refunds DISABLE TRIGGER refunds_settle_once;
      UPDATE refunds
        SET paid_from = CASE WHEN gateway IS NULL THEN 'cash' ELSE 'gateway_clearing' END;
      ALTER TABLE refunds ENABLE TRIGGER refunds_settle_once;

      ALTER TABLE refunds ALTER COLUMN paid_from SET NOT NULL,
        ADD CONSTRAINT refunds_paid_from_known CHECK (paid_from IN ('cash', 'gateway_clearing')),
        ADD CONSTRAINT refunds_gateway_pays_its_own
          CHECK (gateway IS NULL OR paid_from = 'gateway_clearing');
      CREATE TRIGGER refunds_paid_from_stays BEFORE UPDATE OF paid_from ON refunds
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');
    `);
  }

  async down(): Promise<void> {
    throw new Error('What left which account would be lost: restore a backup instead.');
  }
}
