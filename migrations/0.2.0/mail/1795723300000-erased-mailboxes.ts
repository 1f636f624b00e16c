import type { MigrationInterface, QueryRunner } from 'typeorm';

const FUNCTION = `EXECUTE FUNCTION refuse_change('letters that were counted are append-only')`;

/** A letter that was counted may lose its mailbox, when its reader is erased, and nothing else. */
export class ErasedMailboxes1795723300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER mail_letters_append_only ON mail_letters');
    await runner.query(`CREATE TRIGGER mail_letters_append_only
      BEFORE DELETE OR UPDATE OF account_id, message_id, counted_at, position OR TRUNCATE
      ON mail_letters FOR EACH STATEMENT ${FUNCTION}`);
    await runner.query(`CREATE TRIGGER mail_letters_mailbox_is_only_erased
      BEFORE UPDATE OF mailbox ON mail_letters FOR EACH ROW WHEN (NEW.mailbox <> 'erased')
      ${FUNCTION}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER mail_letters_mailbox_is_only_erased ON mail_letters');
    await runner.query('DROP TRIGGER mail_letters_append_only ON mail_letters');
    await runner.query(`CREATE TRIGGER mail_letters_append_only
      BEFORE DELETE OR UPDATE OR TRUNCATE ON mail_letters FOR EACH STATEMENT ${FUNCTION}`);
  }
}
