import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of reminders by steps. */
export const DunningRefusal = domainRefusals({
  not_found: {
    reminder_not_found: 'There is no such reminder; GET /v1/finance/reminders lists them.',
  },
  conflict: {
    reminders_by_mail_settings:
      'The mail settings remind customers already, and nobody is reminded twice; send reminder_days [] there first.',
    reminder_not_failed: 'Only a reminder that failed can be marked as sent by other means.',
    charges_not_open:
      'Nothing of this reminder is open: its charges were billed, waived or withdrawn.',
    document_not_dunned: 'Only an issued invoice has reminders.',
  },
  invalid: {
    steps_not_ascending: 'Each step must have more days than the one before it.',
    no_charge_before_due:
      'Before the due date nobody owes more; leave fees, interest and lump_sum out.',
    lump_sum_of_consumer: 'A consumer owes no lump sum; leave lump_sum out.',
    first_reminder_is_free:
      'The first reminder to a consumer after the due date must be free; ask for more in a later step.',
    fees_beside_lump_sum: 'The lump sum covers the fees; ask for one of them.',
    unknown_law: 'The interest on late payments of this country is not known; leave interest out.',
    no_statutory_interest:
      'The law says no rate for consumers that is known here; leave interest out.',
    base_rate_unknown:
      'The base rate of the half year from 2026-07-01 on is not known; send it in base_rates.',
    promise_out_of_reach: 'It must be a day from today to 366 days ahead.',
  },
});
