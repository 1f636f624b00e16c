-- What lists search and sort by.

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

-- Numbers of one size, which no other account has: so the index is small, and reads no others.
CREATE FUNCTION metadata_pairs(account_id uuid, metadata jsonb) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN (SELECT array_agg(hashtextextended(
      metadata_pairs.account_id::text || pairs.key || '=' || pairs.value, 0))
    FROM jsonb_each_text(metadata_pairs.metadata) pairs);

-- Numbers as people count: INV-99999 before INV-100000. Each run of digits is brought to 18, with
-- zeros before it; what has no number yet comes last.
CREATE FUNCTION number_order(number text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(
    regexp_replace(
      regexp_replace(number, '[0-9]+', '00000000000000000\&', 'g'),
      '0+([0-9]{18,})', '\1', 'g'),
    U&'\+10FFFF');
