import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who changed what the books do not tell of, and what was refused. */
export class Audit1763930000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The account of zeros has what belongs to none: unknown clients, the operator's commands.
      -- So nothing refers to accounts.
      CREATE TABLE audit_entries (
        account_id   uuid NOT NULL,
        entry_id     uuid NOT NULL,
        -- A closed set in the code; it grows without a migration.
        action       text NOT NULL CHECK (action ~ '^[a-z_-]+([.][a-z_-]+)+$'),
        subject      text CHECK (length(subject) BETWEEN 1 AND 255),
        actor_type   text NOT NULL
          CHECK (actor_type IN ('client', 'portal', 'gateway', 'operator', 'none')),
        actor_id     text CHECK (actor_type <> 'none' OR actor_id IS NULL),
        address      inet,
        request_id   text,
        -- The fields that changed.
        before       jsonb CHECK (jsonb_typeof(before) = 'object'),
        after        jsonb CHECK (jsonb_typeof(after) = 'object'),
        -- Of refusals that are alike: how many of one minute this entry stands for.
        occurrences  integer NOT NULL DEFAULT 1 CHECK (occurrences > 0),
        occurred_at  timestamptz NOT NULL,
        xact         bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, entry_id)
      );
      CREATE INDEX audit_entries_latest ON audit_entries (account_id, occurred_at, entry_id);
      CREATE INDEX audit_entries_of_subject
        ON audit_entries (account_id, subject, occurred_at, entry_id);
      CREATE INDEX audit_entries_xact ON audit_entries USING brin (xact)
        WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the audit log is append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entries');
  }
}
