import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refund spans two transactions with a provider's call between them. Its Idempotency-Key is taken
 * in the first, so that a repeat finds the refund that is under way and does not make another.
 */
export class RefundRequests1763830000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE refund_requests (
        account_id      uuid NOT NULL REFERENCES accounts,
        scope           bytea NOT NULL,
        request_sha256  bytea NOT NULL,
        refund_id       uuid NOT NULL,
        requested_at    timestamptz NOT NULL,
        PRIMARY KEY (account_id, scope)
      );
      CREATE INDEX refund_requests_age ON refund_requests USING brin (requested_at);
      -- A provider names a refund by its id alone.
      CREATE INDEX refunds_of_id ON refunds (refund_id);
      CREATE INDEX unmatched_receipts_of_provider
        ON unmatched_receipts (gateway, provider_payment_id);
      ALTER TABLE unmatched_receipts
        ADD COLUMN fee bigint CHECK (fee BETWEEN 1 AND amount);
      CREATE TRIGGER unmatched_receipts_fee_stays BEFORE UPDATE OF fee ON unmatched_receipts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts are append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER unmatched_receipts_fee_stays ON unmatched_receipts;
      ALTER TABLE unmatched_receipts DROP COLUMN fee;
      DROP INDEX unmatched_receipts_of_provider, refunds_of_id;
      DROP TABLE refund_requests;
    `);
  }
}
