import type { ProblemEntry } from './request-problems.js';

/** Codes of the catalog about mandates, and what is collected by them. */
export const MANDATE_PROBLEMS = {
  mandate_not_found: [404, 'There is no such mandate.'],
  mandate_not_active: [
    409,
    'An active mandate for EUR is needed. This one is pending; ask for one, with POST /v1/finance/customers/{id}/mandates.',
  ],
  mandate_currency_mismatch: [
    409,
    'The customer’s mandate is for GBP, and this document is in EUR; ask for another mandate.',
  ],
  mandate_over: [409, 'This mandate is canceled already.'],
  gateway_keeps_no_mandates: [
    409,
    'Gateway gateway-a keeps no mandates, or has no key for its provider; name another one.',
  ],
  collection_under_way: [
    409,
    'This document is being collected already; wait for it, or cancel its payment link.',
  ],
  collection_method_of_credit_note: [
    422,
    'A credit note is not collected; leave collection_method out.',
  ],
  charge_date_out_of_range: [422, 'A debit is on a day from today to 90 days ahead.'],
} satisfies Record<string, ProblemEntry>;
