import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Issued documents as XML, as they were first given out. */
export class EInvoices1795722300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE e_invoices (
         account_id uuid NOT NULL,
         document_id uuid NOT NULL,
         profile text NOT NULL,
         release text NOT NULL,
         xml bytea NOT NULL,
         sha256 bytea NOT NULL,
         created_at timestamptz NOT NULL,
         xact bigint NOT NULL DEFAULT book_xact(),
         PRIMARY KEY (account_id, document_id, profile),
         FOREIGN KEY (account_id, document_id) REFERENCES documents,
         CONSTRAINT e_invoices_profile_is_named CHECK (profile <> ''),
         CONSTRAINT e_invoices_sha256_is_a_digest CHECK (length(sha256) = 32)
       )`,
    );
    await runner.query(
      `CREATE INDEX e_invoices_xact ON e_invoices USING brin
         (xact) WITH (pages_per_range = 128, autosummarize = on)`,
    );
    await runner.query(
      `CREATE TRIGGER e_invoices_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON e_invoices
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an e-invoice is never changed')`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE e_invoices');
  }
}

const COMMENTS = [
  ['TABLE e_invoices', 'Issued documents as XML: written once for each profile. Append-only.'],
  ['COLUMN e_invoices.account_id', 'Account that the row belongs to.'],
  ['COLUMN e_invoices.document_id', 'Document that was written.'],
  ['COLUMN e_invoices.profile', 'Name of the profile, such as peppol.'],
  ['COLUMN e_invoices.release', 'Release of the profile that it was written for.'],
  ['COLUMN e_invoices.xml', 'The XML, in UTF-8.'],
  ['COLUMN e_invoices.sha256', 'SHA-256 of the XML.'],
  ['COLUMN e_invoices.created_at', 'When it was written.'],
  [
    'COLUMN e_invoices.xact',
    'Transaction that wrote the row: the order in which seals cover the books.',
  ],
] as const;
