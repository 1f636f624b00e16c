-- What a document may be and become.

-- The reference of an invoice, as the code makes it (ISO 11649): from the number, or from the end of
-- the id where the number has other characters or is too long.
CREATE FUNCTION creditor_reference(number text, id uuid) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT 'RF' || lpad((98 - (
        SELECT string_agg(
          CASE WHEN c ~ '^[0-9]$' THEN c ELSE (ascii(c) - 55)::text END, '' ORDER BY place)
        FROM regexp_split_to_table(body || 'RF00', '') WITH ORDINALITY AS letters (c, place)
      )::numeric % 97)::text, 2, '0') || body
    FROM (
      SELECT CASE WHEN short ~ '^[A-Za-z0-9]{1,21}$' THEN upper(short COLLATE "C") ELSE (
          SELECT string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
            (div(random, 36::numeric ^ place) % 36)::integer + 1, 1), '' ORDER BY place DESC)
          FROM generate_series(0, 11) place) END AS body
      FROM (SELECT regexp_replace(number COLLATE "C", '[-/._# ]', '', 'g') AS short,
          ('x0' || right(replace(id::text, '-', ''), 15))::bit(64)::bigint::numeric AS random
      ) given
    ) said);

-- A violation has the name of its rule. The rules are functions, because PostgreSQL parses the text
-- of every CHECK of a table for each update of a row, whatever it changes: 44 of them cost a payment
-- more than all of its inserts. Here: of money, which payments change.
CREATE FUNCTION document_money_is_sound(kind text, lifecycle text, origin text, subtotal bigint,
  discount_total bigint, charge_total bigint, net_total bigint, tax_total bigint, rounding bigint,
  total bigint, amount_paid bigint, amount_refunded bigint, amount_waived bigint,
  amount_credited bigint, credit_notes_total bigint, amount_applied bigint,
  amount_disputed bigint, amount_processing bigint,
  tax_relief jsonb, settled_at timestamptz)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
      DECLARE
        settled bigint := amount_paid - amount_refunded + amount_credited + amount_waived;
        broken text := CASE
          WHEN NOT (net_total = subtotal - discount_total + charge_total
            AND total = net_total + tax_total + rounding)
            THEN 'documents_sums_add_up'
          WHEN NOT (amount_paid >= 0 AND amount_refunded BETWEEN 0 AND amount_paid
            AND amount_credited >= 0 AND amount_waived >= 0 AND settled <= total)
            THEN 'documents_paid_within_total'
          WHEN NOT credit_notes_total BETWEEN amount_credited AND total
            THEN 'documents_credited_within_total'
          WHEN NOT (amount_paid = amount_refunded AND amount_waived = 0 AND credit_notes_total = 0
            OR lifecycle IN ('open', 'uncollectible'))
            THEN 'documents_money_only_on_open_invoices'
          WHEN NOT (kind = 'invoice' OR amount_paid = 0 AND amount_waived = 0 AND credit_notes_total = 0)
            THEN 'documents_only_invoices_take_money'
          WHEN NOT (amount_applied BETWEEN 0 AND total
            AND (amount_applied = 0 OR kind = 'credit_note' AND origin = 'credit'))
            THEN 'documents_applied_within_total'
          WHEN NOT ((settled_at IS NOT NULL) =
            (kind = 'invoice' AND lifecycle IN ('open', 'uncollectible') AND settled = total))
            THEN 'documents_settled_when_nothing_is_due'
          WHEN subtotal < 0 OR discount_total < 0 OR charge_total < 0 OR net_total < 0 OR tax_total < 0
            THEN 'documents_sums_not_negative'
          WHEN amount_disputed < 0 THEN 'documents_disputed_not_negative'
          WHEN NOT (amount_processing = 0
            OR amount_processing > 0 AND kind = 'invoice' AND lifecycle <> 'draft')
            THEN 'documents_processing_of_an_issued_invoice'
          WHEN tax_relief IS NOT NULL AND NOT (kind = 'invoice' AND jsonb_typeof(tax_relief) = 'array')
            THEN 'documents_tax_relief_is_a_list_of_an_invoice'
          WHEN total NOT BETWEEN 0 AND 10000000000000 THEN 'documents_total_at_most_10_to_the_13'
        END;
      BEGIN
        IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
        RETURN true;
      END $$;

