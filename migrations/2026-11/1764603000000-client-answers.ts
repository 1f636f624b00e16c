import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name of who accepted a quote, and when people opened the page of a token. */
export class ClientAnswers1764603000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD accepted_by text,
        ADD CONSTRAINT documents_accepted_by_somebody
          CHECK (accepted_by IS NULL OR accepted_at IS NOT NULL);
      COMMENT ON COLUMN documents.accepted_by IS
        'Name that the client gave when it accepted; null: none.';
      CREATE TRIGGER documents_accepted_by_stays BEFORE UPDATE OF accepted_by ON documents
        FOR EACH ROW
        WHEN (OLD.accepted_at IS NOT NULL AND OLD.accepted_by IS DISTINCT FROM NEW.accepted_by)
        EXECUTE FUNCTION refuse_change('documents only move forward');

      ALTER TABLE portal_tokens ADD first_viewed_at timestamptz, ADD last_viewed_at timestamptz,
        ADD CONSTRAINT portal_tokens_views_in_order CHECK (
          (first_viewed_at IS NULL) = (last_viewed_at IS NULL)
          AND first_viewed_at <= last_viewed_at);
      COMMENT ON COLUMN portal_tokens.first_viewed_at IS
        'When a person first opened the page; null: nobody has.';
      COMMENT ON COLUMN portal_tokens.last_viewed_at IS
        'When a person last opened the page, to the hour.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE portal_tokens DROP first_viewed_at, DROP last_viewed_at;
      ALTER TABLE documents DROP accepted_by;
    `);
  }
}
