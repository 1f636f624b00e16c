import { addDays } from '../../src/kernel/clock.js';
import type { Books } from './books.js';
import { chargesOf, isWaiting, type Letter, lettersDue, settleOwed } from './dunned.js';
import {
  type Answered,
  assertCharged,
  assertIssued,
  figuresIn,
  issued,
  takesNext,
} from './issued.js';
import { assertFields, Disagreement } from './judge.js';
import { type Draft, linesOf, periodsTo, scheduledFigures, usedIn } from './scheduled.js';

/*
 * Days bring this by themselves, in the order of docs/test-clocks.md, schedules first, then charges
 * of letters, then letters.
 */

interface ToldPeriod extends Answered {
  schedule_id: string;
  period_start: string;
  status: string;
  document_id: string | null;
}

interface ToldLetter extends Answered {
  id: string;
  made_on: string;
  documents: { document_id: string }[];
  charges: { kind: string; amount: number; billed_by: string | null }[];
}

/** The service, after all of them. */
export interface ToldOfDays {
  now: string;
  periods: ToldPeriod[];
  letters: ToldLetter[];
  /** Those that the books did not have before. */
  documents: Record<string, Answered>;
}

/** All that is due after a day, up to another one. @throws Disagreement */
export function passDays(books: Books, before: string, last: string, told: ToldOfDays): void {
  const plans = books.schedules.map((schedule) => {
    return { schedule, periods: periodsTo(schedule, last) };
  });
  const known = new Set(books.letters.map(({ id }) => id));
  const fresh = told.letters.filter(({ id }) => !known.has(id));
  for (let day = addDays(before, 1); day <= last; day = addDays(day, 1)) {
    issueReviewed(books, day, told);
    const due = plans.flatMap(({ schedule, periods }) => {
      const now = periods.filter(({ runsOn }) => runsOn <= day);
      if (schedule.status !== 'active') return [];
      return periods.splice(0, now.length).map((period) => ({ schedule, period, day }));
    });
    for (const one of due.toSorted(byCharges(told))) havePeriod(books, one, told);
    billAlone(books, day, told);
    settleOwed(books, day);
    for (const due of lettersDue(books, day)) {
      const index = fresh.findIndex(
        (one) => one.made_on === day && one.documents[0]?.document_id === due.invoice.id,
      );
      const [letter] = index < 0 ? [] : fresh.splice(index, 1);
      if (letter) haveLetter(books, due, day, letter);
      else if (due.isSure) throw new Disagreement(`${due.invoice.id} has no letter on ${day}`);
    }
  }
  const [unexpected] = fresh;
  if (unexpected) throw new Disagreement(`a letter too many: ${JSON.stringify(unexpected)}`);
  assertNoneElse(books, told);
}

function assertNoneElse({ invoices, drafts }: Books, { documents }: ToldOfDays): void {
  const known = new Set([...invoices, ...drafts].map(({ id }) => id));
  const unexpected = Object.keys(documents).find((id) => !known.has(id));
  if (unexpected === undefined) return;
  throw new Disagreement(`a document too many: ${JSON.stringify(documents[unexpected])}`);
}

function documentOf({ documents }: ToldOfDays, id: string | null | undefined): Answered {
  const found = documents[id ?? ''];
  if (!found) throw new Disagreement(`there is no document ${id}`);
  return found;
}

/** Drafts whose review is over: it takes a day. */
function issueReviewed(books: Books, day: string, told: ToldOfDays): void {
  const over = books.drafts.filter(({ isReviewed, madeOn }) => isReviewed && madeOn < day);
  books.drafts = books.drafts.filter((one) => !over.includes(one));
  for (const draft of over) {
    const body = documentOf(told, draft.id);
    assertIssued(body, issued(books, body, { ...draft, figures: draft, day }));
  }
}

/** Of several documents at once, any is the first: the one that has the charges. */
function byCharges({ letters, periods }: ToldOfDays) {
  const billed = new Set(letters.flatMap((one) => one.charges.map((charge) => charge.billed_by)));
  const isFirst = ({ schedule, period }: DuePeriod) =>
    periods.some(
      (one) =>
        one.schedule_id === schedule.id &&
        one.period_start === period.start &&
        one.document_id !== null &&
        billed.has(one.document_id),
    );
  return (one: DuePeriod, other: DuePeriod) => Number(isFirst(other)) - Number(isFirst(one));
}