-- Rules of everything else, for statements that name these columns: those of a payment do not.
CREATE FUNCTION check_document_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  broken text := CASE
    WHEN NEW.kind NOT IN ('invoice', 'quote', 'credit_note') THEN 'documents_kind_known'
    WHEN NEW.lifecycle NOT IN
      ('draft', 'open', 'accepted', 'rejected', 'converted', 'uncollectible', 'void')
      THEN 'documents_lifecycle_known'
    WHEN NEW.currency !~ '^[A-Z]{3}$' THEN 'documents_currency_is_a_code'
    WHEN NEW.origin NOT IN ('revision', 'conversion', 'duplicate', 'credit')
      THEN 'documents_origin_known'
    WHEN (NEW.origin IS NULL) <> (NEW.origin_document_id IS NULL)
      THEN 'documents_origin_has_its_document'
    WHEN NEW.cash_rounding <= 0 THEN 'documents_cash_rounding_positive'
    WHEN NEW.payment_terms_days NOT BETWEEN 0 AND 3650
      THEN 'documents_payment_terms_at_most_ten_years'
    WHEN NEW.revision <= 0 THEN 'documents_revision_from_one'
    WHEN NEW.number_sequence <= 0 THEN 'documents_number_sequence_from_one'
    WHEN (NEW.lifecycle = 'draft') <> (NEW.number IS NULL) THEN 'documents_numbered_when_issued'
    WHEN (NEW.number_sequence IS NULL) <> (NEW.number_period IS NULL)
      THEN 'documents_number_sequence_has_its_period'
    WHEN (NEW.number_sequence IS NULL) <> (NEW.number_series IS NULL OR NEW.number IS NULL)
      THEN 'documents_number_sequence_has_its_series'
    WHEN (NEW.lifecycle = 'draft') <> (NEW.issued_at IS NULL) THEN 'documents_issued_has_its_time'
    WHEN (NEW.issued_xact IS NULL) <> (NEW.issued_at IS NULL) THEN 'documents_xact_when_issued'
    WHEN NEW.lifecycle <> 'draft' AND (NEW.issue_date IS NULL OR NEW.due_date IS NULL)
      THEN 'documents_issued_has_its_dates'
    WHEN NEW.lifecycle <> 'draft' AND NEW.lapses_at IS NULL THEN 'documents_issued_lapses'
    WHEN NEW.lifecycle <> 'draft' AND NEW.kind = 'invoice' AND NEW.payment_reference IS NULL
      THEN 'documents_issued_invoice_has_reference'
    WHEN NEW.proforma AND NEW.kind <> 'quote' THEN 'documents_only_quotes_are_proforma'
    WHEN NEW.lifecycle = 'accepted' AND (NEW.accepted_at IS NULL OR NEW.kind <> 'quote')
      THEN 'documents_accepted_is_a_quote_and_has_its_time'
    WHEN NEW.lifecycle = 'rejected' AND NEW.kind = 'credit_note'
      THEN 'documents_credit_notes_are_not_rejected'
    WHEN NEW.lifecycle = 'rejected' AND NEW.rejected_at IS NULL
      THEN 'documents_rejected_has_its_time'
    WHEN NEW.accepted_at IS NOT NULL AND NEW.rejected_at IS NOT NULL
      THEN 'documents_one_answer_of_the_client'
    WHEN (NEW.rejected_at IS NULL) <> (NEW.rejection_reason IS NULL)
      THEN 'documents_rejected_has_its_reason'
    WHEN (NEW.rejected_at IS NULL) <> (NEW.rejected_version IS NULL)
      THEN 'documents_rejected_has_its_version'
    WHEN (NEW.lifecycle = 'converted') <> (NEW.converted_at IS NOT NULL)
      THEN 'documents_converted_has_its_time'
    WHEN NEW.lifecycle = 'converted' AND NEW.kind <> 'quote'
      THEN 'documents_only_quotes_are_converted'
    WHEN NEW.lifecycle = 'uncollectible' AND NEW.written_off_at IS NULL
      THEN 'documents_uncollectible_has_its_time'
    WHEN NEW.written_off_at IS NOT NULL
      AND NOT (NEW.lifecycle IN ('uncollectible', 'void') AND NEW.kind = 'invoice')
      THEN 'documents_only_invoices_are_written_off'
    WHEN (NEW.lifecycle = 'void') <> (NEW.voided_at IS NOT NULL) THEN 'documents_void_has_its_time'
  END;
