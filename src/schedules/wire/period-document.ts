import { type CreateDocumentRequest, Locale } from '../../documents/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import { Decimal } from '../../kernel/decimal.js';
import type {
  PriceChange,
  ScheduledDocument,
  ScheduledLine,
  ScheduleTerms,
} from '../domain/schedule.js';
import type { PlannedPeriod } from '../domain/schedule-calendar.js';

type Line = CreateDocumentRequest['lines'][number];
type Adjustment = NonNullable<Line['discount']>;

/** Facts on which the document of a period depends, beside its schedule. */
export interface PeriodFacts {
  period: PlannedPeriod;
  /** Of the document. */
  language: string | null;
  /** By meter: decimals. */
  usage: ReadonlyMap<string, string>;
}

/** The dates and the state that a document begins with. */
export interface FirstState {
  issue: boolean;
  issueDate: IsoDate | null;
}

const PLACEHOLDER = /\{(period_start|period_end|month)\}/g;

/** Whether a text of it depends on the language. */
export const hasPlaceholders = (terms: ScheduleTerms) =>
  JSON.stringify([terms.document, terms.one_off_lines, terms.minimum]).search(PLACEHOLDER) >= 0;

/**
 * The document of a period, as `POST /v1/finance/documents` takes it; without lines where nothing was
 * used. A part of a period has its lines by the days: quantity times days, for a price of the whole.
 */
export function documentOf(
  terms: ScheduleTerms,
  facts: PeriodFacts,
  { issue, issueDate }: FirstState,
): CreateDocumentRequest {
  const { period } = facts;
  const { document } = terms;
  const part = terms.proration === 'by_day' ? period.part : null;
  const say = wordsOf(facts);
  const servicePeriod = { start: period.start, end: period.end };
  const own = document.lines.flatMap((line) => {
    const counted = withUsage(priced(line, terms.price_changes, period.start), facts.usage);
    if (!counted) return [];
    const isOfThen = line.meter !== undefined && terms.timing === 'in_advance';
    const whole = line.meter === undefined ? inPart(counted, part) : counted;
    return [isOfThen ? whole : { ...whole, service_period: servicePeriod }];
  });
  const oneOff = terms.one_off_lines.flatMap((line) => withUsage(line, facts.usage) ?? []);
  const lines = [...own, ...oneOff].map((line) => ({
    ...line,
    ...(line.description !== undefined && { description: say(line.description) }),
  }));
  const { notes } = document;
  return {
    ...adjusted(document, part),
    ...(notes != null && { notes: say(notes) }),
    ...(terms.action === 'collect' && { collection_method: 'charge_automatically' as const }),
    lines,
    service_period: servicePeriod,
    issue,
    ...(issueDate !== null && { issue_date: issueDate }),
  };
}

/** The same with a line of what lacks to the minimum. @param sum of its lines, in minor units */
export function toppedUp(
  request: CreateDocumentRequest,
  terms: ScheduleTerms,
  { period, language }: PeriodFacts,
  sum: bigint,
): CreateDocumentRequest {
  const { minimum, proration } = terms;
  if (!minimum) return request;
  const part = proration === 'by_day' ? period.part : null;
  const lacking = BigInt(amountInPart(minimum.amount, part)) - sum;
  if (lacking <= 0n) return request;
  const { meter: _, ...line } = minimum.line;
  const say = wordsOf({ period, language, usage: new Map() });
  const rest = {
    ...line,
    ...(line.description !== undefined && { description: say(line.description) }),
    quantity: '1',
    unit_amount: Number(lacking),
    service_period: { start: period.start, end: period.end },
  };
  delete rest.unit_amount_decimal;
  return { ...request, lines: [...request.lines, rest] };
}

function wordsOf({ period, language }: PeriodFacts): (text: string) => string {
  const locale = Locale.of(language);
  const words = {
    period_start: () => locale.date(period.start),
    period_end: () => locale.date(period.end),
    month: () => locale.month(period.start),
  };
  return (text) => text.replace(PLACEHOLDER, (_, name: keyof typeof words) => words[name]());
}

/** Without a meter, which documents do not have; undefined: nothing was used. */
function withUsage(
  { meter, ...line }: ScheduledLine,
  usage: ReadonlyMap<string, string>,
): Line | undefined {
  if (meter === undefined) return line;
  const quantity = usage.get(meter);
  return quantity === undefined || Decimal.parse(quantity).isZero()
    ? undefined
    : { ...line, quantity };
}

const LAST_PLACE = 12;

/** With the price that it has on a day: a price of whole minor units stays one. */
function priced(line: ScheduledLine, changes: readonly PriceChange[], on: IsoDate): ScheduledLine {
  const isWhole = line.unit_amount != null;
  let price = isWhole ? String(line.unit_amount) : line.unit_amount_decimal;
  for (const change of changes.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const isOfLine = change.line === undefined || change.line === line.external_id;
    if (change.from > on || !isOfLine) continue;
    const { percent, unit_amount: amount, unit_amount_decimal: decimal } = change;
    if (percent == null) price = amount == null ? decimal : String(amount);
    else if (price != null) price = raised(price, String(percent), isWhole ? 0 : LAST_PLACE);
  }
  if (price == null) return line;
  const { unit_amount: _, ...rest } = line;
  return { ...rest, unit_amount_decimal: price };
}

function raised(price: string, percent: string, places: number): string {
  const factor = Decimal.parse(percent).percent().plus(Decimal.of(1n));
  return Decimal.parse(price).times(factor).dividedHalfUp(Decimal.of(1n), places).toString();
}

type Part = PlannedPeriod['part'];

/** Units in which a period is counted: its part is counted in days. */
const OF_PERIODS = new Set<string | null | undefined>([
  undefined,
  null,
  'C62',
  'MON',
  'ANN',
  'WEE',
  'QAN',
]);

function inPart(line: Line, part: Part): Line {
  if (!part) return line;
  const [days, of] = [Decimal.of(BigInt(part.days)), Decimal.of(BigInt(part.of))];
  const quantity = Decimal.parse(String(line.quantity ?? '1')).times(days);
  const base = Decimal.parse(String(line.price_base_quantity ?? '1')).times(of);
  return {
    ...adjusted(line, part),
    quantity: quantity.toString(),
    price_base_quantity: base.toString(),
    ...(OF_PERIODS.has(line.unit) && line.item_id == null && { unit: 'DAY' }),
  };
}

/** Amounts of discounts and charges by the days, as percentages are by themselves. */
function adjusted<Whole extends ScheduledDocument | Line>(whole: Whole, part: Part): Whole {
  if (!part) return whole;
  const inDays = (one: Adjustment): Adjustment =>
    one.amount == null ? one : { ...one, amount: amountInPart(one.amount, part) };
  const { discount, discounts, charges } = whole;
  return {
    ...whole,
    ...(discount && { discount: inDays(discount) }),
    ...(discounts && { discounts: discounts.map(inDays) }),
    ...(charges && { charges: charges.map(inDays) }),
  };
}

function amountInPart(amount: number, part: Part): number {
  if (!part) return amount;
  const [days, of] = [BigInt(part.days), BigInt(part.of)];
  return Number(Decimal.of(BigInt(amount) * days).dividedHalfUp(Decimal.of(of), 0).units);
}
