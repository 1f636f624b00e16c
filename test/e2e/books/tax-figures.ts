import type { TestClient } from '../../support/client.js';
import { good } from '../documents/document-calls.js';

interface Line {
  vat_method: string;
  country: string | null;
  tax_category: string;
  tax_rate: string;
  taxable_amount: number;
  tax_amount: number;
  tax_relief: number;
}
/** A report of tax that is due. */
export interface Report {
  data: Line[];
  totals: { currency: string; tax_amount: number; tax_not_due: number }[];
}

/** Whole numbers below a limit, the same for the same seed. */
export function aChance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

export const taxOf = ({ totals }: Report) => totals.reduce((sum, one) => sum + one.tax_amount, 0);

/** The movements of `tax_payable`, credits less debits. */
export async function ledgerTaxIn(
  client: TestClient,
  periods: readonly (readonly [string, string])[],
): Promise<number[]> {
  return Promise.all(
    periods.map(async ([from, to]) => {
      const query = `effective_from=${from}&effective_to=${to}&account=tax_payable&limit=100`;
      const { data } = good(
        await client.get<{ data: { credit: string; amount: number }[] }>(
          `/v1/finance/ledger?${query}`,
        ),
        200,
      );
      return data.reduce(
        (sum, { credit, amount }) => sum + (credit === 'tax_payable' ? amount : -amount),
        0,
      );
    }),
  );
}
