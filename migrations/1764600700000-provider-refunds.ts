import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refunds that a provider made by itself, or that somebody made in its dashboard. */
export class ProviderRefunds1764600700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE refunds
        ALTER COLUMN client_id DROP NOT NULL,
        ADD COLUMN lost bigint NOT NULL DEFAULT 0,
        DROP CONSTRAINT refunds_credit_within_amount,
        ADD CONSTRAINT refunds_credit_within_amount
          CHECK (from_credit >= 0 AND lost >= 0 AND from_credit + lost <= amount),
        ADD CONSTRAINT refunds_asked_for_or_made_by_a_gateway
          CHECK (client_id IS NOT NULL OR gateway IS NOT NULL),
        ADD CONSTRAINT refunds_lost_only_by_a_gateway CHECK (lost = 0 OR client_id IS NULL);
      COMMENT ON COLUMN refunds.client_id IS
        'Client that asked for it; null: the provider told of it first.';
      COMMENT ON COLUMN refunds.lost IS
        'Part of it that nobody can be asked for, since the money was not here any more, in minor units.';
      CREATE UNIQUE INDEX refunds_once_of_provider ON refunds (account_id, gateway, provider_refund_id)
        WHERE provider_refund_id IS NOT NULL;
      CREATE TRIGGER refunds_lost_stays BEFORE UPDATE OF lost ON refunds
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');

      CREATE TABLE refund_names (
        account_id          uuid NOT NULL,
        gateway             text NOT NULL,
        provider_refund_id  text NOT NULL,
        refund_id           uuid NOT NULL,
        amount              bigint NOT NULL,
        named_at            timestamptz NOT NULL,
        xact                bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, gateway, provider_refund_id),
        FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
        CONSTRAINT refund_names_amount_positive CHECK (amount > 0)
      );
      COMMENT ON TABLE refund_names IS
        'Refunds of providers that were recorded here before the provider named them: by hand, or '
        'by the sum that went back of a charge. Append-only.';
      COMMENT ON COLUMN refund_names.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN refund_names.gateway IS 'Gateway that told of it.';
      COMMENT ON COLUMN refund_names.provider_refund_id IS 'Id of the provider for the refund.';
      COMMENT ON COLUMN refund_names.refund_id IS 'The refund here that it is, or is a part of.';
      COMMENT ON COLUMN refund_names.amount IS 'What the provider gave back by it, in minor units.';
      COMMENT ON COLUMN refund_names.named_at IS 'When it was told.';
      COMMENT ON COLUMN refund_names.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX refund_names_of_refund ON refund_names (account_id, refund_id);
      CREATE INDEX refund_names_xact ON refund_names USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER refund_names_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_names
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('names of refunds are append-only');

      ALTER TABLE provider_failures
        DROP CONSTRAINT provider_failures_kind_known,
        ADD CONSTRAINT provider_failures_kind_known CHECK (kind IN ('failed', 'unpaid_again',
          'dispute', 'refund_pending', 'refund_succeeded', 'refund_failed', 'refunded_in_all')),
        ADD CONSTRAINT provider_failures_refund_has_an_amount
          CHECK (amount IS NOT NULL OR kind IN ('failed', 'unpaid_again'));
      COMMENT ON TABLE provider_failures IS
        'What providers told of a payment before they told that it was paid: that it failed, was '
        'taken back, disputed or refunded. The report of the payment meets it. Append-only. Global, as '
        'provider_events are.';
      COMMENT ON COLUMN provider_failures.kind IS
        'failed: it counts against a payment before it; unpaid_again: against any; dispute: the '
        'payer disputes it; else a refund, or what went back in all.';
      COMMENT ON COLUMN provider_failures.amount IS
        'What was taken back or refunded, in minor units; null: all of it.';
      COMMENT ON COLUMN provider_failures.reference IS
        'Id of the provider for the reversal or the refund, if it has one, or for the dispute.';

      ALTER TABLE unmatched_item_steps ALTER COLUMN client_id DROP NOT NULL;
      COMMENT ON COLUMN unmatched_item_steps.client_id IS
        'Client that did it; null: the money was told later, and is in the books.';
    `);
  }

  async down(): Promise<void> {
    throw new Error(
      'Refunds that no client asked for have no other place: restore a backup instead.',
    );
  }
}
