import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Money that came in, or went back, in another currency than that of the documents it is for. */
export class Conversions1764600900001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversions (
        account_id      uuid NOT NULL,
        conversion_id   uuid NOT NULL,
        payment_id      uuid,
        refund_id       uuid,
        amount          bigint NOT NULL,
        currency        text NOT NULL,
        exchange_rate   numeric NOT NULL,
        worth           bigint NOT NULL,
        worth_currency  text NOT NULL,
        rate_from       text NOT NULL,
        rate_source     text,
        rate_day        date,
        xact            bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, conversion_id),
        FOREIGN KEY (account_id, payment_id) REFERENCES payments,
        FOREIGN KEY (account_id, refund_id) REFERENCES refunds,
        CONSTRAINT conversions_of_a_payment_or_a_refund CHECK (num_nonnulls(payment_id, refund_id) = 1
          AND conversion_id = coalesce(payment_id, refund_id)),
        CONSTRAINT conversions_amount_within_limits CHECK (amount BETWEEN 1 AND 10000000000000),
        CONSTRAINT conversions_worth_within_limits CHECK (worth BETWEEN 1 AND 10000000000000),
        CONSTRAINT conversions_rate_above_zero CHECK (exchange_rate > 0),
        CONSTRAINT conversions_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
        CONSTRAINT conversions_worth_currency_is_a_code CHECK (worth_currency ~ '^[A-Z]{3}$'),
        CONSTRAINT conversions_two_currencies CHECK (currency <> worth_currency),
        CONSTRAINT conversions_rate_from_known CHECK (rate_from IN ('stated', 'table')),
        CONSTRAINT conversions_rate_of_the_table_has_its_day
          CHECK ((rate_from = 'table') = (rate_day IS NOT NULL)),
        CONSTRAINT conversions_rate_of_the_table_has_its_source
          CHECK (rate_from = 'stated' OR rate_source IS NOT NULL),
        CONSTRAINT conversions_rate_source_not_too_long CHECK (length(rate_source) <= 250)
      );
      COMMENT ON TABLE conversions IS
        'Money of a payment or a refund that moved in another currency than it counts in. Append-only.';
      COMMENT ON COLUMN conversions.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN conversions.conversion_id IS 'The payment or the refund: each has at most one.';
      COMMENT ON COLUMN conversions.payment_id IS 'Payment that came in so.';
      COMMENT ON COLUMN conversions.refund_id IS 'Refund that was paid out so.';
      COMMENT ON COLUMN conversions.amount IS 'What moved, in minor units.';
      COMMENT ON COLUMN conversions.currency IS 'ISO 4217 code of what moved.';
      COMMENT ON COLUMN conversions.exchange_rate IS 'Worth of one unit of it in the other currency.';
      COMMENT ON COLUMN conversions.worth IS 'Worth of all of it, in minor units.';
      COMMENT ON COLUMN conversions.worth_currency IS
        'ISO 4217 code of the worth: the currency of the payment.';
      COMMENT ON COLUMN conversions.rate_from IS
        'stated: the caller sent the rate; table: it is from the exchange rates.';
      COMMENT ON COLUMN conversions.rate_source IS 'Who says so, such as ECB; null: nobody was named.';
      COMMENT ON COLUMN conversions.rate_day IS 'Day that the rate of the table is of.';
      COMMENT ON COLUMN conversions.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX conversions_xact ON conversions USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER conversions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON conversions
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('conversions are append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conversions');
  }
}
