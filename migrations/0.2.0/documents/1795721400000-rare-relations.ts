import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The relations to others that few documents have. PostgreSQL sets up each sub-select of a statement,
 * also those that a CASE never asks for; a function is set up where it is called.
 */
export class RareRelations1795721400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION credited_taxes(account uuid, invoice uuid) RETURNS json
       LANGUAGE sql STABLE PARALLEL SAFE
       RETURN (SELECT json_agg(json_build_array(n.tax_category,
           trim_scale(n.tax_rate)::text, n.base::text, n.tax::text))
         FROM (SELECT g.tax_category, g.tax_rate, sum(g.base) AS base, sum(g.tax) AS tax
           FROM documents c JOIN document_tax_groups g USING (account_id, document_id)
           WHERE c.account_id = account AND c.origin_document_id = invoice
             AND c.origin = 'credit' AND c.lifecycle = 'open' GROUP BY 1, 2) n)`,
    );
    await runner.query(
      `CREATE FUNCTION given_back_part(account uuid, invoice uuid, note uuid, applied bigint)
       RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
       RETURN (SELECT applied - least(applied, greatest(0, i.total - i.amount_paid - (
           SELECT coalesce(sum(e.amount_applied + e.amount_moved), 0) FROM documents e
           WHERE e.account_id = account AND e.origin_document_id = invoice
             AND e.origin = 'credit' AND e.lifecycle = 'open' AND e.document_id < note)))
         FROM documents i WHERE i.account_id = account AND i.document_id = invoice
           AND i.amount_refunded > 0)::bigint`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION given_back_part(uuid, uuid, uuid, bigint)');
    await runner.query('DROP FUNCTION credited_taxes(uuid, uuid)');
  }
}
