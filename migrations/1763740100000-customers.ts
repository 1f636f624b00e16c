import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a customer says for later documents, an id of the caller's own, search, and the archive. */
export class Customers1763740100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE customers
        ADD COLUMN currency text CHECK (currency ~ '^[A-Z]{3}$'),
        ADD COLUMN payment_terms_days integer CHECK (payment_terms_days BETWEEN 0 AND 3650),
        ADD COLUMN external_id text CHECK (external_id <> ''),
        ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN archived_at timestamptz,
        ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version > 0);
      UPDATE customers SET updated_at = created_at;

      -- Search takes no extension (pg_trgm, unaccent, btree_gin), which a managed database may not
      -- have, and no text search configuration: its parser takes e-mail addresses, paths and signed
      -- numbers for one word each, and so would not find a part of them. Words are made here, alike
      -- for rows and for queries, by core functions. Of these only lower() asks the locale, and only
      -- about other letters than Latin: accents are taken apart first.

      -- Without accents, in small letters.
      CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN lower(regexp_replace(normalize($1, NFKD), '[\\u0300-\\u036f]', '', 'g'));
      -- Parted at blanks and punctuation: [[:alnum:]] knows only ASCII where the locale is C.
      CREATE FUNCTION search_words(text) RETURNS SETOF text
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN regexp_split_to_table(folded($1),
          '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+');
      -- Each word begins with the end of its account's id, which is random: a GIN index has no other
      -- way to keep accounts apart, and one must not read through the words of all. Long words are
      -- cut: a lexeme of 2 KB and more would be stored wrong.
      CREATE FUNCTION search_lexemes(account_id uuid, words text) RETURNS text[]
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN ARRAY(SELECT right(account_id::text, 8) || left(word, 50)
          FROM search_words(words) word WHERE word <> '');
      CREATE FUNCTION search_query(account_id uuid, words text) RETURNS tsquery
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN (SELECT string_agg('''' || lexeme || ''':*', ' & ')::tsquery
          FROM unnest(search_lexemes(account_id, words)) lexeme);

      ALTER TABLE customers
        -- The order of people, not of bytes, but for all the same: a database's own collation
        -- differs from place to place and changes with the operating system. Short, for its index.
        ADD COLUMN sort_name text COLLATE "C" NOT NULL
          GENERATED ALWAYS AS (left(folded(profile->>'name'), 100)) STORED,
        ADD COLUMN search tsvector NOT NULL
          GENERATED ALWAYS AS (array_to_tsvector(search_lexemes(account_id,
            (profile->>'name') || ' ' ||
            coalesce(profile->>'legal_name', '') || ' ' ||
            coalesce(profile->>'contact_name', '') || ' ' ||
            coalesce(profile->>'email', '') || ' ' ||
            coalesce(profile->>'city', '') || ' ' ||
            coalesce(profile->>'tax_id', '') || ' ' ||
            jsonb_path_query_array(profile, '$.tax_ids[*].value')::text || ' ' ||
            coalesce(profile->>'registration_id', '') || ' ' ||
            coalesce(external_id, '')))) STORED;

      -- Without a list of pending entries, which would make one insert pay for thousands.
      CREATE INDEX customers_search ON customers USING gin (search) WITH (fastupdate = off);
      CREATE INDEX customers_name ON customers (account_id, sort_name, customer_id);
      CREATE UNIQUE INDEX customers_external_id ON customers (account_id, external_id)
        WHERE external_id IS NOT NULL;
      CREATE INDEX customers_email ON customers
        (account_id, lower(profile->>'email'), customer_id) WHERE profile->>'email' IS NOT NULL;
      CREATE INDEX customers_country ON customers
        (account_id, (profile->>'country'), customer_id) WHERE profile->>'country' IS NOT NULL;
      CREATE INDEX customers_currency ON customers (account_id, currency, customer_id)
        WHERE currency IS NOT NULL;
      CREATE INDEX customers_archived ON customers (account_id, customer_id)
        WHERE archived_at IS NOT NULL;
      -- For a customer's documents, and for the foreign key when a customer is deleted.
      CREATE INDEX documents_customer ON documents (account_id, customer_id, document_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX documents_customer, customers_archived, customers_currency, customers_country,
        customers_email, customers_external_id, customers_name, customers_search;
      ALTER TABLE customers
        DROP COLUMN search, DROP COLUMN sort_name, DROP COLUMN version, DROP COLUMN updated_at,
        DROP COLUMN archived_at, DROP COLUMN metadata, DROP COLUMN external_id,
        DROP COLUMN payment_terms_days, DROP COLUMN currency;
      DROP FUNCTION search_query(uuid, text);
      DROP FUNCTION search_lexemes(uuid, text);
      DROP FUNCTION search_words(text);
      DROP FUNCTION folded(text);
    `);
  }
}
