import fc from 'fast-check';
import type { Answer } from '../support/http.js';
import { confirm, ignore, MOST_AGAIN, statement } from './bank-operations.js';
import { bad } from './bad-operations.js';
import { type Books, isUnderWay } from './books.js';
import {
  chosen,
  createCreditNote,
  createInvoice,
  givingNotes,
  reject,
  reverseWriteOff,
  spentNotes,
  voidCreditNote,
  voidInvoice,
  writeOff,
} from './document-operations.js';
import { createLink, deliver, redeliver, unknownLink } from './gateway-operations.js';
import { type Call, Disagreement, judgeAtOnce } from './judge.js';
import { move, reverse } from './move-operations.js';
import { pay } from './payment-operations.js';
import { period } from './period-operations.js';
import { assign, claim } from './home-operations.js';
import type { Mood } from './provider.js';
import {
  isOfProvider,
  lookUp,
  refund,
  refundReceipt,
  reverseRefund,
  tell,
} from './refund-operations.js';
import { namePayment, postEntry } from './posting-operations.js';
import { receipt, tolerance } from './receipt-operations.js';
import { FOREIGN, pick, type Wish, type WishOf, wishes } from './wishes.js';
import { tamper } from './tamper-operations.js';
import type { World } from './world.js';

type Operation<Name extends Wish['op']> = (
  world: World,
  books: Books,
  wish: WishOf<Name>,
) => Call | Promise<Call>;

const OPERATIONS: { [Name in Wish['op']]: Operation<Name> } = {
  invoice: createInvoice,
  pay,
  receipt,
  move,
  reverse,
  refund,
  assign,
  refundReceipt,
  lookUp,
  tell,
  reverseRefund,
  statement,
  confirm,
  ignore,
  post: postEntry,
  namePayment,
  tolerance,
  creditNote: createCreditNote,
  voidInvoice,
  voidCreditNote,
  writeOff,
  reverseWriteOff,
  period,
  reject,
  link: createLink,
  deliver,
  redeliver,
  unknownLink,
  claim,
  again,
  bad,
  tamper,
};

/** A request that was answered before: the same answer, and nothing changes. */
function again(world: World, books: Books, { pick }: WishOf<'again'>): Call {
  const known = chosen(world.answered, pick);
  if (!known) return bad(world, books, { op: 'bad', pick, kind: 0 });
  return {
    text: `again ${known.text}`,
    send: known.send,
    judge: (_after, { status, text }) => {
      if (status === known.first.status && text === known.first.text) return;
      throw new Disagreement(
        `expected the first answer ${known.first.text}, got ${status} ${text}`,
      );
    },
  };
}

/** The wish, or a step that has to come before it. */
function begun(wish: Wish, world: World, books: Books): Wish {
  const needs = needsOf(wish);
  if (!needs || needs.of(world, books).length > 0) return wish;
  return begun(needs.first, world, books);
}

const INVOICE: Wish = {
  op: 'invoice',
  customer: 0,
  currency: 'EUR',
  lines: [{ amount: 10_000, rate: 19 }],
  coin: null,
};
const OVERPAY: WishOf<'pay'> = {
  op: 'pay',
  pick: 0,
  quarters: 5,
  from: 'hand',
  over: 'credit',
  currency: 'own',
  daysAgo: 0,
  keyed: true,
};
const LINK: Wish = { op: 'link', pick: 0, quarters: 4 };
const ON_ITS_WAY: WishOf<'refundReceipt'> = {
  op: 'refundReceipt',
  pick: 0,
  quarters: 1,
  byHand: false,
  mood: 'lost',
};
const STRAY: Wish = { op: 'deliver', pick: 0, quarters: 4, currency: 'other' };

interface Need {
  of(world: World, books: Books): readonly unknown[];
  first: Wish;
}

const ANY_INVOICE: Need = { of: (_world, { invoices }) => invoices, first: INVOICE };
const ANY_PAYMENT: Need = { of: (_world, { payments }) => payments, first: OVERPAY };
const ANY_ENTRY: Need = {
  of: (_world, { entries }) => entries,
  first: {
    op: 'statement',
    entries: [{ kind: 'amount', pick: 0, and: null, quarters: 4 }],
    csv: false,
    again: 'no',
  },
};
const ANY_LINK: Need = { of: ({ links }) => links, first: LINK };
const ANY_OF_PROVIDER: Need = {
  of: (_world, { payments }) => payments.filter(isOfProvider),
  first: { ...STRAY, currency: 'own' },
};
/** If a credit note gave credit, it is spent first. */
const SPENT_NOTE: Need = {
  of: (_world, books) => (givingNotes(books).length > 0 ? spentNotes(books) : books.creditNotes),
  first: { ...OVERPAY, quarters: 4, from: 'credit', over: 'reject' },
};
const UNSETTLED: readonly Mood[] = ['lost', 'pending', 'deaf'];
/** A refund that is under way; of a payment or of a receipt. */
function anyUnderWay(pick: number): Need {
  const first = { ...ON_ITS_WAY, mood: UNSETTLED[pick % UNSETTLED.length]! };
  return {
    of: (_world, { refunds }) => refunds.filter(isUnderWay),
    first: pick % 2 === 0 ? first : { ...first, op: 'refund', from: null, method: 'gateway' },
  };
}
const ANY_REFUND: Need = {
  of: (_world, { refunds }) => refunds,
  first: { op: 'refund', pick: 0, from: null, quarters: 4, method: 'hand', mood: 'done' },
};
const ANY_RECEIPT: Need = { of: (_world, { receipts }) => receipts, first: STRAY };

