import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of documents that are made again and again. */
export const ScheduleRefusal = domainRefusals({
  not_found: {
    schedule_not_found: 'There is no such schedule; GET /v1/finance/schedules lists them.',
    schedule_period_not_found:
      'The schedule has no such period behind it; GET .../periods lists them, and .../preview those to come.',
  },
  conflict: {
    schedule_ended: 'The schedule has ended; make a new one.',
    schedule_end_not_offered:
      'Clients may not do this to the schedule, or none made the document; ask the seller to end it.',
    schedule_not_paused: 'The schedule is not paused; nothing has to be resumed.',
    schedule_period_settled:
      'The period is made already; change its document, or take it back by a credit note.',
  },
  invalid: {
    unknown_recurrence:
      'rrule must be a rule of RFC 5545 of days, weeks, months or years, without COUNT, UNTIL and hours.',
    recurrence_never_comes: 'The rule has no day in ten years; say one that comes.',
    unknown_calendar: 'There are no holidays of this country or region; leave business_days out.',
    start_date_over:
      'start_date is over; send backdated true to make the documents of the periods since.',
    start_date_too_early: 'start_date must be at most 366 days ago.',
    schedule_ends_before_start: 'It must not be before the first day of the schedule.',
    first_part_unmeasured:
      'The part before the first day of an rrule has no whole; begin on a day of the rule.',
    unknown_meter: 'No line of the schedule has this meter.',
    period_out_of_reach: 'It must be the first day of one of the next 24 periods.',
    runs_on_out_of_reach: 'It must be a day from today to 366 days ahead.',
    review_needs_issue: 'A draft is not issued by itself; leave review_hours out.',
  },
});