BEGIN
  IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
  RETURN NEW;
END $$;

-- Rules of particulars, for the few statements that name them.
CREATE FUNCTION check_document_particulars() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Only refunds write the column: a CHECK would be parsed for each payment.
CREATE FUNCTION check_document_undecided() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.amount_undecided NOT BETWEEN 0 AND NEW.amount_refunded THEN
      PERFORM refuse_row('documents', 'documents_undecided_within_refunded');
    END IF;
    RETURN NEW;
  END $$;

-- A condition of a trigger would be copied for each statement, 45 KB of it; a function is not.
CREATE FUNCTION keep_issued_document() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- The same steps as in the domain's state machine; what was answered stays as it was given.
CREATE FUNCTION check_document_step() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.lifecycle <> NEW.lifecycle AND (OLD.kind, OLD.lifecycle, NEW.lifecycle) NOT IN
            (('invoice', 'draft', 'open'), ('invoice', 'open', 'rejected'),
             ('invoice', 'open', 'uncollectible'), ('invoice', 'open', 'void'),
             ('invoice', 'rejected', 'void'), ('invoice', 'uncollectible', 'void'),
             ('invoice', 'uncollectible', 'open'),
             ('quote', 'draft', 'open'), ('quote', 'open', 'accepted'),
             ('quote', 'open', 'rejected'), ('quote', 'open', 'converted'),
             ('quote', 'open', 'void'), ('quote', 'accepted', 'converted'),
             ('quote', 'accepted', 'void'), ('quote', 'rejected', 'void'),
             ('quote', 'converted', 'open'), ('quote', 'converted', 'accepted'),
             ('credit_note', 'draft', 'open'), ('credit_note', 'open', 'void'))
          OR OLD.accepted_at IS DISTINCT FROM NEW.accepted_at AND OLD.accepted_at IS NOT NULL
          OR OLD.rejected_at IS NOT NULL AND
            (OLD.rejected_at, OLD.rejection_reason, OLD.rejected_version) IS DISTINCT FROM
            (NEW.rejected_at, NEW.rejection_reason, NEW.rejected_version)
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'documents only move forward';
        END IF;
        RETURN NEW;
      END $$;

CREATE FUNCTION mark_issued_xact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.issued_xact := CASE WHEN NEW.issued_at IS NOT NULL THEN book_xact() END;
  RETURN NEW;
END $$;

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

CREATE FUNCTION follow_pending_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.lifecycle = 'open' AND NEW.settled_at IS NULL THEN
          INSERT INTO pending_documents VALUES (NEW.account_id, NEW.document_id, NEW.created_at,
            coalesce(NEW.due_date, '9999-12-31'), NEW.currency, NEW.total);
        ELSE
          DELETE FROM pending_documents
          WHERE account_id = NEW.account_id AND document_id = NEW.document_id;
        END IF;
        RETURN NULL;
      END $$;
