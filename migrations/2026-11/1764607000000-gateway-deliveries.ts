import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Verified calls of providers, for a time: their bytes, and what became of them. */
export class GatewayDeliveries1764607000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway_deliveries (
        account_id       uuid NOT NULL,
        delivery_id      uuid NOT NULL,
        gateway          text NOT NULL,
        received_at      timestamptz NOT NULL,
        sealed_delivery  bytea NOT NULL,
        names            jsonb NOT NULL,
        event_types      text[] NOT NULL,
        reports          integer NOT NULL,
        outcome          text NOT NULL,
        problem          text,
        replays          integer NOT NULL DEFAULT 0,
        replayed_at      timestamptz,
        is_unfinished    boolean NOT NULL DEFAULT false,
        left_over        integer[],
        attempts         integer NOT NULL DEFAULT 0,
        next_try_at      timestamptz,
        PRIMARY KEY (account_id, delivery_id),
        CONSTRAINT gateway_deliveries_outcome_known
          CHECK (outcome IN ('ok', 'ignored', 'no_link_id', 'accepted', 'failed')),
        CONSTRAINT gateway_deliveries_failed_has_its_problem
          CHECK (outcome <> 'failed' OR problem IS NOT NULL),
        CONSTRAINT gateway_deliveries_accepted_is_due
          CHECK ((outcome = 'accepted') = (next_try_at IS NOT NULL)),
        CONSTRAINT gateway_deliveries_due_is_unfinished
          CHECK (is_unfinished OR next_try_at IS NULL),
        CONSTRAINT gateway_deliveries_counts_not_negative
          CHECK (reports >= 0 AND replays >= 0 AND attempts >= 0),
        CONSTRAINT gateway_deliveries_replayed_has_its_time
          CHECK ((replays > 0) = (replayed_at IS NOT NULL))
      );
      -- Random bytes: to compress them is work for nothing.
      ALTER TABLE gateway_deliveries ALTER COLUMN sealed_delivery SET STORAGE EXTERNAL;
      CREATE INDEX gateway_deliveries_received ON gateway_deliveries (received_at);
      CREATE INDEX gateway_deliveries_due ON gateway_deliveries (next_try_at)
        WHERE next_try_at IS NOT NULL;
      CREATE INDEX gateway_deliveries_failed ON gateway_deliveries (account_id, delivery_id)
        WHERE outcome = 'failed';
      COMMENT ON TABLE gateway_deliveries IS
        'Verified calls of providers, kept for days. They can be applied again.';
      COMMENT ON COLUMN gateway_deliveries.account_id IS
        'Account that all of it is about; the account of zeros: several, or unknown.';
      COMMENT ON COLUMN gateway_deliveries.delivery_id IS
        'Identifies the delivery; sorts by time.';
      COMMENT ON COLUMN gateway_deliveries.gateway IS 'Gateway that was called.';
      COMMENT ON COLUMN gateway_deliveries.received_at IS 'When it was called.';
      COMMENT ON COLUMN gateway_deliveries.sealed_delivery IS
        'Headers and body as they came, encrypted.';
      COMMENT ON COLUMN gateway_deliveries.names IS
        'Ids of events, payments, links, refunds and disputes that its reports name.';
      COMMENT ON COLUMN gateway_deliveries.event_types IS 'Types that the provider gives them.';
      COMMENT ON COLUMN gateway_deliveries.reports IS 'How many things it reports.';
      COMMENT ON COLUMN gateway_deliveries.outcome IS
        'What became of it; accepted: it is still to be worked off.';
      COMMENT ON COLUMN gateway_deliveries.problem IS 'Code of what it failed with last.';
      COMMENT ON COLUMN gateway_deliveries.replays IS 'How often somebody had it applied again.';
      COMMENT ON COLUMN gateway_deliveries.replayed_at IS 'When that was, at the last time.';
      COMMENT ON COLUMN gateway_deliveries.is_unfinished IS
        'It was stored first, and its provider does not send it again: a part is not applied.';
      COMMENT ON COLUMN gateway_deliveries.left_over IS
        'Places of the reports of that part, from 0; null: all of them.';
      COMMENT ON COLUMN gateway_deliveries.attempts IS 'How often it was worked off.';
      COMMENT ON COLUMN gateway_deliveries.next_try_at IS
        'When it is worked off next; while that goes on, when it is given up for lost.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway_deliveries;');
  }
}
