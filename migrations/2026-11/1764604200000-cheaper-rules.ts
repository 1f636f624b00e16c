import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Moves the rules that came to documents since the baseline into functions. PostgreSQL parses the
 * text of every CHECK for each update of a row, and that of a WHEN for each insert.
 */
export class CheaperRules1764604200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents
        DROP CONSTRAINT documents_money,
        DROP CONSTRAINT documents_disputed_not_negative,
        DROP CONSTRAINT documents_tax_relief_is_a_list_of_an_invoice,
        DROP CONSTRAINT documents_accepted_by_somebody,
        DROP CONSTRAINT documents_cash_discounts_is_a_list;
      DROP FUNCTION document_money_is_sound(text, text, text, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint,
        bigint, bigint, bigint, bigint, timestamptz);
      CREATE FUNCTION document_money_is_sound(kind text, lifecycle text, origin text, subtotal bigint,
        discount_total bigint, charge_total bigint, net_total bigint, tax_total bigint, rounding bigint,
        total bigint, amount_paid bigint, amount_refunded bigint, amount_waived bigint,
        amount_credited bigint, credit_notes_total bigint, amount_applied bigint, amount_disputed bigint,
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
          WHEN tax_relief IS NOT NULL AND NOT (kind = 'invoice' AND jsonb_typeof(tax_relief) = 'array')
            THEN 'documents_tax_relief_is_a_list_of_an_invoice'
          WHEN total NOT BETWEEN 0 AND 10000000000000 THEN 'documents_total_at_most_10_to_the_13'
        END;
      BEGIN
        IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
        RETURN true;
      END $$;
      ALTER TABLE documents ADD CONSTRAINT documents_money
        CHECK (document_money_is_sound(kind, lifecycle, origin, subtotal, discount_total, charge_total, net_total, tax_total,
          rounding, total, amount_paid, amount_refunded, amount_waived, amount_credited,
          credit_notes_total, amount_applied, amount_disputed, tax_relief, settled_at));

      CREATE FUNCTION check_document_particulars() RETURNS trigger LANGUAGE plpgsql AS $$
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

      CREATE FUNCTION mark_payment_booked_on() RETURNS trigger LANGUAGE plpgsql STABLE AS $$
      BEGIN
        IF NEW.paid_at < NEW.recorded_at THEN
          NEW.booked_on := (SELECT a.books_open_from FROM accounts a
            WHERE a.account_id = NEW.account_id
              AND a.books_open_from > (NEW.paid_at AT TIME ZONE a.time_zone)::date);
        END IF;
        RETURN NEW;
      END $$;
      DROP TRIGGER payments_booked_on ON payments;
      CREATE TRIGGER payments_booked_on BEFORE INSERT ON payments
        FOR EACH ROW EXECUTE FUNCTION mark_payment_booked_on();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER payments_booked_on ON payments;
      DROP FUNCTION mark_payment_booked_on();
      CREATE TRIGGER payments_booked_on BEFORE INSERT ON payments
        FOR EACH ROW WHEN (NEW.paid_at < NEW.recorded_at)
        EXECUTE FUNCTION mark_booked_on('paid_at');
      DROP TRIGGER documents_particulars ON documents;
      DROP FUNCTION check_document_particulars();
      ALTER TABLE documents DROP CONSTRAINT documents_money;
      DROP FUNCTION document_money_is_sound(text, text, text, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint,
        bigint, bigint, bigint, bigint, bigint, jsonb, timestamptz);
      CREATE FUNCTION document_money_is_sound(kind text, lifecycle text, origin text, subtotal bigint,
        discount_total bigint, charge_total bigint, net_total bigint, tax_total bigint, rounding bigint,
        total bigint, amount_paid bigint, amount_refunded bigint, amount_waived bigint,
        amount_credited bigint, credit_notes_total bigint, amount_applied bigint, settled_at timestamptz)
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
          WHEN total NOT BETWEEN 0 AND 10000000000000 THEN 'documents_total_at_most_10_to_the_13'
        END;
      BEGIN
        IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
        RETURN true;
      END $$;
      ALTER TABLE documents
        ADD CONSTRAINT documents_money CHECK (document_money_is_sound(kind, lifecycle, origin, subtotal, discount_total, charge_total, net_total, tax_total,
          rounding, total, amount_paid, amount_refunded, amount_waived, amount_credited,
          credit_notes_total, amount_applied, settled_at)),
        ADD CONSTRAINT documents_disputed_not_negative CHECK (amount_disputed >= 0),
        ADD CONSTRAINT documents_tax_relief_is_a_list_of_an_invoice
          CHECK (tax_relief IS NULL OR kind = 'invoice' AND jsonb_typeof(tax_relief) = 'array'),
        ADD CONSTRAINT documents_accepted_by_somebody
          CHECK (accepted_by IS NULL OR accepted_at IS NOT NULL),
        ADD CONSTRAINT documents_cash_discounts_is_a_list
          CHECK (jsonb_typeof(cash_discounts) = 'array');
    `);
  }
}
