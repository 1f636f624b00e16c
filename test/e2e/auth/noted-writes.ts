/** Which transaction wrote to which table, whoever did it; the service may not write there itself. */
export const NOTE_WRITES = `
  CREATE SCHEMA noted;
  CREATE TABLE noted.writes (xact bigint, name text, PRIMARY KEY (xact, name));
  CREATE FUNCTION noted.write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    INSERT INTO noted.writes VALUES (book_xact(), TG_TABLE_NAME) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT relname FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('CREATE TRIGGER zz_noted AFTER INSERT OR UPDATE OR DELETE ON public.%I
        FOR EACH ROW EXECUTE FUNCTION noted.write()', name);
    END LOOP;
  END $$;`;

/** The places that say who did something. */
export const TOLD = `
  SELECT xact, account_id, actor_id AS who FROM events WHERE actor_type IS NOT NULL
  UNION ALL SELECT xact, account_id, actor_id FROM audit_entries
  UNION ALL SELECT xact, account_id, client_id::text FROM exchange_rates
  UNION ALL SELECT xact, account_id, client_id::text FROM bank_statements
  UNION ALL SELECT xact, account_id, client_id::text FROM refunds
  UNION ALL SELECT xact, account_id, client_id::text FROM payouts
  UNION ALL SELECT xact, account_id, client_id::text FROM payout_undoings`;
