import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../support/http.js';
import { type Books, dayIn, statusOf } from './books.js';
import { settleOwed } from './dunned.js';
import { settleReliefs } from './reliefs.js';

/** The service and the model do not agree. */
export class Disagreement extends Error {}

/** A request with what the model makes of its answer. */
export interface Call {
  /** As a failing run is printed. */
  text: string;
  send(): Promise<Answer>;
  /**
   * Changes the books as the answer says, and for a refusal nothing. @throws Disagreement when the
   * answer cannot be right
   */
  judge(books: Books, answer: Answer): void;
  /** Of what is done in several transactions: the later ones. Others may come in between. */
  later?: readonly Call['judge'][];
}

/**
 * True for a rightly refused request. If several rules are broken, the answer names any of them.
 * @throws Disagreement for a refusal without a reason, and for none in spite of one
 */
export function refused(answer: Answer, broken: readonly (string | false)[]): boolean {
  const codes = broken.filter((code) => code !== false);
  const { status, text } = answer;
  if (status < 400) {
    if (codes.length === 0) return false;
    throw new Disagreement(`expected ${codes.join(' or ')}, got ${status}: ${shortened(text)}`);
  }
  if (status < 500 && codes.some((code) => isSaid(answer, code))) return true;
  const expected = codes.length > 0 ? codes.join(' or ') : 'success';
  throw new Disagreement(`expected ${expected}, got ${status}: ${shortened(text)}`);
}

export const isSaid = ({ body }: Answer, code: string): boolean =>
  (body as { code?: string }).code === code;

/** The outcome of a delivery whose provider is told only that it came. */
export const UNTOLD = 'untold';

/** @throws Disagreement when a delivery was answered with another outcome */
export function assertOutcome(body: { status?: unknown }, outcome: 'ok' | 'ignored'): void {
  if (body.status !== UNTOLD) assertFields(body, { status: outcome });
}

/** @throws Disagreement when a field of the answer is not as expected */
export function assertFields(body: unknown, expected: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = (body as Record<string, unknown>)[name];
    if (JSON.stringify(found) !== JSON.stringify(value)) {
      throw new Disagreement(
        `${name} is ${JSON.stringify(found)} instead of ${JSON.stringify(value)}: ` +
          shortened(JSON.stringify(body)),
      );
    }
  }
}

/** A paid invoice wants no money, so its pay pages are closed. */
function closeLinks({ links, invoices }: Books): void {
  for (const link of Object.values(links)) {
    const invoice = link.status === 'open' && invoices.find(({ id }) => id === link.invoice);
    if (invoice && statusOf(invoice) === 'paid') link.status = 'canceled';
  }
}

const LONGEST_TURN_MS = 20;

/**
 * Calls at the same time are right if they would have been answered like that one after the other,
 * in some order. Several orders may explain the same answers: the books may then be in one of
 * several states, and later answers tell in which. Other runs go on meanwhile: they wait for answers
 * of the service, which lives in the same process and counts the time.
 */
export async function judgeAtOnce(
  possible: readonly Books[],
  calls: readonly Call[],
  answers: readonly Answer[],
): Promise<Books[]> {
  const stages = calls.map(({ judge, later = [] }) =>
    [judge, ...later].map((stage) => (books: Books, answer: Answer) => {
      stage(books, answer);
      settleReliefs(books);
      settleOwed(books, dayIn(books));
      closeLinks(books);
    }),
  );
  const [books] = possible;
  if (stages.length === 1 && possible.length === 1 && books) {
    for (const judge of stages[0]!) judge(books, answers[0]!);
    return [books];
  }
  const objections = new Set<string>();
  // By how many transactions of each call were made: every state that they may have led to.
  let states = new Map([
    [calls.map(() => 0).join(), new Map(possible.map((books) => [quickKeyOf(books), books]))],
  ]);
  let pausedMs = performance.now();
  for (let left = stages.flat().length; left > 0; left -= 1) {
    const next: typeof states = new Map();
    for (const [made, before] of states) {
      const counts = made.split(',').map(Number);
      for (const [quickKey, books] of before) {
        if (performance.now() - pausedMs > LONGEST_TURN_MS) {
          await setImmediate();
          pausedMs = performance.now();
        }
        // Copied as text: that is quicker than a clone.
        const text = JSON.stringify(books);
        stages.forEach((judges, index) => {
          const judge = judges[counts[index]!];
          if (!judge) return;
          const answer = answers[index]!;
          const isRefusal = answer.status >= 400;
          const after = isRefusal ? books : (JSON.parse(text) as Books);
          const objection = objectionOf(() => judge(after, answer));
          if (objection !== null) {
            objections.add(`${calls[index]!.text}: ${objection}`);
            return;
          }
          const key = counts.with(index, counts[index]! + 1).join();
          const reached = next.get(key) ?? new Map<string, Books>();
          next.set(key, reached.set(isRefusal ? quickKey : quickKeyOf(after), after));
        });
      }
    }
    states = next;
  }
  const found = [...states.values()].flatMap((last) => [...last.values()]);
  if (found.length === 1) return found;
  if (found.length > 1) return [...new Map(found.map((one) => [keyOf(one), one])).values()];
  const listed = [...objections].slice(0, 12).join('\n  ');
  throw new Disagreement(`no order explains these answers\n  ${listed}`);
}

function objectionOf(judge: () => void): string | null {
  try {
    judge();
    return null;
  } catch (error) {
    if (error instanceof Disagreement) return error.message;
    throw error;
  }
}

/** Mostly the same text for the same books: it sorts only what stands in lists at the top. */
function quickKeyOf(books: Books): string {
  return Object.values(books)
    .map((value: unknown) => {
      if (Array.isArray(value))
        return value
          .map((one) => JSON.stringify(one))
          .sort()
          .join();
      return JSON.stringify(value);
    })
    .join();
}

/** The same text for the same books, in whatever order they came to be. */
function keyOf(books: Books): string {
  return JSON.stringify(books, (_, value: unknown) => {
    if (Array.isArray(value)) {
      return value.map((one: unknown) => JSON.stringify(one)).sort();
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Enough of an answer to know it by. */
function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
}
