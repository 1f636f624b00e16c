import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Details of EN 16931, of documents and of their lines. Those made before have none. */
export class DocumentDetails1764602200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD COLUMN details jsonb;
      COMMENT ON COLUMN documents.details IS
        'Dates, references, delivery and parties of EN 16931 that the document has; null: none.';
      CREATE TRIGGER documents_details_frozen_when_issued BEFORE UPDATE OF details ON documents
        FOR EACH ROW WHEN (OLD.lifecycle <> 'draft' AND OLD.details IS DISTINCT FROM NEW.details)
        EXECUTE FUNCTION refuse_change('an issued document is frozen');

      ALTER TABLE document_lines ADD COLUMN details jsonb;
      COMMENT ON COLUMN document_lines.details IS
        'Period, item ids and classification of EN 16931 that the line has; null: none.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_lines DROP COLUMN details;
      ALTER TABLE documents DROP COLUMN details;
    `);
  }
}
