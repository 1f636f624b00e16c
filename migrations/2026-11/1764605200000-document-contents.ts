import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The words and lines of documents have a row of their own, which payments do not copy. Its lines
 * and taxes are JSON as readers want it, because making that of rows was half of each read.
 */
export class DocumentContents1764605200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE document_contents (
        account_id   uuid NOT NULL,
        document_id  uuid NOT NULL,
        seller       jsonb NOT NULL,
        customer     jsonb NOT NULL,
        notes        text,
        metadata     jsonb NOT NULL,
        details      jsonb,
        discounts    jsonb NOT NULL,
        charges      jsonb NOT NULL,
        lines        json NOT NULL,
        tax_groups   json NOT NULL,
        search       tsvector NOT NULL,
        PRIMARY KEY (account_id, document_id),
        FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE
      );
      COMMENT ON TABLE document_contents IS
        'Words and lines of documents, one row each. Frozen with the document, but for metadata.';
      COMMENT ON COLUMN document_contents.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN document_contents.document_id IS 'The document.';
      COMMENT ON COLUMN document_contents.seller IS
        'The seller as printed: a copy that was frozen at issue.';
      COMMENT ON COLUMN document_contents.customer IS
        'The customer as printed: a copy that was frozen at issue.';
      COMMENT ON COLUMN document_contents.notes IS 'Text that is printed below the lines.';
      COMMENT ON COLUMN document_contents.metadata IS
        'Values that the caller attached; only a filter reads them.';
      COMMENT ON COLUMN document_contents.details IS
        'Dates, references, delivery and parties of EN 16931 that the document has; null: none.';
      COMMENT ON COLUMN document_contents.discounts IS
        'Discounts on the whole document, as the API shows them.';
      COMMENT ON COLUMN document_contents.charges IS
        'Charges on the whole document, as the API shows them.';
      COMMENT ON COLUMN document_contents.lines IS 'The rows of document_lines, for readers.';
      COMMENT ON COLUMN document_contents.tax_groups IS
        'The rows of document_tax_groups, for readers.';
      COMMENT ON COLUMN document_contents.search IS
        'Words that a search finds, each beginning with the end of the account id. Written with the '
        'document.';

      INSERT INTO document_contents
        SELECT d.account_id, d.document_id, d.seller, d.customer, d.notes, d.metadata, d.details,
          d.discounts, d.charges,
          coalesce((SELECT json_agg(json_build_array(l.position, l.description,
              trim_scale(l.quantity)::text, l.unit, trim_scale(l.unit_amount)::text,
              trim_scale(l.tax_rate)::text, l.tax_category, l.exemption_reason, l.details,
              l.discounts, l.charges, l.amount::text, l.net::text, l.line_id, l.external_id, l.sku,
              l.metadata, l.credited_line_id, l.tax_rate_id, l.item_id) ORDER BY l.position)
            FROM document_lines l
            WHERE (l.account_id, l.document_id) = (d.account_id, d.document_id)), '[]'),
          coalesce((SELECT json_agg(json_build_array(g.tax_category, trim_scale(g.tax_rate)::text,
              g.base::text, g.tax::text, g.exemption_code, g.exemption_reason)
              ORDER BY g.tax_rate DESC, g.tax_category)
            FROM document_tax_groups g
            WHERE (g.account_id, g.document_id) = (d.account_id, d.document_id)), '[]'),
          d.search
        FROM documents d;
      CREATE INDEX document_contents_metadata ON document_contents
        USING gin (metadata_pairs(account_id, metadata)) WITH (fastupdate = off)
        WHERE metadata <> '{}';
      CREATE INDEX document_contents_search ON document_contents
        USING gin (search) WITH (fastupdate = off);

      -- Written with its document, in the transaction that issues it at the latest.
      CREATE FUNCTION keep_issued_content() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        part record := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
      BEGIN
        IF EXISTS (SELECT FROM documents d
          WHERE (d.account_id, d.document_id) = (part.account_id, part.document_id)
            AND d.lifecycle <> 'draft' AND d.issued_xact IS DISTINCT FROM book_xact()
            AND NOT (TG_OP = 'INSERT' AND d.xmin = pg_current_xact_id()::xid))
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
        END IF;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $$;
      CREATE TRIGGER document_contents_frozen
        BEFORE INSERT OR DELETE OR UPDATE OF account_id, document_id, seller, customer, notes,
          details, discounts, charges, lines, tax_groups ON document_contents
        FOR EACH ROW EXECUTE FUNCTION keep_issued_content();
      CREATE TRIGGER document_contents_stay BEFORE TRUNCATE ON document_contents
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

      DROP TRIGGER documents_details_frozen_when_issued ON documents;
      DROP TRIGGER documents_frozen_when_issued ON documents;
      ALTER TABLE documents DROP seller, DROP customer, DROP notes, DROP metadata, DROP details,
        DROP discounts, DROP charges, DROP search;
      CREATE OR REPLACE FUNCTION keep_issued_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.lifecycle <> 'draft' AND
          (OLD.kind, OLD.number, OLD.currency, OLD.customer_id, OLD.issue_date, OLD.due_date,
           OLD.purchase_order, OLD.net_total, OLD.tax_total, OLD.total, OLD.issued_at, OLD.proforma,
           OLD.language, OLD.external_id, OLD.prices_include_tax, OLD.cash_rounding, OLD.subtotal,
           OLD.discount_total, OLD.charge_total, OLD.rounding, OLD.amount_applied, OLD.origin,
           OLD.origin_document_id, OLD.revision, OLD.lapses_at, OLD.number_series, OLD.number_period,
           OLD.number_sequence)
          IS DISTINCT FROM
          (NEW.kind, NEW.number, NEW.currency, NEW.customer_id, NEW.issue_date, NEW.due_date,
           NEW.purchase_order, NEW.net_total, NEW.tax_total, NEW.total, NEW.issued_at, NEW.proforma,
           NEW.language, NEW.external_id, NEW.prices_include_tax, NEW.cash_rounding, NEW.subtotal,
           NEW.discount_total, NEW.charge_total, NEW.rounding, NEW.amount_applied, NEW.origin,
           NEW.origin_document_id, NEW.revision, NEW.lapses_at, NEW.number_series, NEW.number_period,
           NEW.number_sequence)
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER documents_frozen_when_issued
        BEFORE UPDATE OF kind, number, currency, customer_id, issue_date, due_date, purchase_order,
          net_total, tax_total, total, issued_at, proforma, language, external_id,
          prices_include_tax, cash_rounding, subtotal, discount_total, charge_total, rounding,
          amount_applied, origin, origin_document_id, revision, lapses_at, number_series,
          number_period, number_sequence ON documents
        FOR EACH ROW EXECUTE FUNCTION keep_issued_document();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents DISABLE TRIGGER USER;
      ALTER TABLE documents ADD seller jsonb, ADD customer jsonb, ADD notes text, ADD metadata jsonb,
        ADD details jsonb, ADD discounts jsonb NOT NULL DEFAULT '[]',
        ADD charges jsonb NOT NULL DEFAULT '[]', ADD search tsvector;
      UPDATE documents d SET seller = c.seller, customer = c.customer, notes = c.notes,
        metadata = c.metadata, details = c.details, discounts = c.discounts, charges = c.charges,
        search = c.search
      FROM document_contents c
      WHERE (c.account_id, c.document_id) = (d.account_id, d.document_id);
      ALTER TABLE documents ALTER seller SET NOT NULL, ALTER customer SET NOT NULL,
        ALTER metadata SET NOT NULL, ALTER search SET NOT NULL;
      ALTER TABLE documents ENABLE TRIGGER USER;
      DROP TABLE document_contents;
      DROP FUNCTION keep_issued_content();
      COMMENT ON COLUMN documents.seller IS 'The seller as printed: a copy that was frozen at issue.';
      COMMENT ON COLUMN documents.customer IS
        'The customer as printed: a copy that was frozen at issue.';
      COMMENT ON COLUMN documents.notes IS 'Text that is printed below the lines.';
      COMMENT ON COLUMN documents.metadata IS
        'Values that the caller attached; only a filter reads them.';
      COMMENT ON COLUMN documents.details IS
        'Dates, references, delivery and parties of EN 16931 that the document has; null: none.';
      COMMENT ON COLUMN documents.discounts IS
        'Discounts on the whole document, as the API shows them.';
      COMMENT ON COLUMN documents.charges IS 'Charges on the whole document, as the API shows them.';
      COMMENT ON COLUMN documents.search IS
        'Words that a search finds, each beginning with the end of the account id. Written with the '
        'document.';
      CREATE INDEX documents_metadata ON documents
        USING gin (metadata_pairs(account_id, metadata)) WITH (fastupdate = off)
        WHERE metadata <> '{}';
      CREATE INDEX documents_search ON documents USING gin (search) WITH (fastupdate = off);
      DROP TRIGGER documents_frozen_when_issued ON documents;
      CREATE OR REPLACE FUNCTION keep_issued_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.lifecycle <> 'draft' AND
          (OLD.kind, OLD.number, OLD.currency, OLD.customer_id, OLD.seller, OLD.customer,
           OLD.issue_date, OLD.due_date, OLD.notes, OLD.purchase_order, OLD.net_total, OLD.tax_total,
           OLD.total, OLD.issued_at, OLD.proforma, OLD.language, OLD.external_id,
           OLD.prices_include_tax, OLD.cash_rounding, OLD.discounts, OLD.charges, OLD.subtotal,
           OLD.discount_total, OLD.charge_total, OLD.rounding, OLD.amount_applied, OLD.origin,
           OLD.origin_document_id, OLD.revision, OLD.lapses_at, OLD.number_series, OLD.number_period,
           OLD.number_sequence)
          IS DISTINCT FROM
          (NEW.kind, NEW.number, NEW.currency, NEW.customer_id, NEW.seller, NEW.customer,
           NEW.issue_date, NEW.due_date, NEW.notes, NEW.purchase_order, NEW.net_total, NEW.tax_total,
           NEW.total, NEW.issued_at, NEW.proforma, NEW.language, NEW.external_id,
           NEW.prices_include_tax, NEW.cash_rounding, NEW.discounts, NEW.charges, NEW.subtotal,
           NEW.discount_total, NEW.charge_total, NEW.rounding, NEW.amount_applied, NEW.origin,
           NEW.origin_document_id, NEW.revision, NEW.lapses_at, NEW.number_series, NEW.number_period,
           NEW.number_sequence)
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER documents_frozen_when_issued
        BEFORE UPDATE OF kind, number, currency, customer_id, seller, customer, issue_date, due_date,
          notes, purchase_order, net_total, tax_total, total, issued_at, proforma, language,
          external_id, prices_include_tax, cash_rounding, discounts, charges, subtotal,
          discount_total, charge_total, rounding, amount_applied, origin, origin_document_id,
          revision, lapses_at, number_series, number_period, number_sequence ON documents
        FOR EACH ROW EXECUTE FUNCTION keep_issued_document();
      CREATE TRIGGER documents_details_frozen_when_issued BEFORE UPDATE OF details ON documents
        FOR EACH ROW WHEN (OLD.lifecycle <> 'draft' AND OLD.details IS DISTINCT FROM NEW.details)
        EXECUTE FUNCTION refuse_change('an issued document is frozen');
    `);
  }
}
