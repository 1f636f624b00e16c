-- Who is billed and what for, in whose name, and by which numbers.

CREATE TABLE customers (
  account_id          uuid NOT NULL REFERENCES accounts,
  customer_id         uuid NOT NULL,
  profile             jsonb NOT NULL,
  currency            text,
  payment_terms_days  integer,
  external_id         text,
  metadata            jsonb NOT NULL DEFAULT '{}',
  version             integer NOT NULL DEFAULT 1,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL DEFAULT now(),
  archived_at         timestamptz,
  sort_name           text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (left(folded(profile->>'name'), 100)) STORED,
  search              tsvector NOT NULL
    GENERATED ALWAYS AS (array_to_tsvector(search_lexemes(account_id,
      (profile->>'name') || ' ' ||
      coalesce(profile->>'legal_name', '') || ' ' ||
      coalesce(profile->>'contact_name', '') || ' ' ||
      coalesce(profile->>'email', '') || ' ' ||
      coalesce(profile->>'city', '') || ' ' ||
      coalesce(profile->>'tax_id', '') || ' ' ||
      jsonb_path_query_array(profile, '$.tax_ids[*].value')::text || ' ' ||
      coalesce(profile->>'registration_id', '') || ' ' ||
      coalesce(external_id, '')))) STORED,
  cash_discounts      jsonb,
  PRIMARY KEY (account_id, customer_id),
  CONSTRAINT customers_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT customers_payment_terms_at_most_ten_years
    CHECK (payment_terms_days BETWEEN 0 AND 3650),
  CONSTRAINT customers_external_id_not_empty CHECK (external_id <> ''),
  CONSTRAINT customers_version_from_one CHECK (version > 0),
  CONSTRAINT customers_cash_discounts_is_a_list CHECK (jsonb_typeof(cash_discounts) = 'array')
);
COMMENT ON TABLE customers IS 'Who documents are addressed to. Issued documents keep a copy.';
COMMENT ON COLUMN customers.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN customers.customer_id IS 'Identifies the customer.';
COMMENT ON COLUMN customers.profile IS
  'Names, address, contact and tax ids, as the API shows them.';
COMMENT ON COLUMN customers.currency IS 'ISO 4217 code that documents for the customer begin with.';
COMMENT ON COLUMN customers.payment_terms_days IS
  'Days between issue date and due date; null: as the account says.';
COMMENT ON COLUMN customers.external_id IS 'Id that the caller gave, unique in the account.';
COMMENT ON COLUMN customers.metadata IS 'Values that the caller attached; never read.';
COMMENT ON COLUMN customers.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN customers.created_at IS 'When the customer was made.';
COMMENT ON COLUMN customers.updated_at IS 'When the customer was changed last.';
COMMENT ON COLUMN customers.archived_at IS 'When the customer was archived; null: in use.';
COMMENT ON COLUMN customers.sort_name IS
  'Name that lists are ordered by. The order of people, not of bytes, but alike everywhere: a '
  'database''s own collation differs from place to place. Generated.';
COMMENT ON COLUMN customers.search IS
  'Words that a search finds, each beginning with the end of the account id. Generated.';
COMMENT ON COLUMN customers.cash_discounts IS
  'Reductions for those who pay its documents early; null leaves them to the account.';

