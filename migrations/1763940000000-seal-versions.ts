import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Seals say how they were digested, so that a better way does not make old ones wrong; and chains
 * that begin again, or end earlier than they did, are told from those that never went further.
 */
export class SealVersions1763940000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(VERSIONS);
    await runner.query(SEEN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE seals_seen;
      DROP TRIGGER seal_heads_go_on ON seal_heads;
      DROP TRIGGER seal_heads_stay ON seal_heads;
      DROP FUNCTION let_seal_head_go_on();
      ALTER TABLE seals DROP COLUMN version, DROP COLUMN domain_ids;
    `);
  }
}

const VERSIONS = `
  -- Version 1 digested the ids that this database's catalog has for domains. They are other ones in
  -- a restored database: kept here, old seals are verified there, too. A default that is dropped
  -- again fills the rows that are there without changing one.
  ALTER TABLE seals ADD COLUMN version smallint NOT NULL DEFAULT 1;
  ALTER TABLE seals ALTER COLUMN version DROP DEFAULT;
  DO $$ BEGIN
    EXECUTE format('ALTER TABLE seals ADD COLUMN domain_ids jsonb DEFAULT %L', jsonb_build_object(
      'ledger_fact', 'ledger_fact'::regtype::oid::bigint,
      'ledger_account', 'ledger_account'::regtype::oid::bigint));
  END $$;
  ALTER TABLE seals ALTER COLUMN domain_ids DROP DEFAULT;
  ALTER TABLE seals ADD CONSTRAINT seals_version
    CHECK (version = CASE WHEN domain_ids IS NULL THEN 2 ELSE 1 END);`;

const SEEN = `
  CREATE FUNCTION let_seal_head_go_on() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.account_id <> OLD.account_id OR NEW.sequence <> OLD.sequence + 1
      OR NEW.through_xact <= OLD.through_xact THEN
      RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation', HINT = 'a chain of seals only grows';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER seal_heads_go_on BEFORE UPDATE ON seal_heads
    FOR EACH ROW EXECUTE FUNCTION let_seal_head_go_on();
  CREATE TRIGGER seal_heads_stay BEFORE DELETE OR TRUNCATE ON seal_heads
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a chain of seals only grows');

  -- The first seal of each chain, and those that were its last when the books were checked: a chain
  -- that is begun again, or cut, has them no longer.
  CREATE TABLE seals_seen (
    account_id  uuid NOT NULL,
    sequence    bigint NOT NULL CHECK (sequence > 0),
    digest      bytea NOT NULL CHECK (length(digest) = 32),
    seen_at     timestamptz NOT NULL,
    PRIMARY KEY (account_id, sequence)
  );
  INSERT INTO seals_seen (account_id, sequence, digest, seen_at)
    SELECT account_id, sequence, digest, now() FROM seals WHERE sequence = 1
    UNION SELECT account_id, sequence, digest, now() FROM seal_heads;
  CREATE TRIGGER seals_seen_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals_seen
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what was seen stays');`;
