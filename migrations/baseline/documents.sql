-- Customers, numbers, and the documents with their lines, tax, PDFs and portal tokens.

-- Search takes no extension (pg_trgm, unaccent, btree_gin), which a managed database may not have,
-- and no text search configuration: its parser takes e-mail addresses, paths and signed numbers for
-- one word each, and so would not find a part of them. Words are made here, alike for rows and for
-- queries, by core functions. Of these only lower() asks the locale, and only about other letters
-- than Latin: accents are taken apart first.

-- Without accents, in small letters.
CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'));

-- Parted at blanks and punctuation: [[:alnum:]] knows only ASCII where the locale is C.
CREATE FUNCTION search_words(text) RETURNS SETOF text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN regexp_split_to_table(folded($1),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+');

-- Each word begins with the end of its account's id, which is random: a GIN index has no other way to
-- keep accounts apart, and one must not read through the words of all. Long words are cut: a lexeme
-- of 2 KB and more would be stored wrong.
CREATE FUNCTION search_lexemes(account_id uuid, words text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(SELECT right(account_id::text, 8) || left(word, 50)
    FROM search_words(words) word WHERE word <> '');

-- Each word of a search may begin a word, but of those that punctuation joins only the last:
-- "INV-2026-00012" and "a@b.example" read what few documents have, not all with INV.
CREATE FUNCTION search_query(account_id uuid, words text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (SELECT string_agg(
      '''' || right(account_id::text, 8) || left(word, 50) || '''' ||
        CASE WHEN is_last THEN ':*' ELSE '' END, ' & ')::tsquery
    FROM (
      SELECT word, lead(word) OVER (PARTITION BY place ORDER BY part) IS NULL AS is_last
      FROM regexp_split_to_table(folded(words), '[\u0001-\u0020]+')
          WITH ORDINALITY AS joined (words, place),
        search_words(joined.words) WITH ORDINALITY AS parts (word, part)
      WHERE word <> '') w);

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
  PRIMARY KEY (account_id, customer_id),
  CONSTRAINT customers_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT customers_payment_terms_at_most_ten_years
    CHECK (payment_terms_days BETWEEN 0 AND 3650),
  CONSTRAINT customers_external_id_not_empty CHECK (external_id <> ''),
  CONSTRAINT customers_version_from_one CHECK (version > 0)
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
  account_id  uuid NOT NULL REFERENCES accounts,
  series      text NOT NULL,
  kind        text NOT NULL,
  pattern     text NOT NULL,
  reset       text NOT NULL,
  is_default  boolean NOT NULL,
  start_at    bigint NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, series),
  CONSTRAINT number_series_name_is_a_slug CHECK (series ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
  CONSTRAINT number_series_kind_known CHECK (kind IN ('invoice', 'quote', 'credit_note')),
  CONSTRAINT number_series_pattern_counts
    CHECK (length(pattern) <= 40 AND pattern LIKE '%{SEQ%}%'),
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

-- The reference of an invoice, as the code makes it (ISO 11649): from the number, or from the end of
-- the id where the number has other characters or is too long.
CREATE FUNCTION creditor_reference(number text, id uuid) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT 'RF' || lpad((98 - (
        SELECT string_agg(
          CASE WHEN c ~ '^[0-9]$' THEN c ELSE (ascii(c) - 55)::text END, '' ORDER BY place)
        FROM regexp_split_to_table(body || 'RF00', '') WITH ORDINALITY AS letters (c, place)
      )::numeric % 97)::text, 2, '0') || body
    FROM (
      SELECT CASE WHEN short ~ '^[A-Za-z0-9]{1,21}$' THEN upper(short COLLATE "C") ELSE (
          SELECT string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
            (div(random, 36::numeric ^ place) % 36)::integer + 1, 1), '' ORDER BY place DESC)
          FROM generate_series(0, 11) place) END AS body
      FROM (SELECT regexp_replace(number COLLATE "C", '[-/._# ]', '', 'g') AS short,
          ('x0' || right(replace(id::text, '-', ''), 15))::bit(64)::bigint::numeric AS random
      ) given
    ) said);

