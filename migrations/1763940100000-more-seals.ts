import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was printed, where payers are sent, and what providers said are sealed, too. */
export class MoreSeals1763940100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_pdfs ADD COLUMN xact bigint NOT NULL DEFAULT book_xact();
      ALTER TABLE provider_events ADD COLUMN xact bigint NOT NULL DEFAULT book_xact();
      ${blockRanges('document_pdfs', 'xact')}
      ${blockRanges('provider_events', 'xact')}

      -- A link is made in one transaction, and gets its pay page in another, when the provider has it.
      ALTER TABLE payment_links ADD COLUMN opened_xact bigint;
      UPDATE payment_links SET opened_xact = book_xact() WHERE url IS NOT NULL;
      ALTER TABLE payment_links ADD CONSTRAINT payment_links_xact_when_opened
        CHECK ((opened_xact IS NULL) = (url IS NULL));
      ${blockRanges('payment_links', 'opened_xact')}
      CREATE TRIGGER payment_links_opened_xact_stays BEFORE UPDATE OF opened_xact ON payment_links
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
      CREATE TRIGGER payment_links_opened_once BEFORE UPDATE OF url, provider_object_id
        ON payment_links FOR EACH ROW
        WHEN (OLD.url IS NOT NULL AND (OLD.url, OLD.provider_object_id)
          IS DISTINCT FROM (NEW.url, NEW.provider_object_id))
        EXECUTE FUNCTION refuse_change('a link keeps its pay page');
      CREATE FUNCTION mark_opened_xact() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.opened_xact := CASE WHEN NEW.url IS NOT NULL THEN book_xact() END;
        RETURN NEW;
      END $$;
      CREATE TRIGGER payment_links_opened_in BEFORE INSERT OR UPDATE OF url ON payment_links
        FOR EACH ROW WHEN ((NEW.url IS NULL) <> (NEW.opened_xact IS NULL))
        EXECUTE FUNCTION mark_opened_xact();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER payment_links_opened_in ON payment_links;
      DROP FUNCTION mark_opened_xact();
      DROP TRIGGER payment_links_opened_once ON payment_links;
      DROP TRIGGER payment_links_opened_xact_stays ON payment_links;
      ALTER TABLE payment_links DROP COLUMN opened_xact;
      ALTER TABLE provider_events DROP COLUMN xact;
      ALTER TABLE document_pdfs DROP COLUMN xact;
    `);
  }
}

/** Rows come in the order of transactions: finding the new ones costs a writer next to nothing. */
function blockRanges(table: string, column: string): string {
  return `CREATE INDEX ${table}_${column} ON ${table} USING brin (${column})
    WITH (pages_per_range = 128, autosummarize = on);`;
}
