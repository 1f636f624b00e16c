import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A fact whose own day was closed says by itself on which day the books have it. */
export class BookedOn1764601600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments ADD COLUMN booked_on date;
      ALTER TABLE refunds ADD COLUMN booked_on date;
      ALTER TABLE refund_undoings ADD COLUMN booked_on date;
      COMMENT ON COLUMN payments.booked_on IS
        'First open day, on which the ledger has it; null: the day of paid_at was open.';
      COMMENT ON COLUMN refunds.booked_on IS
        'First open day, on which the ledger has it; null: the day of settled_at was open.';
      COMMENT ON COLUMN refund_undoings.booked_on IS
        'First open day, on which the ledger has it; null: the day of undone_at was open.';

      ALTER TABLE refunds DISABLE TRIGGER refunds_settle_once;
      ALTER TABLE refund_undoings DISABLE TRIGGER refund_undoings_append_only;
      ${fill('payments', 'payment_id', 'paid_at', `'payment.recorded'`)}
      ${fill('refunds', 'refund_id', 'settled_at', `'payment.refunded', 'receipt.refunded'`)}
      ${fill('refund_undoings', 'refund_id', 'undone_at', `'refund.returned', 'refund.reversed'`)}
      ALTER TABLE refunds ENABLE TRIGGER refunds_settle_once;
      ALTER TABLE refund_undoings ENABLE TRIGGER refund_undoings_append_only;

      -- STABLE: it sees what the statement sees, which writes the transfers, too.
      CREATE FUNCTION mark_booked_on() RETURNS trigger LANGUAGE plpgsql STABLE AS $$
      BEGIN
        NEW.booked_on := (SELECT a.books_open_from FROM accounts a
          WHERE a.account_id = NEW.account_id AND a.books_open_from >
            ((to_jsonb(NEW)->>TG_ARGV[0])::timestamptz AT TIME ZONE a.time_zone)::date);
        RETURN NEW;
      END $$;
      -- Of a payment that is told as it happens, no day is closed: it costs nothing.
      CREATE TRIGGER payments_booked_on BEFORE INSERT ON payments
        FOR EACH ROW WHEN (NEW.paid_at < NEW.recorded_at)
        EXECUTE FUNCTION mark_booked_on('paid_at');
      CREATE TRIGGER payments_booked_on_stays BEFORE UPDATE OF booked_on ON payments
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');
      CREATE TRIGGER refunds_booked_on BEFORE INSERT OR UPDATE OF status ON refunds
        FOR EACH ROW WHEN (NEW.status = 'succeeded')
        EXECUTE FUNCTION mark_booked_on('settled_at');
      CREATE TRIGGER refund_undoings_booked_on BEFORE INSERT ON refund_undoings
        FOR EACH ROW EXECUTE FUNCTION mark_booked_on('undone_at');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER payments_booked_on ON payments;
      DROP TRIGGER payments_booked_on_stays ON payments;
      DROP TRIGGER refunds_booked_on ON refunds;
      DROP TRIGGER refund_undoings_booked_on ON refund_undoings;
      DROP FUNCTION mark_booked_on();
      ALTER TABLE payments DROP COLUMN booked_on;
      ALTER TABLE refunds DROP COLUMN booked_on;
      ALTER TABLE refund_undoings DROP COLUMN booked_on;
    `);
  }
}

/** The ledger has it on a later day than the row tells. */
function fill(table: string, id: string, happened: string, facts: string): string {
  return `UPDATE ${table} r SET booked_on = t.effective_on
    FROM transfers t JOIN accounts a USING (account_id)
    WHERE t.account_id = r.account_id AND t.fact_id = r.${id} AND t.fact IN (${facts})
      AND t.effective_on > (r.${happened} AT TIME ZONE a.time_zone)::date;`;
}
