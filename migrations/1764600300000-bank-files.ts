import type { MigrationInterface, QueryRunner } from 'typeorm';

/** More formats, and what they say: rows that never became money, fees, and why money came back. */
export class BankFiles1764600300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bank_statements
        ADD COLUMN rejected integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT bank_statements_rejected_not_negative CHECK (rejected >= 0),
        DROP CONSTRAINT bank_statements_format_known,
        ADD CONSTRAINT bank_statements_format_known
          CHECK (format IN ('camt.052', 'camt.053', 'camt.054', 'csv', 'mt940'));
      COMMENT ON COLUMN bank_statements.rejected IS
        'How many failed, were declined or cancelled; they are kept out.';
      ALTER TABLE bank_entries
        ADD COLUMN fee bigint NOT NULL DEFAULT 0,
        ADD COLUMN transaction_type text,
        ADD COLUMN return_reason text,
        ADD COLUMN ledger_account text,
        DROP CONSTRAINT bank_entries_status_known,
        ADD CONSTRAINT bank_entries_status_known CHECK (status IN ('booked', 'recorded', 'returned',
          'posted', 'proposed', 'unmatched', 'ignored', 'debit')),
        DROP CONSTRAINT bank_entries_booked_has_its_payment,
        ADD CONSTRAINT bank_entries_booked_has_its_payment
          CHECK ((status IN ('booked', 'recorded', 'returned')) = (payment_id IS NOT NULL)),
        ADD CONSTRAINT bank_entries_posted_has_its_account
          CHECK ((status = 'posted') = (ledger_account IS NOT NULL)),
        ADD CONSTRAINT bank_entries_account_known CHECK (ledger_account IN ('bank_fees',
          'other_expenses', 'other_income', 'opening_balances', 'gateway_clearing', 'currency_exchange')),
        DROP CONSTRAINT bank_entries_debit_is_only_kept,
        ADD CONSTRAINT bank_entries_debit_is_no_payment CHECK (CASE direction
          WHEN 'debit' THEN status IN ('debit', 'returned', 'posted')
          ELSE status NOT IN ('debit', 'returned') END);
      COMMENT ON COLUMN bank_entries.fee IS
        'What the bank kept beside the amount, in minor units; below zero: what it gave back.';
      COMMENT ON COLUMN bank_entries.transaction_type IS 'The word of the bank for what it is.';
      COMMENT ON COLUMN bank_entries.ledger_account IS 'Account of the chart that it is posted to.';
      COMMENT ON COLUMN bank_entries.payment_id IS 'Payment that it is, or that it took back.';
      COMMENT ON TABLE bank_entries IS
        'Movements on bank accounts. Files that overlap bring an entry once. Only status, '
        'payment_id, ledger_account and judged_at change.';
      -- One entry for each payment: neither two files nor two people book money twice.
      CREATE UNIQUE INDEX bank_entries_of_payment ON bank_entries (account_id, payment_id)
        WHERE status = 'booked' OR status = 'recorded';
      CREATE INDEX bank_entries_by_end_to_end_id ON bank_entries (account_id, end_to_end_id)
        WHERE payment_id IS NOT NULL AND end_to_end_id IS NOT NULL;
      DROP TRIGGER bank_entries_booked_once ON bank_entries;
      CREATE TRIGGER bank_entries_booked_once BEFORE UPDATE ON bank_entries
        FOR EACH ROW WHEN (OLD.status = 'returned'
          OR OLD.status = 'booked' AND NEW.status <> 'unmatched')
        EXECUTE FUNCTION refuse_change('a bank entry is booked once');
      COMMENT ON COLUMN bank_entries.return_reason IS 'Why it came back, as the bank says.';
      DROP TRIGGER bank_entries_append_only ON bank_entries;
      CREATE TRIGGER bank_entries_append_only BEFORE DELETE OR UPDATE OF account_id, entry_id,
        statement_id, entry_key, direction, is_reversal, amount, currency, booked_on, value_on,
        bank_account, counterparty_name, counterparty_iban, remittance, structured_reference,
        end_to_end_id, bank_reference, fee, transaction_type, return_reason OR TRUNCATE
        ON bank_entries
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank entries are append-only');
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
