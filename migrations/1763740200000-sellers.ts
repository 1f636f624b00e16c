import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an account starts its documents with, and the logos they are printed with. */
export class Sellers1763740200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts
        ADD COLUMN language text NOT NULL DEFAULT 'en',
        ADD COLUMN payment_terms_days integer NOT NULL DEFAULT 30
          CHECK (payment_terms_days BETWEEN 0 AND 3650),
        ADD COLUMN document_notes text CHECK (length(document_notes) <= 5000),
        ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version > 0),
        ADD COLUMN updated_at timestamptz;
      UPDATE accounts SET updated_at = created_at;
      ALTER TABLE accounts
        ALTER COLUMN language DROP DEFAULT,
        ALTER COLUMN payment_terms_days DROP DEFAULT,
        ALTER COLUMN version DROP DEFAULT,
        ALTER COLUMN updated_at SET NOT NULL;

      -- Found by its content. What a document was issued with stays, whatever is uploaded later.
      CREATE TABLE seller_logos (
        account_id    uuid NOT NULL REFERENCES accounts,
        sha256        bytea NOT NULL,
        content_type  text NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg')),
        width         integer NOT NULL CHECK (width > 0),
        height        integer NOT NULL CHECK (height > 0),
        image         bytea NOT NULL CHECK (length(image) BETWEEN 1 AND 1048576),
        created_at    timestamptz NOT NULL,
        PRIMARY KEY (account_id, sha256),
        CONSTRAINT seller_logos_content CHECK (sha256 = sha256(image)),
        CHECK (width::bigint * height <= 4000000)
      );
      ALTER TABLE seller_logos ALTER COLUMN image SET STORAGE EXTERNAL;
      CREATE TRIGGER seller_logos_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON seller_logos
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('documents keep the logo they had');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE seller_logos;
      ALTER TABLE accounts DROP COLUMN language, DROP COLUMN payment_terms_days,
        DROP COLUMN document_notes, DROP COLUMN version, DROP COLUMN updated_at;
    `);
  }
}
