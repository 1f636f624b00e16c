import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rates of exchange by account, the currency of its reports, and where gains and losses stand. */
export class ExchangeRates1764600900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts ADD COLUMN base_currency text;
      UPDATE accounts SET base_currency = currency;
      ALTER TABLE accounts ALTER COLUMN base_currency SET NOT NULL;
      ALTER TABLE accounts ADD CONSTRAINT accounts_base_currency_is_a_code
        CHECK (base_currency ~ '^[A-Z]{3}$');
      COMMENT ON COLUMN accounts.base_currency IS
        'ISO 4217 code of the currency that reports add everything up in.';

      CREATE TABLE exchange_rates (
        account_id   uuid NOT NULL REFERENCES accounts,
        rate_id      uuid NOT NULL,
        day          date NOT NULL,
        base         text NOT NULL,
        quote        text NOT NULL,
        revision     integer NOT NULL,
        rate         numeric NOT NULL,
        source       text NOT NULL,
        client_id    uuid NOT NULL,
        recorded_at  timestamptz NOT NULL,
        xact         bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, rate_id),
        CONSTRAINT exchange_rates_revision UNIQUE (account_id, base, quote, day, revision),
        CONSTRAINT exchange_rates_above_zero CHECK (rate > 0 AND rate < 1e12),
        CONSTRAINT exchange_rates_base_is_a_code CHECK (base ~ '^[A-Z]{3}$'),
        CONSTRAINT exchange_rates_quote_is_a_code CHECK (quote ~ '^[A-Z]{3}$'),
        CONSTRAINT exchange_rates_two_currencies CHECK (base <> quote),
        CONSTRAINT exchange_rates_revision_from_one CHECK (revision > 0),
        CONSTRAINT exchange_rates_source_not_too_long CHECK (length(source) BETWEEN 1 AND 100)
      );
      COMMENT ON TABLE exchange_rates IS
        'Rates of exchange by day. Append-only: a changed rate is the next revision of its day.';
      COMMENT ON COLUMN exchange_rates.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN exchange_rates.rate_id IS 'Identifies the row; sorts by time.';
      COMMENT ON COLUMN exchange_rates.day IS 'Day that the rate is of.';
      COMMENT ON COLUMN exchange_rates.base IS 'ISO 4217 code of the currency of which one unit is priced.';
      COMMENT ON COLUMN exchange_rates.quote IS 'ISO 4217 code of the currency of the price.';
      COMMENT ON COLUMN exchange_rates.revision IS 'Counts what was said of this day; the last one counts.';
      COMMENT ON COLUMN exchange_rates.rate IS 'Price of one unit of base in quote.';
      COMMENT ON COLUMN exchange_rates.source IS 'Who says so, such as ECB.';
      COMMENT ON COLUMN exchange_rates.client_id IS 'Client that sent it.';
      COMMENT ON COLUMN exchange_rates.recorded_at IS 'When it was sent.';
      COMMENT ON COLUMN exchange_rates.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX exchange_rates_by_day ON exchange_rates USING btree (account_id, day, rate_id);
      CREATE INDEX exchange_rates_xact ON exchange_rates USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER exchange_rates_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
        ON exchange_rates
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('exchange rates are append-only');

      ALTER DOMAIN ledger_account DROP CONSTRAINT ledger_account_of_the_chart;
      ALTER DOMAIN ledger_account ADD CONSTRAINT ledger_account_of_the_chart CHECK (VALUE ~
        '^(receivables|rejected_receivables|cash|gateway_clearing|payouts_in_transit|disputed_funds|customer_credit|unmatched_receipts|credit_notes|revenue|tax_payable|rounding|bad_debt|payment_differences|gateway_fees|payment_losses|bank_fees|other_expenses|other_income|opening_balances|currency_exchange|exchange_gains|exchange_losses)/[A-Z]{3}$');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER DOMAIN ledger_account DROP CONSTRAINT ledger_account_of_the_chart;
      ALTER DOMAIN ledger_account ADD CONSTRAINT ledger_account_of_the_chart CHECK (VALUE ~
        '^(receivables|rejected_receivables|cash|gateway_clearing|payouts_in_transit|disputed_funds|customer_credit|unmatched_receipts|credit_notes|revenue|tax_payable|rounding|bad_debt|payment_differences|gateway_fees|payment_losses|bank_fees|other_expenses|other_income|opening_balances|currency_exchange)/[A-Z]{3}$');
      DROP TABLE exchange_rates;
      ALTER TABLE accounts DROP COLUMN base_currency;
    `);
  }
}
