import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Several number series of a kind, with patterns and periods; each document knows its place. */
export class Numbering1763740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE number_series RENAME TO number_prefixes;
      ALTER TABLE number_prefixes RENAME CONSTRAINT number_series_pkey TO number_prefixes_pkey;

      -- Whoever takes a number locks its series until the transaction ends.
      CREATE TABLE number_series (
        account_id  uuid NOT NULL REFERENCES accounts,
        series      text NOT NULL CHECK (series ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
        kind        text NOT NULL CHECK (kind IN ('invoice', 'quote', 'credit_note')),
        pattern     text NOT NULL CHECK (length(pattern) <= 40 AND pattern LIKE '%{SEQ%}%'),
        reset       text NOT NULL CHECK (reset IN ('never', 'year', 'month')),
        is_default  boolean NOT NULL,
        start_at    bigint NOT NULL CHECK (start_at > 0),
        created_at  timestamptz NOT NULL,
        PRIMARY KEY (account_id, series)
      );
      CREATE UNIQUE INDEX number_series_default ON number_series (account_id, kind)
        WHERE is_default;

      -- A period has given every sequence from the first to the last; none yet: last = first - 1.
      -- Each number updates one row: room beside it keeps the update on its page.
      CREATE TABLE number_counters (
        account_id      uuid NOT NULL,
        series          text NOT NULL,
        period          text NOT NULL CHECK (period ~ '^([0-9]{4}(-[0-9]{2})?)?$'),
        first_sequence  bigint NOT NULL CHECK (first_sequence > 0),
        last_sequence   bigint NOT NULL,
        PRIMARY KEY (account_id, series, period),
        FOREIGN KEY (account_id, series) REFERENCES number_series,
        CHECK (last_sequence >= first_sequence - 1)
      ) WITH (fillfactor = 50);

      CREATE TRIGGER number_counters_only_count BEFORE UPDATE ON number_counters FOR EACH ROW
        WHEN (OLD.last_sequence >= OLD.first_sequence AND
          ((OLD.account_id, OLD.series, OLD.period, OLD.first_sequence) IS DISTINCT FROM
           (NEW.account_id, NEW.series, NEW.period, NEW.first_sequence)
           OR NEW.last_sequence NOT IN (OLD.last_sequence, OLD.last_sequence + 1)))
        EXECUTE FUNCTION refuse_change('a count goes on without a gap');
      CREATE TRIGGER number_counters_stay BEFORE DELETE ON number_counters FOR EACH ROW
        WHEN (OLD.last_sequence >= OLD.first_sequence)
        EXECUTE FUNCTION refuse_change('a count goes on without a gap');

      -- An account has all built-in series in here, or none while it has not used any.
      INSERT INTO number_series
        SELECT a.account_id, b.series, b.kind, coalesce(p.prefix || '{SEQ:5}', b.pattern), 'never',
          b.is_default, 1, now()
        FROM (SELECT DISTINCT account_id FROM number_prefixes) a
        CROSS JOIN (VALUES
          ('invoice', 'invoice', 'INV-{SEQ:5}', true),
          ('quote', 'quote', 'QUO-{SEQ:5}', true),
          ('proforma', 'quote', 'PRO-{SEQ:5}', false),
          ('credit_note', 'credit_note', 'CRN-{SEQ:5}', true)
        ) b (series, kind, pattern, is_default)
        LEFT JOIN number_prefixes p ON p.account_id = a.account_id AND p.kind = b.series;
      INSERT INTO number_counters
        SELECT account_id, kind, '', 1, next_number - 1 FROM number_prefixes;

      ALTER TABLE documents
        ADD number_series text, ADD number_period text, ADD number_sequence bigint;
      DROP TRIGGER documents_frozen_when_issued ON documents;
      UPDATE documents d SET number_series = p.kind, number_period = '',
          number_sequence = substr(d.number, length(p.prefix) + 1)::bigint
        FROM number_prefixes p
        WHERE p.account_id = d.account_id AND p.kind = d.kind AND starts_with(d.number, p.prefix)
          AND substr(d.number, length(p.prefix) + 1) ~ '^([0-9]{5}|[1-9][0-9]{5,17})$'
          AND substr(d.number, length(p.prefix) + 1) <> '00000';
      DROP TABLE number_prefixes;

      -- Null for numbers that were given elsewhere; a draft may say which series it wants.
      ALTER TABLE documents
        ADD CONSTRAINT documents_number_sequence
          UNIQUE (account_id, number_series, number_period, number_sequence),
        ADD CONSTRAINT documents_number_counter
          FOREIGN KEY (account_id, number_series, number_period) REFERENCES number_counters,
        ADD CHECK ((number_sequence IS NULL) = (number_period IS NULL)),
        ADD CHECK ((number_sequence IS NULL) = (number_series IS NULL OR number IS NULL)),
        ADD CHECK (number_sequence > 0);
      CREATE TRIGGER documents_frozen_when_issued BEFORE UPDATE OF kind, number, number_series,
        number_period, number_sequence, currency, customer_id, seller, customer, issue_date,
        due_date, notes, purchase_order, net_total, tax_total, total, issued_at
        ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> 'draft' AND
          (OLD.kind, OLD.number, OLD.number_series, OLD.number_period, OLD.number_sequence,
           OLD.currency, OLD.customer_id, OLD.seller, OLD.customer, OLD.issue_date, OLD.due_date,
           OLD.notes, OLD.purchase_order, OLD.net_total, OLD.tax_total, OLD.total, OLD.issued_at)
          IS DISTINCT FROM
          (NEW.kind, NEW.number, NEW.number_series, NEW.number_period, NEW.number_sequence,
           NEW.currency, NEW.customer_id, NEW.seller, NEW.customer, NEW.issue_date, NEW.due_date,
           NEW.notes, NEW.purchase_order, NEW.net_total, NEW.tax_total, NEW.total, NEW.issued_at))
        EXECUTE FUNCTION refuse_change('an issued document is frozen');
    `);
  }

  /** Back to one prefix a kind; series that the older version cannot have are lost. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER documents_frozen_when_issued ON documents;
      ALTER TABLE documents
        DROP number_series, DROP number_period, DROP number_sequence;
      CREATE TRIGGER documents_frozen_when_issued BEFORE UPDATE OF kind, number, currency,
        customer_id, seller, customer, issue_date, due_date, notes, purchase_order, net_total,
        tax_total, total, issued_at ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> 'draft' AND
          (OLD.kind, OLD.number, OLD.currency, OLD.customer_id, OLD.seller, OLD.customer,
           OLD.issue_date, OLD.due_date, OLD.notes, OLD.purchase_order,
           OLD.net_total, OLD.tax_total, OLD.total, OLD.issued_at)
          IS DISTINCT FROM
          (NEW.kind, NEW.number, NEW.currency, NEW.customer_id, NEW.seller, NEW.customer,
           NEW.issue_date, NEW.due_date, NEW.notes, NEW.purchase_order,
           NEW.net_total, NEW.tax_total, NEW.total, NEW.issued_at))
        EXECUTE FUNCTION refuse_change('an issued document is frozen');

      CREATE TABLE number_prefixes (
        account_id   uuid NOT NULL REFERENCES accounts,
        kind         text NOT NULL CHECK (kind IN ('invoice', 'quote')),
        prefix       text NOT NULL,
        next_number  bigint NOT NULL DEFAULT 1 CHECK (next_number > 0),
        PRIMARY KEY (account_id, kind)
      );
      INSERT INTO number_prefixes
        SELECT s.account_id, s.kind, replace(s.pattern, '{SEQ:5}', ''), c.last_sequence + 1
        FROM number_series s JOIN number_counters c USING (account_id, series)
        WHERE s.series = s.kind AND s.kind <> 'credit_note' AND s.pattern LIKE '%{SEQ:5}'
          AND s.pattern NOT LIKE '%{%{%'
          AND c.period = '';
      DROP TABLE number_counters, number_series;
      ALTER TABLE number_prefixes RENAME TO number_series;
      ALTER TABLE number_series RENAME CONSTRAINT number_prefixes_pkey TO number_series_pkey;
    `);
  }
}
