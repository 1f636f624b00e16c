import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A line has an id that stays, and names by which its caller knows it. */
export class NamesOfLines1764602100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A default that is computed for each row: no trigger sees it, so issued lines get an id, too.
    await runner.query(`
      ALTER TABLE document_lines
        ADD COLUMN line_id uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD COLUMN external_id text,
        ADD COLUMN sku text,
        ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN credited_line_id uuid,
        ADD CONSTRAINT document_lines_line_id_key UNIQUE (account_id, line_id),
        ADD CONSTRAINT document_lines_external_id_not_empty CHECK (external_id <> ''),
        ADD CONSTRAINT document_lines_sku_not_empty CHECK (sku <> '');
      ALTER TABLE document_lines ALTER COLUMN line_id DROP DEFAULT;
      ALTER TABLE document_lines ADD CONSTRAINT document_lines_account_id_credited_line_id_fkey
        FOREIGN KEY (account_id, credited_line_id) REFERENCES document_lines (account_id, line_id);
      CREATE INDEX document_lines_credited ON document_lines (account_id, credited_line_id)
        WHERE credited_line_id IS NOT NULL;
      COMMENT ON COLUMN document_lines.line_id IS
        'Id of the line; it stays while a draft changes.';
      COMMENT ON COLUMN document_lines.external_id IS 'The line in the caller''s own books.';
      COMMENT ON COLUMN document_lines.sku IS 'The seller''s number of what is sold.';
      COMMENT ON COLUMN document_lines.metadata IS 'Values that the caller attached; never read.';
      COMMENT ON COLUMN document_lines.credited_line_id IS
        'Line of the invoice that the line of a credit note takes from.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_lines
        DROP COLUMN credited_line_id,
        DROP COLUMN metadata,
        DROP COLUMN sku,
        DROP COLUMN external_id,
        DROP COLUMN line_id;
    `);
  }
}
