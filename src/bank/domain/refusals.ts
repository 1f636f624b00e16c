import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of files and entries of banks, and of payouts. */
export const BankRefusal = domainRefusals({
  not_found: {
    bank_file_mapping_not_found: 'There is no such mapping.',
    bank_statement_not_found: 'There is no such bank statement.',
    bank_entry_not_found: 'There is no such bank entry.',
    payout_not_found: 'There is no such payout.',
  },
  conflict: {
    too_many_bank_file_mappings:
      'An account keeps at most 100 mappings; DELETE those of bank accounts that are closed, then send the file again.',
    bank_entry_booked: 'The entry is booked; move or reverse its payment instead.',
    bank_statement_returned:
      'An entry of this file took a payment back, which is not undone: the file stays.',
    statement_read_otherwise:
      'This file was imported with other hints, and that reading counts; DELETE its statement first, then send the file again.',
    bank_entry_returned:
      'Another entry of the bank took this payment back: both stay, as the bank says.',
    bank_entry_not_booked: 'The entry is open: there is nothing to undo.',
    bank_entry_payment_differs:
      'The entry does not take back this payment: it is reversed, or its amount or currency differs by more than a fee.',
    bank_entry_payout_differs:
      'The entry is not this payout, which is over 97.97 EUR; record what the provider says.',
    payout_exists: 'Payout po_1 of this gateway is recorded; reverse it first, if wrong.',
    payout_paid:
      'A bank entry is this payout; POST bank-entries/{id}/unbook first, if that is wrong.',
    payout_undone: 'This payout has failed already; the provider has the money.',
    bank_entry_not_bookable: 'The entry is a debit: no money came in.',
  },
  invalid: {
    payout_lines_differ:
      'The lines of payout po_1P1, less their fees and that of the payout, make 97.98 EUR, and it says 97.97 EUR; send the lines that are missing, or none.',
    payout_amount_missing:
      'The file has lines of payout po_1P1, and no row for its amount; if it is the payout reconciliation, which has all lines of each payout, send amounts_from=lines.',
    payout_unclear: 'Payout po_1P1 has rows in more than one currency.',
    bank_file_mapping_mismatch:
      'Mapping bmap_01h455vb4pex5vsknk084sn02q of bank account DE89370400440532013000 does not fit this file: ' +
      'The file has no column for column_direction (Sens); it has Date, Montant. Send a header of these. ' +
      'Send the hints anew, or DELETE the mapping.',
    malformed_statement: 'The file is no well-formed XML, line 7: Unexpected close tag.',
    statement_too_large: 'Reading the file takes more than 20 s; split it.',
  },
  unavailable: {
    statement_busy: 'Other bank statements are being read; send this one again in a moment.',
  },
});
