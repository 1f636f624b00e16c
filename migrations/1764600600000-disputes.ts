import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments that their payers dispute: what providers hold, give back and keep. */
export class Disputes1764600600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE disputes (
        account_id           uuid NOT NULL,
        dispute_id           uuid NOT NULL,
        gateway              text NOT NULL,
        provider_dispute_id  text NOT NULL,
        provider_payment_id  text NOT NULL,
        currency             text NOT NULL,
        recorded_at          timestamptz NOT NULL,
        xact                 bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, dispute_id),
        CONSTRAINT disputes_of_provider UNIQUE (account_id, gateway, provider_dispute_id)
      );
      COMMENT ON TABLE disputes IS
        'Payments that their payers dispute at a provider. What became of them stands in '
        'dispute_steps. Append-only.';
      COMMENT ON COLUMN disputes.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN disputes.dispute_id IS 'Identifies the dispute.';
      COMMENT ON COLUMN disputes.gateway IS 'Gateway that told it.';
      COMMENT ON COLUMN disputes.provider_dispute_id IS 'Id of the provider for the dispute.';
      COMMENT ON COLUMN disputes.provider_payment_id IS 'Id of the provider for the payment.';
      COMMENT ON COLUMN disputes.currency IS 'ISO 4217 code of the amounts.';
      COMMENT ON COLUMN disputes.recorded_at IS 'When it was recorded.';
      COMMENT ON COLUMN disputes.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX disputes_of_payment ON disputes (gateway, provider_payment_id);
      CREATE INDEX disputes_xact ON disputes USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER disputes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON disputes
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('disputes are append-only');

      CREATE TABLE dispute_steps (
        account_id       uuid NOT NULL,
        dispute_id       uuid NOT NULL,
        step             integer NOT NULL,
        payment_id       uuid,
        receipt_id       uuid,
        status           text NOT NULL,
        amount           bigint NOT NULL,
        reason           text NOT NULL,
        evidence_due_by  timestamptz,
        said_at          timestamptz NOT NULL,
        disputed         bigint NOT NULL,
        withdrawn        bigint NOT NULL,
        adopted          bigint NOT NULL,
        fee              bigint NOT NULL,
        reference        text,
        recorded_at      timestamptz NOT NULL,
        xact             bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, dispute_id, step),
        FOREIGN KEY (account_id, dispute_id) REFERENCES disputes,
        FOREIGN KEY (account_id, payment_id) REFERENCES payments,
        FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts,
        CONSTRAINT dispute_steps_from_one CHECK (step > 0),
        CONSTRAINT dispute_steps_of_payment_or_receipt
          CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
        CONSTRAINT dispute_steps_status_known
          CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'closed')),
        CONSTRAINT dispute_steps_amount_positive CHECK (amount > 0),
        CONSTRAINT dispute_steps_adopted_not_negative CHECK (adopted >= 0)
      );
      COMMENT ON TABLE dispute_steps IS
        'What a provider told of a dispute, one change after the other; amounts are changes, and '
        'their sums are the state. Append-only.';
      COMMENT ON COLUMN dispute_steps.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN dispute_steps.dispute_id IS 'The dispute.';
      COMMENT ON COLUMN dispute_steps.step IS 'Place among the steps of the dispute, from 1.';
      COMMENT ON COLUMN dispute_steps.payment_id IS 'Payment that is disputed; null: an unmatched receipt is.';
      COMMENT ON COLUMN dispute_steps.receipt_id IS 'Unmatched receipt that is disputed; null: a payment is.';
      COMMENT ON COLUMN dispute_steps.status IS 'State since; closed: an inquiry that came to nothing.';
      COMMENT ON COLUMN dispute_steps.amount IS 'What the payer disputes since, in minor units.';
      COMMENT ON COLUMN dispute_steps.reason IS 'Why, as the provider says.';
      COMMENT ON COLUMN dispute_steps.evidence_due_by IS 'Until when the provider takes evidence.';
      COMMENT ON COLUMN dispute_steps.said_at IS 'When, at the word of the provider.';
      COMMENT ON COLUMN dispute_steps.disputed IS
        'Change of what may not be refunded or moved, in minor units.';
      COMMENT ON COLUMN dispute_steps.withdrawn IS
        'What the provider took out of its balance, in minor units; below zero: what it put back.';
      COMMENT ON COLUMN dispute_steps.adopted IS
        'What a reversal had taken for this dispute before it was told of, in minor units.';
      COMMENT ON COLUMN dispute_steps.fee IS
        'What the provider charged for it, in minor units; below zero: what it returned.';
      COMMENT ON COLUMN dispute_steps.reference IS
        'Id of the provider for a reversal that is the money of this dispute.';
      COMMENT ON COLUMN dispute_steps.recorded_at IS 'When it was recorded.';
      COMMENT ON COLUMN dispute_steps.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX dispute_steps_of_payment ON dispute_steps (account_id, payment_id)
        WHERE payment_id IS NOT NULL;
      CREATE INDEX dispute_steps_of_receipt ON dispute_steps (account_id, receipt_id)
        WHERE receipt_id IS NOT NULL;
      CREATE INDEX dispute_steps_xact ON dispute_steps USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER dispute_steps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dispute_steps
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('steps of disputes are append-only');

      CREATE TABLE dispute_parts (
        account_id   uuid NOT NULL,
        dispute_id   uuid NOT NULL,
        step         integer NOT NULL,
        document_id  uuid NOT NULL,
        payment_id   uuid NOT NULL,
        amount       bigint NOT NULL,
        xact         bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, dispute_id, step, document_id),
        FOREIGN KEY (account_id, dispute_id, step) REFERENCES dispute_steps,
        FOREIGN KEY (account_id, document_id) REFERENCES documents,
        FOREIGN KEY (account_id, payment_id) REFERENCES payments,
        CONSTRAINT dispute_parts_amount_not_zero CHECK (amount <> 0)
      );
      COMMENT ON TABLE dispute_parts IS
        'Documents that disputed money has paid: changes, by the step of the dispute. Append-only.';
      COMMENT ON COLUMN dispute_parts.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN dispute_parts.dispute_id IS 'The dispute.';
      COMMENT ON COLUMN dispute_parts.step IS 'Its step.';
      COMMENT ON COLUMN dispute_parts.document_id IS 'The document.';
      COMMENT ON COLUMN dispute_parts.payment_id IS 'The payment.';
      COMMENT ON COLUMN dispute_parts.amount IS
        'What is disputed of the payment on the document, in minor units; below zero: no longer.';
      COMMENT ON COLUMN dispute_parts.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX dispute_parts_of_document ON dispute_parts (account_id, document_id);
      CREATE INDEX dispute_parts_of_payment ON dispute_parts (account_id, payment_id);
      CREATE INDEX dispute_parts_xact ON dispute_parts USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER dispute_parts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dispute_parts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('parts of disputes are append-only');

      ALTER TABLE documents
        ADD amount_disputed bigint NOT NULL DEFAULT 0,
        ADD CONSTRAINT documents_disputed_not_negative CHECK (amount_disputed >= 0);
      COMMENT ON COLUMN documents.amount_disputed IS
        'Part of what was paid that payers dispute at providers, in minor units.';

      ALTER TABLE provider_reversals
        ADD dispute_id uuid,
        ADD FOREIGN KEY (account_id, dispute_id) REFERENCES disputes,
        DROP CONSTRAINT provider_reversals_amount_positive,
        DROP CONSTRAINT provider_reversals_parts_within_amount,
        ADD CONSTRAINT provider_reversals_amount_sound CHECK (
          amount > 0 OR amount < 0 AND dispute_id IS NOT NULL OR amount = 0 AND lost < 0),
        ADD CONSTRAINT provider_reversals_parts_within_amount CHECK (
          from_credit * sign(amount) >= 0 AND lost * sign(amount) >= 0
          AND CASE WHEN amount < 0 THEN from_credit + lost >= amount
            WHEN amount > 0 THEN from_credit + lost <= amount
            ELSE from_credit BETWEEN 0 AND -lost END);
      COMMENT ON COLUMN provider_reversals.dispute_id IS
        'Dispute that it comes of; null: the provider took the money back without one.';
      COMMENT ON COLUMN provider_reversals.amount IS
        'What was taken back, in minor units; below zero: a dispute gave it again; zero: what had '
        'been lost is asked for.';
      CREATE INDEX provider_reversals_of_dispute ON provider_reversals (account_id, dispute_id)
        WHERE dispute_id IS NOT NULL;

      ALTER TABLE provider_failures
        ADD dispute_status text,
        ADD withdrawn bigint,
        ADD fee bigint,
        ADD evidence_due_by timestamptz,
        DROP CONSTRAINT provider_failures_kind_known,
        ADD CONSTRAINT provider_failures_kind_known
          CHECK (kind IN ('failed', 'unpaid_again', 'dispute')),
        ADD CONSTRAINT provider_failures_dispute_is_whole CHECK (CASE kind WHEN 'dispute'
          THEN num_nulls(dispute_status, amount, reference) = 0
          ELSE num_nonnulls(dispute_status, withdrawn, fee, evidence_due_by) = 0 END),
        ADD CONSTRAINT provider_failures_dispute_status_known
          CHECK (dispute_status IN ('inquiry', 'open', 'won', 'lost', 'closed'));
      COMMENT ON COLUMN provider_failures.kind IS
        'failed: it counts against a payment before it; unpaid_again: against any; dispute: the '
        'payer disputes it.';
      COMMENT ON COLUMN provider_failures.reference IS
        'Id of the provider for the reversal, if it has one, or for the dispute.';
      COMMENT ON COLUMN provider_failures.dispute_status IS 'State of the dispute.';
      COMMENT ON COLUMN provider_failures.withdrawn IS
        'What the provider holds for the dispute, in minor units; null: it does not say.';
      COMMENT ON COLUMN provider_failures.fee IS
        'What the provider charges for the dispute, in minor units; null: it does not say.';
      COMMENT ON COLUMN provider_failures.evidence_due_by IS
        'Until when the provider takes evidence.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_failures
        DROP CONSTRAINT provider_failures_kind_known,
        DROP COLUMN dispute_status,
        DROP COLUMN withdrawn,
        DROP COLUMN fee,
        DROP COLUMN evidence_due_by,
        ADD CONSTRAINT provider_failures_kind_known CHECK (kind IN ('failed', 'unpaid_again'));
      ALTER TABLE provider_reversals
        DROP CONSTRAINT provider_reversals_amount_sound,
        DROP CONSTRAINT provider_reversals_parts_within_amount,
        DROP COLUMN dispute_id,
        ADD CONSTRAINT provider_reversals_amount_positive CHECK (amount > 0),
        ADD CONSTRAINT provider_reversals_parts_within_amount
          CHECK (from_credit >= 0 AND lost >= 0 AND from_credit + lost <= amount);
      ALTER TABLE documents DROP COLUMN amount_disputed;
      DROP TABLE dispute_parts;
      DROP TABLE dispute_steps;
      DROP TABLE disputes;
    `);
  }
}
