import type { ProblemEntry } from './request-problems.js';

/** Codes of the catalog about money that is taken out of the books, or goes back. */
export const REFUND_PROBLEMS = {
  payment_reversed: [409, 'This payment is reversed: it pays nothing any more.'],
  payment_disputed: [
    409,
    'The payer disputes this money at the provider, so it stays until that is decided.',
  ],
  payment_refunded: [409, 'A part of this payment went back; refund the rest instead.'],
  payment_not_reversible: [409, 'A provider has taken this money: no bank can take it back.'],
  payment_not_refundable: [409, 'This payment spent credit, and no money came in; reverse it.'],
  refund_undone: [409, 'This refund is reversed already; its money can be refunded again.'],
  refund_not_reversible: [
    409,
    'The gateway made this refund: it tells us if the money comes back.',
  ],
  receipt_settled: [409, 'This receipt is assigned, refunded, or on its way back.'],
  refund_under_way: [409, 'A part of this receipt is on its way back; wait until that is settled.'],
  refund_meaning_decided: [
    409,
    'The document is lowered by CN-00001: void it first, and what went back is due.',
  ],
  refund_meaning_not_possible: [
    422,
    'No document gives anything of this refund: credit does, and a note may have made it. Leave meaning out.',
  ],
  credit_note_differs: [
    422,
    'The credit note comes to 900 (9.00 EUR), and the refund takes 1000 (10.00 EUR) of the document; make both the same.',
  ],
} satisfies Record<string, ProblemEntry>;