const NEEDS: Partial<Record<Wish['op'], Need>> = {
  pay: ANY_INVOICE,
  receipt: ANY_INVOICE,
  creditNote: ANY_INVOICE,
  voidInvoice: ANY_INVOICE,
  writeOff: ANY_INVOICE,
  reverseWriteOff: {
    of: (_world, { invoices }) => invoices.filter((one) => one.lifecycle === 'uncollectible'),
    first: { op: 'writeOff', pick: 0 },
  },
  reject: ANY_INVOICE,
  link: ANY_INVOICE,
  move: ANY_PAYMENT,
  reverse: ANY_PAYMENT,
  deliver: ANY_LINK,
  redeliver: { of: ({ deliveries }) => deliveries, first: { ...STRAY, currency: 'own' } },
  assign: ANY_RECEIPT,
  reverseRefund: ANY_REFUND,
  refundReceipt: ANY_RECEIPT,
  statement: ANY_INVOICE,
  confirm: ANY_ENTRY,
  ignore: ANY_ENTRY,
  post: ANY_ENTRY,
  namePayment: ANY_ENTRY,
  claim: { of: (_world, { nobodys }) => nobodys, first: { op: 'unknownLink', amount: 4321 } },
  voidCreditNote: {
    of: (_world, { creditNotes }) => creditNotes,
    first: { op: 'creditNote', pick: 0, quarters: 0 },
  },
  again: { of: ({ answered }) => answered, first: INVOICE },
};

function needsOf(wish: Wish): Need | undefined {
  if (wish.op === 'voidCreditNote' && wish.pick % 2 === 1) return SPENT_NOTE;
  if (wish.op === 'lookUp' || wish.op === 'tell') return anyUnderWay(wish.pick);
  if (wish.op === 'refund') return wish.mood === 'done' ? ANY_PAYMENT : ANY_OF_PROVIDER;
  return NEEDS[wish.op];
}

/** More orders than these take longer to judge than the service to answer. */
const MOST_STATES = 100;

function transactionsOf(wish: Wish): number {
  if (wish.op === 'refund' || wish.op === 'refundReceipt') return 2;
  if (wish.op === 'period') return 2;
  if (wish.op !== 'statement') return 1;
  return 1 + wish.entries.length + (wish.again === 'no' ? 0 : MOST_AGAIN);
}

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
    for (const one of this.wishes) {
      states *= 1 + transactionsOf(one);
      if (calls.length > 0 && states > MOST_STATES) break;
      const books = model.possible[0]!;
      const possible = begun(one, world, books);
      const operation = OPERATIONS[possible.op] as Operation<Wish['op']>;
      calls.push(await operation(world, books, possible));
      ops.push(possible.op);
    }
    const sent = this.copies > 1 ? `${this.copies} copies of ` : '';
    const line = calls.map(({ text }) => `${sent}${text}`);
    model.transcript.push(line.join('\n  | '));
    const answers = await Promise.all(
      calls.map(async ({ send, text }) => {
        const same = await Promise.all(Array.from({ length: this.copies }, send));
        const texts = new Set(same.map((answer) => `${answer.status} ${answer.text}`));
        if (texts.size > 1) {
          throw new Disagreement(`${text} had several answers: ${[...texts].join('; ')}`);
        }
        return same[0]!;
      }),
    );
    model.transcript.pop();
    const answered = line.map((text, index) => `${text} -> ${codeOf(answers[index]!)}`);
    model.transcript.push(answered.join('\n  | '));
    model.possible = judgeAtOnce(model.possible, calls, answers);
    ops.forEach((op, index) => {
      const outcome = `${op} ${codeOf(answers[index]!)}`;
      model.outcomes.set(outcome, (model.outcomes.get(outcome) ?? 0) + 1);
    });
    model.steps += 1;
    model.calls += calls.length * this.copies;
  }

  toString(): string {
    return `${this.copies} x ${JSON.stringify(this.wishes)}`;
  }
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

/** Without a key a request sent twice is two. */
function hasKey(one: Wish): boolean {
  if (('keyed' in one && !one.keyed) || ('byJob' in one && one.byJob)) return false;
  return !['reject', 'link', 'bad', 'again', 'tamper', 'claim'].includes(one.op);
}

/** Steps of all kinds of wishes, or only of these; seven of eleven are one call. */
export function stepsOf(
  ops?: readonly Wish['op'][],
): fc.Arbitrary<fc.AsyncCommand<Model, World>>[] {
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
  /** One request, sent several times at once with one key. */
  const copied = fc
    .record({ wish: wish.filter(hasKey), times })
    .map((one) => new Step([one.wish], one.times));
  return [...Array.from({ length: 7 }, () => single), twice, spread, mixed, copied];
}

function withPick(wish: Wish, pick: number): Wish {
  return 'pick' in wish ? { ...wish, pick } : wish;
}

function beside(wish: Wish, distance: number): Wish {
  return 'pick' in wish ? { ...wish, pick: (wish.pick + distance) % FOREIGN } : wish;
}
