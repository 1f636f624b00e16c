import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A document may say itself whether it is collected; else the mandate of its customer does. Mandates
 * have the reference by which customers know them.
 */
export class CollectionMethods1764620070000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD COLUMN collection_method text;
      COMMENT ON COLUMN documents.collection_method IS
        'Whether it is debited by a mandate, or left to the client; null: as the mandate says.';
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
      DROP TRIGGER documents_particulars ON documents;
      CREATE TRIGGER documents_particulars
        BEFORE INSERT OR UPDATE OF accepted_by, accepted_at, cash_discounts, collection_method
        ON documents FOR EACH ROW EXECUTE FUNCTION check_document_particulars();
      ALTER TABLE mandates ADD COLUMN reference text,
        ADD CONSTRAINT mandates_reference_is_short CHECK (length(reference) <= 64);
      COMMENT ON COLUMN mandates.reference IS
        'What the customer reads on the bank statement; null: the provider has not said.';
      DROP INDEX mandates_automatic;
      CREATE INDEX mandates_active ON mandates (account_id, customer_id, currency)
        WHERE status = 'active';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX mandates_active;
      CREATE INDEX mandates_automatic ON mandates (account_id, customer_id)
        WHERE status = 'active' AND automatic_since IS NOT NULL;
      DROP TRIGGER documents_particulars ON documents;
      CREATE OR REPLACE FUNCTION check_document_particulars() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        broken text := CASE
          WHEN NEW.accepted_by IS NOT NULL AND NEW.accepted_at IS NULL
            THEN 'documents_accepted_by_somebody'
          WHEN jsonb_typeof(NEW.cash_discounts) <> 'array'
            THEN 'documents_cash_discounts_is_a_list'
        END;
      BEGIN
        IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER documents_particulars
        BEFORE INSERT OR UPDATE OF accepted_by, accepted_at, cash_discounts ON documents
        FOR EACH ROW EXECUTE FUNCTION check_document_particulars();
      ALTER TABLE mandates DROP COLUMN reference;
      ALTER TABLE documents DROP COLUMN collection_method`);
  }
}
