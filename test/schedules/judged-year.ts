import { dateIn, type IsoDate } from '../../src/kernel/clock.js';
import { expectedOf, type Planned } from './planned-year.js';

/** Offsets of whole, half and quarter hours, both sides of the date line, with and without summer time. */
export const ZONES = [
  'Pacific/Kiritimati',
  'Pacific/Auckland',
  'Australia/Adelaide',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Europe/Berlin',
  'UTC',
  'America/Sao_Paulo',
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Pago_Pago',
];

/** Periods as the database has them, with their documents, and without charges of reminders on these. */
export const MADE = `SELECT s.external_id AS name, p.period_start AS start, p.period_end AS end,
    p.runs_on AS "runsOn", p.status, p.problem::text AS problem,
    d.total - coalesce((SELECT sum(c.amount) FROM dunning_charges c
      WHERE (c.account_id, c.billed_by) = (d.account_id, d.document_id)), 0)::bigint AS total, d.issue_date AS "issueDate", d.lifecycle,
    count(*) OVER (PARTITION BY p.account_id, p.document_id) AS sharing
  FROM schedule_periods p JOIN schedules s USING (account_id, schedule_id)
    LEFT JOIN documents d ON d.account_id = p.account_id AND d.document_id = p.document_id`;

export interface MadePeriodRow {
  name: string;
  start: IsoDate;
  end: IsoDate;
  runsOn: IsoDate;
  status: string;
  problem: string | null;
  total: bigint | null;
  issueDate: IsoDate | null;
  lifecycle: string | null;
  sharing: bigint;
}

export interface PlannedIn {
  planned: Planned;
  zone: string;
}

/** The days on which a zone's rounds ran. */
function daysOfRounds(instants: readonly Date[]): (zone: string) => ReadonlySet<IsoDate> {
  const known = new Map<string, ReadonlySet<IsoDate>>();
  return (zone) => {
    const days = known.get(zone) ?? new Set(instants.map((instant) => dateIn(zone, instant)));
    known.set(zone, days);
    return days;
  };
}

/**
 * All that differs from what the plans say.
 * @param instants at which rounds ran to their end, in their order
 */
export function differencesOf(
  plans: ReadonlyMap<string, PlannedIn>,
  rows: readonly MadePeriodRow[],
  instants: readonly Date[],
): string[] {
  const daysOf = daysOfRounds(instants);
  const last = instants.at(-1)!;
  const byName = new Map<string, MadePeriodRow[]>();
  for (const row of rows) byName.set(row.name, [...(byName.get(row.name) ?? []), row]);
  const found: string[] = [];
  for (const [name, { planned, zone }] of plans) {
    const expected = expectedOf(planned, dateIn(zone, last));
    const own = new Map(byName.get(name)?.map((row) => [row.start, row]));
    const complain = (start: IsoDate, sentence: string) =>
      found.push(`${name} in ${zone}, ${start}: ${sentence}; ${JSON.stringify(planned)}`);
    for (const one of expected) {
      const row = own.get(one.start);
      own.delete(one.start);
      if (!row) {
        complain(one.start, 'is missing');
        continue;
      }
      const days = [one.end, one.runsOn];
      if (row.end !== days[0] || row.runsOn !== days[1]) {
        complain(one.start, `ends ${row.end} and runs ${row.runsOn}, not ${days.join(' and ')}`);
      }
      const isOnTime = daysOf(zone).has(one.runsOn);
      const statuses = statusesOf(planned, one.kind, isOnTime);
      if (!statuses.includes(row.status)) {
        const why = row.problem ?? '';
        complain(one.start, `is ${row.status}, not ${statuses.join(' or ')} ${why}`);
      }
      if (row.status === 'made' || row.status === 'in_review') {
        for (const sentence of wrongIn(planned, row, one.total)) complain(one.start, sentence);
      }
    }
    for (const start of own.keys()) complain(start, 'nobody asked for it');
  }
  for (const row of rows) if (!plans.has(row.name)) found.push(`${row.name} is not known`);
  return found;
}

function statusesOf(planned: Planned, kind: string, isOnTime: boolean): string[] {
  if (kind !== 'document') return [kind];
  const made = planned.reviewHours > 0 ? ['in_review', 'made'] : ['made'];
  if (isOnTime || planned.missed === 'all') return made;
  return [...made, planned.missed === 'ask' ? 'waiting' : 'skipped'];
}

function wrongIn(planned: Planned, row: MadePeriodRow, total: bigint): string[] {
  const wrong: string[] = [];
  if (row.total !== total) wrong.push(`has ${row.total}, not ${total}`);
  if (row.sharing !== 1n) wrong.push(`shares its document with ${row.sharing - 1n} others`);
  const isDraft = planned.action === 'draft' || row.status === 'in_review';
  if ((row.lifecycle === 'draft') !== isDraft) wrong.push(`its document is ${row.lifecycle}`);
  const isDated = !isDraft && planned.reviewHours === 0;
  if (isDated && row.issueDate !== row.runsOn) wrong.push(`is dated ${row.issueDate}`);
  if (!isDraft && !isDated && row.issueDate! <= row.runsOn) {
    wrong.push(`is issued on ${row.issueDate}, without its review`);
  }
  return wrong;
}
