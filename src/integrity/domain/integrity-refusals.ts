import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of the checks of books. */
export const IntegrityRefusal = domainRefusals({
  not_found: {
    books_not_checked:
      'Nobody has checked these books yet; start a check with POST /v1/finance/integrity/runs.',
    integrity_run_not_found: 'No check has this id.',
  },
  conflict: {
    integrity_run_ended: 'The check has ended; start another one.',
  },
});
