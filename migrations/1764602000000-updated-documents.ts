import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A document tells when it changed last, and is found by the values that its caller attached. */
export class UpdatedDocuments1764602000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD COLUMN updated_at timestamptz;
      COMMENT ON COLUMN documents.updated_at IS 'When the last event happened to it.';
      COMMENT ON COLUMN documents.metadata IS
        'Values that the caller attached; only a filter reads them.';
      UPDATE documents d SET updated_at = coalesce(
        (SELECT e.occurred_at FROM events e
          WHERE (e.account_id, e.document_id, e.sequence)
            = (d.account_id, d.document_id, d.event_sequence)),
        d.created_at);
      ALTER TABLE documents ALTER COLUMN updated_at SET NOT NULL;

      -- Numbers of one size, which no other account has: so the index is small, and reads no others.
      CREATE FUNCTION metadata_pairs(account_id uuid, metadata jsonb) RETURNS bigint[]
        LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
        RETURN (SELECT array_agg(hashtextextended(
            metadata_pairs.account_id::text || pairs.key || '=' || pairs.value, 0))
          FROM jsonb_each_text(metadata_pairs.metadata) pairs);
      CREATE INDEX documents_metadata ON documents
        USING gin (metadata_pairs(account_id, metadata)) WITH (fastupdate = off)
        WHERE metadata <> '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX documents_metadata;
      DROP FUNCTION metadata_pairs(uuid, jsonb);
      COMMENT ON COLUMN documents.metadata IS 'Values that the caller attached; never read.';
      ALTER TABLE documents DROP COLUMN updated_at;
    `);
  }
}
