import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of documents: an index for each order, and for what is looked for most. None of them holds
 * what a payment changes, so that its update stays on its page (heap-only tuple); only the last
 * payment, which sets `settled_at`, has to write them.
 */
export class DocumentLists1763742000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Numbers as people count: INV-99999 before INV-100000. Each run of digits is brought to 18,
      -- with zeros before it; what has no number yet comes last.
      CREATE FUNCTION number_order(number text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN coalesce(
          regexp_replace(
            regexp_replace(number, '[0-9]+', '00000000000000000\\&', 'g'),
            '0+([0-9]{18,})', '\\1', 'g'),
          U&'\\+10FFFF');

      -- As before, each word of a search may begin a word, but of those that punctuation joins only
      -- the last: "INV-2026-00012" and "a@b.example" read what few documents have, not all with INV.
      CREATE OR REPLACE FUNCTION search_query(account_id uuid, words text) RETURNS tsquery
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN (SELECT string_agg(
            '''' || right(account_id::text, 8) || left(word, 50) || '''' ||
              CASE WHEN is_last THEN ':*' ELSE '' END, ' & ')::tsquery
          FROM (
            SELECT word, lead(word) OVER (PARTITION BY place ORDER BY part) IS NULL AS is_last
            FROM regexp_split_to_table(folded(words), '[\\u0001-\\u0020]+')
                WITH ORDINALITY AS joined (words, place),
              search_words(joined.words) WITH ORDINALITY AS parts (word, part)
            WHERE word <> '') w);

      -- The words of a customer's list and search: see the customers' migration. A number is also
      -- found without its leading zeros, and without what parts it.
      UPDATE documents d SET search = array_to_tsvector(search_lexemes(d.account_id, left(
        concat_ws(' ',
          (SELECT string_agg(concat_ws(' ', code, regexp_replace(code, '[^[:alnum:]]', '', 'g'),
              regexp_replace(code, '(^|[^0-9])0+([0-9])', '\\1\\2', 'g')), ' ')
            FROM unnest(ARRAY[d.number, d.external_id, d.purchase_order]) code WHERE code <> ''),
          d.customer->>'name', d.customer->>'legal_name', d.customer->>'email',
          d.customer->>'reference', d.notes,
          (SELECT string_agg(l.description, ' ' ORDER BY l.position) FROM document_lines l
            WHERE (l.account_id, l.document_id) = (d.account_id, d.document_id))),
        50000)));

      -- One for each order of a list. Dates that a draft does not have yet come last.
      CREATE INDEX documents_created ON documents (account_id, created_at, document_id);
      CREATE INDEX documents_issue_date ON documents
        (account_id, coalesce(issue_date, '9999-12-31'), document_id);
      CREATE INDEX documents_due_date ON documents
        (account_id, coalesce(due_date, '9999-12-31'), document_id);
      CREATE INDEX documents_number_order ON documents
        (account_id, (number_order(number) COLLATE "C"), document_id);
      CREATE INDEX documents_total ON documents (account_id, total, document_id);

      -- A customer's documents, newest first; and the foreign key when a customer is deleted.
      DROP INDEX documents_customer;
      CREATE INDEX documents_customer ON documents
        (account_id, customer_id, created_at, document_id);

      -- What is not settled: status open, partially_paid, expired and applied, and is_overdue. Few of
      -- many, and the oldest of them are asked for most.
      CREATE INDEX documents_pending ON documents (account_id, created_at, document_id)
        WHERE lifecycle = 'open' AND settled_at IS NULL;
      CREATE INDEX documents_pending_due ON documents
        (account_id, coalesce(due_date, '9999-12-31'), document_id)
        WHERE lifecycle = 'open' AND settled_at IS NULL;
      -- Every other status but paid, which is what most documents come to.
      CREATE INDEX documents_lifecycle ON documents
        (account_id, lifecycle, created_at, document_id) WHERE lifecycle <> 'open';

      -- A GIN index cannot begin with account_id; the words do: they begin with its last digits, and
      -- so a search reads through the words of one account only. Without a list of pending entries,
      -- which would make one insert pay for thousands.
      CREATE INDEX documents_search ON documents USING gin (search) WITH (fastupdate = off);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX documents_search, documents_lifecycle, documents_pending_due, documents_pending,
        documents_customer, documents_total, documents_number_order, documents_due_date,
        documents_issue_date, documents_created;
      CREATE INDEX documents_customer ON documents (account_id, customer_id, document_id);
      DROP FUNCTION number_order(text);
      CREATE OR REPLACE FUNCTION search_query(account_id uuid, words text) RETURNS tsquery
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN (SELECT string_agg('''' || lexeme || ''':*', ' & ')::tsquery
          FROM unnest(search_lexemes(account_id, words)) lexeme);
    `);
  }
}
