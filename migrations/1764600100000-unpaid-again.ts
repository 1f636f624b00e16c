import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Money that is on its way, and money that a provider takes back after it was paid. */
export class UnpaidAgain1764600100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_links
        ADD processing_at timestamptz,
        ADD failed_at timestamptz,
        ADD failure text,
        DROP CONSTRAINT payment_links_status_known,
        DROP CONSTRAINT payment_links_paid_has_its_time,
        ADD CONSTRAINT payment_links_status_known
          CHECK (status IN ('open', 'processing', 'paid', 'failed', 'canceled')),
        ADD CONSTRAINT payment_links_paid_has_its_time
          CHECK (paid_at IS NOT NULL OR status <> 'paid'),
        ADD CONSTRAINT payment_links_processing_has_its_time
          CHECK (processing_at IS NOT NULL OR status <> 'processing'),
        ADD CONSTRAINT payment_links_failed_has_its_time
          CHECK (failed_at IS NOT NULL OR status <> 'failed'),
        ADD CONSTRAINT payment_links_failed_has_its_reason
          CHECK ((failed_at IS NULL) = (failure IS NULL));
      COMMENT ON COLUMN payment_links.processing_at IS
        'Since when the provider has money on its way, at its word.';
      COMMENT ON COLUMN payment_links.failed_at IS
        'When the money did not come, or was taken back, at the last time.';
      COMMENT ON COLUMN payment_links.failure IS 'Why, as the provider says.';

      CREATE TABLE provider_failures (
        gateway              text NOT NULL,
        event_id             text NOT NULL,
        provider_payment_id  text NOT NULL,
        kind                 text NOT NULL,
        amount               bigint,
        currency             text,
        reference            text,
        reason               text NOT NULL,
        failed_at            timestamptz NOT NULL,
        received_at          timestamptz NOT NULL,
        xact                 bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (gateway, event_id),
        CONSTRAINT provider_failures_kind_known CHECK (kind IN ('failed', 'unpaid_again')),
        CONSTRAINT provider_failures_amount_positive CHECK (amount > 0),
        CONSTRAINT provider_failures_amount_has_a_currency
          CHECK ((amount IS NULL) = (currency IS NULL))
      );
      COMMENT ON TABLE provider_failures IS
        'Payments that failed, or were taken back, before a provider told that they were paid: the '
        'report of the payment meets them. Append-only. Global, as provider_events are.';
      COMMENT ON COLUMN provider_failures.gateway IS 'Gateway that told it.';
      COMMENT ON COLUMN provider_failures.event_id IS 'Event of the provider that reported it.';
      COMMENT ON COLUMN provider_failures.provider_payment_id IS 'Id of the provider for the payment.';
      COMMENT ON COLUMN provider_failures.kind IS
        'failed: it counts against a payment before it; unpaid_again: against any.';
      COMMENT ON COLUMN provider_failures.amount IS
        'What was taken back, in minor units; null: all of it.';
      COMMENT ON COLUMN provider_failures.currency IS 'ISO 4217 code of the amount.';
      COMMENT ON COLUMN provider_failures.reference IS 'Id of the provider for the reversal, if it has one.';
      COMMENT ON COLUMN provider_failures.reason IS 'Why, as the provider says.';
      COMMENT ON COLUMN provider_failures.failed_at IS 'When, at the word of the provider.';
      COMMENT ON COLUMN provider_failures.received_at IS 'When it was reported.';
      COMMENT ON COLUMN provider_failures.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX provider_failures_of_payment ON provider_failures (gateway, provider_payment_id);
      CREATE INDEX provider_failures_xact ON provider_failures USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER provider_failures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
        provider_failures
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider failures are append-only');

      CREATE TABLE provider_reversals (
        account_id           uuid NOT NULL,
        reversal_id          uuid NOT NULL,
        payment_id           uuid,
        receipt_id           uuid,
        gateway              text NOT NULL,
        provider_payment_id  text NOT NULL,
        reference            text,
        currency             text NOT NULL,
        amount               bigint NOT NULL,
        from_credit          bigint NOT NULL,
        lost                 bigint NOT NULL,
        reason               text NOT NULL,
        failed_at            timestamptz NOT NULL,
        recorded_at          timestamptz NOT NULL,
        xact                 bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, reversal_id),
        FOREIGN KEY (account_id, payment_id) REFERENCES payments,
        FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
        CONSTRAINT provider_reversals_once
          UNIQUE (account_id, gateway, provider_payment_id, reference),
        CONSTRAINT provider_reversals_of_payment_or_receipt
          CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
        CONSTRAINT provider_reversals_amount_positive CHECK (amount > 0),
        CONSTRAINT provider_reversals_parts_within_amount
          CHECK (from_credit >= 0 AND lost >= 0 AND from_credit + lost <= amount)
      );
      COMMENT ON TABLE provider_reversals IS
        'Money that a provider took back after it was paid: a debit that failed, a chargeback. '
        'What documents gave stands in allocations. Append-only.';
      COMMENT ON COLUMN provider_reversals.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN provider_reversals.reversal_id IS 'Identifies the reversal.';
      COMMENT ON COLUMN provider_reversals.payment_id IS 'Payment that is taken back; null: an unmatched receipt is.';
      COMMENT ON COLUMN provider_reversals.receipt_id IS 'Unmatched receipt that is taken back; null: a payment is.';
      COMMENT ON COLUMN provider_reversals.gateway IS 'Gateway that took it back.';
      COMMENT ON COLUMN provider_reversals.provider_payment_id IS 'Id of the provider for the payment.';
      COMMENT ON COLUMN provider_reversals.reference IS 'Id of the provider for the reversal, if it has one.';
      COMMENT ON COLUMN provider_reversals.currency IS 'ISO 4217 code of the amounts.';
      COMMENT ON COLUMN provider_reversals.amount IS 'What was taken back, in minor units.';
      COMMENT ON COLUMN provider_reversals.from_credit IS
        'Part of it that the credit of the customer gave, in minor units.';
      COMMENT ON COLUMN provider_reversals.lost IS
        'Part of it that nobody can be asked for, since it had gone back already, in minor units.';
      COMMENT ON COLUMN provider_reversals.reason IS 'Why, as the provider says.';
      COMMENT ON COLUMN provider_reversals.failed_at IS 'When, at the word of the provider.';
      COMMENT ON COLUMN provider_reversals.recorded_at IS 'When it was recorded.';
      COMMENT ON COLUMN provider_reversals.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX provider_reversals_of_payment ON provider_reversals (account_id, payment_id);
      CREATE INDEX provider_reversals_of_provider ON provider_reversals
        (gateway, provider_payment_id);
      CREATE INDEX provider_reversals_of_receipt ON provider_reversals
        (account_id, receipt_id) WHERE receipt_id IS NOT NULL;
      CREATE INDEX provider_reversals_xact ON provider_reversals USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER provider_reversals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON
        provider_reversals
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider reversals are append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE provider_reversals;
      DROP TABLE provider_failures;
      ALTER TABLE payment_links
        DROP CONSTRAINT payment_links_status_known,
        DROP CONSTRAINT payment_links_paid_has_its_time,
        DROP COLUMN processing_at,
        DROP COLUMN failed_at,
        DROP COLUMN failure,
        ADD CONSTRAINT payment_links_status_known CHECK (status IN ('open', 'paid', 'canceled')),
        ADD CONSTRAINT payment_links_paid_has_its_time
          CHECK ((status = 'paid') = (paid_at IS NOT NULL));
    `);
  }
}
