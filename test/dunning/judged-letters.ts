import { dateIn } from '../../src/kernel/clock.js';
import {
  dayOfIso,
  DUNNED_BY,
  germanRate,
  type Happening,
  isoOfDay,
  type LateDebt,
  type PlannedLetter,
  plannedLetters,
} from './planned-letters.js';

/** Base rates that the run says, in hundredths. */
export const SAID_RATES = [
  { from: '2026-07-01', base: 152n },
  { from: '2027-01-01', base: 152n },
  { from: '2027-07-01', base: 210n },
  { from: '2028-01-01', base: 87n },
  { from: '2028-07-01', base: 240n },
];

export interface DunnedAccount {
  zone: string;
  /** One letter for all of a customer. */
  isTogether: boolean;
  /** Charges go onto the next invoice. */
  isOnNext: boolean;
}

/** An issued invoice, with the sum of the charges that are on it. */
export interface DunnedInvoice {
  id: string;
  accountId: string;
  customerId: string;
  kind: LateDebt['kind'];
  due: string;
  total: number;
  charges: number;
  createdAt: Date;
  issuedAt: Date;
}

/** A letter's row for one document. */
export interface LetterRow {
  id: string;
  documentId: string;
  accountId: string;
  customerId: string;
  status: string;
  reason: string | null;
  day: string;
  /** Of the letter, after the due date. */
  stepDays: number;
  /** Null: it is listed, and its step comes later. */
  level: number | null;
  asked: number;
  settledAt: Date | null;
}

export interface ChargeRow {
  id: string;
  reminderId: string;
  documentId: string;
  kind: 'fee' | 'interest' | 'lump_sum';
  amount: number;
  status: string;
  billedBy: string | null;
}

/** Something done about a document in a settled step, or while the rounds of that step ran. */
export interface LivedThrough extends Omit<Happening, 'round'> {
  step: number;
  isHurried: boolean;
}

export interface DunnedYear {
  accounts: ReadonlyMap<string, DunnedAccount>;
  invoices: readonly DunnedInvoice[];
  letters: readonly LetterRow[];
  charges: readonly ChargeRow[];
  lived: ReadonlyMap<string, readonly LivedThrough[]>;
  /** Settled steps; each has two rounds, with a quiet moment between them. */
  instants: readonly Date[];
}

/** Longer than clocks are apart, and waits for those who died. */
const SLACK_MS = 20 * 60_000;