-- Numbers as people count: INV-99999 before INV-100000. Each run of digits is brought to 18, with
-- zeros before it; what has no number yet comes last.
CREATE FUNCTION number_order(number text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(
    regexp_replace(
      regexp_replace(number, '[0-9]+', '00000000000000000\&', 'g'),
      '0+([0-9]{18,})', '\1', 'g'),
    U&'\+10FFFF');

-- A violation has the name of its rule. The rules are functions, because PostgreSQL parses the text
-- of every CHECK of a table for each update of a row, whatever it changes: 44 of them cost a payment
-- more than all of its inserts. Here: of money, which payments change.
CREATE FUNCTION document_money_is_sound(kind text, lifecycle text, origin text, subtotal bigint,
  discount_total bigint, charge_total bigint, net_total bigint, tax_total bigint, rounding bigint,
  total bigint, amount_paid bigint, amount_refunded bigint, amount_waived bigint,
  amount_credited bigint, credit_notes_total bigint, amount_applied bigint, settled_at timestamptz)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  settled bigint := amount_paid - amount_refunded + amount_credited + amount_waived;
  broken text := CASE
    WHEN NOT (net_total = subtotal - discount_total + charge_total
      AND total = net_total + tax_total + rounding)
      THEN 'documents_sums_add_up'
    WHEN NOT (amount_paid >= 0 AND amount_refunded BETWEEN 0 AND amount_paid
      AND amount_credited >= 0 AND amount_waived >= 0 AND settled <= total)
      THEN 'documents_paid_within_total'
    WHEN NOT credit_notes_total BETWEEN amount_credited AND total
      THEN 'documents_credited_within_total'
    WHEN NOT (amount_paid = amount_refunded AND amount_waived = 0 AND credit_notes_total = 0
      OR lifecycle IN ('open', 'uncollectible'))
      THEN 'documents_money_only_on_open_invoices'
    WHEN NOT (kind = 'invoice' OR amount_paid = 0 AND amount_waived = 0 AND credit_notes_total = 0)
      THEN 'documents_only_invoices_take_money'
    WHEN NOT (amount_applied BETWEEN 0 AND total
      AND (amount_applied = 0 OR kind = 'credit_note' AND origin = 'credit'))
      THEN 'documents_applied_within_total'
    WHEN NOT ((settled_at IS NOT NULL) =
      (kind = 'invoice' AND lifecycle IN ('open', 'uncollectible') AND settled = total))
      THEN 'documents_settled_when_nothing_is_due'
    WHEN subtotal < 0 OR discount_total < 0 OR charge_total < 0 OR net_total < 0 OR tax_total < 0
      THEN 'documents_sums_not_negative'
    WHEN total NOT BETWEEN 0 AND 10000000000000 THEN 'documents_total_at_most_10_to_the_13'
  END;
BEGIN
  IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
  RETURN true;
END $$;

-- Rules of everything else, for statements that name these columns: those of a payment do not.
CREATE FUNCTION check_document_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  broken text := CASE
    WHEN NEW.kind NOT IN ('invoice', 'quote', 'credit_note') THEN 'documents_kind_known'
    WHEN NEW.lifecycle NOT IN
      ('draft', 'open', 'accepted', 'rejected', 'converted', 'uncollectible', 'void')
      THEN 'documents_lifecycle_known'
    WHEN NEW.currency !~ '^[A-Z]{3}$' THEN 'documents_currency_is_a_code'
    WHEN NEW.origin NOT IN ('revision', 'conversion', 'duplicate', 'credit')
      THEN 'documents_origin_known'
    WHEN (NEW.origin IS NULL) <> (NEW.origin_document_id IS NULL)
      THEN 'documents_origin_has_its_document'
    WHEN NEW.cash_rounding <= 0 THEN 'documents_cash_rounding_positive'
    WHEN NEW.payment_terms_days NOT BETWEEN 0 AND 3650
      THEN 'documents_payment_terms_at_most_ten_years'
    WHEN NEW.revision <= 0 THEN 'documents_revision_from_one'
    WHEN NEW.number_sequence <= 0 THEN 'documents_number_sequence_from_one'
    WHEN (NEW.lifecycle = 'draft') <> (NEW.number IS NULL) THEN 'documents_numbered_when_issued'
    WHEN (NEW.number_sequence IS NULL) <> (NEW.number_period IS NULL)
      THEN 'documents_number_sequence_has_its_period'
    WHEN (NEW.number_sequence IS NULL) <> (NEW.number_series IS NULL OR NEW.number IS NULL)
      THEN 'documents_number_sequence_has_its_series'
    WHEN (NEW.lifecycle = 'draft') <> (NEW.issued_at IS NULL) THEN 'documents_issued_has_its_time'
    WHEN (NEW.issued_xact IS NULL) <> (NEW.issued_at IS NULL) THEN 'documents_xact_when_issued'
    WHEN NEW.lifecycle <> 'draft' AND (NEW.issue_date IS NULL OR NEW.due_date IS NULL)
      THEN 'documents_issued_has_its_dates'
    WHEN NEW.lifecycle <> 'draft' AND NEW.lapses_at IS NULL THEN 'documents_issued_lapses'
    WHEN NEW.lifecycle <> 'draft' AND NEW.kind = 'invoice' AND NEW.payment_reference IS NULL
      THEN 'documents_issued_invoice_has_reference'
    WHEN NEW.proforma AND NEW.kind <> 'quote' THEN 'documents_only_quotes_are_proforma'
    WHEN NEW.lifecycle = 'accepted' AND (NEW.accepted_at IS NULL OR NEW.kind <> 'quote')
      THEN 'documents_accepted_is_a_quote_and_has_its_time'
    WHEN NEW.lifecycle = 'rejected' AND NEW.kind = 'credit_note'
      THEN 'documents_credit_notes_are_not_rejected'
    WHEN NEW.lifecycle = 'rejected' AND NEW.rejected_at IS NULL
      THEN 'documents_rejected_has_its_time'
    WHEN NEW.accepted_at IS NOT NULL AND NEW.rejected_at IS NOT NULL
      THEN 'documents_one_answer_of_the_client'
    WHEN (NEW.rejected_at IS NULL) <> (NEW.rejection_reason IS NULL)
      THEN 'documents_rejected_has_its_reason'
    WHEN (NEW.rejected_at IS NULL) <> (NEW.rejected_version IS NULL)
      THEN 'documents_rejected_has_its_version'
    WHEN (NEW.lifecycle = 'converted') <> (NEW.converted_at IS NOT NULL)
      THEN 'documents_converted_has_its_time'
    WHEN NEW.lifecycle = 'converted' AND NEW.kind <> 'quote'
      THEN 'documents_only_quotes_are_converted'
    WHEN NEW.lifecycle = 'uncollectible' AND NEW.written_off_at IS NULL
      THEN 'documents_uncollectible_has_its_time'
    WHEN NEW.written_off_at IS NOT NULL
      AND NOT (NEW.lifecycle IN ('uncollectible', 'void') AND NEW.kind = 'invoice')
      THEN 'documents_only_invoices_are_written_off'
    WHEN (NEW.lifecycle = 'void') <> (NEW.voided_at IS NOT NULL) THEN 'documents_void_has_its_time'
  END;
BEGIN
  IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
  RETURN NEW;
END $$;

-- A condition of a trigger would be copied for each statement, 45 KB of it; a function is not.
CREATE FUNCTION keep_issued_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.lifecycle <> 'draft' AND
    (OLD.kind, OLD.number, OLD.currency, OLD.customer_id, OLD.seller, OLD.customer,
     OLD.issue_date, OLD.due_date, OLD.notes, OLD.purchase_order, OLD.net_total, OLD.tax_total,
     OLD.total, OLD.issued_at, OLD.proforma, OLD.language, OLD.external_id,
     OLD.prices_include_tax, OLD.cash_rounding, OLD.discounts, OLD.charges, OLD.subtotal,
     OLD.discount_total, OLD.charge_total, OLD.rounding, OLD.amount_applied, OLD.origin,
     OLD.origin_document_id, OLD.revision, OLD.lapses_at, OLD.number_series, OLD.number_period,
     OLD.number_sequence)
    IS DISTINCT FROM
    (NEW.kind, NEW.number, NEW.currency, NEW.customer_id, NEW.seller, NEW.customer,
     NEW.issue_date, NEW.due_date, NEW.notes, NEW.purchase_order, NEW.net_total, NEW.tax_total,
     NEW.total, NEW.issued_at, NEW.proforma, NEW.language, NEW.external_id,
     NEW.prices_include_tax, NEW.cash_rounding, NEW.discounts, NEW.charges, NEW.subtotal,
     NEW.discount_total, NEW.charge_total, NEW.rounding, NEW.amount_applied, NEW.origin,
     NEW.origin_document_id, NEW.revision, NEW.lapses_at, NEW.number_series, NEW.number_period,
     NEW.number_sequence)
  THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
  END IF;
  RETURN NEW;
END $$;

-- The same steps as in the domain's state machine; what was answered stays as it was given.
CREATE FUNCTION check_document_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.lifecycle <> NEW.lifecycle AND (OLD.kind, OLD.lifecycle, NEW.lifecycle) NOT IN
      (('invoice', 'draft', 'open'), ('invoice', 'open', 'rejected'),
       ('invoice', 'open', 'uncollectible'), ('invoice', 'open', 'void'),
       ('invoice', 'rejected', 'void'), ('invoice', 'uncollectible', 'void'),
       ('quote', 'draft', 'open'), ('quote', 'open', 'accepted'),
       ('quote', 'open', 'rejected'), ('quote', 'open', 'converted'),
       ('quote', 'open', 'void'), ('quote', 'accepted', 'converted'),
       ('quote', 'accepted', 'void'), ('quote', 'rejected', 'void'),
       ('quote', 'converted', 'open'), ('quote', 'converted', 'accepted'),
       ('credit_note', 'draft', 'open'), ('credit_note', 'open', 'void'))
    OR OLD.accepted_at IS DISTINCT FROM NEW.accepted_at AND OLD.accepted_at IS NOT NULL
    OR OLD.rejected_at IS NOT NULL AND
      (OLD.rejected_at, OLD.rejection_reason, OLD.rejected_version) IS DISTINCT FROM
      (NEW.rejected_at, NEW.rejection_reason, NEW.rejected_version)
  THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = 'documents only move forward';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION mark_issued_xact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.issued_xact := CASE WHEN NEW.issued_at IS NOT NULL THEN book_xact() END;
  RETURN NEW;
END $$;

CREATE TABLE documents (
  account_id          uuid NOT NULL REFERENCES accounts,
  document_id         uuid NOT NULL,
  kind                text NOT NULL,
  lifecycle           text NOT NULL,
  proforma            boolean NOT NULL DEFAULT false,
  number              text,
  number_series       text,
  number_period       text,
  number_sequence     bigint,
  external_id         text,
  payment_reference   text,
  purchase_order      text,
  currency            text NOT NULL,
  language            text,
  customer_id         uuid NOT NULL,
  customer            jsonb NOT NULL,
  seller              jsonb NOT NULL,
  notes               text,
  metadata            jsonb NOT NULL,
  issue_date          date,
  due_date            date,
  payment_terms_days  integer,
  prices_include_tax  boolean NOT NULL DEFAULT false,
  cash_rounding       integer,
  discounts           jsonb NOT NULL DEFAULT '[]',
  charges             jsonb NOT NULL DEFAULT '[]',
  subtotal            bigint NOT NULL,
  discount_total      bigint NOT NULL DEFAULT 0,
  charge_total        bigint NOT NULL DEFAULT 0,
  net_total           bigint NOT NULL,
  tax_total           bigint NOT NULL,
  rounding            bigint NOT NULL DEFAULT 0,
  total               bigint NOT NULL,
  amount_paid         bigint NOT NULL DEFAULT 0,
  amount_refunded     bigint NOT NULL DEFAULT 0,
  amount_credited     bigint NOT NULL DEFAULT 0,
  amount_waived       bigint NOT NULL DEFAULT 0,
  credit_notes_total  bigint NOT NULL DEFAULT 0,
  amount_applied      bigint NOT NULL DEFAULT 0,
  origin              text,
  origin_document_id  uuid,
  revision            integer NOT NULL DEFAULT 1,
  accepted_at         timestamptz,
  rejection_reason    text,
  rejected_at         timestamptz,
  rejected_version    integer,
  converted_at        timestamptz,
  written_off_at      timestamptz,
  voided_at           timestamptz,
  settled_at          timestamptz,
  lapses_at           timestamptz,
  version             integer NOT NULL,
  event_sequence      integer NOT NULL,
  created_at          timestamptz NOT NULL,
  issued_at           timestamptz,
  issued_xact         bigint,
  search              tsvector NOT NULL,
  PRIMARY KEY (account_id, document_id),
  CONSTRAINT documents_number UNIQUE (account_id, kind, number),
  CONSTRAINT documents_currency UNIQUE (account_id, document_id, currency),
  CONSTRAINT documents_number_sequence
    UNIQUE (account_id, number_series, number_period, number_sequence),
  CONSTRAINT documents_external_id UNIQUE (account_id, external_id),
  FOREIGN KEY (account_id, customer_id) REFERENCES customers,
  CONSTRAINT documents_number_counter
    FOREIGN KEY (account_id, number_series, number_period) REFERENCES number_counters,
  FOREIGN KEY (account_id, origin_document_id) REFERENCES documents,
  CONSTRAINT documents_version_from_one CHECK (version > 0),
  CONSTRAINT documents_event_sequence_not_negative CHECK (event_sequence >= 0),
  CONSTRAINT documents_money
    CHECK (document_money_is_sound(kind, lifecycle, origin, subtotal, discount_total, charge_total,
      net_total, tax_total, rounding, total, amount_paid, amount_refunded, amount_waived,
      amount_credited, credit_notes_total, amount_applied, settled_at))
) WITH (fillfactor = 80);
COMMENT ON TABLE documents IS
  'Invoices, quotes and credit notes. An issued document is frozen; only its state and what was '
  'paid go on.';
COMMENT ON COLUMN documents.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN documents.document_id IS 'Identifies the document.';
COMMENT ON COLUMN documents.kind IS 'Kind of document.';
COMMENT ON COLUMN documents.lifecycle IS
  'State of the document itself; what was paid stands in the sums.';
COMMENT ON COLUMN documents.proforma IS 'Whether a quote is printed as a proforma invoice.';
COMMENT ON COLUMN documents.number IS 'Number of the issued document; null on a draft.';
COMMENT ON COLUMN documents.number_series IS
  'Series of the number; null: given elsewhere. A draft may say which series it wants.';
COMMENT ON COLUMN documents.number_period IS 'Period of the series that the number was counted in.';
COMMENT ON COLUMN documents.number_sequence IS 'Place of the number in its period.';
COMMENT ON COLUMN documents.external_id IS 'Id that the caller gave, unique in the account.';
COMMENT ON COLUMN documents.payment_reference IS
  'Reference that a bank transfer names the invoice by (ISO 11649 where the number allows).';
COMMENT ON COLUMN documents.purchase_order IS 'Purchase order of the customer.';
COMMENT ON COLUMN documents.currency IS 'ISO 4217 code of all amounts of the document.';
COMMENT ON COLUMN documents.language IS
  'BCP 47 tag of the language it is printed in; null: as the account says.';
COMMENT ON COLUMN documents.customer_id IS 'Customer that the document is addressed to.';
COMMENT ON COLUMN documents.customer IS 'The customer as printed: a copy that was frozen at issue.';
COMMENT ON COLUMN documents.seller IS 'The seller as printed: a copy that was frozen at issue.';
COMMENT ON COLUMN documents.notes IS 'Text that is printed below the lines.';
COMMENT ON COLUMN documents.metadata IS 'Values that the caller attached; never read.';
COMMENT ON COLUMN documents.issue_date IS 'Day of issue in the time zone of the account.';
COMMENT ON COLUMN documents.due_date IS
  'Day by which it is to be paid, or until which a quote stands.';
COMMENT ON COLUMN documents.payment_terms_days IS
  'Days between issue date and due date, where they were given so.';
COMMENT ON COLUMN documents.prices_include_tax IS 'Whether the amounts of the lines include tax.';
COMMENT ON COLUMN documents.cash_rounding IS
  'Multiple that the total is rounded to, in minor units; null: not rounded.';
COMMENT ON COLUMN documents.discounts IS 'Discounts on the whole document, as the API shows them.';
COMMENT ON COLUMN documents.charges IS 'Charges on the whole document, as the API shows them.';
COMMENT ON COLUMN documents.subtotal IS 'Sum of the lines without tax, in minor units.';
COMMENT ON COLUMN documents.discount_total IS
  'Sum of the discounts on the document without tax, in minor units.';
COMMENT ON COLUMN documents.charge_total IS
  'Sum of the charges on the document without tax, in minor units.';
COMMENT ON COLUMN documents.net_total IS
  'Sum without tax, in minor units: subtotal - discounts + charges.';
COMMENT ON COLUMN documents.tax_total IS 'Sum of the tax, in minor units.';
COMMENT ON COLUMN documents.rounding IS
  'What cash rounding added, in minor units; below zero: took off.';
COMMENT ON COLUMN documents.total IS
  'What the document asks for, in minor units: net + tax + rounding.';
COMMENT ON COLUMN documents.amount_paid IS
  'What payments paid, in minor units, refunds not taken off.';
COMMENT ON COLUMN documents.amount_refunded IS 'What was paid and went back, in minor units.';
COMMENT ON COLUMN documents.amount_credited IS
  'What credit notes took off the amount due, in minor units.';
COMMENT ON COLUMN documents.amount_waived IS
  'What an underpayment within the tolerance left, in minor units.';
COMMENT ON COLUMN documents.credit_notes_total IS
  'Sum of the totals of the credit notes that stand against it, in minor units.';
COMMENT ON COLUMN documents.amount_applied IS
  'Of a credit note: what it took off its invoice, in minor units. The rest is credit.';
COMMENT ON COLUMN documents.origin IS 'Why the document was made of another.';
COMMENT ON COLUMN documents.origin_document_id IS 'The document that it was made of.';
COMMENT ON COLUMN documents.revision IS 'Goes up by one with each revision of a quote.';
COMMENT ON COLUMN documents.accepted_at IS 'When the client accepted the quote.';
COMMENT ON COLUMN documents.rejection_reason IS 'What the client said against it.';
COMMENT ON COLUMN documents.rejected_at IS 'When the client rejected it.';
COMMENT ON COLUMN documents.rejected_version IS 'Version that the client had before its eyes.';
COMMENT ON COLUMN documents.converted_at IS 'When the quote became an invoice.';
COMMENT ON COLUMN documents.written_off_at IS 'When the invoice was given up as uncollectible.';
COMMENT ON COLUMN documents.voided_at IS 'When the document was voided.';
COMMENT ON COLUMN documents.settled_at IS
  'When nothing was due any more; null: something is, or never was.';
COMMENT ON COLUMN documents.lapses_at IS
  'End of the due date in the time zone of the account: afterwards it is overdue, a quote expired.';
COMMENT ON COLUMN documents.version IS 'Goes up by one with each change; the ETag.';
COMMENT ON COLUMN documents.event_sequence IS 'Sequence of the last event of the document.';
COMMENT ON COLUMN documents.created_at IS 'When the draft was made.';
COMMENT ON COLUMN documents.issued_at IS 'When it was issued.';
COMMENT ON COLUMN documents.issued_xact IS
  'Transaction that issued it, by which seals cover what was frozen.';
COMMENT ON COLUMN documents.search IS
  'Words that a search finds, each beginning with the end of the account id. Written with the '
  'document.';

CREATE INDEX documents_of_origin ON documents
  (account_id, origin_document_id) WHERE origin_document_id IS NOT NULL;
-- One for each order of a list. None of them holds what a payment changes, so that its update stays
-- on its page (heap-only tuple); only the last payment, which sets settled_at, has to write them.
-- Dates that a draft does not have yet come last.
CREATE INDEX documents_created ON documents (account_id, created_at, document_id);
CREATE INDEX documents_issue_date ON documents
  (account_id, coalesce(issue_date, '9999-12-31'), document_id);
CREATE INDEX documents_due_date ON documents
  (account_id, coalesce(due_date, '9999-12-31'), document_id);
CREATE INDEX documents_number_order ON documents
  (account_id, number_order(number) COLLATE "C", document_id);
CREATE INDEX documents_total ON documents (account_id, total, document_id);
-- A customer's documents, newest first; and the foreign key when a customer is deleted.
CREATE INDEX documents_customer ON documents (account_id, customer_id, created_at, document_id);
-- What is not settled: few of many, and the oldest of them are asked for most.
CREATE INDEX documents_pending ON documents
  (account_id, created_at, document_id) WHERE lifecycle = 'open' AND settled_at IS NULL;
CREATE INDEX documents_pending_due ON documents
  (account_id, coalesce(due_date, '9999-12-31'), document_id) WHERE lifecycle = 'open' AND
  settled_at IS NULL;
-- Every other status but paid, which is what most documents come to.
CREATE INDEX documents_lifecycle ON documents
  (account_id, lifecycle, created_at, document_id) WHERE lifecycle <> 'open';
-- A GIN index cannot begin with account_id; the words do. Without a list of pending entries, which
-- would make one insert pay for thousands.
CREATE INDEX documents_search ON documents USING gin (search) WITH (fastupdate = off);
-- Not unique: a match asks for exactly one.
CREATE INDEX documents_payment_reference ON documents
  (account_id, payment_reference) WHERE payment_reference IS NOT NULL;
-- What a transfer with no readable reference may be for.
CREATE INDEX documents_pending_total ON documents
  (account_id, currency, total) WHERE lifecycle = 'open' AND settled_at IS NULL;
CREATE INDEX documents_issued_xact ON documents USING brin
  (issued_xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER documents_issued_stay BEFORE DELETE ON documents
  FOR EACH ROW
  WHEN (OLD.lifecycle <> 'draft')
  EXECUTE FUNCTION refuse_change('an issued document is never deleted');
CREATE TRIGGER documents_reference_frozen_when_issued BEFORE UPDATE OF payment_reference ON documents
  FOR EACH ROW
  WHEN (OLD.lifecycle <> 'draft' AND OLD.payment_reference IS DISTINCT FROM NEW.payment_reference)
  EXECUTE FUNCTION refuse_change('an issued document is frozen');
CREATE TRIGGER documents_issued_xact_stays BEFORE UPDATE OF issued_xact ON documents
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER documents_issued_in BEFORE INSERT OR UPDATE OF issued_at ON documents
  FOR EACH ROW
  WHEN ((NEW.issued_at IS NULL) <> (NEW.issued_xact IS NULL))
  EXECUTE FUNCTION mark_issued_xact();
CREATE TRIGGER documents_state BEFORE INSERT OR UPDATE OF kind, lifecycle, proforma, currency,
  number, number_series, number_period, number_sequence, payment_terms_days, cash_rounding, origin,
  origin_document_id, revision, issue_date, due_date, lapses_at, issued_at, issued_xact,
  payment_reference, accepted_at, rejected_at, rejection_reason, rejected_version, converted_at,
  written_off_at, voided_at ON documents
  FOR EACH ROW EXECUTE FUNCTION check_document_state();
CREATE TRIGGER documents_frozen_when_issued BEFORE UPDATE OF kind, number, currency, customer_id,
  seller, customer, issue_date, due_date, notes, purchase_order, net_total, tax_total, total,
  issued_at, proforma, language, external_id, prices_include_tax, cash_rounding, discounts, charges,
  subtotal, discount_total, charge_total, rounding, amount_applied, origin, origin_document_id,
  revision, lapses_at, number_series, number_period, number_sequence ON documents
  FOR EACH ROW EXECUTE FUNCTION keep_issued_document();
CREATE TRIGGER documents_lifecycle BEFORE UPDATE OF lifecycle, accepted_at, rejected_at,
  rejection_reason, rejected_version ON documents
  FOR EACH ROW EXECUTE FUNCTION check_document_step();

-- Issuing and inserting are one transaction: only there may an issued document gain a line.
CREATE FUNCTION refuse_change_of_issued() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  part record := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
BEGIN
  IF EXISTS (SELECT FROM documents d
    WHERE (d.account_id, d.document_id) = (part.account_id, part.document_id)
      AND d.lifecycle <> 'draft'
      AND NOT (TG_OP = 'INSERT' AND d.xmin = pg_current_xact_id()::xid))
  THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE TABLE document_lines (
  account_id        uuid NOT NULL,
  document_id       uuid NOT NULL,
  position          integer NOT NULL,
  description       text NOT NULL,
  quantity          numeric NOT NULL,
  unit              text NOT NULL DEFAULT 'C62',
  unit_amount       numeric NOT NULL,
  tax_category      text NOT NULL,
  tax_rate          numeric NOT NULL,
  exemption_reason  text,
  discounts         jsonb NOT NULL DEFAULT '[]',
  charges           jsonb NOT NULL DEFAULT '[]',
  amount            bigint NOT NULL,
  net               bigint NOT NULL,
  PRIMARY KEY (account_id, document_id, position),
  FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE,
  CONSTRAINT document_lines_position_from_one CHECK (position > 0),
  CONSTRAINT document_lines_quantity_not_negative CHECK (quantity >= 0),
  CONSTRAINT document_lines_unit_amount_not_negative CHECK (unit_amount >= 0),
  CONSTRAINT document_lines_tax_rate_is_a_percentage CHECK (tax_rate BETWEEN 0 AND 100),
  CONSTRAINT document_lines_net_not_negative CHECK (net >= 0),
  CONSTRAINT document_lines_amount_not_negative CHECK (amount >= 0)
);
COMMENT ON TABLE document_lines IS 'Lines of documents. Frozen with the document.';
COMMENT ON COLUMN document_lines.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN document_lines.document_id IS 'Document that the line is on.';
COMMENT ON COLUMN document_lines.position IS 'Place on the document, from 1.';
COMMENT ON COLUMN document_lines.description IS 'What is sold.';
COMMENT ON COLUMN document_lines.quantity IS 'How many units.';
COMMENT ON COLUMN document_lines.unit IS 'Unit of measure (UN/ECE Recommendation 20); C62: one.';
COMMENT ON COLUMN document_lines.unit_amount IS
  'Price of one unit in minor units, fractions allowed.';
COMMENT ON COLUMN document_lines.tax_category IS 'Category of tax (EN 16931, UNCL 5305).';
COMMENT ON COLUMN document_lines.tax_rate IS 'Rate of tax in percent.';
COMMENT ON COLUMN document_lines.exemption_reason IS 'Why no tax is charged.';
COMMENT ON COLUMN document_lines.discounts IS 'Discounts on the line, as the API shows them.';
COMMENT ON COLUMN document_lines.charges IS 'Charges on the line, as the API shows them.';
COMMENT ON COLUMN document_lines.amount IS
  'Amount of the line as entered, in minor units; with tax where prices include it.';
COMMENT ON COLUMN document_lines.net IS 'Amount of the line without tax, in minor units.';

CREATE TRIGGER document_lines_frozen BEFORE INSERT OR DELETE OR UPDATE ON document_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
CREATE TRIGGER document_lines_stay BEFORE TRUNCATE ON document_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

CREATE TABLE document_tax_groups (
  account_id        uuid NOT NULL,
  document_id       uuid NOT NULL,
  tax_category      text NOT NULL,
  tax_rate          numeric NOT NULL,
  base              bigint NOT NULL,
  tax               bigint NOT NULL,
  exemption_code    text,
  exemption_reason  text,
  PRIMARY KEY (account_id, document_id, tax_category, tax_rate),
  FOREIGN KEY (account_id, document_id) REFERENCES documents ON DELETE CASCADE,
  CONSTRAINT document_tax_groups_base_not_negative CHECK (base >= 0),
  CONSTRAINT document_tax_groups_tax_not_negative CHECK (tax >= 0)
);
COMMENT ON TABLE document_tax_groups IS
  'Tax of documents by category and rate. Frozen with the document.';
COMMENT ON COLUMN document_tax_groups.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN document_tax_groups.document_id IS 'Document that the tax is on.';
COMMENT ON COLUMN document_tax_groups.tax_category IS 'Category of tax (EN 16931, UNCL 5305).';
COMMENT ON COLUMN document_tax_groups.tax_rate IS 'Rate of tax in percent.';
COMMENT ON COLUMN document_tax_groups.base IS 'Sum that the tax is on, in minor units.';
COMMENT ON COLUMN document_tax_groups.tax IS 'The tax, in minor units.';
COMMENT ON COLUMN document_tax_groups.exemption_code IS
  'Code of the reason why no tax is charged (VATEX).';
COMMENT ON COLUMN document_tax_groups.exemption_reason IS 'Why no tax is charged.';

CREATE TRIGGER document_tax_groups_frozen BEFORE INSERT OR DELETE OR UPDATE ON document_tax_groups
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
CREATE TRIGGER document_tax_groups_stay BEFORE TRUNCATE ON document_tax_groups
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

CREATE TABLE credited_lines (
  account_id      uuid NOT NULL,
  credit_note_id  uuid NOT NULL,
  invoice_id      uuid NOT NULL,
  position        integer NOT NULL,
  amount          bigint NOT NULL,
  quantity        numeric,
  PRIMARY KEY (account_id, credit_note_id, position),
  FOREIGN KEY (account_id, credit_note_id) REFERENCES documents,
  FOREIGN KEY (account_id, invoice_id, position) REFERENCES document_lines,
  CONSTRAINT credited_lines_position_from_one CHECK (position > 0),
  CONSTRAINT credited_lines_amount_positive CHECK (amount > 0),
  CONSTRAINT credited_lines_quantity_positive CHECK (quantity > 0)
);
COMMENT ON TABLE credited_lines IS
  'Which part of which line of an invoice a credit note takes back. Append-only.';
COMMENT ON COLUMN credited_lines.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN credited_lines.credit_note_id IS 'The credit note.';
COMMENT ON COLUMN credited_lines.invoice_id IS 'The invoice.';
COMMENT ON COLUMN credited_lines.position IS 'Line of the invoice, and place on the credit note.';
COMMENT ON COLUMN credited_lines.amount IS
  'What is taken back of the line, with tax, in minor units.';
COMMENT ON COLUMN credited_lines.quantity IS 'How many units are taken back; null: an amount only.';

CREATE INDEX credited_lines_of_invoice ON credited_lines (account_id, invoice_id);

CREATE TRIGGER credited_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credited_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('credited lines are append-only');

CREATE TABLE document_pdfs (
  account_id   uuid NOT NULL,
  document_id  uuid NOT NULL,
  language     text NOT NULL,
  pdf          bytea NOT NULL,
  sha256       bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, document_id, language),
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  CONSTRAINT document_pdfs_sha256_is_a_digest CHECK (length(sha256) = 32)
);
ALTER TABLE document_pdfs ALTER COLUMN pdf SET STORAGE EXTERNAL;
COMMENT ON TABLE document_pdfs IS
  'Issued documents as bytes: rendered once for each language, never changed. Append-only.';
COMMENT ON COLUMN document_pdfs.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN document_pdfs.document_id IS 'Document that was rendered.';
COMMENT ON COLUMN document_pdfs.language IS 'BCP 47 tag of the language.';
COMMENT ON COLUMN document_pdfs.pdf IS 'The PDF.';
COMMENT ON COLUMN document_pdfs.sha256 IS 'SHA-256 of the PDF.';
COMMENT ON COLUMN document_pdfs.created_at IS 'When it was rendered.';
COMMENT ON COLUMN document_pdfs.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX document_pdfs_xact ON document_pdfs USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER document_pdfs_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON document_pdfs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an issued PDF is never changed');

CREATE TABLE portal_tokens (
  token_sha256     bytea PRIMARY KEY,
  portal_token_id  uuid NOT NULL,
  account_id       uuid NOT NULL,
  document_id      uuid NOT NULL,
  created_at       timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  revoked_at       timestamptz,
  FOREIGN KEY (account_id, document_id) REFERENCES documents,
  CONSTRAINT portal_tokens_token_is_a_digest CHECK (length(token_sha256) = 32)
);
COMMENT ON TABLE portal_tokens IS
  'Tokens that open a document for its customer. Global, because a token comes before its '
  'account is known.';
COMMENT ON COLUMN portal_tokens.token_sha256 IS 'SHA-256 of the token.';
COMMENT ON COLUMN portal_tokens.portal_token_id IS 'Identifies the token to the account.';
COMMENT ON COLUMN portal_tokens.account_id IS 'Account of the document.';
COMMENT ON COLUMN portal_tokens.document_id IS 'Document that the token opens.';
COMMENT ON COLUMN portal_tokens.created_at IS 'When the token was made.';
COMMENT ON COLUMN portal_tokens.expires_at IS 'When the token is refused.';
COMMENT ON COLUMN portal_tokens.revoked_at IS 'When the token was revoked; null: it is good.';

CREATE INDEX portal_tokens_document ON portal_tokens (account_id, document_id);
