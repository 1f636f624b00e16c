import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose rows never change once they are there. */
const APPEND_ONLY = [
  'allocations',
  'bank_statements',
  'customer_credits',
  'events',
  'payment_reversals',
  'provider_receipts',
  'refund_parts',
  'transfers',
];

/** Tables of which some columns change; the place of a row does not. */
const WITH_STATE = ['bank_entries', 'payment_links', 'payments', 'refunds', 'unmatched_receipts'];

const NUMBERED = [...APPEND_ONLY, ...WITH_STATE];

/** The transaction that wrote each row, and the chains of digests over what was written. */
export class Seals1763820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Restored into another cluster, transactions begin at a low number again: what has to be
      -- added, so that the order goes on, is set at start-up.
      CREATE FUNCTION book_xact_offset() RETURNS bigint LANGUAGE sql STABLE RETURN 0::bigint;
      -- Stable, not volatile: a column is added with it as its default without a rewrite.
      CREATE FUNCTION book_xact() RETURNS bigint LANGUAGE sql STABLE
        RETURN pg_current_xact_id()::text::bigint + book_xact_offset();
    `);
    for (const table of NUMBERED) {
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN xact bigint NOT NULL DEFAULT book_xact();
        ${blockRanges(table, 'xact')}`);
    }
    for (const table of WITH_STATE) await runner.query(stays(table, 'xact'));
    await runner.query(OF_DOCUMENTS);
    await runner.query(OF_REFUNDS);
    await runner.query(SEALS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE integrity_runs, seal_heads, seals;
      DROP TRIGGER refunds_settled_in ON refunds;
      DROP TRIGGER refunds_settled_xact_stays ON refunds;
      ALTER TABLE refunds DROP COLUMN settled_xact;
      DROP FUNCTION mark_settled_xact();
      DROP TRIGGER documents_issued_in ON documents;
      DROP TRIGGER documents_issued_xact_stays ON documents;
      ALTER TABLE documents DROP COLUMN issued_xact;
      DROP FUNCTION mark_issued_xact();
    `);
    for (const table of WITH_STATE) {
      await runner.query(`DROP TRIGGER ${table}_xact_stays ON ${table}`);
    }
    for (const table of NUMBERED) await runner.query(`ALTER TABLE ${table} DROP COLUMN xact`);
    await runner.query('DROP FUNCTION book_xact(); DROP FUNCTION book_xact_offset();');
  }
}

/** Rows come in the order of transactions: finding the new ones costs a writer next to nothing. */
function blockRanges(table: string, column: string): string {
  return `CREATE INDEX ${table}_${column} ON ${table} USING brin (${column})
    WITH (pages_per_range = 128, autosummarize = on);`;
}

function stays(table: string, column: string): string {
  return `CREATE TRIGGER ${table}_${column}_stays BEFORE UPDATE OF ${column} ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');`;
}

const OF_DOCUMENTS = `
  -- A document is frozen by the transaction that issues it.
  ALTER TABLE documents ADD COLUMN issued_xact bigint DEFAULT book_xact();
  ALTER TABLE documents ALTER COLUMN issued_xact DROP DEFAULT;
  UPDATE documents SET issued_xact = NULL WHERE issued_at IS NULL;
  ALTER TABLE documents ADD CONSTRAINT documents_xact_when_issued
    CHECK ((issued_xact IS NULL) = (issued_at IS NULL));
  ${blockRanges('documents', 'issued_xact')}
  ${stays('documents', 'issued_xact')}
  CREATE FUNCTION mark_issued_xact() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.issued_xact := CASE WHEN NEW.issued_at IS NOT NULL THEN book_xact() END;
    RETURN NEW;
  END $$;
  CREATE TRIGGER documents_issued_in BEFORE INSERT OR UPDATE OF issued_at ON documents
    FOR EACH ROW WHEN ((NEW.issued_at IS NULL) <> (NEW.issued_xact IS NULL))
    EXECUTE FUNCTION mark_issued_xact();`;

const OF_REFUNDS = `
  -- A refund is asked for in one transaction and settled in another.
  ALTER TABLE refunds ADD COLUMN settled_xact bigint;
  UPDATE refunds SET settled_xact = book_xact() WHERE settled_at IS NOT NULL;
  ALTER TABLE refunds ADD CONSTRAINT refunds_xact_when_settled
    CHECK ((settled_xact IS NULL) = (settled_at IS NULL));
  ${blockRanges('refunds', 'settled_xact')}
  ${stays('refunds', 'settled_xact')}
  CREATE FUNCTION mark_settled_xact() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.settled_xact := CASE WHEN NEW.settled_at IS NOT NULL THEN book_xact() END;
    RETURN NEW;
  END $$;
  CREATE TRIGGER refunds_settled_in BEFORE INSERT OR UPDATE OF settled_at ON refunds
    FOR EACH ROW WHEN ((NEW.settled_at IS NULL) <> (NEW.settled_xact IS NULL))
    EXECUTE FUNCTION mark_settled_xact();`;

const SEALS = `
  -- Each account's chain: what it wrote from one transaction to before another, and the digest of
  -- that and of the seal before. The account of zeros has what belongs to none. See docs/books.md.
  CREATE TABLE seals (
    account_id    uuid NOT NULL,
    sequence      bigint NOT NULL CHECK (sequence > 0),
    from_xact     bigint NOT NULL,
    through_xact  bigint NOT NULL,
    -- {"payments": {"rows": 2, "sha256": "..."}}: the tables that have rows in the window.
    contents      jsonb NOT NULL CHECK (jsonb_typeof(contents) = 'object'),
    rows          bigint NOT NULL CHECK (rows > 0),
    digest        bytea NOT NULL CHECK (length(digest) = 32),
    sealed_at     timestamptz NOT NULL,
    PRIMARY KEY (account_id, sequence),
    CHECK (from_xact < through_xact)
  );
  CREATE INDEX seals_through ON seals (through_xact);
  CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('seals are append-only');

  -- The end of each chain: what the next seal goes on from.
  CREATE TABLE seal_heads (
    account_id    uuid PRIMARY KEY,
    sequence      bigint NOT NULL CHECK (sequence > 0),
    through_xact  bigint NOT NULL,
    digest        bytea NOT NULL CHECK (length(digest) = 32)
  ) WITH (fillfactor = 80);

  -- When everything was checked, by which process whatever. The account of zeros: all of them.
  CREATE TABLE integrity_runs (
    account_id   uuid NOT NULL,
    started_at   timestamptz NOT NULL,
    finished_at  timestamptz NOT NULL,
    differences  bigint NOT NULL CHECK (differences >= 0),
    PRIMARY KEY (account_id, started_at)
  );`;
