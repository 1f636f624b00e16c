import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the next deadline of a pending document is to be told; those of the past are not told anew. */
export class DueDatesTold1795722700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_documents ADD COLUMN tell_at timestamptz');
    await runner.query(
      `COMMENT ON COLUMN pending_documents.tell_at IS
         'When it is to be told that it is due soon, overdue or expired; null: nothing comes.'`,
    );
    await runner.query(FIRST_TOLD);
    await runner.query(FOLLOW_WITH_DEADLINE);
    await runner.query('DROP TRIGGER pending_documents_follow ON pending_documents');
    await runner.query(
      `UPDATE pending_documents p
       SET tell_at = CASE WHEN first > now() THEN first WHEN d.lapses_at > now() THEN d.lapses_at END
       FROM documents d, first_told_at(d.account_id, d.kind, d.lapses_at, d.issued_at) AS first
       WHERE d.account_id = p.account_id AND d.document_id = p.document_id`,
    );
    await runner.query(
      guard('UPDATE OF account_id, document_id, created_at, due_date, currency, total'),
    );
    await runner.query(
      'CREATE INDEX pending_documents_tell_at ON pending_documents (tell_at) WHERE tell_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(FOLLOW);
    await runner.query('DROP TRIGGER pending_documents_follow ON pending_documents');
    await runner.query('ALTER TABLE pending_documents DROP COLUMN tell_at');
    await runner.query(guard('UPDATE'));
    await runner.query('DROP FUNCTION first_told_at');
  }
}

const guard = (update: string) => `CREATE TRIGGER pending_documents_follow
  BEFORE INSERT OR ${update} OR DELETE OR TRUNCATE ON pending_documents
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_change('pending documents follow documents')`;

/** Three days before the due date an invoice is due soon, unless it is issued later than that. */
const FIRST_TOLD = `CREATE FUNCTION first_told_at(
    account uuid, kind text, lapses_at timestamptz, issued_at timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE PARALLEL SAFE RETURN (
    SELECT CASE kind WHEN 'credit_note' THEN NULL WHEN 'quote' THEN first_told_at.lapses_at
      ELSE CASE WHEN soon > first_told_at.issued_at THEN soon ELSE first_told_at.lapses_at END END
    FROM (SELECT ((first_told_at.lapses_at AT TIME ZONE a.time_zone) - interval '4 days')
      AT TIME ZONE a.time_zone AS soon FROM accounts a WHERE a.account_id = account) s)`;

const FOLLOW_WITH_DEADLINE = `CREATE OR REPLACE FUNCTION follow_pending_document() RETURNS trigger
  LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.lifecycle = 'open' AND NEW.settled_at IS NULL THEN
          INSERT INTO pending_documents (account_id, document_id, created_at, due_date, currency,
            total, tell_at)
          VALUES (NEW.account_id, NEW.document_id, NEW.created_at,
            coalesce(NEW.due_date, '9999-12-31'), NEW.currency, NEW.total,
            first_told_at(NEW.account_id, NEW.kind, NEW.lapses_at, NEW.issued_at));
        ELSE
          DELETE FROM pending_documents
          WHERE account_id = NEW.account_id AND document_id = NEW.document_id;
        END IF;
        RETURN NULL;
      END $$`;

const FOLLOW = `CREATE OR REPLACE FUNCTION follow_pending_document() RETURNS trigger
  LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.lifecycle = 'open' AND NEW.settled_at IS NULL THEN
          INSERT INTO pending_documents VALUES (NEW.account_id, NEW.document_id, NEW.created_at,
            coalesce(NEW.due_date, '9999-12-31'), NEW.currency, NEW.total);
        ELSE
          DELETE FROM pending_documents
          WHERE account_id = NEW.account_id AND document_id = NEW.document_id;
        END IF;
        RETURN NULL;
      END $$`;
