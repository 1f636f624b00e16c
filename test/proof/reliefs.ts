import { add, type Books, due, type Invoice, post } from './books.js';

/** The loss of an invoice, by the account that it stands on. */
export function lossOf(invoice: Invoice): Record<'bad_debt' | 'payment_differences', number> {
  return {
    bad_debt: invoice.lifecycle === 'uncollectible' ? due(invoice) : 0,
    payment_differences: invoice.waived,
  };
}

/** After each step: the tax that is claimed back is that of what is lost. */
export function settleReliefs(books: Books): void {
  for (const invoice of books.invoices) {
    if (!invoice.isRelieved && Object.keys(invoice.relief).length === 0) continue;
    const whole = invoice.total - invoice.creditNotes;
    for (const [account, lost] of Object.entries(lossOf(invoice))) {
      const claimed = invoice.isRelieved ? taxIn(invoice, Math.min(lost, whole), whole) : 0;
      const change = claimed - (invoice.relief[account] ?? 0);
      post(books, invoice.currency, 'tax_payable', account, change, invoice.id);
      add(invoice.relief, account, change);
    }
  }
}

/** Each rate's part of what is left, half a unit up. */
function taxIn({ taxes }: Invoice, part: number, whole: number): number {
  if (whole === 0) return 0;
  const [over, under] = [BigInt(part), BigInt(whole)];
  const parts = Object.values(taxes).map((tax) => {
    const [doubled, by] = [2n * BigInt(tax) * over + under, 2n * under];
    // Down, also below zero.
    return doubled / by - (doubled % by < 0n ? 1n : 0n);
  });
  return Number(parts.reduce((sum, one) => sum + one, 0n));
}
