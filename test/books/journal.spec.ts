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
