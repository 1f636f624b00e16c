import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Letters are counted by mailbox and account, and the seller is told of changes that belong to no
 * document. Refusals of before hold for the plain address, whatever was written around it.
 */
export class MailLimits1764646000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mail_messages
        ALTER COLUMN document_id DROP NOT NULL,
        ADD COLUMN counted_at timestamptz,
        ADD COLUMN change jsonb,
        DROP CONSTRAINT mail_messages_one_for_each_fact,
        DROP CONSTRAINT mail_messages_kind_known,
        ADD CONSTRAINT mail_messages_one_for_each_fact
          UNIQUE NULLS NOT DISTINCT (account_id, document_id, fact),
        ADD CONSTRAINT mail_messages_kind_known
          CHECK (kind IN ('document', 'receipt', 'reminder', 'answer', 'details_changed')),
        ADD CONSTRAINT mail_messages_about_a_document_or_a_change
          CHECK ((document_id IS NULL) = (kind = 'details_changed')
            AND (change IS NOT NULL) = (kind = 'details_changed'));
      COMMENT ON COLUMN mail_messages.document_id IS
        'Document that the message is about; null: it tells of a change of the seller.';
      COMMENT ON COLUMN mail_messages.fact IS
        'What it is sent for: an event, a request, a day of reminders, or a version of the seller.';
      COMMENT ON COLUMN mail_messages.counted_at IS
        'When it took its place among those of 24 hours; null: it has none yet.';
      COMMENT ON COLUMN mail_messages.change IS
        'What was changed of the seller, by whom and when; account numbers by their last four.';

      CREATE TABLE mail_letters (
        account_id uuid NOT NULL REFERENCES accounts,
        message_id uuid NOT NULL,
        counted_at timestamptz NOT NULL,
        position smallint NOT NULL,
        mailbox text NOT NULL,
        PRIMARY KEY (account_id, message_id, counted_at, position),
        FOREIGN KEY (account_id, message_id) REFERENCES mail_messages,
        CONSTRAINT mail_letters_mailbox_not_empty CHECK (mailbox <> ''),
        CONSTRAINT mail_letters_position_from_one CHECK (position > 0)
      );
      COMMENT ON TABLE mail_letters IS
        'Letters as limits count them: one for each address of a message, when it took its place.';
      COMMENT ON COLUMN mail_letters.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN mail_letters.message_id IS 'Message that it is one copy of.';
      COMMENT ON COLUMN mail_letters.counted_at IS 'When it was counted; from then on for 24 hours.';
      COMMENT ON COLUMN mail_letters.position IS 'Place of the address in its message.';
      COMMENT ON COLUMN mail_letters.mailbox IS
        'The address in small letters, its domain in ASCII, without a tag: v+shop@ is v@.';
      CREATE INDEX mail_letters_mailbox ON mail_letters (account_id, mailbox, counted_at);
      CREATE INDEX mail_letters_counted ON mail_letters (account_id, counted_at);
      CREATE TRIGGER mail_letters_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON mail_letters
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('letters that were counted are append-only');

      INSERT INTO mail_refusals (account_id, address, refused_at)
      SELECT account_id, lower(trim(substring(address FROM '<([^<>]+)>\\s*$'))), min(refused_at)
      FROM mail_refusals WHERE address ~ '<[^<>]+>\\s*$' GROUP BY 1, 2
      ON CONFLICT DO NOTHING;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE mail_letters;
      DELETE FROM mail_messages WHERE document_id IS NULL;
      ALTER TABLE mail_messages
        DROP CONSTRAINT mail_messages_about_a_document_or_a_change,
        DROP CONSTRAINT mail_messages_kind_known,
        DROP CONSTRAINT mail_messages_one_for_each_fact,
        DROP COLUMN change,
        DROP COLUMN counted_at,
        ALTER COLUMN document_id SET NOT NULL,
        ADD CONSTRAINT mail_messages_one_for_each_fact UNIQUE (account_id, document_id, fact),
        ADD CONSTRAINT mail_messages_kind_known
          CHECK (kind IN ('document', 'receipt', 'reminder', 'answer'));
    `);
  }
}
