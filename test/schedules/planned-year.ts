import { addDays, type IsoDate } from '../../src/kernel/clock.js';
import { apart, germanBusinessDay, RRULES, type Rule, ruleDays, WEEK } from './plain-days.js';
import type { Random } from '../support/random.js';

// Schedules of all kinds, made up from a seed, and what each has to make, calculated independently.

/** One schedule as it is asked for. Amounts are minor units. */
export interface Planned {
  rule: Rule;
  start: IsoDate;
  timing: 'in_advance' | 'in_arrears';
  proration: 'none' | 'by_day';
  missed: 'all' | 'newest' | 'ask';
  action: 'draft' | 'issue';
  reviewHours: number;
  quantity: number;
  price: number;
  raise: { from: IsoDate; percent: string } | null;
  oneOff: number;
  minimum: number;
  end: IsoDate | null;
  periods: number | null;
  trialEnd: IsoDate | null;
  business: 'after' | 'before' | null;
  /** Its quantity is reported on these days. */
  used: { on: IsoDate; quantity: number }[] | null;
}

export interface ExpectedPeriod {
  start: IsoDate;
  end: IsoDate;
  runsOn: IsoDate;
  kind: 'document' | 'trial' | 'empty';
  total: bigint;
}

/** First days of many periods. */
const RAISES: readonly IsoDate[] = ['2027-10-01', '2028-01-01', '2028-02-15', '2028-02-29'];

export function aPlanned(random: Random, first: IsoDate): Planned {
  const rule = aRule(random);
  const isMetered = random.oneIn(6);
  const isRrule = 'rrule' in rule;
  const missed = isMetered
    ? 'all'
    : random.of(['all', 'all', 'all', 'all', 'newest', 'ask'] as const);
  const isPlain = missed === 'all';
  const start = addDays(first, random.below(60));
  return {
    rule,
    start,
    timing: isMetered ? 'in_arrears' : random.of(['in_advance', 'in_arrears'] as const),
    proration: isRrule || isMetered ? 'none' : random.of(['none', 'by_day'] as const),
    missed,
    action: random.of(['draft', 'issue', 'issue'] as const),
    reviewHours: 0,
    quantity: isMetered ? 0 : 1 + random.below(3),
    price: 100 + random.below(100_000),
    raise: random.oneIn(4)
      ? { from: random.of(RAISES), percent: random.of(['3.5', '-10', '0.25']) }
      : null,
    oneOff: isPlain && !isMetered && random.oneIn(4) ? 1 + random.below(5000) : 0,
    minimum: isPlain && random.oneIn(5) ? 20_000 : 0,
    end: random.oneIn(5) ? addDays(start, 60 + random.below(250)) : null,
    periods: random.oneIn(5) ? 1 + random.below(8) : null,
    trialEnd: random.oneIn(6) ? addDays(start, random.below(30)) : null,
    business: !isMetered && random.oneIn(4) ? random.of(['after', 'before'] as const) : null,
    used: isMetered
      ? Array.from({ length: 6 }, () => ({
          on: addDays(start, 35 + random.below(280)),
          quantity: 1 + random.below(40),
        }))
      : null,
    ...(random.oneIn(4) && { action: 'issue' as const, reviewHours: 24 }),
  };
}

function aRule(random: Random): Rule {
  const kind = random.of(['month', 'month', 'month', 'week', 'day', 'year', 'rrule'] as const);
  if (kind === 'day') return { every: 'day', interval: 10 + random.below(30) };
  if (kind === 'week')
    return { every: 'week', interval: 1 + random.below(4), weekday: random.of(WEEK) };
  if (kind === 'year') {
    return {
      every: 'year',
      interval: 1,
      month: 1 + random.below(12),
      day: random.of([1, 15, 29, 31]),
    };
  }
  if (kind === 'rrule') return { rrule: random.of(Object.keys(RRULES)) };
  return {
    every: 'month',
    interval: random.of([1, 1, 1, 2, 3, 6]),
    day: random.of([1, 5, 15, 28, 29, 30, 31]),
  };
}

