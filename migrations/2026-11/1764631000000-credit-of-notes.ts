import type { MigrationInterface, QueryRunner } from 'typeorm';

const FACTS =
  'document.issued document.rejected document.voided document.written_off document.write_off_reversed document.tax_relieved credit_note.issued credit_note.voided payment.recorded payment.moved payment.reversed payment.refunded refund.returned refund.reversed receipt.unmatched receipt.refunded receipt.closed dispute.opened dispute.won dispute.lost payout.sent payout.failed payout.reversed bank_entry.booked bank_entry.unbooked';

const words = (text: string) =>
  text
    .split(' ')
    .map((word) => `'${word}'`)
    .join(', ');

/**
 * Credit of a note goes onto its invoice if money of that goes back: a fact of its own. A refund that
 * is on its way keeps that credit.
 */
export class CreditOfNotes1764631000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER DOMAIN ledger_fact DROP CONSTRAINT ledger_fact_known;
      ALTER DOMAIN ledger_fact ADD CONSTRAINT ledger_fact_known
        CHECK (VALUE IN (${words(`${FACTS} credit_note.moved`)}));

      ALTER TABLE documents ADD COLUMN amount_moved bigint NOT NULL DEFAULT 0;
      COMMENT ON COLUMN documents.amount_moved IS
        'Of a credit note: credit that went onto its invoice after its issue, in minor units; below zero: came off again.';
      CREATE OR REPLACE FUNCTION check_document_particulars() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        broken text := CASE
          WHEN NEW.accepted_by IS NOT NULL AND NEW.accepted_at IS NULL
            THEN 'documents_accepted_by_somebody'
          WHEN jsonb_typeof(NEW.cash_discounts) <> 'array'
            THEN 'documents_cash_discounts_is_a_list'
          WHEN NEW.collection_method NOT IN ('charge_automatically', 'send_invoice')
            THEN 'documents_collection_method_known'
          WHEN NEW.collection_method IS NOT NULL AND NEW.kind = 'credit_note'
            THEN 'documents_credit_notes_are_not_collected'
          WHEN NEW.amount_moved <> 0 AND NOT (NEW.kind = 'credit_note' AND NEW.origin = 'credit'
            AND NEW.issued_at IS NOT NULL
            AND NEW.amount_applied + NEW.amount_moved BETWEEN 0 AND NEW.total)
            THEN 'documents_moved_within_total'
        END;
      BEGIN
        IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
        RETURN NEW;
      END $$;
      DROP TRIGGER documents_particulars ON documents;
      CREATE TRIGGER documents_particulars
        BEFORE INSERT OR UPDATE OF accepted_by, accepted_at, cash_discounts, collection_method,
          amount_moved
        ON documents FOR EACH ROW EXECUTE FUNCTION check_document_particulars();

      ALTER TABLE refunds ADD COLUMN credit_kept bigint NOT NULL DEFAULT 0,
        ADD CONSTRAINT refunds_credit_kept_of_documents
          CHECK (credit_kept >= 0 AND credit_kept <= amount - from_credit - lost);
      COMMENT ON COLUMN refunds.credit_kept IS
        'Credit that notes of its documents gave, and that was kept for it while it was on its way, in minor units.';
      CREATE TRIGGER refunds_credit_kept_stays BEFORE UPDATE OF credit_kept ON refunds
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER refunds_credit_kept_stays ON refunds;
      ALTER TABLE refunds DROP COLUMN credit_kept;
      DROP TRIGGER documents_particulars ON documents;
      CREATE OR REPLACE FUNCTION check_document_particulars() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        broken text := CASE
          WHEN NEW.accepted_by IS NOT NULL AND NEW.accepted_at IS NULL
            THEN 'documents_accepted_by_somebody'
          WHEN jsonb_typeof(NEW.cash_discounts) <> 'array'
            THEN 'documents_cash_discounts_is_a_list'
          WHEN NEW.collection_method NOT IN ('charge_automatically', 'send_invoice')
            THEN 'documents_collection_method_known'
          WHEN NEW.collection_method IS NOT NULL AND NEW.kind = 'credit_note'
            THEN 'documents_credit_notes_are_not_collected'
        END;
      BEGIN
        IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER documents_particulars
        BEFORE INSERT OR UPDATE OF accepted_by, accepted_at, cash_discounts, collection_method
        ON documents FOR EACH ROW EXECUTE FUNCTION check_document_particulars();
      ALTER TABLE documents DROP COLUMN amount_moved;
      ALTER DOMAIN ledger_fact DROP CONSTRAINT ledger_fact_known;
      ALTER DOMAIN ledger_fact ADD CONSTRAINT ledger_fact_known
        CHECK (VALUE IN (${words(FACTS)}));
    `);
  }
}
