import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A pay page may end before its link does. */
export class PageEnds1764609000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_links
        ADD COLUMN page_expires_at timestamptz,
        ADD CONSTRAINT payment_links_only_a_page_ends
          CHECK (page_expires_at IS NULL OR url IS NOT NULL);
      COMMENT ON COLUMN payment_links.page_expires_at IS
        'When the page ends, as the provider said when it made it; null if it did not.';
      DROP TRIGGER payment_links_opened_once ON payment_links;
      CREATE TRIGGER payment_links_opened_once
        BEFORE UPDATE OF url, provider_object_id, page_expires_at ON payment_links
        FOR EACH ROW
        WHEN (OLD.url IS NOT NULL AND (OLD.url IS DISTINCT FROM NEW.url
          OR OLD.provider_object_id IS DISTINCT FROM NEW.provider_object_id
          OR OLD.page_expires_at IS DISTINCT FROM NEW.page_expires_at))
        EXECUTE FUNCTION refuse_change('a link keeps its pay page');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER payment_links_opened_once ON payment_links;
      CREATE TRIGGER payment_links_opened_once BEFORE UPDATE OF url, provider_object_id ON payment_links
        FOR EACH ROW
        WHEN (OLD.url IS NOT NULL AND (OLD.url, OLD.provider_object_id)
          IS DISTINCT FROM (NEW.url, NEW.provider_object_id))
        EXECUTE FUNCTION refuse_change('a link keeps its pay page');
      ALTER TABLE payment_links DROP COLUMN page_expires_at`);
  }
}
