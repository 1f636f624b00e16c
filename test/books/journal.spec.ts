import { describe, expect, it } from 'vitest';
import { chartOf, NO_CHART_SETTINGS } from '../../src/books/domain/chart-of-accounts.js';
import { journalLines, type JournalTransfer } from '../../src/books/domain/journal.js';

const skr03 = chartOf({ ...NO_CHART_SETTINGS, template: 'skr03' });
const plain = chartOf(NO_CHART_SETTINGS);

/** The tax of a credit note. */
function taxBack(base: bigint): JournalTransfer {
  return {
    id: 'x',
    fact: 'credit_note.issued',
    factId: 'd',
    debit: 'tax_payable',
    credit: 'credit_notes',
    amount: 1n,
    currency: 'EUR',
    customerId: 'c',
    effectiveOn: '2026-09-10',
    documentNumber: 'CN-1',
    customerName: 'A',
    abroad: null,
    taxId: null,
    suppliedOn: null,
    sold: null,
    debtor: null,
    taxes: [{ category: 'S', rate: '19', base, tax: 1n }],
    loss: null,
    bankAccount: null,
    method: null,
  };
}

const shown = (transfer: JournalTransfer, chart: typeof skr03) =>
  journalLines(transfer, chart).map(({ debit, amount, taxed }) => [debit, amount, taxed]);

describe('the tax of a document in the journal', () => {
  it('is in the line of its revenue, where that account takes gross amounts', () => {
    expect(shown(taxBack(5n), skr03)).toEqual([]);
    expect(shown(taxBack(5n), plain)).toEqual([[plain.numbers.tax_payable, 1n, null]]);
  });

  it('is a line of its own where there is no revenue', () => {
    expect(shown(taxBack(0n), skr03)[0]).toEqual(['8400', 1n, 'debit']);
    expect(shown(taxBack(0n), plain)).toEqual([[plain.numbers.tax_payable, 1n, null]]);
  });
});

const group = (rate: string, base: bigint, tax: bigint) => ({ category: 'S', rate, base, tax });

describe('the lines of an invoice with a line that takes back', () => {
  const CASES = [
    ['of another rate', [group('19', 10_000n, 1900n), group('7', -2000n, -140n)]],
    ['of the same net', [group('19', 10_000n, 1900n), group('7', -10_000n, -700n)]],
    ['of the same tax', [group('19', 700n, 133n), group('7', -1900n, -133n)]],
    ['without an account of its own', [group('19', 1000n, 190n), group('20', -950n, -190n)]],
  ] as const;

  /** Two transfers of the ledger, as a sum below zero turns them round, and one of zero is none. */
  function invoiced(taxes: readonly ReturnType<typeof group>[]): JournalTransfer[] {
    const sum = (of: 'base' | 'tax') => taxes.reduce((total, one) => total + one[of], 0n);
    return (['revenue', 'tax_payable'] as const).flatMap((account) => {
      const amount = sum(account === 'revenue' ? 'base' : 'tax');
      if (amount === 0n) return [];
      const [debit, credit] =
        amount > 0n ? (['receivables', account] as const) : ([account, 'receivables'] as const);
      const own = amount < 0n ? -amount : amount;
      const fact = 'document.issued' as const;
      return [{ ...taxBack(0n), fact, debit, credit, amount: own, taxes: [...taxes] }];
    });
  }

  it.each(CASES)('%s come to its total', (_, taxes) => {
    for (const chart of [skr03, plain]) {
      const lines = invoiced(taxes).flatMap((transfer) => journalLines(transfer, chart));
      const customer = chart.numbers.receivables;
      const owed = lines.reduce(
        (sum, { debit, amount }) => sum + (debit === customer ? amount : -amount),
        0n,
      );
      expect(owed).toBe(taxes.reduce((sum, { base, tax }) => sum + base + tax, 0n));
      expect(lines.every(({ amount }) => amount > 0n)).toBe(true);
    }
  });
});
