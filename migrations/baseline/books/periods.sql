-- How the ledger is read and closed: months, charts, rates, and what belongs to tax.

CREATE TABLE period_closings (
  account_id     uuid NOT NULL REFERENCES accounts,
  closing_id     uuid NOT NULL,
  action         text NOT NULL,
  open_from      date NOT NULL,
  decided_at     timestamptz NOT NULL,
  known_xact     bigint NOT NULL,
  xact           bigint NOT NULL DEFAULT book_xact(),
  chart_version  integer,
  PRIMARY KEY (account_id, closing_id),
  CONSTRAINT period_closings_action_known CHECK (action IN ('closed', 'reopened')),
  CONSTRAINT period_closings_from_the_first_of_a_month
    CHECK (action = 'reopened' OR extract(day FROM open_from) = 1),
  CONSTRAINT period_closings_chart_of_closed
    CHECK (chart_version IS NULL OR action = 'closed' AND chart_version > 0)
);
COMMENT ON TABLE period_closings IS
  'Months of the books that were closed, and opened again. Append-only.';
COMMENT ON COLUMN period_closings.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN period_closings.closing_id IS 'Identifies the decision; sorts by time.';
COMMENT ON COLUMN period_closings.action IS 'closed or reopened.';
COMMENT ON COLUMN period_closings.open_from IS 'First day that is open from then on.';
COMMENT ON COLUMN period_closings.decided_at IS 'When that was settled.';
COMMENT ON COLUMN period_closings.known_xact IS
  'First transaction that knew of a closing, or that could have known of a reopening.';
COMMENT ON COLUMN period_closings.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN period_closings.chart_version IS
  'Chart that the closed months keep; null: from before this was kept, or reopened.';

CREATE INDEX period_closings_xact ON period_closings USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER period_closings_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON period_closings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('closings are append-only');

CREATE TABLE chart_settings (
  account_id     uuid NOT NULL REFERENCES accounts,
  template       text NOT NULL,
  numbers        jsonb NOT NULL,
  revenue        jsonb NOT NULL,
  datev          jsonb,
  version        integer NOT NULL,
  updated_at     timestamptz NOT NULL,
  losses         jsonb NOT NULL DEFAULT '[]',
  cash_accounts  jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (account_id, version),
  CONSTRAINT chart_settings_template_known CHECK (template IN ('plain', 'skr03', 'skr04')),
  CONSTRAINT chart_settings_numbers_are_an_object CHECK (jsonb_typeof(numbers) = 'object'),
  CONSTRAINT chart_settings_revenue_is_a_list CHECK (jsonb_typeof(revenue) = 'array'),
  CONSTRAINT chart_settings_version_from_one CHECK (version > 0),
  CONSTRAINT chart_settings_cash_accounts_are_a_list CHECK (jsonb_typeof(cash_accounts) = 'array')
);
COMMENT ON TABLE chart_settings IS
  'The numbers by which an accountant knows the accounts of the ledger; the last version counts. '
  'Append-only.';
COMMENT ON COLUMN chart_settings.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN chart_settings.template IS 'Chart that the numbers come from.';
COMMENT ON COLUMN chart_settings.numbers IS
  'By account of the ledger, a number other than that of the template.';
COMMENT ON COLUMN chart_settings.revenue IS
  'Accounts of revenue by category and rate of tax, before those of the template.';
COMMENT ON COLUMN chart_settings.datev IS
  'What the header of a DATEV file says; null: no such file is made.';
COMMENT ON COLUMN chart_settings.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN chart_settings.updated_at IS 'When it was decided.';
COMMENT ON COLUMN chart_settings.losses IS
  'Accounts of losses by category and rate of tax, before those of the template.';
COMMENT ON COLUMN chart_settings.cash_accounts IS
  'Numbers of bank accounts and of methods by hand, before those of the template.';

CREATE TRIGGER chart_settings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON chart_settings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('closed months keep their chart');

CREATE TABLE debtors (
  account_id   uuid NOT NULL,
  customer_id  uuid NOT NULL,
  place        integer NOT NULL,
  numbered_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, customer_id),
  FOREIGN KEY (account_id, customer_id) REFERENCES customers (account_id, customer_id),
  UNIQUE (account_id, place),
  CONSTRAINT debtors_begin_with_one CHECK (place > 0)
);
COMMENT ON TABLE debtors IS
  'Customers in the order in which a file for the accountant had them first. Append-only.';
