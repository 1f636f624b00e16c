export { skippedNumbers } from './infrastructure/skipped-numbers-sql.js';
import { DUE } from './infrastructure/status-sql.js';

export {
  DUE,
  IS_ASKED_FOR,
  IS_OWED,
  PENDING_DOCUMENTS,
  REFUNDED_SQL,
  TAKES_PAYMENTS,
} from './infrastructure/status-sql.js';

/** Of `documents d`, as `amountLost` has it: what was let go, and may still be paid. */
export const LOST = `CASE WHEN d.lifecycle = 'uncollectible' THEN ${DUE} ELSE 0 END + d.amount_waived`;

/**
 * An amount's part of a whole, rounded half up, as `taxParts` has it. Exact, because the quotient of
 * two numerics is not. Nothing of a whole that is zero.
 */
function partOf(amount: string, part: string, whole: string): string {
  const doubled = `(2 * (${amount})::numeric * least(${part}, ${whole}) + ${whole})`;
  const by = `nullif(2 * (${whole})::numeric, 0)`;
  return `coalesce(div(${doubled}, ${by}) - CASE WHEN ${doubled} < 0 AND mod(${doubled}, ${by}) <> 0
    THEN 1 ELSE 0 END, 0)`;
}

/**
 * The taxes of a part, by rate: of rows with `key`, `tax_category`, `tax_rate`, `base`, `tax`, `part`
 * and `whole`. As `taxParts` has them.
 */
export function taxPartsOf(rows: string, key: string): string {
  return `SELECT ${key}, tax_category, tax_rate, own AS tax,
      until - lag(until, 1, 0::numeric) OVER (PARTITION BY ${key} ORDER BY tax_rate DESC, tax_category) - own AS base
    FROM (
      SELECT ${key}, tax_category, tax_rate, ${partOf('tax', 'part', 'whole')} AS own,
        ${partOf('gross', 'part', 'whole')} AS until
      FROM (
        SELECT *, sum(base + tax) OVER (PARTITION BY ${key} ORDER BY tax_rate DESC, tax_category) AS gross
        FROM (${rows}) taxes
      ) running
    ) parts`;
}
