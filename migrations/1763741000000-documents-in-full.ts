import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Credit notes, discounts and charges, tax-inclusive prices, origins, and who did what. */
export class DocumentsInFull1763741000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events
        ADD COLUMN actor_type text CHECK (actor_type IN ('client', 'portal', 'gateway', 'operator')),
        ADD COLUMN actor_id text;

      DROP TRIGGER documents_frozen_when_issued ON documents;
      DROP TRIGGER documents_lifecycle ON documents;

      ALTER TABLE documents
        DROP CONSTRAINT documents_kind_check,
        DROP CONSTRAINT documents_lifecycle_check,
        DROP CONSTRAINT documents_check,
        DROP CONSTRAINT documents_paid_within_total,
        DROP CONSTRAINT documents_money_only_on_open_invoices,
        ADD COLUMN proforma boolean NOT NULL DEFAULT false,
        ADD COLUMN language text,
        ADD COLUMN external_id text,
        ADD COLUMN prices_include_tax boolean NOT NULL DEFAULT false,
        ADD COLUMN cash_rounding integer CHECK (cash_rounding > 0),
        ADD COLUMN discounts jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN charges jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN subtotal bigint CHECK (subtotal >= 0),
        ADD COLUMN discount_total bigint NOT NULL DEFAULT 0 CHECK (discount_total >= 0),
        ADD COLUMN charge_total bigint NOT NULL DEFAULT 0 CHECK (charge_total >= 0),
        ADD COLUMN rounding bigint NOT NULL DEFAULT 0,
        ADD COLUMN amount_credited bigint NOT NULL DEFAULT 0,
        ADD COLUMN credit_notes_total bigint NOT NULL DEFAULT 0,
        ADD COLUMN amount_applied bigint NOT NULL DEFAULT 0,
        ADD COLUMN origin text CHECK (origin IN ('revision', 'conversion', 'duplicate', 'credit')),
        ADD COLUMN origin_document_id uuid,
        ADD COLUMN revision integer NOT NULL DEFAULT 1 CHECK (revision > 0),
        ADD COLUMN lapses_at timestamptz,
        ADD COLUMN converted_at timestamptz,
        ADD COLUMN written_off_at timestamptz,
        ADD COLUMN settled_at timestamptz,
        ADD COLUMN search tsvector NOT NULL DEFAULT '';

      UPDATE documents d SET
        subtotal = net_total,
        search = to_tsvector('simple', concat_ws(' ', d.number, d.purchase_order,
          d.customer->>'name', left(d.notes, 20000))),
        lapses_at = (d.due_date + 1)::timestamp AT TIME ZONE
          (SELECT time_zone FROM accounts a WHERE a.account_id = d.account_id),
        settled_at = CASE WHEN d.kind = 'invoice' AND d.lifecycle = 'open'
            AND d.amount_paid = d.total THEN
          coalesce((SELECT max(e.occurred_at) FROM events e WHERE e.account_id = d.account_id
            AND e.document_id = d.document_id AND e.type = 'document.paid'), d.issued_at) END
        WHERE true;

      ALTER TABLE documents
        ALTER COLUMN subtotal SET NOT NULL,
        ALTER COLUMN search DROP DEFAULT,
        ADD CHECK (kind IN ('invoice', 'quote', 'credit_note')),
        ADD CHECK (lifecycle IN
          ('draft', 'open', 'accepted', 'rejected', 'converted', 'uncollectible', 'void')),
        ADD CONSTRAINT documents_sums_add_up CHECK (
          net_total = subtotal - discount_total + charge_total
          AND total = net_total + tax_total + rounding),
        ADD CONSTRAINT documents_paid_within_total CHECK (
          amount_paid >= 0 AND amount_credited >= 0 AND amount_paid + amount_credited <= total),
        ADD CONSTRAINT documents_credited_within_total CHECK (
          credit_notes_total BETWEEN amount_credited AND total),
        ADD CONSTRAINT documents_money_only_on_open_invoices CHECK (
          amount_paid = 0 AND credit_notes_total = 0
          OR lifecycle IN ('open', 'uncollectible') AND kind = 'invoice'),
        ADD CONSTRAINT documents_applied_within_total CHECK (
          amount_applied BETWEEN 0 AND total
          AND (amount_applied = 0 OR kind = 'credit_note' AND origin = 'credit')),
        ADD CONSTRAINT documents_settled_when_nothing_is_due CHECK (
          (settled_at IS NOT NULL) = (kind = 'invoice' AND lifecycle IN ('open', 'uncollectible')
            AND amount_paid + amount_credited = total)),
        ADD CHECK (NOT proforma OR kind = 'quote'),
        ADD CHECK ((origin IS NULL) = (origin_document_id IS NULL)),
        ADD CHECK (lifecycle = 'draft' OR lapses_at IS NOT NULL),
        ADD CHECK ((lifecycle = 'converted') = (converted_at IS NOT NULL)),
        ADD CHECK (lifecycle <> 'converted' OR kind = 'quote'),
        ADD CHECK (lifecycle <> 'uncollectible' OR written_off_at IS NOT NULL),
        ADD CHECK (written_off_at IS NULL
          OR lifecycle IN ('uncollectible', 'void') AND kind = 'invoice'),
        ADD CHECK (lifecycle <> 'rejected' OR kind <> 'credit_note'),
        ADD CONSTRAINT documents_external_id UNIQUE (account_id, external_id),
        ADD FOREIGN KEY (account_id, origin_document_id) REFERENCES documents;

      CREATE INDEX documents_of_origin ON documents (account_id, origin_document_id)
        WHERE origin_document_id IS NOT NULL;

      CREATE TRIGGER documents_frozen_when_issued BEFORE UPDATE OF kind, number, currency,
        customer_id, seller, customer, issue_date, due_date, notes, purchase_order, net_total,
        tax_total, total, issued_at, proforma, language, external_id, prices_include_tax,
        cash_rounding, discounts, charges, subtotal, discount_total, charge_total, rounding,
        amount_applied, origin, origin_document_id, revision, lapses_at, number_series,
        number_period, number_sequence
        ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> 'draft' AND
          (OLD.kind, OLD.number, OLD.currency, OLD.customer_id, OLD.seller, OLD.customer,
           OLD.issue_date, OLD.due_date, OLD.notes, OLD.purchase_order,
           OLD.net_total, OLD.tax_total, OLD.total, OLD.issued_at, OLD.proforma, OLD.language,
           OLD.external_id, OLD.prices_include_tax, OLD.cash_rounding, OLD.discounts, OLD.charges,
           OLD.subtotal, OLD.discount_total, OLD.charge_total, OLD.rounding,
           OLD.amount_applied, OLD.origin, OLD.origin_document_id, OLD.revision, OLD.lapses_at,
           OLD.number_series, OLD.number_period, OLD.number_sequence)
          IS DISTINCT FROM
          (NEW.kind, NEW.number, NEW.currency, NEW.customer_id, NEW.seller, NEW.customer,
           NEW.issue_date, NEW.due_date, NEW.notes, NEW.purchase_order,
           NEW.net_total, NEW.tax_total, NEW.total, NEW.issued_at, NEW.proforma, NEW.language,
           NEW.external_id, NEW.prices_include_tax, NEW.cash_rounding, NEW.discounts, NEW.charges,
           NEW.subtotal, NEW.discount_total, NEW.charge_total, NEW.rounding,
           NEW.amount_applied, NEW.origin, NEW.origin_document_id, NEW.revision, NEW.lapses_at,
           NEW.number_series, NEW.number_period, NEW.number_sequence))
        EXECUTE FUNCTION refuse_change('an issued document is frozen');

      -- The same steps as in the domain's state machine, and what was answered stays as it was given.
      CREATE TRIGGER documents_lifecycle BEFORE UPDATE OF lifecycle, accepted_at, rejected_at,
        rejection_reason, rejected_version ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> NEW.lifecycle
            AND (OLD.kind, OLD.lifecycle, NEW.lifecycle) NOT IN
              (('invoice', 'draft', 'open'), ('invoice', 'open', 'rejected'),
               ('invoice', 'open', 'uncollectible'), ('invoice', 'open', 'void'),
               ('invoice', 'rejected', 'void'), ('invoice', 'uncollectible', 'void'),
               ('quote', 'draft', 'open'), ('quote', 'open', 'accepted'),
               ('quote', 'open', 'rejected'), ('quote', 'open', 'converted'),
               ('quote', 'open', 'void'), ('quote', 'accepted', 'converted'),
               ('quote', 'accepted', 'void'), ('quote', 'rejected', 'void'),
               ('quote', 'converted', 'open'), ('quote', 'converted', 'accepted'),
               ('credit_note', 'draft', 'open'), ('credit_note', 'open', 'void'))
          OR OLD.accepted_at IS DISTINCT FROM NEW.accepted_at AND OLD.accepted_at IS NOT NULL
          OR OLD.rejected_at IS NOT NULL AND
            (OLD.rejected_at, OLD.rejection_reason, OLD.rejected_version) IS DISTINCT FROM
            (NEW.rejected_at, NEW.rejection_reason, NEW.rejected_version))
        EXECUTE FUNCTION refuse_change('documents only move forward');

      ALTER TABLE document_lines
        ADD COLUMN unit text NOT NULL DEFAULT 'C62',
        ADD COLUMN exemption_reason text,
        ADD COLUMN discounts jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN charges jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN amount bigint CHECK (amount >= 0);
      ALTER TABLE document_lines DISABLE TRIGGER document_lines_frozen;
      UPDATE document_lines SET amount = net WHERE true;
      ALTER TABLE document_lines ENABLE TRIGGER document_lines_frozen;
      ALTER TABLE document_lines ALTER COLUMN amount SET NOT NULL;
      ALTER TABLE document_tax_groups
        ADD COLUMN exemption_code text,
        ADD COLUMN exemption_reason text;

      -- Which part of which line a credit note takes back, with tax.
      CREATE TABLE credited_lines (
        account_id      uuid NOT NULL,
        credit_note_id  uuid NOT NULL,
        invoice_id      uuid NOT NULL,
        position        integer NOT NULL CHECK (position > 0),
        amount          bigint NOT NULL CHECK (amount > 0),
        quantity        numeric CHECK (quantity > 0),
        PRIMARY KEY (account_id, credit_note_id, position),
        FOREIGN KEY (account_id, credit_note_id) REFERENCES documents,
        FOREIGN KEY (account_id, invoice_id, position)
          REFERENCES document_lines (account_id, document_id, position)
      );
      CREATE INDEX credited_lines_of_invoice ON credited_lines (account_id, invoice_id);
      CREATE TRIGGER credited_lines_append_only
        BEFORE UPDATE OR DELETE OR TRUNCATE ON credited_lines
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('credited lines are append-only');

      -- Credit also comes from credit notes now. The balance is stored, so that it cannot fall
      -- below zero whoever writes.
      ALTER TABLE customer_credits DISABLE TRIGGER customer_credits_append_only;
      ALTER TABLE customer_credits
        ALTER COLUMN payment_id DROP NOT NULL,
        ADD COLUMN credit_note_id uuid,
        ADD COLUMN currency text,
        ADD FOREIGN KEY (account_id, credit_note_id) REFERENCES documents,
        ADD CHECK ((payment_id IS NULL) <> (credit_note_id IS NULL));
      UPDATE customer_credits c SET currency = p.currency FROM payments p
        WHERE (p.account_id, p.payment_id) = (c.account_id, c.payment_id);
      ALTER TABLE customer_credits ALTER COLUMN currency SET NOT NULL;
      ALTER TABLE customer_credits ENABLE TRIGGER customer_credits_append_only;
      CREATE INDEX customer_credits_of_credit_note ON customer_credits (account_id, credit_note_id)
        WHERE credit_note_id IS NOT NULL;

      CREATE TABLE customer_balances (
        account_id   uuid NOT NULL,
        customer_id  uuid NOT NULL,
        currency     text NOT NULL,
        credit       bigint NOT NULL,
        PRIMARY KEY (account_id, customer_id, currency),
        FOREIGN KEY (account_id, customer_id) REFERENCES customers,
        CONSTRAINT customer_balances_not_negative CHECK (credit >= 0)
      );
      INSERT INTO customer_balances
        SELECT account_id, customer_id, currency, sum(amount) FROM customer_credits GROUP BY 1, 2, 3;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE customer_balances, credited_lines;
      ALTER TABLE customer_credits
        DROP COLUMN credit_note_id, DROP COLUMN currency,
        ALTER COLUMN payment_id SET NOT NULL;
      ALTER TABLE document_tax_groups
        DROP COLUMN exemption_code, DROP COLUMN exemption_reason;
      ALTER TABLE document_lines
        DROP COLUMN unit, DROP COLUMN exemption_reason, DROP COLUMN discounts,
        DROP COLUMN charges, DROP COLUMN amount;
      DROP TRIGGER documents_frozen_when_issued ON documents;
      DROP TRIGGER documents_lifecycle ON documents;
      ALTER TABLE documents
        DROP COLUMN proforma, DROP COLUMN language, DROP COLUMN external_id,
        DROP COLUMN prices_include_tax, DROP COLUMN cash_rounding, DROP COLUMN discounts,
        DROP COLUMN charges, DROP COLUMN subtotal, DROP COLUMN discount_total,
        DROP COLUMN charge_total, DROP COLUMN rounding, DROP COLUMN amount_credited,
        DROP COLUMN credit_notes_total, DROP COLUMN amount_applied, DROP COLUMN origin,
        DROP COLUMN origin_document_id, DROP COLUMN revision, DROP COLUMN lapses_at,
        DROP COLUMN converted_at, DROP COLUMN written_off_at, DROP COLUMN settled_at,
        DROP COLUMN search,
        DROP CONSTRAINT documents_kind_check,
        DROP CONSTRAINT documents_lifecycle_check;
      ALTER TABLE documents
        ADD CHECK (kind IN ('invoice', 'quote')),
        ADD CHECK (lifecycle IN ('draft', 'open', 'accepted', 'rejected', 'void')),
        ADD CONSTRAINT documents_check CHECK (total = net_total + tax_total),
        ADD CONSTRAINT documents_paid_within_total CHECK (amount_paid BETWEEN 0 AND total),
        ADD CONSTRAINT documents_money_only_on_open_invoices
          CHECK (amount_paid = 0 OR (lifecycle = 'open' AND kind = 'invoice'));
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
      ALTER TABLE events DROP COLUMN actor_type, DROP COLUMN actor_id;
    `);
  }
}
