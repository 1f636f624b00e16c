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
        ADD COLUMN return_reason text;
      COMMENT ON COLUMN bank_entries.fee IS
        'What the bank kept beside the amount, in minor units; below zero: what it gave back.';
      COMMENT ON COLUMN bank_entries.transaction_type IS 'The word of the bank for what it is.';
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
