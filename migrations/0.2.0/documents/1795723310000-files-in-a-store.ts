import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The bytes of PDFs and attachments may be in an object store: then their column is null. They go
 * there and come back by a change of exactly that, which the digest of the row proves.
 */
export class FilesInAStore1795723310000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MOVE);
    await runner.query('ALTER TABLE document_pdfs ALTER COLUMN pdf DROP NOT NULL');
    await runner.query('ALTER TABLE attachment_files ALTER COLUMN content DROP NOT NULL');
    // Without bytes, nothing else says that the key is a digest.
    await runner.query(
      `ALTER TABLE attachment_files ADD CONSTRAINT attachment_files_sha256_is_a_digest
         CHECK (length(sha256) = 32) NOT VALID`,
    );
    await runner.query('DROP TRIGGER document_pdfs_frozen ON document_pdfs');
    await runner.query(
      `CREATE TRIGGER document_pdfs_frozen BEFORE DELETE OR TRUNCATE ON document_pdfs
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an issued PDF is never changed')`,
    );
    await runner.query(
      `CREATE TRIGGER document_pdfs_moved BEFORE UPDATE ON document_pdfs
         FOR EACH ROW EXECUTE FUNCTION refuse_change_but_of_place()`,
    );
    await runner.query('DROP TRIGGER attachment_files_frozen ON attachment_files');
    await runner.query(
      `CREATE TRIGGER attachment_files_frozen BEFORE INSERT OR DELETE ON attachment_files
         FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued()`,
    );
    await runner.query(
      `CREATE TRIGGER attachment_files_moved BEFORE UPDATE ON attachment_files
         FOR EACH ROW EXECUTE FUNCTION refuse_change_but_of_place()`,
    );
    await runner.query(
      `CREATE INDEX document_pdfs_elsewhere ON document_pdfs (account_id, sha256) WHERE pdf IS NULL`,
    );
    await runner.query(
      `CREATE INDEX attachment_files_elsewhere ON attachment_files (account_id, sha256)
         WHERE content IS NULL`,
    );
    await this.removed(runner);
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  private async removed(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE removed_files (
         account_id uuid NOT NULL,
         sha256 bytea NOT NULL,
         removed_at timestamptz NOT NULL,
         PRIMARY KEY (account_id, sha256),
         CONSTRAINT removed_files_sha256_is_a_digest CHECK (length(sha256) = 32)
       )`,
    );
    await runner.query(REMOVED);
    await runner.query(
      `CREATE TRIGGER document_pdfs_there BEFORE INSERT OR UPDATE ON document_pdfs
         FOR EACH ROW WHEN (NEW.pdf IS NULL) EXECUTE FUNCTION refuse_removed_file()`,
    );
    await runner.query(
      `CREATE TRIGGER attachment_files_there BEFORE INSERT OR UPDATE ON attachment_files
         FOR EACH ROW WHEN (NEW.content IS NULL) EXECUTE FUNCTION refuse_removed_file()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, bytes] of [
      ['document_pdfs', 'pdf'],
      ['attachment_files', 'content'],
    ]) {
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${bytes} SET NOT NULL`);
      for (const name of ['there', 'moved', 'frozen'])
        await runner.query(`DROP TRIGGER ${table}_${name} ON ${table}`);
      await runner.query(`DROP INDEX ${table}_elsewhere`);
    }
    await runner.query(
      'ALTER TABLE attachment_files DROP CONSTRAINT attachment_files_sha256_is_a_digest',
    );
    await runner.query(
      `CREATE TRIGGER document_pdfs_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON document_pdfs
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an issued PDF is never changed')`,
    );
    await runner.query(
      `CREATE TRIGGER attachment_files_frozen BEFORE INSERT OR DELETE OR UPDATE ON attachment_files
         FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued()`,
    );
    await runner.query('DROP TABLE removed_files');
    await runner.query('DROP FUNCTION refuse_removed_file()');
    await runner.query('DROP FUNCTION refuse_change_but_of_place()');
  }
}

/** All else is compared as one row, so that a column that comes later is frozen, too. */
const MOVE = `
  CREATE FUNCTION refuse_change_but_of_place() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    rest record := OLD;
    was bytea;
    is_now bytea;
  BEGIN
    IF TG_TABLE_NAME = 'document_pdfs' THEN
      was := OLD.pdf;
      is_now := NEW.pdf;
      rest.pdf := NEW.pdf;
    ELSE
      was := OLD.content;
      is_now := NEW.content;
      rest.content := NEW.content;
    END IF;
    IF rest IS DISTINCT FROM NEW OR (was IS NULL) = (is_now IS NULL)
      OR sha256(coalesce(was, is_now)) <> NEW.sha256
    THEN
      RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation',
          HINT = 'bytes go to the store of files and come back, and nothing else changes';
    END IF;
    RETURN NEW;
  END $$`;

/**
 * Between the word of the one who deletes an object and a row that needs it, one is first: either
 * the row is seen, or the word.
 */
const REMOVED = `
  CREATE FUNCTION refuse_removed_file() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('removed files', 0));
    IF EXISTS (SELECT FROM removed_files r
      WHERE (r.account_id, r.sha256) = (NEW.account_id, NEW.sha256))
    THEN
      PERFORM refuse_row(TG_TABLE_NAME, 'file_was_removed');
    END IF;
    RETURN NEW;
  END $$`;

const COMMENTS = [
  ['COLUMN document_pdfs.pdf', 'The PDF; null: the store of files has it.'],
  ['COLUMN attachment_files.content', 'The bytes; null: the store of files has them.'],
  [
    'TABLE removed_files',
    'Objects that no row named, and that are deleted: for a day, no row may name one.',
  ],
  ['COLUMN removed_files.account_id', 'Account that the object was of.'],
  ['COLUMN removed_files.sha256', 'SHA-256 of the bytes, by which the object was named.'],
  ['COLUMN removed_files.removed_at', 'When it was found that no row names it.'],
] as const;
