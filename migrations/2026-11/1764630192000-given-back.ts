import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refund says what it means for the documents that gave it: that they are lowered by a credit note, or
 * owed again. As long as nobody has said so, nobody is asked for what went back.
 */
export class GivenBack1764630192000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MEANINGS);
    await runner.query(NOTES);
    await runner.query(DOCUMENTS);
    await runner.query(BEFORE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER documents_undecided ON documents;
      DROP FUNCTION check_document_undecided();
      ALTER TABLE documents DROP COLUMN amount_undecided;
      ALTER TABLE payment_settings DROP COLUMN refund_meaning;
      DROP TABLE refund_credit_notes;
      DROP TABLE refund_meanings;
    `);
  }
}

const MEANINGS = `
  CREATE TABLE refund_meanings (
    account_id  uuid NOT NULL,
    refund_id   uuid NOT NULL,
    step        integer NOT NULL,
    meaning     text NOT NULL,
    said_by     text NOT NULL,
    credit_note jsonb,
    problem     text,
    client_id   uuid,
    said_at     timestamptz NOT NULL,
    xact        bigint NOT NULL DEFAULT book_xact(),
    PRIMARY KEY (account_id, refund_id, step),
    FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
    CONSTRAINT refund_meanings_step_from_one CHECK (step > 0),
    CONSTRAINT refund_meanings_meaning_known
      CHECK (meaning IN ('lowers_document', 'owed_again')),
    CONSTRAINT refund_meanings_said_by_known
      CHECK (said_by IN ('call', 'setting', 'default', 'later')),
    CONSTRAINT refund_meanings_default_is_owed_again
      CHECK (said_by <> 'default' OR meaning = 'owed_again'),
    CONSTRAINT refund_meanings_notes_only_lower
      CHECK (meaning = 'lowers_document' OR credit_note IS NULL AND problem IS NULL)
  );
  COMMENT ON TABLE refund_meanings IS
    'What refunds mean for the documents that gave them; the last step counts. Append-only.';
  COMMENT ON COLUMN refund_meanings.account_id IS 'Account that the row belongs to.';
  COMMENT ON COLUMN refund_meanings.refund_id IS 'The refund.';
  COMMENT ON COLUMN refund_meanings.step IS 'Counts what was said of the refund, from 1.';
  COMMENT ON COLUMN refund_meanings.meaning IS
    'lowers_document: a credit note is made with it; owed_again: what went back is due again.';
  COMMENT ON COLUMN refund_meanings.said_by IS
    'call: with the refund; setting: of the account; default: nobody; later: after the refund.';
  COMMENT ON COLUMN refund_meanings.credit_note IS
    'The terms of the credit note, as they were asked for; null: over what goes back.';
  COMMENT ON COLUMN refund_meanings.problem IS
    'Code with which a credit note was refused when the money had gone; null: none was.';
  COMMENT ON COLUMN refund_meanings.client_id IS 'Client that said it; null: nobody did, or a provider told of the refund.';
  COMMENT ON COLUMN refund_meanings.said_at IS 'When it was said.';
  COMMENT ON COLUMN refund_meanings.xact IS
    'Transaction that wrote the row: the order in which seals cover the books.';
  CREATE INDEX refund_meanings_xact ON refund_meanings USING brin
    (xact) WITH (pages_per_range = 128, autosummarize = on);
  CREATE TRIGGER refund_meanings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_meanings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('meanings of refunds are append-only');
`;

const NOTES = `
  CREATE TABLE refund_credit_notes (
    account_id     uuid NOT NULL,
    refund_id      uuid NOT NULL,
    document_id    uuid NOT NULL,
    credit_note_id uuid NOT NULL,
    made_at        timestamptz NOT NULL,
    xact           bigint NOT NULL DEFAULT book_xact(),
    PRIMARY KEY (account_id, credit_note_id),
    FOREIGN KEY (account_id, refund_id, document_id) REFERENCES refund_parts,
    FOREIGN KEY (account_id, credit_note_id) REFERENCES documents (account_id, document_id)
  );
  COMMENT ON TABLE refund_credit_notes IS
    'Credit notes that lower documents by what refunds gave back of them. Append-only.';
  COMMENT ON COLUMN refund_credit_notes.account_id IS 'Account that the row belongs to.';
  COMMENT ON COLUMN refund_credit_notes.refund_id IS 'The refund.';
  COMMENT ON COLUMN refund_credit_notes.document_id IS 'The document that gave a part of it.';
  COMMENT ON COLUMN refund_credit_notes.credit_note_id IS 'The credit note over that part.';
  COMMENT ON COLUMN refund_credit_notes.made_at IS 'When it was made, or named.';
  COMMENT ON COLUMN refund_credit_notes.xact IS
    'Transaction that wrote the row: the order in which seals cover the books.';
  CREATE INDEX refund_credit_notes_of_refund ON refund_credit_notes (account_id, refund_id);
  CREATE INDEX refund_credit_notes_xact ON refund_credit_notes USING brin
    (xact) WITH (pages_per_range = 128, autosummarize = on);
  CREATE TRIGGER refund_credit_notes_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_credit_notes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('credit notes of refunds are append-only');
`;

/** A trigger, as only refunds write the column: a CHECK would be parsed for each payment. */
const DOCUMENTS = `
  ALTER TABLE documents ADD COLUMN amount_undecided bigint NOT NULL DEFAULT 0;
  COMMENT ON COLUMN documents.amount_undecided IS
    'Part of what was refunded of which nobody has said whether it is owed again, in minor units.';
  CREATE FUNCTION check_document_undecided() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.amount_undecided NOT BETWEEN 0 AND NEW.amount_refunded THEN
      PERFORM refuse_row('documents', 'documents_undecided_within_refunded');
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER documents_undecided BEFORE UPDATE OF amount_undecided ON documents
    FOR EACH ROW EXECUTE FUNCTION check_document_undecided();
  ALTER TABLE payment_settings ADD COLUMN refund_meaning text,
    ADD CONSTRAINT payment_settings_refund_meaning_known
      CHECK (refund_meaning IN ('lowers_document', 'owed_again'));
  COMMENT ON COLUMN payment_settings.refund_meaning IS
    'What a refund means that does not say it; null: nobody has said, and it is due and not asked for.';
`;

/** Of what went back before, and is due now, nobody has said either that it is owed again. */
const BEFORE = `
  INSERT INTO refund_meanings (account_id, refund_id, step, meaning, said_by, said_at)
    SELECT r.account_id, r.refund_id, 1, 'owed_again', 'default', r.requested_at FROM refunds r
    WHERE r.status <> 'failed' AND EXISTS (SELECT FROM refund_parts p JOIN documents d
        ON (d.account_id, d.document_id) = (p.account_id, p.document_id)
      WHERE (p.account_id, p.refund_id) = (r.account_id, r.refund_id)
        AND (d.settled_at IS NULL OR r.status <> 'succeeded'));
  UPDATE documents d SET amount_undecided = u.amount
    FROM (SELECT p.account_id, p.document_id, sum(p.amount)::bigint AS amount
      FROM refund_meanings m JOIN refunds r USING (account_id, refund_id)
        JOIN refund_parts p USING (account_id, refund_id)
      WHERE r.status = 'succeeded' AND NOT EXISTS (SELECT FROM refund_undoings w
        WHERE (w.account_id, w.refund_id) = (r.account_id, r.refund_id)) GROUP BY 1, 2) u
    WHERE (d.account_id, d.document_id) = (u.account_id, u.document_id);
`;
