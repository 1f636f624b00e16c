import type { MigrationInterface, QueryRunner } from 'typeorm';

const OF_DOCUMENT = "ARRAY['account_id', 'document_id']";

/**
 * Lines and taxes that readers get are objects by the names of the columns, no longer lists by
 * place. They are made anew of the rows that they copy.
 */
export class DocumentLinesByName1795706400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE document_contents DISABLE TRIGGER document_contents_frozen');
    await runner.query(
      `UPDATE document_contents c SET lines = coalesce((
           SELECT json_agg(jsonb_strip_nulls(to_jsonb(l) - ${OF_DOCUMENT}) || jsonb_build_object(
             'quantity', trim_scale(quantity)::text, 'unit_amount', trim_scale(unit_amount)::text,
             'tax_rate', trim_scale(tax_rate)::text, 'amount', amount::text, 'net', net::text,
             'discounts', discounts, 'charges', charges, 'metadata', metadata)
             || CASE WHEN details IS NULL THEN '{}' ELSE jsonb_build_object('details', details) END
             ORDER BY position)
           FROM document_lines l
           WHERE (l.account_id, l.document_id) = (c.account_id, c.document_id)), '[]'),
         tax_groups = coalesce((
           SELECT json_agg(jsonb_strip_nulls(to_jsonb(g) - ${OF_DOCUMENT}) || jsonb_build_object(
             'tax_rate', trim_scale(tax_rate)::text, 'base', base::text, 'tax', tax::text)
             ORDER BY tax_rate DESC, tax_category)
           FROM document_tax_groups g
           WHERE (g.account_id, g.document_id) = (c.account_id, c.document_id)), '[]')`,
    );
    await runner.query('ALTER TABLE document_contents ENABLE TRIGGER document_contents_frozen');
  }

  async down(): Promise<void> {
    throw new Error('The lists by place are gone: restore a backup instead.');
  }
}
