import type { MigrationInterface, QueryRunner } from 'typeorm';

const TRIGGER = (columns: string) => `
  DROP TRIGGER payout_lines_append_only ON payout_lines;
  CREATE TRIGGER payout_lines_append_only BEFORE UPDATE OF ${columns} OR DELETE OR TRUNCATE
    ON payout_lines FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('lines of payouts are append-only');`;
const COLUMNS =
  'account_id, payout_id, position, kind, amount, fee, booked_fee, provider_id, payment_id, receipt_id, refund_id';

/** Payouts are told before what is in them. */
export class AwaitedPayouts1764630197000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payout_lines ADD COLUMN completes integer;
      COMMENT ON COLUMN payout_lines.completes IS
        'Line of the payout whose payment or refund is told since: this row names it, and books its fee.';
      ALTER TABLE payout_lines ADD CONSTRAINT payout_lines_completes_an_unknown_one CHECK (
        completes IS NULL OR (completes < position AND amount = 0 AND fee = 0
          AND kind IN ('payment', 'refund') AND num_nonnulls(payment_id, receipt_id, refund_id) = 1));
      CREATE UNIQUE INDEX payout_lines_completed_once ON payout_lines (account_id, payout_id, completes)
        WHERE completes IS NOT NULL;
      ${TRIGGER(`${COLUMNS}, completes`)}
      CREATE INDEX payouts_named ON payouts (gateway, provider_payout_id)
        WHERE status <> 'reversed';

      CREATE TABLE provider_payouts (
        gateway             text NOT NULL,
        event_id            text NOT NULL,
        event_type          text NOT NULL,
        provider_payout_id  text NOT NULL,
        status              text NOT NULL,
        amount              bigint NOT NULL,
        fee                 bigint NOT NULL,
        currency            text NOT NULL,
        sent_on             date NOT NULL,
        arrives_on          date,
        descriptor          text,
        reason              text,
        told_at             timestamptz NOT NULL,
        lines               jsonb NOT NULL,
        received_at         timestamptz NOT NULL,
        xact                bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (gateway, event_id),
        CONSTRAINT provider_payouts_status_known CHECK (status IN ('sent', 'failed')),
        CONSTRAINT provider_payouts_lines_are_a_list CHECK (jsonb_typeof(lines) = 'array')
      );
      COMMENT ON TABLE provider_payouts IS
        'Payouts of a gateway of several accounts, told before it is sure whose they are. Append-only. Global, as provider_events are.';
      COMMENT ON COLUMN provider_payouts.gateway IS 'Gateway that told it.';
      COMMENT ON COLUMN provider_payouts.event_id IS 'Event of the provider that told it.';
      COMMENT ON COLUMN provider_payouts.event_type IS 'Type that the provider gives the event.';
      COMMENT ON COLUMN provider_payouts.provider_payout_id IS 'Id of the provider for the payout.';
      COMMENT ON COLUMN provider_payouts.status IS 'Whether it was sent, or came back.';
      COMMENT ON COLUMN provider_payouts.amount IS 'What arrives at the bank, in minor units.';
      COMMENT ON COLUMN provider_payouts.fee IS 'What the provider takes for it, in minor units.';
      COMMENT ON COLUMN provider_payouts.currency IS 'ISO 4217 code of the amounts.';
      COMMENT ON COLUMN provider_payouts.sent_on IS 'Day on which it left the provider.';
      COMMENT ON COLUMN provider_payouts.arrives_on IS 'Day on which the bank should have it, if told.';
      COMMENT ON COLUMN provider_payouts.descriptor IS 'Text that comes with it at the bank, if told.';
      COMMENT ON COLUMN provider_payouts.reason IS 'Why it came back, as the provider says.';
      COMMENT ON COLUMN provider_payouts.told_at IS 'When, at the word of the provider.';
      COMMENT ON COLUMN provider_payouts.lines IS
        'What is in it: kind, provider_id, amount and fee of each, in minor units as text.';
      COMMENT ON COLUMN provider_payouts.received_at IS 'When it was reported.';
      COMMENT ON COLUMN provider_payouts.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX provider_payouts_of_payout ON provider_payouts (gateway, provider_payout_id);
      CREATE INDEX provider_payouts_xact ON provider_payouts USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER provider_payouts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_payouts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('told payouts are append-only');

      CREATE TABLE provider_payout_waits (
        gateway             text NOT NULL,
        provider_id         text NOT NULL,
        kind                text NOT NULL,
        provider_payout_id  text NOT NULL,
        since               timestamptz NOT NULL,
        xact                bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (gateway, provider_id, kind, provider_payout_id),
        CONSTRAINT provider_payout_waits_kind_known CHECK (kind IN ('payment', 'refund'))
      );
      COMMENT ON TABLE provider_payout_waits IS
        'Payments and refunds that a payout named before they were told: with them it is gone on with. Append-only. Global, as provider_events are.';
      COMMENT ON COLUMN provider_payout_waits.gateway IS 'Gateway of the payout.';
      COMMENT ON COLUMN provider_payout_waits.provider_id IS 'Id of the provider for the payment or refund.';
      COMMENT ON COLUMN provider_payout_waits.kind IS 'Which of the two it is.';
      COMMENT ON COLUMN provider_payout_waits.provider_payout_id IS 'Id of the provider for the payout.';
      COMMENT ON COLUMN provider_payout_waits.since IS 'When the payout was told.';
      COMMENT ON COLUMN provider_payout_waits.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX provider_payout_waits_xact ON provider_payout_waits USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER provider_payout_waits_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_payout_waits
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('waits of payouts are append-only');

      -- Those that were recorded before.
      INSERT INTO provider_payout_waits (gateway, provider_id, kind, provider_payout_id, since)
        SELECT DISTINCT ON (o.gateway, l.provider_id, l.kind, o.provider_payout_id)
          o.gateway, l.provider_id, l.kind, o.provider_payout_id, o.recorded_at
        FROM payout_lines l JOIN payouts o USING (account_id, payout_id)
        WHERE l.kind IN ('payment', 'refund') AND l.provider_id IS NOT NULL
          AND num_nonnulls(l.payment_id, l.receipt_id, l.refund_id) = 0 AND NOT l.is_reversed;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE provider_payout_waits;
      DROP TABLE provider_payouts;
      ${TRIGGER(COLUMNS)}
      DROP INDEX payouts_named;
      DELETE FROM payout_lines WHERE completes IS NOT NULL;
      ALTER TABLE payout_lines DROP COLUMN completes;
    `);
  }
}