interface DuePeriod {
  schedule: Books['schedules'][number];
  period: ReturnType<typeof periodsTo>[number];
  day: string;
}

function havePeriod(books: Books, { schedule, period, day }: DuePeriod, told: ToldOfDays): void {
  const { id, planned, customer, currency } = schedule;
  const had = told.periods.find(
    (one) => one.schedule_id === id && one.period_start === period.start,
  );
  schedule.passed += 1;
  const isNow = planned.action === 'issue' && planned.reviewHours === 0;
  const isReviewed = planned.action === 'issue' && !isNow;
  const lines = linesOf(schedule, period);
  const isSkipped = schedule.skips.includes(period.start);
  const isClosed = isNow && period.runsOn < `${books.openFrom}-01`;
  if (isSkipped || lines.length === 0 || isClosed) {
    const status = isSkipped ? 'skipped' : lines.length === 0 ? 'empty' : 'failed';
    assertFields(had ?? {}, { status, document_id: null });
    return;
  }
  const body = documentOf(told, had?.document_id);
  const made = String(body['id']);
  const next = takesNext(books, customer, currency);
  const all = [...lines, ...next.lines];
  const figures = scheduledFigures(all);
  const { charged, chargedIn } = next;
  const common = { customer, currency, lines: all, charged, chargedIn };
  next.taken(made);
  for (const used of usedIn(schedule, period)) used.isBilled = true;
  schedule.isSetUp = true;
  if (isNow) {
    const issue = { ...common, figures, day: period.runsOn };
    assertIssued(body, issued(books, body, issue));
    return;
  }
  const draft: Draft = {
    ...common,
    ...figures,
    id: made,
    isReviewed,
    madeOn: day,
  };
  books.drafts.push(draft);
  assertFields(body, { customer_id: customer, currency, ...figuresIn(figures) });
  assertCharged(body, draft);
}

/** An invoice for what each letter that was sent asked for beside the debt. */
function billAlone(books: Books, day: string, told: ToldOfDays): void {
  for (const letter of books.letters.filter((one) => one.billsAlone)) {
    const charges = letter.charges.filter(isWaiting);
    const lines = charges.map(({ amount }) => ({ amount, rate: 0 }));
    const charged = lines.reduce((sum, { amount }) => sum + amount, 0);
    const figures = scheduledFigures(lines);
    const { customer, currency } = letter;
    const known = told.letters.find(({ id }) => id === letter.id);
    const billed = known?.charges.find(
      ({ billed_by: by }) => by !== null && told.documents[by] !== undefined,
    );
    const body = documentOf(told, billed?.billed_by);
    const issue = { customer, currency, lines, figures, day, charged, chargedIn: 'O' as const };
    const made = issued(books, body, issue);
    assertIssued(body, made);
    assertFields(body, { due_date: letter.payBy > day ? letter.payBy : day });
    for (const charge of charges) charge.billedBy = made.id;
    letter.billsAlone = false;
  }
}

type Due = ReturnType<typeof lettersDue>[number];

const kinds = (all: readonly { kind: string; amount: number }[]) =>
  all.map(({ kind, amount }) => `${kind} ${amount}`);

function haveLetter(books: Books, due: Due, day: string, told: ToldLetter): void {
  const { invoice, step, asked } = due;
  const said = told.charges.find(({ kind }) => kind === 'interest')?.amount ?? 0;
  const charges = chargesOf(books, invoice, step, day, said);
  assertFields(
    { ...told, charges: kinds(told.charges) },
    { status: 'failed', days: step.days, amount: asked, charges: kinds(charges) },
  );
  const { id, customer, currency } = invoice;
  const letter: Letter = {
    id: told.id,
    invoice: id,
    customer,
    currency,
    madeOn: day,
    payBy: String(told['pay_by']),
    status: 'failed',
    sentOn: null,
    charges,
    billsAlone: false,
  };
  books.letters.push(letter);
}
