import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files that support a document (EN 16931 BG-24). All but their bytes stands in its details. */
export class Attachments1795722520000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE attachment_files (
         account_id uuid NOT NULL,
         document_id uuid NOT NULL,
         sha256 bytea NOT NULL,
         content bytea NOT NULL,
         PRIMARY KEY (account_id, document_id, sha256),
         FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE,
         CONSTRAINT attachment_files_content_is_bounded
           CHECK (length(content) BETWEEN 1 AND 5242880),
         CONSTRAINT attachment_files_sha256_is_that_of_content CHECK (sha256 = sha256(content))
       )`,
    );
    // They are packed already, for the most part.
    await runner.query('ALTER TABLE attachment_files ALTER COLUMN content SET STORAGE EXTERNAL');
    await runner.query(
      `CREATE TRIGGER attachment_files_frozen BEFORE INSERT OR DELETE OR UPDATE ON attachment_files
         FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued()`,
    );
    await runner.query(
      `CREATE TRIGGER attachment_files_stay BEFORE TRUNCATE ON attachment_files
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen')`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE attachment_files');
  }
}

const COMMENTS = [
  ['TABLE attachment_files', 'Bytes of files that support a document. Frozen with the document.'],
  ['COLUMN attachment_files.account_id', 'Account that the row belongs to.'],
  ['COLUMN attachment_files.document_id', 'Document that the file supports.'],
  [
    'COLUMN attachment_files.sha256',
    'SHA-256 of the bytes, as the details of the document say it.',
  ],
  ['COLUMN attachment_files.content', 'The bytes.'],
] as const;
