import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Items that lines name. */
export class Items1764602500001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
        CONSTRAINT items_account_id_tax_rate_id_fkey
          FOREIGN KEY (account_id, tax_rate_id) REFERENCES tax_rates,
        CONSTRAINT items_name_not_empty CHECK (name <> ''),
        CONSTRAINT items_external_id_not_empty CHECK (external_id <> ''),
        CONSTRAINT items_sku_not_empty CHECK (sku <> ''),
        CONSTRAINT items_tax_rate_is_a_percentage CHECK (tax_rate BETWEEN 0 AND 100),
        CONSTRAINT items_one_tax
          CHECK (tax_rate_id IS NULL OR (tax_rate IS NULL AND tax_category IS NULL)),
        CONSTRAINT items_version_from_one CHECK (version > 0)
      );
      CREATE UNIQUE INDEX items_external_id ON items (account_id, external_id)
        WHERE external_id IS NOT NULL;
      CREATE INDEX items_sku ON items (account_id, sku, item_id) WHERE sku IS NOT NULL;
      CREATE INDEX items_archived ON items (account_id, item_id) WHERE archived_at IS NOT NULL;
      CREATE INDEX items_search ON items USING gin (search) WITH (fastupdate = off);
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

      ALTER TABLE document_lines
        ADD COLUMN item_id uuid,
        ADD CONSTRAINT document_lines_account_id_item_id_fkey
          FOREIGN KEY (account_id, item_id) REFERENCES items;
      COMMENT ON COLUMN document_lines.item_id IS
        'Item that the line copied what it did not say from; null: none.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_lines DROP COLUMN item_id;
      DROP TABLE items;
    `);
  }
}
