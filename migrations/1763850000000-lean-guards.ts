import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For each statement PostgreSQL copies the conditions of a table's triggers and parses its CHECKs,
 * whatever it changes: 45 KB of text for a payment's update of its document, 9 KB for its inserts.
 * They refuse the same as before, by the same names, as functions, which are parsed once.
 */
export class LeanGuards1763850000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER documents_frozen_when_issued ON documents;
      DROP TRIGGER documents_lifecycle ON documents;
      ${FUNCTIONS}
      CREATE TRIGGER documents_frozen_when_issued BEFORE UPDATE OF ${FROZEN} ON documents
        FOR EACH ROW EXECUTE FUNCTION keep_issued_document();
      CREATE TRIGGER documents_lifecycle BEFORE UPDATE OF ${STEPS} ON documents
        FOR EACH ROW EXECUTE FUNCTION check_document_step();
      ALTER TABLE payments ${dropped(OF_PAYMENTS)},
        ADD CONSTRAINT payments_sound CHECK (payment_is_sound(amount, applied, returned, fee,
          document_id, gateway, provider_payment_id, client_id, bank_entry_id));
      ALTER TABLE transfers ${dropped(OF_TRANSFERS)},
        ADD CONSTRAINT transfers_sound CHECK (transfer_is_sound(debit, credit, amount, currency));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE transfers DROP CONSTRAINT transfers_sound, ${added(OF_TRANSFERS)};
      ALTER TABLE payments DROP CONSTRAINT payments_sound, ${added(OF_PAYMENTS)};
      DROP TRIGGER documents_frozen_when_issued ON documents;
      DROP TRIGGER documents_lifecycle ON documents;
      DROP FUNCTION keep_issued_document, check_document_step, payment_is_sound, transfer_is_sound;
      CREATE TRIGGER documents_frozen_when_issued BEFORE UPDATE OF ${FROZEN} ON documents
        FOR EACH ROW WHEN (${IS_CHANGED})
        EXECUTE FUNCTION refuse_change('an issued document is frozen');
      CREATE TRIGGER documents_lifecycle BEFORE UPDATE OF ${STEPS} ON documents
        FOR EACH ROW WHEN (${IS_WRONG_STEP})
        EXECUTE FUNCTION refuse_change('documents only move forward');
    `);
  }
}

const FROZEN = `kind, number, currency, customer_id, seller, customer, issue_date, due_date, notes,
  purchase_order, net_total, tax_total, total, issued_at, proforma, language, external_id,
  prices_include_tax, cash_rounding, discounts, charges, subtotal, discount_total, charge_total,
  rounding, amount_applied, origin, origin_document_id, revision, lapses_at, number_series,
  number_period, number_sequence`;
const STEPS = 'lifecycle, accepted_at, rejected_at, rejection_reason, rejected_version';

const of = (row: 'OLD' | 'NEW') => `(${FROZEN.replaceAll(/\w+/g, (column) => `${row}.${column}`)})`;
const IS_CHANGED = `OLD.lifecycle <> 'draft' AND ${of('OLD')} IS DISTINCT FROM ${of('NEW')}`;

/** The same steps as in the domain's state machine; what was answered stays as it was given. */
const IS_WRONG_STEP = `OLD.lifecycle <> NEW.lifecycle
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
    (NEW.rejected_at, NEW.rejection_reason, NEW.rejected_version)`;

/** By the name that a violation has. */
type Checks = Record<string, string>;

const OF_PAYMENTS: Checks = {
  payments_amount_check: 'amount >= 1 AND amount <= 10000000000000',
  payments_applied_within_amount: 'applied >= 0 AND applied <= amount',
  payments_returned_within_amount: 'returned >= 0 AND returned <= amount',
  payments_check1: 'fee >= 1 AND fee <= amount',
  payments_applied_to_a_document: 'document_id IS NOT NULL OR applied = 0',
  payments_check: '(gateway IS NULL) = (provider_payment_id IS NULL)',
  payments_source: 'num_nonnulls(client_id, gateway, bank_entry_id) > 0',
};

const OF_TRANSFERS: Checks = {
  transfers_amount_check: 'amount > 0',
  transfers_between_two_accounts: 'debit <> credit',
  transfers_in_the_currency_of_both_accounts: `right(debit, 4) = '/' || currency
    AND right(credit, 4) = '/' || currency`,
};

const dropped = (checks: Checks) =>
  Object.keys(checks)
    .map((name) => `DROP CONSTRAINT ${name}`)
    .join(', ');
const added = (checks: Checks) =>
  Object.entries(checks)
    .map(([name, sql]) => `ADD CONSTRAINT ${name} CHECK (${sql})`)
    .join(', ');

/** As one expression, which is what every payment waits for; then by name. */
const judged = (table: string, checks: Checks) => `
  IF (${Object.values(checks)
    .map((sql) => `(${sql})`)
    .join(' AND ')}) IS NOT FALSE THEN
    RETURN true;
  END IF;
  ${Object.entries(checks)
    .map(([name, sql]) => `IF NOT (${sql}) THEN PERFORM refuse_row('${table}', '${name}'); END IF;`)
    .join('\n  ')}
  RETURN true;`;

const refusing = (condition: string, hint: string) => `
  IF ${condition} THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = '${hint}';
  END IF;
  RETURN NEW;`;

const FUNCTIONS = `
  CREATE FUNCTION keep_issued_document() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN ${refusing(IS_CHANGED, 'an issued document is frozen')}
  END $$;
  CREATE FUNCTION check_document_step() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN ${refusing(IS_WRONG_STEP, 'documents only move forward')}
  END $$;
  CREATE FUNCTION payment_is_sound(amount bigint, applied bigint, returned bigint, fee bigint,
    document_id uuid, gateway text, provider_payment_id text, client_id uuid, bank_entry_id uuid)
  RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN ${judged('payments', OF_PAYMENTS)}
  END $$;
  CREATE FUNCTION transfer_is_sound(debit text, credit text, amount bigint, currency text)
  RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN ${judged('transfers', OF_TRANSFERS)}
  END $$;`;
