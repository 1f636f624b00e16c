import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A refund that succeeded may still come back, or have been recorded wrongly: a fact of its own. */
export class RefundUndoings1764600200100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE refund_undoings (
        account_id  uuid NOT NULL,
        refund_id   uuid NOT NULL,
        kind        text NOT NULL,
        reason      text,
        client_id   uuid,
        undone_at   timestamptz NOT NULL,
        xact        bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, refund_id),
        FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
        CONSTRAINT refund_undoings_kind_known CHECK (kind IN ('returned', 'reversed')),
        CONSTRAINT refund_undoings_reversed_by_a_client
          CHECK ((kind = 'reversed') = (client_id IS NOT NULL))
      );
      COMMENT ON TABLE refund_undoings IS
        'Refunds that succeeded, and whose money is back, or never went. Append-only.';
      COMMENT ON COLUMN refund_undoings.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN refund_undoings.refund_id IS 'The refund; it is undone once.';
      COMMENT ON COLUMN refund_undoings.kind IS
        'returned: the provider has the money back; reversed: it was recorded wrongly.';
      COMMENT ON COLUMN refund_undoings.reason IS
        'Short code of the provider, or what the client said.';
      COMMENT ON COLUMN refund_undoings.client_id IS
        'Client that reversed it; null: the provider told of it.';
      COMMENT ON COLUMN refund_undoings.undone_at IS 'When it was undone here.';
      COMMENT ON COLUMN refund_undoings.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX refund_undoings_xact ON refund_undoings USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER refund_undoings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
        ON refund_undoings
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refund undoings are append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE refund_undoings');
  }
}
