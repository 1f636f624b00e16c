import fc from 'fast-check';
import type { Answer } from '../support/http.js';
import type { Books } from './books.js';
import { type Call, Disagreement, judgeAtOnce } from './judge.js';
import { pick, type Wish } from './operations/operation.js';
import { wishes } from './operations.js';
import { FOREIGN } from './picks.js';
import type { World } from './world.js';

/** The wish, or a step that has to come before it. */
function begun(wish: Wish, world: World, books: Books): Wish {
  const needs = wish.operation.needs(wish.fields);
  if (!needs || needs.of(world, books).length > 0) return wish;
  return begun(needs.first, world, books);
}

/** More orders than these take longer to judge than the service to answer. */
const MOST_STATES = 100;

/** The books of a run, as they must be by now: one of these. */
export interface Model {
  possible: Books[];
  steps: number;
  calls: number;
  /** How often what was answered how, such as `pay 201`. */
  outcomes: Map<string, number>;
  /** The requests and their answers, a line a step. */
  transcript: string[];
}

/** Calls that are made at the same time; mostly there is one. */
class Step implements fc.AsyncCommand<Model, World> {
  constructor(
    private readonly wishes: readonly Wish[],
    /** How often each request is sent at once, with one key. */
    private readonly copies = 1,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, world: World): Promise<void> {
    const calls: Call[] = [];
    const ops: string[] = [];
    let states = 1;
    let { copies } = this;
    for (const one of this.wishes) {
      const books = model.possible[0]!;
      const { operation, fields } = begun(one, world, books);
      states *= 1 + operation.transactions(fields);
      if (calls.length > 0 && states * model.possible.length > MOST_STATES) break;
      // A step that has to come before it may have no key.
      if (!operation.hasKey(fields)) copies = 1;
      calls.push(await operation.call(world, books, fields));
      ops.push(operation.name);
    }
    const sent = copies > 1 ? `${copies} copies of ` : '';
    const line = calls.map(({ text }) => `${sent}${text}`);
    model.transcript.push(line.join('\n  | '));
    const answers = await Promise.all(
      calls.map(async ({ send, text }) => {
        const same = await Promise.all(Array.from({ length: copies }, send));
        const texts = new Set(same.map((answer) => `${answer.status} ${withoutRequest(answer)}`));
        if (texts.size > 1) {
          throw new Disagreement(`${text} had several answers: ${[...texts].join('; ')}`);
        }
        return same[0]!;
      }),
    );
    model.transcript.pop();
    const answered = line.map((text, index) => `${text} -> ${codeOf(answers[index]!)}`);
    model.transcript.push(answered.join('\n  | '));
    model.possible = await judgeAtOnce(model.possible, calls, answers);
    ops.forEach((op, index) => {
      const outcome = `${op} ${codeOf(answers[index]!)}`;
      model.outcomes.set(outcome, (model.outcomes.get(outcome) ?? 0) + 1);
    });
    model.steps += 1;
    model.calls += calls.length * copies;
  }

  toString(): string {
    const wanted = this.wishes.map(({ operation, fields }) => [operation.name, fields]);
    return `${this.copies} x ${JSON.stringify(wanted)}`;
  }
}

/** A refusal is judged anew, and names its own request. A success is answered byte for byte. */
function withoutRequest({ status, text }: Answer): string {
  return status < 400 ? text : text.replace(/"request_id":"[^"]+"/, '');
}

function codeOf({ status, body }: Answer): string {
  const { code, refund, items } = body as {
    code?: string;
    refund?: { status: string };
    items?: { status: string }[];
  };
  const entries = [...new Set(items?.map((entry) => entry.status))].sort();
  const what = code ?? refund?.status ?? (entries.join('+') || undefined);
  return what === undefined ? String(status) : `${status} ${what}`;
}

/** Money that comes by hand and by providers; what comes at the same moment shares a transaction. */
const MONEY = ['pay', 'deliver', 'redeliver'];

/** Steps of all kinds of wishes, or only of these; seven of twelve are one call. */
export function stepsOf(ops?: readonly string[]): fc.Arbitrary<fc.AsyncCommand<Model, World>>[] {
  const wish = wishes(ops);
  const times = fc.integer({ min: 2, max: 4 });
  const repeated = fc.record({ wish, times });
  const single = wish.map((one) => new Step([one]));
  /** The same thing wanted several times; a request of its own each. */
  const twice = repeated.map((one) => new Step(Array.from({ length: one.times }, () => one.wish)));
  /** The same thing wanted of neighbours: of another document or payment each. */
  const spread = repeated.map(
    (one) => new Step(Array.from({ length: one.times }, (_, index) => beside(one.wish, index))),
  );
  /** Several things wanted of one document or payment. */
  const mixed = fc
    .record({ several: fc.array(wish, { minLength: 2, maxLength: 6 }), pick })
    .map((one) => new Step(one.several.map((each) => withPick(each, one.pick))));
  const money = MONEY.filter((name) => ops?.includes(name) ?? true);
  const together = fc
    .array(money.length > 0 ? wishes(money) : wish, { minLength: 3, maxLength: 6 })
    .map((several) => new Step(several));
  /** One request, sent several times at once with one key. */
  const copied = fc
    .record({ wish: wish.filter(({ operation, fields }) => operation.hasKey(fields)), times })
    .map((one) => new Step([one.wish], one.times));
  return [...Array.from({ length: 7 }, () => single), twice, spread, mixed, together, copied];
}

function withPick(wish: Wish, to: number): Wish {
  return 'pick' in wish.fields ? { ...wish, fields: { ...wish.fields, pick: to } } : wish;
}

function beside(wish: Wish, distance: number): Wish {
  const { fields } = wish as { fields: { pick?: number } };
  return fields.pick === undefined ? wish : withPick(wish, (fields.pick + distance) % FOREIGN);
}
