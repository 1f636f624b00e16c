import type { FieldError } from '../../kernel/domain-error.js';
import { FieldRefusal, invalidFields } from '../../kernel/field-refusals.js';
import type { Recurrence } from '../domain/recurrence.js';
import type { ScheduleTerms } from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import type {
  CreateScheduleRequest,
  PatchScheduleRequest,
  RecurrenceRequest,
} from './schedule-request.js';

/** A schedule as it is asked for. */
export interface NewSchedule {
  name: string;
  externalId: string | null;
  /** `start_date` null: on the day that it is stored. */
  terms: Omit<ScheduleTerms, 'start_date'> & { start_date: ScheduleTerms['start_date'] | null };
  metadata: Record<string, string>;
  isBackdated: boolean;
}

/** The parts of a schedule that change. */
export type ScheduleChange = Omit<Partial<ScheduleTerms>, 'timing' | 'start_date' | 'trial_end'> & {
  name?: string;
  externalId?: string | null;
  metadata?: Record<string, string>;
};

/** The terms of a schedule that says none. */
const PLAIN = {
  business_days: null,
  timing: 'in_advance',
  review_hours: 0,
  missed: 'all',
  proration: 'none',
  price_changes: [],
  minimum: null,
  one_off_lines: [],
  client_may: 'nothing',
  start_date: null,
  end_date: null,
  trial_end: null,
  periods: null,
} as const satisfies Partial<NewSchedule['terms']>;

const OWN = new Set(['name', 'external_id', 'metadata', 'backdated']);

/** @throws DomainError with all that does not go together */
export function toNewSchedule(body: CreateScheduleRequest): NewSchedule {
  const terms = { ...PLAIN, ...termsIn(body) } as unknown as NewSchedule['terms'];
  refuseAll(errorsOf(body));
  return {
    name: body.name,
    externalId: body.external_id ?? null,
    terms: { ...terms, recurrence: toRecurrence(body.recurrence) },
    metadata: body.metadata ?? {},
    isBackdated: body.backdated ?? false,
  };
}

/** @throws DomainError as `toNewSchedule` */
export function toScheduleChange(body: PatchScheduleRequest): ScheduleChange {
  refuseAll(errorsOf(body));
  const { name, external_id: externalId, metadata, recurrence } = body;
  const emptied = Object.entries(termsIn(body)).map(([field, value]) => [
    field,
    value ?? PLAIN[field as keyof typeof PLAIN],
  ]);
  return {
    ...Object.fromEntries(emptied),
    ...(recurrence && { recurrence: toRecurrence(recurrence) }),
    ...(name !== undefined && { name }),
    ...(externalId !== undefined && { externalId }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
  };
}

function termsIn(body: object): object {
  const said = Object.entries(body).filter(
    ([field, value]) => value !== undefined && !OWN.has(field),
  );
  return Object.fromEntries(said);
}

function toRecurrence(body: RecurrenceRequest): Recurrence {
  const { rrule, every, interval = 1, ...days } = body;
  if (rrule != null) return { rrule };
  const said = Object.entries(days).filter(([, value]) => value != null);
  return { every: every!, interval, ...Object.fromEntries(said) };
}

function errorsOf(body: PatchScheduleRequest): FieldError[] {
  const { recurrence, price_changes: changes, action, review_hours: hours } = body;
  const errors = recurrence ? recurrenceErrors(recurrence) : [];
  for (const [index, { percent, line, unit_amount: amount, unit_amount_decimal: decimal }] of (
    changes ?? []
  ).entries()) {
    const at = `/price_changes/${index}`;
    const said = [percent, amount, decimal].filter((value) => value != null);
    if (said.length !== 1) {
      const message = 'Send one of percent, unit_amount and unit_amount_decimal.';
      errors.push(FieldRefusal.one_value_required.field(at, message));
    } else if (percent == null && line == null) {
      errors.push(FieldRefusal.required.field(`${at}/line`, 'A price is of one line; name it.'));
    }
  }
  if (action === 'draft' && hours)
    errors.push(ScheduleRefusal.review_needs_issue.field('/review_hours'));
  return errors;
}

function recurrenceErrors(body: RecurrenceRequest): FieldError[] {
  const { rrule, every, day, month, weekday, interval } = body;
  if ((rrule == null) === (every == null)) {
    return [FieldRefusal.one_value_required.field('/recurrence', 'Send either every or rrule.')];
  }
  const fits = {
    interval: interval == null || rrule == null,
    day: day == null || every === 'month' || every === 'year',
    month: month == null || every === 'year',
    weekday: weekday == null || every === 'week',
  };
  return Object.entries(fits).flatMap(([field, isFit]) =>
    isFit
      ? []
      : [
          FieldRefusal.unknown_field.field(
            `/recurrence/${field}`,
            `This rule has no ${field}; leave it out.`,
          ),
        ],
  );
}

function refuseAll(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidFields(errors);
}