/** As `POST /v1/finance/schedules` takes it. */
export function requestOf(planned: Planned, customerId: string, name: string): object {
  const line = {
    description: 'Work {month}',
    ...(planned.used ? { meter: 'use' } : { quantity: String(planned.quantity) }),
    unit_amount: planned.price,
    tax_rate: '19',
  };
  return {
    name,
    external_id: name,
    document: { customer_id: customerId, currency: 'EUR', lines: [line] },
    recurrence: planned.rule,
    timing: planned.timing,
    proration: planned.proration,
    missed: planned.missed,
    action: planned.action,
    review_hours: planned.reviewHours,
    start_date: planned.start,
    ...(planned.raise && { price_changes: [planned.raise] }),
    ...(planned.oneOff > 0 && {
      one_off_lines: [{ description: 'Setup', unit_amount: planned.oneOff, tax_rate: '0' }],
    }),
    ...(planned.minimum > 0 && {
      minimum: { amount: planned.minimum, line: { description: 'Minimum', tax_rate: '0' } },
    }),
    ...(planned.end && { end_date: planned.end }),
    ...(planned.periods && { periods: planned.periods }),
    ...(planned.trialEnd && { trial_end: planned.trialEnd }),
    ...(planned.business && { business_days: { country: 'DE', move: planned.business } }),
  };
}

const FAR = 800;

/** All periods whose day is not after `last`. */
export function expectedOf(planned: Planned, last: IsoDate): ExpectedPeriod[] {
  const { start, trialEnd, end: lastDay } = planned;
  const anchor = trialEnd ? addDays(trialEnd, 1) : start;
  const days = ruleDays(planned.rule, anchor, addDays(anchor, -FAR), addDays(last, FAR));
  const found: ExpectedPeriod[] = [];
  if (trialEnd && start <= last) {
    found.push({ start, end: trialEnd, runsOn: start, kind: 'trial', total: 0n });
  }
  let isFirst = true;
  let from = anchor;
  for (let count = 0; planned.periods === null || count < planned.periods; count += 1) {
    if (lastDay && from > lastDay) break;
    const begins = from;
    const next = days.find((day) => day > begins)!;
    const whole = addDays(next, -1);
    const end = lastDay && lastDay < whole ? lastDay : whole;
    const on = planned.timing === 'in_advance' ? begins : addDays(end, 1);
    const runsOn = planned.business ? germanBusinessDay(on, planned.business) : on;
    if (runsOn > last) break;
    const previous = days.findLast((day) => day <= begins) ?? begins;
    const part = { days: apart(begins, end) + 1, of: apart(previous, next) };
    const period = documentOf(planned, { start: begins, end, runsOn }, part, isFirst);
    if (period.kind === 'document') isFirst = false;
    found.push(period);
    from = next > end ? addDays(end, 1) : next;
  }
  return found;
}

const halfUp = (over: bigint, under: bigint) => (2n * over + under) / (2n * under);

function documentOf(
  planned: Planned,
  dates: Pick<ExpectedPeriod, 'start' | 'end' | 'runsOn'>,
  { days, of }: { days: number; of: number },
  isFirst: boolean,
): ExpectedPeriod {
  const [part, whole] = planned.proration === 'by_day' ? [BigInt(days), BigInt(of)] : [1n, 1n];
  const used = planned.used?.filter(
    ({ on }) => on <= dates.end && on >= sinceOf(planned, dates.start),
  );
  const quantity = BigInt(
    used ? used.reduce((sum, one) => sum + one.quantity, 0) : planned.quantity,
  );
  const net = halfUp(quantity * priceAt(planned, dates.start) * part, whole);
  const oneOff = isFirst ? BigInt(planned.oneOff) : 0n;
  const least = halfUp(BigInt(planned.minimum) * part, whole);
  const lacking = least > net + oneOff ? least - net - oneOff : 0n;
  const total = net + halfUp(net * 19n, 100n) + oneOff + lacking;
  return { ...dates, kind: total === 0n && quantity === 0n ? 'empty' : 'document', total };
}

/** All that nobody has billed: of the first period, also what was used before it. */
const sinceOf = ({ start, trialEnd }: Planned, from: IsoDate): IsoDate =>
  from === (trialEnd ? addDays(trialEnd, 1) : start) ? '0001-01-01' : from;

function priceAt({ price, raise }: Planned, on: IsoDate): bigint {
  if (!raise || raise.from > on) return BigInt(price);
  const thousandths = BigInt(Math.round(Number(raise.percent) * 1000));
  return halfUp(BigInt(price) * (100_000n + thousandths), 100_000n);
}
