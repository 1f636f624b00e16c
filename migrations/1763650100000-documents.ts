import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers, numbered documents with lines and tax, their PDFs and portal tokens. */
export class Documents1763650100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE customers (
        account_id   uuid NOT NULL REFERENCES accounts,
        customer_id  uuid NOT NULL,
        profile      jsonb NOT NULL,
        created_at   timestamptz NOT NULL,
        PRIMARY KEY (account_id, customer_id)
      );

      CREATE TABLE number_series (
        account_id   uuid NOT NULL REFERENCES accounts,
        kind         text NOT NULL CHECK (kind IN ('invoice', 'quote')),
        prefix       text NOT NULL,
        next_number  bigint NOT NULL DEFAULT 1 CHECK (next_number > 0),
        PRIMARY KEY (account_id, kind)
      );

      -- Room on each page, so that a payment's update stays on it (heap-only tuple).
      CREATE TABLE documents (
        account_id        uuid NOT NULL REFERENCES accounts,
        document_id       uuid NOT NULL,
        kind              text NOT NULL CHECK (kind IN ('invoice', 'quote')),
        lifecycle         text NOT NULL CHECK (lifecycle IN
          ('draft', 'open', 'accepted', 'rejected', 'void')),
        number            text,
        currency          text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
        customer_id       uuid NOT NULL,
        seller            jsonb NOT NULL,
        customer          jsonb NOT NULL,
        issue_date        date,
        due_date          date,
        payment_terms_days integer CHECK (payment_terms_days BETWEEN 0 AND 3650),
        purchase_order    text,
        notes             text,
        metadata          jsonb NOT NULL,
        net_total         bigint NOT NULL CHECK (net_total >= 0),
        tax_total         bigint NOT NULL CHECK (tax_total >= 0),
        total             bigint NOT NULL CHECK (total BETWEEN 0 AND 10000000000000),
        amount_paid       bigint NOT NULL DEFAULT 0,
        accepted_at       timestamptz,
        rejection_reason  text,
        rejected_at       timestamptz,
        rejected_version  integer,
        version           integer NOT NULL CHECK (version > 0),
        event_sequence    integer NOT NULL CHECK (event_sequence >= 0),
        created_at        timestamptz NOT NULL,
        issued_at         timestamptz,
        voided_at         timestamptz,
        PRIMARY KEY (account_id, document_id),
        CONSTRAINT documents_number UNIQUE (account_id, kind, number),
        CONSTRAINT documents_currency UNIQUE (account_id, document_id, currency),
        FOREIGN KEY (account_id, customer_id) REFERENCES customers,
        CHECK (total = net_total + tax_total),
        CONSTRAINT documents_paid_within_total CHECK (amount_paid BETWEEN 0 AND total),
        CONSTRAINT documents_money_only_on_open_invoices
          CHECK (amount_paid = 0 OR (lifecycle = 'open' AND kind = 'invoice')),
        CHECK ((lifecycle = 'draft') = (number IS NULL)),
        CHECK ((lifecycle = 'draft') = (issued_at IS NULL)),
        CHECK (lifecycle = 'draft' OR (issue_date IS NOT NULL AND due_date IS NOT NULL)),
        CHECK (lifecycle <> 'accepted' OR accepted_at IS NOT NULL AND kind = 'quote'),
        CHECK (lifecycle <> 'rejected' OR rejected_at IS NOT NULL),
        CHECK (accepted_at IS NULL OR rejected_at IS NULL),
        CHECK ((rejected_at IS NULL) = (rejection_reason IS NULL)),
        CHECK ((rejected_at IS NULL) = (rejected_version IS NULL)),
        CHECK ((lifecycle = 'void') = (voided_at IS NOT NULL))
      ) WITH (fillfactor = 80);

      -- Only for statements that name these columns: a payment's does not.
      CREATE TRIGGER documents_frozen_when_issued BEFORE UPDATE OF kind, number, currency,
        customer_id, seller, customer, issue_date, due_date, notes, purchase_order, net_total,
        tax_total, total, issued_at ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> 'draft' AND
          (OLD.kind, OLD.number, OLD.currency, OLD.customer_id, OLD.seller, OLD.customer,
           OLD.issue_date, OLD.due_date, OLD.notes, OLD.purchase_order,
           OLD.net_total, OLD.tax_total, OLD.total, OLD.issued_at)
          IS DISTINCT FROM
          (NEW.kind, NEW.number, NEW.currency, NEW.customer_id, NEW.seller, NEW.customer,
           NEW.issue_date, NEW.due_date, NEW.notes, NEW.purchase_order,
           NEW.net_total, NEW.tax_total, NEW.total, NEW.issued_at))
        EXECUTE FUNCTION refuse_change('an issued document is frozen');
      -- The same steps as in the domain's state machine, and a client's answer stays as it was given.
      CREATE TRIGGER documents_lifecycle BEFORE UPDATE OF lifecycle, accepted_at, rejected_at,
        rejection_reason, rejected_version ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> NEW.lifecycle AND (OLD.lifecycle, NEW.lifecycle) NOT IN
            (('draft', 'open'), ('open', 'accepted'), ('open', 'rejected'), ('open', 'void'),
             ('accepted', 'void'), ('rejected', 'void'))
          OR OLD.accepted_at IS DISTINCT FROM NEW.accepted_at AND OLD.accepted_at IS NOT NULL
          OR OLD.rejected_at IS NOT NULL AND
            (OLD.rejected_at, OLD.rejection_reason, OLD.rejected_version) IS DISTINCT FROM
            (NEW.rejected_at, NEW.rejection_reason, NEW.rejected_version))
        EXECUTE FUNCTION refuse_change('documents only move forward');
      CREATE TRIGGER documents_issued_stay BEFORE DELETE ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> 'draft')
        EXECUTE FUNCTION refuse_change('an issued document is never deleted');

      CREATE TABLE document_lines (
        account_id    uuid NOT NULL,
        document_id   uuid NOT NULL,
        position      integer NOT NULL CHECK (position > 0),
        description   text NOT NULL,
        quantity      numeric NOT NULL CHECK (quantity >= 0),
        unit_amount   numeric NOT NULL CHECK (unit_amount >= 0),
        tax_category  text NOT NULL,
        tax_rate      numeric NOT NULL CHECK (tax_rate BETWEEN 0 AND 100),
        net           bigint NOT NULL CHECK (net >= 0),
        PRIMARY KEY (account_id, document_id, position),
        FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE
      );

      CREATE TABLE document_tax_groups (
        account_id    uuid NOT NULL,
        document_id   uuid NOT NULL,
        tax_category  text NOT NULL,
        tax_rate      numeric NOT NULL,
        base          bigint NOT NULL CHECK (base >= 0),
        tax           bigint NOT NULL CHECK (tax >= 0),
        PRIMARY KEY (account_id, document_id, tax_category, tax_rate),
        FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE
      );

      -- Issuing and inserting are one transaction: only there may an issued document gain a line.
      CREATE FUNCTION refuse_change_of_issued() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        part record := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
      BEGIN
        IF EXISTS (SELECT FROM documents d
          WHERE (d.account_id, d.document_id) = (part.account_id, part.document_id)
            AND d.lifecycle <> 'draft'
            AND NOT (TG_OP = 'INSERT' AND d.xmin = pg_current_xact_id()::xid))
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
        END IF;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $$;
      CREATE TRIGGER document_lines_frozen BEFORE INSERT OR UPDATE OR DELETE ON document_lines
        FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
      CREATE TRIGGER document_tax_groups_frozen
        BEFORE INSERT OR UPDATE OR DELETE ON document_tax_groups
        FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
      CREATE TRIGGER document_lines_stay BEFORE TRUNCATE ON document_lines
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');
      CREATE TRIGGER document_tax_groups_stay BEFORE TRUNCATE ON document_tax_groups
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

      -- What was issued, as bytes: rendered once for each language, never changed.
      CREATE TABLE document_pdfs (
        account_id   uuid NOT NULL,
        document_id  uuid NOT NULL,
        language     text NOT NULL,
        pdf          bytea NOT NULL,
        sha256       bytea NOT NULL CHECK (length(sha256) = 32),
        created_at   timestamptz NOT NULL,
        PRIMARY KEY (account_id, document_id, language),
        FOREIGN KEY (account_id, document_id) REFERENCES documents
      );
      ALTER TABLE document_pdfs ALTER COLUMN pdf SET STORAGE EXTERNAL;
      CREATE TRIGGER document_pdfs_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON document_pdfs
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an issued PDF is never changed');

      -- Global: a client presents the token before its account is known.
      CREATE TABLE portal_tokens (
        token_sha256     bytea PRIMARY KEY CHECK (length(token_sha256) = 32),
        portal_token_id  uuid NOT NULL,
        account_id       uuid NOT NULL,
        document_id      uuid NOT NULL,
        created_at       timestamptz NOT NULL,
        expires_at       timestamptz NOT NULL,
        revoked_at       timestamptz,
        FOREIGN KEY (account_id, document_id) REFERENCES documents
      );
      CREATE INDEX portal_tokens_document ON portal_tokens (account_id, document_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE portal_tokens, document_pdfs, document_tax_groups, document_lines, documents,
        number_series, customers;
      DROP FUNCTION refuse_change_of_issued();
    `);
  }
}
