import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The checks of documents: of their money as one function, of the rest as a trigger of the columns
 * concerned. PostgreSQL parses the text of every CHECK of a table for each update of a row, whatever
 * it changes; 44 of them cost a payment more than all of its inserts.
 */
export class DocumentChecks1763840000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const dropped = Object.keys(CHECKS).map((name) => `DROP CONSTRAINT ${name}`);
    await runner.query(FUNCTIONS);
    await runner.query(`
      ALTER TABLE documents
        ${dropped.join(', ')},
        ADD CONSTRAINT documents_money CHECK (document_money_is_sound(
      kind, lifecycle, origin, subtotal, discount_total, charge_total, net_total,
          tax_total, rounding, total, amount_paid, amount_refunded, amount_waived,
          amount_credited, credit_notes_total, amount_applied, settled_at));
      CREATE TRIGGER documents_state BEFORE INSERT OR UPDATE OF
        kind, lifecycle, proforma, currency, number, number_series, number_period,
        number_sequence, payment_terms_days, cash_rounding, origin, origin_document_id,
        revision, issue_date, due_date, lapses_at, issued_at, issued_xact, payment_reference,
        accepted_at, rejected_at, rejection_reason, rejected_version, converted_at,
        written_off_at, voided_at
        ON documents FOR EACH ROW EXECUTE FUNCTION check_document_state();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    const added = Object.entries(CHECKS).map(
      ([name, sql]) => `ADD CONSTRAINT ${name} CHECK (${sql})`,
    );
    await runner.query(`
      DROP TRIGGER documents_state ON documents;
      ALTER TABLE documents DROP CONSTRAINT documents_money, ${added.join(', ')};
      DROP FUNCTION document_money_is_sound, check_document_state, refuse_row;
    `);
  }
}

/** A violation has the name that its check had. */
const FUNCTIONS = `
  CREATE FUNCTION refuse_row(of text, rule text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'a row of % violates %', of, rule
      USING ERRCODE = 'check_violation', CONSTRAINT = rule, TABLE = of;
  END $$;

  CREATE FUNCTION document_money_is_sound(kind text, lifecycle text, origin text, subtotal bigint, discount_total bigint,
      charge_total bigint, net_total bigint, tax_total bigint, rounding bigint, total
      bigint, amount_paid bigint, amount_refunded bigint, amount_waived bigint,
      amount_credited bigint, credit_notes_total bigint, amount_applied bigint,
      settled_at timestamptz)
    RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    -- As one expression, which is what every payment waits for; then by name.
    IF ((net_total = (subtotal - discount_total + charge_total) AND total = (net_total +
      tax_total + rounding)) AND (amount_paid >= 0 AND amount_refunded >= 0 AND
      amount_refunded <= amount_paid AND amount_credited >= 0 AND amount_waived >= 0 AND
      (amount_paid - amount_refunded + amount_credited + amount_waived) <= total) AND
      (credit_notes_total >= amount_credited AND credit_notes_total <= total) AND
      (amount_paid = amount_refunded AND amount_waived = 0 AND credit_notes_total = 0 OR
      (lifecycle = ANY (ARRAY['open', 'uncollectible']))) AND (kind = 'invoice' OR
      amount_paid = 0 AND amount_waived = 0 AND credit_notes_total = 0) AND
      (amount_applied >= 0 AND amount_applied <= total AND (amount_applied = 0 OR kind =
      'credit_note' AND origin = 'credit')) AND ((settled_at IS NOT NULL) = (kind =
      'invoice' AND (lifecycle = ANY (ARRAY['open', 'uncollectible'])) AND (amount_paid -
      amount_refunded + amount_credited + amount_waived) = total)) AND (subtotal >= 0 AND
      discount_total >= 0 AND charge_total >= 0 AND net_total >= 0 AND tax_total >= 0 AND
      total >= 0 AND total <= 10000000000000)) IS NOT FALSE THEN
      RETURN true;
    END IF;
    IF NOT (net_total = (subtotal - discount_total + charge_total) AND total = (net_total +
      tax_total + rounding)) THEN
      PERFORM refuse_row('documents', 'documents_sums_add_up');
    END IF;
    IF NOT (amount_paid >= 0 AND amount_refunded >= 0 AND amount_refunded <= amount_paid AND
      amount_credited >= 0 AND amount_waived >= 0 AND (amount_paid - amount_refunded +
      amount_credited + amount_waived) <= total) THEN
      PERFORM refuse_row('documents', 'documents_paid_within_total');
    END IF;
    IF NOT (credit_notes_total >= amount_credited AND credit_notes_total <= total) THEN
      PERFORM refuse_row('documents', 'documents_credited_within_total');
    END IF;
    IF NOT (amount_paid = amount_refunded AND amount_waived = 0 AND credit_notes_total = 0 OR
      (lifecycle = ANY (ARRAY['open', 'uncollectible']))) THEN
      PERFORM refuse_row('documents', 'documents_money_only_on_open_invoices');
    END IF;
    IF NOT (kind = 'invoice' OR amount_paid = 0 AND amount_waived = 0 AND credit_notes_total = 0) THEN
      PERFORM refuse_row('documents', 'documents_only_invoices_take_money');
    END IF;
    IF NOT (amount_applied >= 0 AND amount_applied <= total AND (amount_applied = 0 OR kind =
      'credit_note' AND origin = 'credit')) THEN
      PERFORM refuse_row('documents', 'documents_applied_within_total');
    END IF;
    IF NOT ((settled_at IS NOT NULL) = (kind = 'invoice' AND (lifecycle = ANY (ARRAY['open',
      'uncollectible'])) AND (amount_paid - amount_refunded + amount_credited +
      amount_waived) = total)) THEN
      PERFORM refuse_row('documents', 'documents_settled_when_nothing_is_due');
    END IF;
    IF NOT (subtotal >= 0 AND discount_total >= 0 AND charge_total >= 0 AND net_total >= 0 AND
      tax_total >= 0 AND total >= 0 AND total <= 10000000000000) THEN
      PERFORM refuse_row('documents', 'documents_sums_not_negative');
    END IF;
    RETURN true;
  END $$;

  CREATE FUNCTION check_document_state() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT (NEW.kind = ANY (ARRAY['invoice', 'quote', 'credit_note']) AND NEW.lifecycle = ANY
      (ARRAY['draft', 'open', 'accepted', 'rejected', 'converted', 'uncollectible',
      'void']) AND NEW.currency ~ '^[A-Z]{3}$' AND NEW.origin = ANY (ARRAY['revision',
      'conversion', 'duplicate', 'credit'])) THEN
      PERFORM refuse_row('documents', 'documents_known_values');
    END IF;
    IF NOT (NEW.cash_rounding > 0 AND NEW.number_sequence > 0 AND NEW.payment_terms_days >= 0
      AND NEW.payment_terms_days <= 3650 AND NEW.revision > 0) THEN
      PERFORM refuse_row('documents', 'documents_counts');
    END IF;
    IF NOT ((NEW.lifecycle = 'draft') = (NEW.number IS NULL) AND (NEW.lifecycle = 'draft') =
      (NEW.issued_at IS NULL) AND (NEW.lifecycle = 'draft' OR NEW.issue_date IS NOT NULL
      AND NEW.due_date IS NOT NULL) AND (NEW.number_sequence IS NULL) = (NEW.number_period
      IS NULL) AND ((NEW.number_sequence IS NULL) = (NEW.number_series IS NULL OR
      NEW.number IS NULL)) AND (NEW.lifecycle = 'draft' OR NEW.lapses_at IS NOT NULL)) THEN
      PERFORM refuse_row('documents', 'documents_numbered_when_issued');
    END IF;
    IF NOT ((NOT NEW.proforma OR NEW.kind = 'quote') AND (NEW.origin IS NULL) =
      (NEW.origin_document_id IS NULL) AND (NEW.lifecycle = 'converted') =
      (NEW.converted_at IS NOT NULL) AND (NEW.lifecycle <> 'converted' OR NEW.kind =
      'quote') AND (NEW.lifecycle <> 'uncollectible' OR NEW.written_off_at IS NOT NULL)
      AND (NEW.written_off_at IS NULL OR (NEW.lifecycle = ANY (ARRAY['uncollectible',
      'void'])) AND NEW.kind = 'invoice') AND (NEW.lifecycle <> 'rejected' OR NEW.kind <>
      'credit_note') AND (NEW.lifecycle <> 'accepted' OR NEW.accepted_at IS NOT NULL AND
      NEW.kind = 'quote') AND (NEW.lifecycle <> 'rejected' OR NEW.rejected_at IS NOT NULL)
      AND (NEW.accepted_at IS NULL OR NEW.rejected_at IS NULL) AND (NEW.rejected_at IS
      NULL) = (NEW.rejection_reason IS NULL) AND (NEW.rejected_at IS NULL) =
      (NEW.rejected_version IS NULL) AND (NEW.lifecycle = 'void') = (NEW.voided_at IS NOT
      NULL)) THEN
      PERFORM refuse_row('documents', 'documents_steps_leave_their_time');
    END IF;
    IF NOT (NEW.payment_reference IS NOT NULL OR NEW.kind <> 'invoice' OR NEW.lifecycle =
      'draft') THEN
      PERFORM refuse_row('documents', 'documents_issued_invoice_has_reference');
    END IF;
    IF NOT ((NEW.issued_xact IS NULL) = (NEW.issued_at IS NULL)) THEN
      PERFORM refuse_row('documents', 'documents_xact_when_issued');
    END IF;
    RETURN NEW;
  END $$;`;

/** As they were. */
const CHECKS: Record<string, string> = {
  documents_applied_within_total: `amount_applied >= 0 AND amount_applied <= total AND (amount_applied = 0 OR kind = 'credit_note' AND origin = 'credit')`,
  documents_cash_rounding_check: `cash_rounding > 0`,
  documents_charge_total_check: `charge_total >= 0`,
  documents_check: `NOT proforma OR kind = 'quote'`,
  documents_check1: `(lifecycle = 'draft') = (number IS NULL)`,
  documents_check10: `(number_sequence IS NULL) = (number_period IS NULL)`,
  documents_check11: `(number_sequence IS NULL) = (number_series IS NULL OR number IS NULL)`,
  documents_check12: `(origin IS NULL) = (origin_document_id IS NULL)`,
  documents_check13: `lifecycle = 'draft' OR lapses_at IS NOT NULL`,
  documents_check14: `(lifecycle = 'converted') = (converted_at IS NOT NULL)`,
  documents_check15: `lifecycle <> 'converted' OR kind = 'quote'`,
  documents_check16: `lifecycle <> 'uncollectible' OR written_off_at IS NOT NULL`,
  documents_check17: `written_off_at IS NULL OR (lifecycle = ANY (ARRAY['uncollectible', 'void'])) AND kind = 'invoice'`,
  documents_check18: `lifecycle <> 'rejected' OR kind <> 'credit_note'`,
  documents_check2: `(lifecycle = 'draft') = (issued_at IS NULL)`,
  documents_check3: `lifecycle = 'draft' OR issue_date IS NOT NULL AND due_date IS NOT NULL`,
  documents_check4: `lifecycle <> 'accepted' OR accepted_at IS NOT NULL AND kind = 'quote'`,
  documents_check5: `lifecycle <> 'rejected' OR rejected_at IS NOT NULL`,
  documents_check6: `accepted_at IS NULL OR rejected_at IS NULL`,
  documents_check7: `(rejected_at IS NULL) = (rejection_reason IS NULL)`,
  documents_check8: `(rejected_at IS NULL) = (rejected_version IS NULL)`,
  documents_check9: `(lifecycle = 'void') = (voided_at IS NOT NULL)`,
  documents_credited_within_total: `credit_notes_total >= amount_credited AND credit_notes_total <= total`,
  documents_currency_check: `currency ~ '^[A-Z]{3}$'`,
  documents_discount_total_check: `discount_total >= 0`,
  documents_issued_invoice_has_reference: `payment_reference IS NOT NULL OR kind <> 'invoice' OR lifecycle = 'draft'`,
  documents_kind_check: `kind = ANY (ARRAY['invoice', 'quote', 'credit_note'])`,
  documents_lifecycle_check: `lifecycle = ANY (ARRAY['draft', 'open', 'accepted', 'rejected', 'converted', 'uncollectible', 'void'])`,
  documents_money_only_on_open_invoices: `amount_paid = amount_refunded AND amount_waived = 0 AND credit_notes_total = 0 OR (lifecycle = ANY (ARRAY['open', 'uncollectible']))`,
  documents_net_total_check: `net_total >= 0`,
  documents_number_sequence_check: `number_sequence > 0`,
  documents_only_invoices_take_money: `kind = 'invoice' OR amount_paid = 0 AND amount_waived = 0 AND credit_notes_total = 0`,
  documents_origin_check: `origin = ANY (ARRAY['revision', 'conversion', 'duplicate', 'credit'])`,
  documents_paid_within_total: `amount_paid >= 0 AND amount_refunded >= 0 AND amount_refunded <= amount_paid AND amount_credited >= 0 AND amount_waived >= 0 AND (amount_paid - amount_refunded + amount_credited + amount_waived) <= total`,
  documents_payment_terms_days_check: `payment_terms_days >= 0 AND payment_terms_days <= 3650`,
  documents_revision_check: `revision > 0`,
  documents_settled_when_nothing_is_due: `(settled_at IS NOT NULL) = (kind = 'invoice' AND (lifecycle = ANY (ARRAY['open', 'uncollectible'])) AND (amount_paid - amount_refunded + amount_credited + amount_waived) = total)`,
  documents_subtotal_check: `subtotal >= 0`,
  documents_sums_add_up: `net_total = (subtotal - discount_total + charge_total) AND total = (net_total + tax_total + rounding)`,
  documents_tax_total_check: `tax_total >= 0`,
  documents_total_check: `total >= 0 AND total <= 10000000000000`,
  documents_xact_when_issued: `(issued_xact IS NULL) = (issued_at IS NULL)`,
};
