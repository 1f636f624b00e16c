import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of the books. */
export const BooksRefusal = domainRefusals({
  not_found: {
    period_not_found: 'There is no such month; send one such as 2026-10.',
  },
  conflict: {
    period_not_ended: '2026-11 ends on 2026-11-30; close it after that day.',
    period_not_closed: '2026-10 is open; nothing has to be done.',
    datev_not_configured:
      'Set datev (consultant_number, client_number) with PATCH /v1/finance/chart-of-accounts, and numbers of at most 8 digits.',
  },
  invalid: {
    invalid_account_number:
      'number must be 1 to 12 letters and digits; DATEV takes digits only, at most 8.',
  },
  unavailable: {
    period_closing: 'A fact that began before has not ended; close the month again.',
  },
});
