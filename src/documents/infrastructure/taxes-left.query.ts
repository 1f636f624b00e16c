import { Money } from '../../kernel/money.js';
import type { Tx } from '../../platform/database/tx.js';
import type { TaxShare } from '../domain/calculation/tax-part.js';
import type { Document } from '../domain/document.js';

/** The taxes of a locked invoice that its credit notes left, in the order of its groups. */
export async function taxesLeft(tx: Tx, { state }: Document): Promise<TaxShare[]> {
  const rows = await tx.read<{ category: string; rate: string; base: bigint; tax: bigint }>(
    `SELECT g.tax_category AS category, trim_scale(g.tax_rate)::text AS rate,
       (g.base - coalesce(n.base, 0))::bigint AS base, (g.tax - coalesce(n.tax, 0))::bigint AS tax
     FROM document_tax_groups g LEFT JOIN LATERAL (
       SELECT sum(c.base) AS base, sum(c.tax) AS tax
       FROM documents o JOIN document_tax_groups c USING (account_id, document_id)
       WHERE o.account_id = $1 AND o.origin_document_id = $2 AND o.origin = 'credit'
         AND o.lifecycle = 'open'
         AND (c.tax_category, c.tax_rate) = (g.tax_category, g.tax_rate)
     ) n ON true
     WHERE g.account_id = $1 AND g.document_id = $2
     ORDER BY g.tax_rate DESC, g.tax_category`,
    [state.accountId, state.id],
  );
  const money = (minor: bigint) => Money.of(minor, state.currency);
  return rows.map(({ base, tax, ...of }) => ({ ...of, base: money(base), tax: money(tax) }));
}
