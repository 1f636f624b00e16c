import type { ProblemEntry } from './request-problems.js';

/** Codes of the catalog about files and entries of banks, and payouts. */
export const BANK_PROBLEMS = {
  too_many_bank_file_mappings: [
    409,
    'An account keeps at most 100 mappings; DELETE those of bank accounts that are closed, then send the file again.',
  ],
  bank_entry_booked: [409, 'The entry is booked; move or reverse its payment instead.'],
  bank_statement_returned: [
    409,
    'An entry of this file took a payment back, which is not undone: the file stays.',
  ],
  statement_read_otherwise: [
    409,
    'This file was imported with other hints, and that reading counts; DELETE its statement first, then send the file again.',
  ],
  bank_entry_returned: [
    409,
    'Another entry of the bank took this payment back: both stay, as the bank says.',
  ],
  bank_entry_not_booked: [409, 'The entry is open: there is nothing to undo.'],
  bank_entry_payment_differs: [
    409,
    'The entry does not take back this payment: it is reversed, or its amount or currency differs by more than a fee.',
  ],
  bank_entry_payout_differs: [
    409,
    'The entry is not this payout, which is over 97.97 EUR; record what the provider says.',
  ],
  payout_exists: [409, 'Payout po_1 of this gateway is recorded; reverse it first, if wrong.'],
  payout_paid: [
    409,
    'A bank entry is this payout; POST bank-entries/{id}/unbook first, if that is wrong.',
  ],
  payout_undone: [409, 'This payout has failed already; the provider has the money.'],
  bank_entry_not_bookable: [409, 'The entry is a debit: no money came in.'],
} satisfies Record<string, ProblemEntry>;