/** All that differs from what the plans say. */
export function wrongLetters(year: DunnedYear): string[] {
  const found: string[] = [];
  const roundsIn = roundsOf(year.instants);
  const standing = year.letters.filter(({ status }) => status === 'sent');
  const byDocument = grouped(standing, ({ documentId }) => documentId);
  const letterOf = new Map<string, { ids: Set<string>; of: string }>();
  for (const invoice of year.invoices) {
    const all = byDocument.get(invoice.id) ?? [];
    const rows = all
      .filter(({ level }) => level !== null)
      .toSorted((one, other) => one.level! - other.level!);
    const rounds = roundsIn(year.accounts.get(invoice.accountId)!.zone);
    const listed = all.filter(({ level }) => level === null).map(({ day }) => dayOfIso(day));
    if (listed.some((day) => day <= dayOfIso(invoice.due)))
      found.push(`${invoice.id} was asked for before it was overdue`);
    const matched = expectedLike(year, invoice, rows, rounds, Math.min(...listed));
    if (typeof matched === 'string') found.push(matched);
    else together(year, invoice, rows, matched, letterOf);
  }
  for (const { ids, of } of letterOf.values())
    if (ids.size > 1) found.push(`${of} has ${ids.size} letters instead of one for all`);
  return [...found, ...wrongEnds(year), ...wrongFees(year, standing), ...wrongBills(year)];
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Days of the rounds of a zone. */
function roundsOf(instants: readonly Date[]): (zone: string) => readonly number[] {
  const known = new Map<string, number[]>();
  return (zone) => {
    const days =
      known.get(zone) ?? instants.flatMap((at) => Array(2).fill(dayOfIso(dateIn(zone, at))));
    known.set(zone, days);
    return days;
  };
}

/** The step in which an invoice was issued. */
function stepOf({ instants }: DunnedYear, { issuedAt }: DunnedInvoice): number {
  const step = instants.findIndex((at) => at.getTime() + SLACK_MS >= issuedAt.getTime());
  return step === -1 ? instants.length : step;
}

/** Letters that explain those that stand; or a sentence. */
function expectedLike(
  year: DunnedYear,
  invoice: DunnedInvoice,
  rows: readonly LetterRow[],
  rounds: readonly number[],
  listedOn: number,
): PlannedLetter[] | string {
  const { zone } = year.accounts.get(invoice.accountId)!;
  const lived = year.lived.get(invoice.id) ?? [];
  const hurried = lived.filter(({ isHurried }) => isHurried);
  const amountOf = (row: LetterRow, kind: ChargeRow['kind']) =>
    year.charges
      .filter((one) => one.reminderId === row.id && one.documentId === row.documentId)
      .reduce((sum, one) => sum + (one.kind === kind ? one.amount : 0), 0);
  const actual = rows.map((row) =>
    said(
      dayOfIso(row.day),
      row.level!,
      row.asked,
      amountOf(row, 'interest'),
      amountOf(row, 'lump_sum'),
    ),
  );
  let first: string[] = [];
  // In a hurry, it came before or behind the letter of its step.
  for (let orders = 0; orders < 2 ** hurried.length; orders += 1) {
    const happened = lived.map((one): Happening => {
      const isBefore = one.isHurried && (orders >> hurried.indexOf(one)) % 2 === 1;
      return { ...one, round: one.step * 2, isBefore };
    });
    const debt: LateDebt = {
      due: dayOfIso(invoice.due),
      amount: invoice.total,
      kind: invoice.kind,
      isOfCharges: invoice.charges > 0,
      listedOn,
      since: stepOf(year, invoice) * 2,
      happened,
    };
    const rate = germanRate(invoice.kind, SAID_RATES);
    const planned = plannedLetters(debt, DUNNED_BY[invoice.kind], rounds, rate);
    const wanted = planned.map((one) =>
      said(one.day, one.step, one.asked, one.interest, one.lumpSum),
    );
    if (wanted.join() === actual.join()) return planned;
    if (orders === 0) first = wanted;
  }
  return (
    `${invoice.id} of ${invoice.kind} in ${zone}, due ${invoice.due}, has ` +
    `[${actual.join('; ')}], not [${first.join('; ')}]; ${JSON.stringify(lived)}`
  );
}

const said = (day: number, step: number, asked: number, interest: number, lumpSum: number) =>
  `${isoOfDay(day)} step ${step} asks ${asked} and ${interest} and ${lumpSum}`;

/** Steps of one customer that are late in the same round are one letter. */
function together(
  year: DunnedYear,
  invoice: DunnedInvoice,
  rows: readonly LetterRow[],
  planned: readonly PlannedLetter[],
  letterOf: Map<string, { ids: Set<string>; of: string }>,
): void {
  if (!year.accounts.get(invoice.accountId)!.isTogether) return;
  const lived = year.lived.get(invoice.id) ?? [];
  const begun = stepOf(year, invoice);
  for (const [index, { round, step, day }] of planned.entries()) {
    const at = Math.floor(round / 2);
    const isLate = DUNNED_BY[invoice.kind][step - 1]!.days > 0;
    const isHurried = at === begun || lived.some((one) => one.isHurried && one.step === at);
    if (isHurried || !isLate) continue;
    const key = `${invoice.customerId} ${round}`;
    const of = `${invoice.customerId} on ${isoOfDay(day)}`;
    const known = letterOf.get(key) ?? { ids: new Set(), of };
    known.ids.add(rows[index]!.id);
    letterOf.set(key, known);
  }
}

/** One that did not leave has a cause. */
function wrongEnds({ letters, lived, instants, accounts }: DunnedYear): string[] {
  const byLetter = grouped(letters, ({ id }) => id);
  return [...byLetter.values()].flatMap((rows) => {
    const [{ id, status, reason, day, accountId }] = rows as [LetterRow];
    if (status === 'sent') return [];
    const { zone } = accounts.get(accountId)!;
    const isCaused = rows.some(({ documentId }) =>
      lived
        .get(documentId)
        ?.some((one) => one.isHurried && dateIn(zone, instants[one.step]!) === day),
    );
    return status === 'canceled' && isCaused ? [] : [`${id} of ${day} is ${status}: ${reason}`];
  });
}

function wrongFees({ invoices, charges }: DunnedYear, standing: readonly LetterRow[]): string[] {
  const known = new Map(invoices.map((one) => [one.id, one]));
  return [...grouped(standing, ({ id }) => id)].flatMap(([id, rows]) => {
    const going = rows.filter(({ level }) => level !== null);
    const kind = known.get(rows[0]!.documentId)!.kind;
    const furthest = Math.max(...going.map(({ level }) => level!));
    const isFree = going.every(({ documentId }) => known.get(documentId)!.charges > 0);
    const wanted = isFree ? 0 : DUNNED_BY[kind][furthest - 1]!.fee;
    const fees = charges.filter((one) => one.reminderId === id && one.kind === 'fee');
    const asked = fees.reduce((sum, { amount }) => sum + amount, 0);
    return asked === wanted ? [] : [`${id} asks for a fee of ${asked}, not ${wanted}`];
  });
}

/** Each charge of a letter that left is on one invoice, as soon as there is one to take it. */
function wrongBills({ accounts, invoices, letters, charges }: DunnedYear): string[] {
  const byLetter = new Map(letters.map((row) => [row.id, row]));
  const found: string[] = [];
  for (const { id, reminderId, status, billedBy } of charges) {
    const { accountId, customerId, settledAt, ...letter } = byLetter.get(reminderId)!;
    if (letter.status !== 'sent') {
      if (status !== 'withdrawn' || billedBy) found.push(`${id} of no letter is ${status}`);
      continue;
    }
    const isLeft = (invoice: DunnedInvoice) =>
      invoice.customerId === customerId &&
      invoice.createdAt.getTime() > settledAt!.getTime() + SLACK_MS;
    const mustBe = !accounts.get(accountId)!.isOnNext || invoices.some(isLeft);
    if (status !== 'claimed' || (mustBe && !billedBy)) {
      found.push(`${id} of ${letter.day} is ${status}, on ${billedBy}`);
    }
  }
  for (const invoice of invoices.filter((one) => one.charges > 0)) {
    if (accounts.get(invoice.accountId)!.isOnNext) continue;
    const of = new Set(
      charges.filter((one) => one.billedBy === invoice.id).map((one) => one.reminderId),
    );
    if (invoice.total !== invoice.charges || of.size !== 1) {
      found.push(`${invoice.id} is ${invoice.total} for ${invoice.charges} of ${of.size} letters`);
    }
  }
  return found;
}
