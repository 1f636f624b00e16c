import type { CreateDocumentRequest } from '../../documents/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Recurrence } from './recurrence.js';

export const SCHEDULE_STATUSES = ['active', 'paused', 'ended'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** How far a document goes by itself. */
export const SCHEDULE_ACTIONS = ['draft', 'issue', 'send', 'collect'] as const;
export const TIMINGS = ['in_advance', 'in_arrears'] as const;
/** Of periods whose day is over, because nobody made them in time. */
export const MISSED_POLICIES = ['all', 'newest', 'ask'] as const;
export const PRORATIONS = ['none', 'by_day'] as const;
export const BUSINESS_MOVES = ['after', 'before'] as const;
/** Rights of a client on the page of a document. */
export const CLIENT_RIGHTS = ['nothing', 'ask_to_end', 'end'] as const;

type TemplateLine = CreateDocumentRequest['lines'][number];

/** A line of each document; one with a meter has the quantity that was reported for it. */
export type ScheduledLine = TemplateLine & { meter?: string | undefined };

/** All that a document may say, but what belongs to one of them. */
export type ScheduledDocument = Omit<
  CreateDocumentRequest,
  | 'lines'
  | 'customer'
  | 'customer_id'
  | 'external_id'
  | 'issue'
  | 'issue_date'
  | 'due_date'
  | 'number'
  | 'prepayments'
  | 'service_period'
  | 'supply_date'
  | 'tax_point_date'
  | 'kind'
> & {
  kind?: 'invoice' | 'quote' | undefined;
  customer_id: string;
  lines: ScheduledLine[];
};

/** A date that falls on a weekend or holiday of a country is moved. */
export interface BusinessDays {
  country: string;
  /** As ISO 3166-2 has it, without the country. */
  region?: string | undefined;
  move: (typeof BUSINESS_MOVES)[number];
}

/** From a day on, prices go by a percentage, or a line has another price. */
export interface PriceChange {
  from: IsoDate;
  percent?: string | number | undefined;
  /** The `external_id` of the line; without it, all that say a price. */
  line?: string | undefined;
  unit_amount?: number | undefined;
  unit_amount_decimal?: string | undefined;
}

/** The terms of a schedule, by their names in the API. They are stored as they are. */
export interface ScheduleTerms {
  document: ScheduledDocument;
  recurrence: Recurrence;
  business_days: BusinessDays | null;
  timing: (typeof TIMINGS)[number];
  action: (typeof SCHEDULE_ACTIONS)[number];
  review_hours: number;
  missed: (typeof MISSED_POLICIES)[number];
  proration: (typeof PRORATIONS)[number];
  price_changes: PriceChange[];
  /** A document of less, in minor units and taxed as prices are, gets a line with what lacks. */
  minimum: { amount: number; line: ScheduledLine } | null;
  /** On the next document only. */
  one_off_lines: ScheduledLine[];
  client_may: (typeof CLIENT_RIGHTS)[number];
  start_date: IsoDate;
  /** The last day without a document. */
  trial_end: IsoDate | null;
  /** The last day of the last period. */
  end_date: IsoDate | null;
  /** How many there are, those without a document too; a trial is none. */
  periods: number | null;
}

/** Documents that are made again and again, each for its period. */
export interface Schedule {
  accountId: Uuid;
  id: Uuid;
  customerId: Uuid;
  name: string;
  externalId: string | null;
  status: ScheduleStatus;
  terms: ScheduleTerms;
  metadata: Record<string, string>;
  /** The rule counts from here. */
  anchor: IsoDate;
  /** The first day of the next period; null: there is none. */
  nextStart: IsoDate | null;
  /** The day on which it is made. */
  nextOn: IsoDate | null;
  /** That day, where somebody moved it. */
  movedTo: IsoDate | null;
  /** First days of periods that are left out. */
  skips: IsoDate[];
  /** How many periods are behind it, without a trial. */
  count: number;
  /** The version at which its client asked last to end it. */
  endAskedVersion: number | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export const SCHEDULE_PERIOD_STATUSES = [
  'in_review',
  'made',
  'failed',
  'waiting',
  'skipped',
  'stopped',
  'empty',
  'trial',
] as const;
export type PeriodStatus = (typeof SCHEDULE_PERIOD_STATUSES)[number];

/** Why a period could not be made, as a caller would have been told. */
export interface PeriodProblem {
  code: string;
  detail: string;
  errors: readonly { pointer: string; code: string; message: string }[];
}

/** A period that had its day, and what became of it. */
export interface SchedulePeriod {
  accountId: Uuid;
  scheduleId: Uuid;
  start: IsoDate;
  end: IsoDate;
  runsOn: IsoDate;
  status: PeriodStatus;
  documentId: Uuid | null;
  /** Of one in review: when it is issued. */
  issueAt: Date | null;
  problem: PeriodProblem | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Whether no period begins behind a day. */
export function endsBy({ status, terms }: Pick<Schedule, 'status' | 'terms'>, day: IsoDate) {
  return status === 'ended' || (terms.end_date !== null && terms.end_date <= day);
}

/** Behind the document that has them. */
export function withoutOneOffs(schedule: Schedule): Schedule {
  if (schedule.terms.one_off_lines.length === 0) return schedule;
  return { ...schedule, terms: { ...schedule.terms, one_off_lines: [] } };
}

/** The meters of its lines, in their order. */
export function metersOf({ document, one_off_lines: oneOff }: ScheduleTerms): string[] {
  return [...document.lines, ...oneOff].flatMap(({ meter }) => meter ?? []);
}
