-- Seals over what was written, and what checks found.

CREATE TABLE seals (
  account_id    uuid NOT NULL,
  sequence      bigint NOT NULL,
  from_xact     bigint NOT NULL,
  through_xact  bigint NOT NULL,
  contents      jsonb NOT NULL,
  rows          bigint NOT NULL,
  version       smallint NOT NULL,
  digest        bytea NOT NULL,
  sealed_at     timestamptz NOT NULL,
  PRIMARY KEY (account_id, sequence),
  CONSTRAINT seals_sequence_from_one CHECK (sequence > 0),
  CONSTRAINT seals_contents_are_an_object CHECK (jsonb_typeof(contents) = 'object'),
  CONSTRAINT seals_rows_not_none CHECK (rows > 0),
  CONSTRAINT seals_digest_is_a_digest CHECK (length(digest) = 32),
  CONSTRAINT seals_window_not_empty CHECK (from_xact < through_xact),
  CONSTRAINT seals_version_known CHECK (version = 2)
);
COMMENT ON TABLE seals IS
  'Chains of digests over what was written, one for each account. Append-only. The account of '
  'zeros has what belongs to none. See docs/books.md.';
COMMENT ON COLUMN seals.account_id IS 'Account whose chain it is.';
COMMENT ON COLUMN seals.sequence IS 'Place in the chain, from 1 without a gap.';
COMMENT ON COLUMN seals.from_xact IS 'First transaction that the seal covers.';
COMMENT ON COLUMN seals.through_xact IS 'Transaction before which it ends.';
COMMENT ON COLUMN seals.contents IS
  'For each table with rows in the window, how many and their digest: {"payments": {"rows": 2, '
  '"sha256": "..."}}.';
COMMENT ON COLUMN seals.rows IS 'How many rows it covers.';
COMMENT ON COLUMN seals.version IS 'How it was digested.';
COMMENT ON COLUMN seals.digest IS 'SHA-256 of its own columns and of the digest before.';
COMMENT ON COLUMN seals.sealed_at IS 'When it was made.';

CREATE INDEX seals_through ON seals (through_xact);

CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('seals are append-only');

CREATE FUNCTION let_seal_head_go_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.account_id <> OLD.account_id OR NEW.sequence <> OLD.sequence + 1
    OR NEW.through_xact <= OLD.through_xact
  THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = 'a chain of seals only grows';
  END IF;
  RETURN NEW;
END $$;

CREATE TABLE seal_heads (
  account_id    uuid PRIMARY KEY,
  sequence      bigint NOT NULL,
  through_xact  bigint NOT NULL,
  digest        bytea NOT NULL,
  CONSTRAINT seal_heads_sequence_from_one CHECK (sequence > 0),
  CONSTRAINT seal_heads_digest_is_a_digest CHECK (length(digest) = 32)
) WITH (fillfactor = 80);
COMMENT ON TABLE seal_heads IS 'The end of each chain: what the next seal goes on from.';
COMMENT ON COLUMN seal_heads.account_id IS 'Account whose chain it is.';
COMMENT ON COLUMN seal_heads.sequence IS 'Place of the last seal.';
COMMENT ON COLUMN seal_heads.through_xact IS 'Transaction before which the last seal ends.';
COMMENT ON COLUMN seal_heads.digest IS 'Digest of the last seal.';

CREATE TRIGGER seal_heads_go_on BEFORE UPDATE ON seal_heads
  FOR EACH ROW EXECUTE FUNCTION let_seal_head_go_on();
CREATE TRIGGER seal_heads_stay BEFORE DELETE OR TRUNCATE ON seal_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a chain of seals only grows');

CREATE TABLE seals_seen (
  account_id  uuid NOT NULL,
  sequence    bigint NOT NULL,
  digest      bytea NOT NULL,
  seen_at     timestamptz NOT NULL,
  PRIMARY KEY (account_id, sequence),
  CONSTRAINT seals_seen_sequence_from_one CHECK (sequence > 0),
  CONSTRAINT seals_seen_digest_is_a_digest CHECK (length(digest) = 32)
);
COMMENT ON TABLE seals_seen IS
  'The first seal of each chain, and those that were its last when the books were checked. A '
  'chain that is begun again, or cut, has them no longer. Append-only.';
COMMENT ON COLUMN seals_seen.account_id IS 'Account whose chain it is.';
COMMENT ON COLUMN seals_seen.sequence IS 'Place of the seal.';
COMMENT ON COLUMN seals_seen.digest IS 'Digest of the seal.';
COMMENT ON COLUMN seals_seen.seen_at IS 'When it was seen.';

CREATE TRIGGER seals_seen_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals_seen
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what was seen stays');

CREATE TABLE integrity_runs (
  account_id   uuid NOT NULL,
  started_at   timestamptz NOT NULL,
  finished_at  timestamptz NOT NULL,
  differences  bigint NOT NULL,
  PRIMARY KEY (account_id, started_at),
  CONSTRAINT integrity_runs_differences_not_negative CHECK (differences >= 0)
);
COMMENT ON TABLE integrity_runs IS
  'When everything was checked, by whichever process. The account of zeros: all accounts.';
COMMENT ON COLUMN integrity_runs.account_id IS 'Account that was checked; zeros: all of them.';
COMMENT ON COLUMN integrity_runs.started_at IS 'When the check began.';
COMMENT ON COLUMN integrity_runs.finished_at IS 'When it ended.';
COMMENT ON COLUMN integrity_runs.differences IS 'How many differences it found.';