-- Without a list of pending entries, which would make one insert pay for thousands.
CREATE INDEX customers_search ON customers USING gin (search) WITH (fastupdate = off);
CREATE INDEX customers_name ON customers (account_id, sort_name, customer_id);
CREATE UNIQUE INDEX customers_external_id ON customers
  (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX customers_email ON customers
  (account_id, lower((profile ->> 'email')), customer_id) WHERE (profile ->> 'email') IS NOT NULL;
CREATE INDEX customers_country ON customers
  (account_id, ((profile ->> 'country')), customer_id) WHERE (profile ->> 'country') IS NOT NULL;
CREATE INDEX customers_currency ON customers
  (account_id, currency, customer_id) WHERE currency IS NOT NULL;
CREATE INDEX customers_archived ON customers
  (account_id, customer_id) WHERE archived_at IS NOT NULL;

CREATE TABLE tax_rates (
  account_id        uuid NOT NULL REFERENCES accounts,
  tax_rate_id       uuid NOT NULL,
  name              text NOT NULL,
  description       text,
  tax_rate          numeric NOT NULL,
  tax_category      text NOT NULL,
  exemption_reason  text,
  exemption_code    text,
  country           text,
  metadata          jsonb NOT NULL,
  version           integer NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  archived_at       timestamptz,
  PRIMARY KEY (account_id, tax_rate_id),
  CONSTRAINT tax_rates_name_not_empty CHECK (name <> ''),
  CONSTRAINT tax_rates_rate_is_a_percentage CHECK (tax_rate BETWEEN 0 AND 100),
  CONSTRAINT tax_rates_country_is_a_code CHECK (country ~ '^[A-Z]{2}$'),
  CONSTRAINT tax_rates_version_from_one CHECK (version > 0)
);
COMMENT ON TABLE tax_rates IS 'Taxes that lines name. Lines keep a copy.';
COMMENT ON COLUMN tax_rates.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN tax_rates.tax_rate_id IS 'Identifies the tax rate.';
COMMENT ON COLUMN tax_rates.name IS 'What the account calls it.';
COMMENT ON COLUMN tax_rates.description IS 'What it is for.';
COMMENT ON COLUMN tax_rates.tax_rate IS 'Rate in percent.';
COMMENT ON COLUMN tax_rates.tax_category IS 'Category of tax (EN 16931, UNCL 5305).';
COMMENT ON COLUMN tax_rates.exemption_reason IS 'Why no tax is charged.';
COMMENT ON COLUMN tax_rates.exemption_code IS 'The same as a VATEX code.';
COMMENT ON COLUMN tax_rates.country IS 'Country whose tax it is (ISO 3166-1).';
COMMENT ON COLUMN tax_rates.metadata IS 'Values that the caller attached; never read.';
COMMENT ON COLUMN tax_rates.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN tax_rates.created_at IS 'When the tax rate was made.';
COMMENT ON COLUMN tax_rates.updated_at IS 'When the tax rate was changed last.';
COMMENT ON COLUMN tax_rates.archived_at IS 'Since when no new line may name it; null: in use.';

CREATE INDEX tax_rates_archived ON tax_rates (account_id, tax_rate_id)
  WHERE archived_at IS NOT NULL;

CREATE TRIGGER tax_rates_fixed
  BEFORE UPDATE OF tax_rate, tax_category, exemption_reason, exemption_code, country ON tax_rates
  FOR EACH ROW EXECUTE FUNCTION refuse_change('a tax rate keeps its tax');

ALTER TABLE accounts ADD FOREIGN KEY (account_id, default_tax_rate_id) REFERENCES tax_rates;

CREATE TABLE items (
  account_id          uuid NOT NULL REFERENCES accounts,
  item_id             uuid NOT NULL,
  name                text NOT NULL,
  description         text,
  external_id         text,
  sku                 text,
  unit                text,
  prices              jsonb NOT NULL,
  prices_include_tax  boolean NOT NULL,
  tax_rate_id         uuid,
  tax_rate            numeric,
  tax_category        text,
  exemption_reason    text,
  exemption_code      text,
  details             jsonb,
  metadata            jsonb NOT NULL,
  version             integer NOT NULL,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  archived_at         timestamptz,
  search              tsvector NOT NULL
    GENERATED ALWAYS AS (array_to_tsvector(search_lexemes(account_id,
      name || ' ' || coalesce(description, '') || ' ' || coalesce(sku, '') || ' ' ||
      coalesce(external_id, '')))) STORED,
  PRIMARY KEY (account_id, item_id),
  FOREIGN KEY (account_id, tax_rate_id) REFERENCES tax_rates,
  CONSTRAINT items_name_not_empty CHECK (name <> ''),
  CONSTRAINT items_external_id_not_empty CHECK (external_id <> ''),
  CONSTRAINT items_sku_not_empty CHECK (sku <> ''),
  CONSTRAINT items_tax_rate_is_a_percentage CHECK (tax_rate BETWEEN 0 AND 100),
  CONSTRAINT items_one_tax
    CHECK (tax_rate_id IS NULL OR (tax_rate IS NULL AND tax_category IS NULL)),
  CONSTRAINT items_version_from_one CHECK (version > 0)
);
COMMENT ON TABLE items IS 'Goods and services that lines name. Lines keep a copy.';
COMMENT ON COLUMN items.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN items.item_id IS 'Identifies the item.';
COMMENT ON COLUMN items.name IS 'What the account calls it.';
COMMENT ON COLUMN items.description IS 'What lines say; null: the name.';
COMMENT ON COLUMN items.external_id IS 'Id that the caller gave, unique in the account.';
COMMENT ON COLUMN items.sku IS 'The seller''s number of it.';
COMMENT ON COLUMN items.unit IS
  'Unit of measure (UN/ECE Recommendation 20); null: as lines without one have it.';
COMMENT ON COLUMN items.prices IS
  'Price of one unit in minor units as text, one for each currency.';
COMMENT ON COLUMN items.prices_include_tax IS 'Whether the prices are meant with tax.';
COMMENT ON COLUMN items.tax_rate_id IS 'Tax rate of the catalogue that its lines name.';
COMMENT ON COLUMN items.tax_rate IS 'Rate of tax in percent, where no tax rate is named.';
COMMENT ON COLUMN items.tax_category IS 'Category of that tax (EN 16931, UNCL 5305).';
COMMENT ON COLUMN items.exemption_reason IS 'Why no tax is charged.';
COMMENT ON COLUMN items.exemption_code IS 'The same as a VATEX code.';
COMMENT ON COLUMN items.details IS
  'Ids and classification of EN 16931 that its lines have; null: none.';
COMMENT ON COLUMN items.metadata IS 'Values that the caller attached; never read.';
COMMENT ON COLUMN items.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN items.created_at IS 'When the item was made.';
COMMENT ON COLUMN items.updated_at IS 'When the item was changed last.';
COMMENT ON COLUMN items.archived_at IS 'Since when no new line may name it; null: in use.';
COMMENT ON COLUMN items.search IS
  'Words that a search finds, each beginning with the end of the account id. Generated.';

CREATE UNIQUE INDEX items_external_id ON items (account_id, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX items_sku ON items (account_id, sku, item_id) WHERE sku IS NOT NULL;
CREATE INDEX items_archived ON items (account_id, item_id) WHERE archived_at IS NOT NULL;
CREATE INDEX items_search ON items USING gin (search) WITH (fastupdate = off);

CREATE TABLE seller_logos (
  account_id    uuid NOT NULL REFERENCES accounts,
  sha256        bytea NOT NULL,
  content_type  text NOT NULL,
  width         integer NOT NULL,
  height        integer NOT NULL,
  image         bytea NOT NULL,
  created_at    timestamptz NOT NULL,
  PRIMARY KEY (account_id, sha256),
  CONSTRAINT seller_logos_type_known CHECK (content_type IN ('image/png', 'image/jpeg')),
  CONSTRAINT seller_logos_width_positive CHECK (width > 0),
  CONSTRAINT seller_logos_height_positive CHECK (height > 0),
  CONSTRAINT seller_logos_at_most_one_mebibyte CHECK (length(image) BETWEEN 1 AND 1048576),
  CONSTRAINT seller_logos_content CHECK (sha256 = sha256(image)),
  CONSTRAINT seller_logos_at_most_four_megapixels CHECK ((width::bigint * height) <= 4000000)
);
ALTER TABLE seller_logos ALTER COLUMN image SET STORAGE EXTERNAL;
COMMENT ON TABLE seller_logos IS
  'Logos that documents are printed with. Found by their content, so that a document keeps the '
  'one it was issued with. Append-only.';
COMMENT ON COLUMN seller_logos.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN seller_logos.sha256 IS 'SHA-256 of the image.';
COMMENT ON COLUMN seller_logos.content_type IS 'Media type of the image.';
COMMENT ON COLUMN seller_logos.width IS 'Width in pixels.';
COMMENT ON COLUMN seller_logos.height IS 'Height in pixels.';
COMMENT ON COLUMN seller_logos.image IS 'The image as it was uploaded.';
COMMENT ON COLUMN seller_logos.created_at IS 'When it was uploaded.';

CREATE TRIGGER seller_logos_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON seller_logos
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('documents keep the logo they had');

CREATE TABLE number_series (
  account_id      uuid NOT NULL REFERENCES accounts,
  series          text NOT NULL,
  kind            text NOT NULL,
  pattern         text NOT NULL,
  reset           text NOT NULL,
  is_default      boolean NOT NULL,
  start_at        bigint NOT NULL,
  created_at      timestamptz NOT NULL,
  dates_in_order  boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, series),
  CONSTRAINT number_series_name_is_a_slug CHECK (series ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
  CONSTRAINT number_series_kind_known CHECK (kind IN ('invoice', 'quote', 'credit_note')),
  CONSTRAINT number_series_pattern_counts CHECK (length(pattern) <= 40 AND pattern LIKE '%{SEQ%}%'),
  CONSTRAINT number_series_reset_known CHECK (reset IN ('never', 'year', 'month')),
  CONSTRAINT number_series_start_from_one CHECK (start_at > 0)
);
COMMENT ON TABLE number_series IS
  'Series that documents are numbered by. Whoever takes a number locks the row until the '
  'transaction ends.';
COMMENT ON COLUMN number_series.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN number_series.series IS
  'Name of the series. An account has all built-in ones in here, or none while it has not used '
  'any.';
COMMENT ON COLUMN number_series.kind IS 'Kind of document that the series is for.';
COMMENT ON COLUMN number_series.pattern IS 'How a number is written, such as `INV-{YYYY}-{SEQ:5}`.';
COMMENT ON COLUMN number_series.reset IS 'When the count begins again.';
COMMENT ON COLUMN number_series.is_default IS
  'Whether documents of the kind take it when they name no series.';
COMMENT ON COLUMN number_series.start_at IS 'First number of a period.';
COMMENT ON COLUMN number_series.created_at IS 'When the series was made.';
COMMENT ON COLUMN number_series.dates_in_order IS
  'Whether no document may be dated before the one that has the number before it.';

CREATE UNIQUE INDEX number_series_default ON number_series (account_id, kind) WHERE is_default;

CREATE TABLE number_counters (
  account_id      uuid NOT NULL,
  series          text NOT NULL,
  period          text NOT NULL,
  first_sequence  bigint NOT NULL,
  last_sequence   bigint NOT NULL,
  PRIMARY KEY (account_id, series, period),
  FOREIGN KEY (account_id, series) REFERENCES number_series,
  CONSTRAINT number_counters_period_is_year_or_month CHECK (period ~ '^([0-9]{4}(-[0-9]{2})?)?$'),
  CONSTRAINT number_counters_first_from_one CHECK (first_sequence > 0),
  CONSTRAINT number_counters_last_not_before_first CHECK (last_sequence >= (first_sequence - 1))
) WITH (fillfactor = 50);
COMMENT ON TABLE number_counters IS
  'The count of each period of a series: every number from the first to the last was given.';
COMMENT ON COLUMN number_counters.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN number_counters.series IS 'Series that is counted.';
COMMENT ON COLUMN number_counters.period IS
  'Year or month that is counted, in the time zone of the account; empty: the series never resets.';
COMMENT ON COLUMN number_counters.first_sequence IS 'First number of the period.';
COMMENT ON COLUMN number_counters.last_sequence IS
  'Last number that was given; first - 1: none yet.';

CREATE TRIGGER number_counters_stay BEFORE DELETE ON number_counters
  FOR EACH ROW
  WHEN (OLD.last_sequence >= OLD.first_sequence)
  EXECUTE FUNCTION refuse_change('a count goes on without a gap');
-- Column by column, as PostgreSQL prints it: made of a dump, it stays as it is.
CREATE TRIGGER number_counters_only_count BEFORE UPDATE ON number_counters
  FOR EACH ROW
  WHEN (OLD.last_sequence >= OLD.first_sequence AND (
    OLD.account_id IS DISTINCT FROM NEW.account_id
    OR OLD.series IS DISTINCT FROM NEW.series
    OR OLD.period IS DISTINCT FROM NEW.period
    OR OLD.first_sequence IS DISTINCT FROM NEW.first_sequence
    OR NEW.last_sequence <> OLD.last_sequence AND NEW.last_sequence <> OLD.last_sequence + 1))
  EXECUTE FUNCTION refuse_change('a count goes on without a gap');