COMMENT ON COLUMN debtors.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN debtors.customer_id IS 'The customer.';
COMMENT ON COLUMN debtors.place IS 'Counts from 1; the number of the debtor follows from it.';
COMMENT ON COLUMN debtors.numbered_at IS 'When a file had the customer first.';

CREATE TRIGGER debtors_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON debtors
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('debtors keep their numbers');

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
COMMENT ON COLUMN exchange_rates.base IS
  'ISO 4217 code of the currency of which one unit is priced.';
COMMENT ON COLUMN exchange_rates.quote IS 'ISO 4217 code of the currency of the price.';
COMMENT ON COLUMN exchange_rates.revision IS
  'Counts what was said of this day; the last one counts.';
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

CREATE TABLE tax_reliefs (
  account_id    uuid NOT NULL,
  relief_id     uuid NOT NULL,
  document_id   uuid NOT NULL,
  currency      text NOT NULL,
  tax_category  text NOT NULL,
  tax_rate      numeric NOT NULL,
  base          bigint NOT NULL,
  tax           bigint NOT NULL,
  effective_on  date NOT NULL,
  recorded_at   timestamptz NOT NULL,
  xact          bigint NOT NULL DEFAULT book_xact(),
  loss          text,
  PRIMARY KEY (account_id, relief_id, tax_category, tax_rate),
  FOREIGN KEY (account_id, document_id, currency)
    REFERENCES documents (account_id, document_id, currency),
  CONSTRAINT tax_reliefs_change_something CHECK (base <> 0 OR tax <> 0),
  CONSTRAINT tax_reliefs_loss_known CHECK (loss IN ('write_off', 'waiver'))
);
COMMENT ON TABLE tax_reliefs IS
  'Tax that was claimed back of what a client did not pay, and what of it was owed again. '
  'Append-only.';
COMMENT ON COLUMN tax_reliefs.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN tax_reliefs.relief_id IS 'One claim or correction: the fact of its transfers.';
COMMENT ON COLUMN tax_reliefs.document_id IS 'Invoice that was not paid.';
COMMENT ON COLUMN tax_reliefs.currency IS 'ISO 4217 code, that of the invoice.';
COMMENT ON COLUMN tax_reliefs.tax_category IS 'Category of tax (EN 16931, UNCL 5305).';
COMMENT ON COLUMN tax_reliefs.tax_rate IS 'Rate of tax in percent.';
COMMENT ON COLUMN tax_reliefs.base IS
  'Sum that the tax was on, in minor units; below zero: money came after all.';
COMMENT ON COLUMN tax_reliefs.tax IS
  'Tax that is claimed back, in minor units; below zero: it is owed again.';
COMMENT ON COLUMN tax_reliefs.effective_on IS 'Day it counts for, in the time zone of the account.';
COMMENT ON COLUMN tax_reliefs.recorded_at IS 'When it was booked.';
COMMENT ON COLUMN tax_reliefs.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN tax_reliefs.loss IS
  'How the claim was let go; null: from before this was kept, and its transfers tell.';

CREATE INDEX tax_reliefs_xact ON tax_reliefs USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER tax_reliefs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tax_reliefs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('tax reliefs are append-only');

CREATE TABLE vat_methods (
  account_id  uuid NOT NULL,
  method_id   uuid NOT NULL,
  method      text NOT NULL,
  from_day    date NOT NULL,
  decided_at  timestamptz NOT NULL,
  xact        bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, method_id),
  FOREIGN KEY (account_id) REFERENCES accounts,
  CONSTRAINT vat_methods_method_known CHECK (method IN ('accrual', 'cash'))
);
COMMENT ON TABLE vat_methods IS
  'How an account owes tax, from a day on, over all that was decided before. Append-only.';
COMMENT ON COLUMN vat_methods.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN vat_methods.method_id IS 'Identifies the decision; sorts by time.';
COMMENT ON COLUMN vat_methods.method IS
  'accrual: tax is due when it is invoiced; cash: when it is paid.';
COMMENT ON COLUMN vat_methods.from_day IS 'First day of issue of the invoices it holds for.';
COMMENT ON COLUMN vat_methods.decided_at IS 'When it was decided.';
COMMENT ON COLUMN vat_methods.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX vat_methods_xact ON vat_methods USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER vat_methods_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON vat_methods
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('vat methods are append-only');
