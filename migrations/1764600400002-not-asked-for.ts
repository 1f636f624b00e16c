import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Claims that are not asked for: rejected ones stand apart, and a write-off can be taken back. */
export class NotAskedFor1764600400002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION check_document_step() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.lifecycle <> NEW.lifecycle AND (OLD.kind, OLD.lifecycle, NEW.lifecycle) NOT IN
            (('invoice', 'draft', 'open'), ('invoice', 'open', 'rejected'),
             ('invoice', 'open', 'uncollectible'), ('invoice', 'open', 'void'),
             ('invoice', 'rejected', 'void'), ('invoice', 'uncollectible', 'void'),
             ('invoice', 'uncollectible', 'open'),
             ('quote', 'draft', 'open'), ('quote', 'open', 'accepted'),
             ('quote', 'open', 'rejected'), ('quote', 'open', 'converted'),
             ('quote', 'open', 'void'), ('quote', 'accepted', 'converted'),
             ('quote', 'accepted', 'void'), ('quote', 'rejected', 'void'),
             ('quote', 'converted', 'open'), ('quote', 'converted', 'accepted'),
             ('credit_note', 'draft', 'open'), ('credit_note', 'open', 'void'))
          OR OLD.accepted_at IS DISTINCT FROM NEW.accepted_at AND OLD.accepted_at IS NOT NULL
          OR OLD.rejected_at IS NOT NULL AND
            (OLD.rejected_at, OLD.rejection_reason, OLD.rejected_version) IS DISTINCT FROM
            (NEW.rejected_at, NEW.rejection_reason, NEW.rejected_version)
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'documents only move forward';
        END IF;
        RETURN NEW;
      END $$;

      -- Each rejected invoice leaves the receivables today: months that have ended keep their reports.
      INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency,
          document_id, customer_id, effective_on, recorded_at)
        SELECT d.account_id,
          -- A UUID of version 7, in the order of the others.
          (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7' ||
            substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
          'document.rejected', d.document_id, 'rejected_receivables/' || d.currency,
          'receivables/' || d.currency, d.total, d.currency, d.document_id, d.customer_id,
          greatest((now() AT TIME ZONE a.time_zone)::date, d.issue_date, a.books_open_from), now()
        FROM documents d JOIN accounts a USING (account_id)
        WHERE d.kind = 'invoice' AND d.lifecycle = 'rejected' AND d.total > 0;
    `);
  }

  /** Transfers stay: where the facts are not known any more, no invoice may be rejected. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION check_document_step() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.lifecycle <> NEW.lifecycle AND (OLD.kind, OLD.lifecycle, NEW.lifecycle) NOT IN
            (('invoice', 'draft', 'open'), ('invoice', 'open', 'rejected'),
             ('invoice', 'open', 'uncollectible'), ('invoice', 'open', 'void'),
             ('invoice', 'rejected', 'void'), ('invoice', 'uncollectible', 'void'),
             ('quote', 'draft', 'open'), ('quote', 'open', 'accepted'),
             ('quote', 'open', 'rejected'), ('quote', 'open', 'converted'),
             ('quote', 'open', 'void'), ('quote', 'accepted', 'converted'),
             ('quote', 'accepted', 'void'), ('quote', 'rejected', 'void'),
             ('quote', 'converted', 'open'), ('quote', 'converted', 'accepted'),
             ('credit_note', 'draft', 'open'), ('credit_note', 'open', 'void'))
          OR OLD.accepted_at IS DISTINCT FROM NEW.accepted_at AND OLD.accepted_at IS NOT NULL
          OR OLD.rejected_at IS NOT NULL AND
            (OLD.rejected_at, OLD.rejection_reason, OLD.rejected_version) IS DISTINCT FROM
            (NEW.rejected_at, NEW.rejection_reason, NEW.rejected_version)
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'documents only move forward';
        END IF;
        RETURN NEW;
      END $$;
    `);
  }
}
