import fc from 'fast-check';
import { CURRENCIES } from './books.js';
import type { Mood } from './provider.js';

/*
 * The wish of a step, in numbers that mean something only once the books are known: the `document`
 * 5 of three is the third one. So a sequence stays meaningful when steps are left out.
 */

export const FOREIGN = 11;
export const pick = fc.nat({ max: FOREIGN });
/** In quarters of what there is: below, exactly, above. */
const quarters = fc.integer({ min: 1, max: 6 });
/** Mostly of one currency, so that documents have to do with each other. */
const currency = fc.constantFrom(CURRENCIES[0], CURRENCIES[0], ...CURRENCIES);
const keyed = fc.integer({ min: 0, max: 3 }).map((number) => number > 0);

const line = fc.record({
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
    { weight: 1, arbitrary: fc.constant(0) },
  ),
  rate: fc.constantFrom(0, 7, 19),
});

const op = <Name extends string, Fields extends object>(
  name: Name,
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
): fc.Arbitrary<{ op: Name } & Fields> =>
  fc.record<Fields>(fields).map((made) => ({ op: name, ...made }));

const invoice = op('invoice', {
  customer: fc.nat({ max: 1 }),
  currency,
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  coin: fc.constantFrom(null, null, 5),
});
const pay = op('pay', {
  pick,
  quarters,
  from: fc.constantFrom('hand' as const, 'hand' as const, 'credit' as const),
  over: fc.constantFrom('reject' as const, 'credit' as const),
  currency: fc.constantFrom('own' as const, 'own' as const, 'own' as const, 'other' as const),
  /** Days ago: in months that may be closed. */
  daysAgo: fc.constantFrom(0, 0, 40, 70),
  keyed,
});
const receipt = op('receipt', {
  pick,
  others: fc.array(pick, { maxLength: 2 }),
  quarters,
  how: fc.constantFrom(
    'shares' as const,
    'shares' as const,
    'amounts' as const,
    'oldest_first' as const,
    'none' as const,
  ),
  from: fc.constantFrom('hand' as const, 'hand' as const, 'hand' as const, 'credit' as const),
});
const move = op('move', {
  pick,
  from: fc.nat({ max: 3 }),
  to: pick,
  toCredit: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
  quarters: fc.integer({ min: 0, max: 5 }),
});
const reverse = op('reverse', { pick });
/** Of a provider that is asked to give money back; mostly it does. */
const mood = fc.constantFrom<Mood>('done', 'done', 'done', 'no', 'pending', 'lost', 'deaf');
const refund = op('refund', {
  pick,
  from: fc.option(fc.nat({ max: 3 }), { freq: 2 }),
  quarters: fc.integer({ min: 0, max: 5 }),
  method: fc.constantFrom(
    'default' as const,
    'default' as const,
    'hand' as const,
    'dashboard' as const,
    'gateway' as const,
  ),
  mood,
});
const assign = op('assign', { pick, to: pick, toCustomer: fc.boolean() });
const refundReceipt = op('refundReceipt', {
  pick,
  quarters: fc.integer({ min: 0, max: 5 }),
  byHand: fc.boolean(),
  mood,
});
const lookUp = op('lookUp', {
  pick,
  mood: fc.constantFrom<Mood>('done', 'done', 'no', 'no', 'deaf'),
  byJob: fc.boolean(),
});
const tell = op('tell', {
  pick,
  mood: fc.constantFrom<Mood>('done', 'done', 'no'),
  isOurs: fc.constantFrom(true, true, true, false),
  bounces: fc.boolean(),
});
const reverseRefund = op('reverseRefund', { pick });
const tolerance = op('tolerance', { currency, amount: fc.integer({ min: 0, max: 3000 }) });
const creditNote = op('creditNote', { pick, quarters: fc.integer({ min: 0, max: 5 }) });
const voidInvoice = op('voidInvoice', { pick });
const voidCreditNote = op('voidCreditNote', { pick });
const writeOff = op('writeOff', { pick });
const reverseWriteOff = op('reverseWriteOff', { pick });
/** One of the last months, which have ended. */
const period = op('period', { pick: fc.nat({ max: 2 }), closes: fc.boolean() });
const reject = op('reject', { pick });
const link = op('link', { pick, quarters });
const deliver = op('deliver', {
  pick,
  quarters: fc.constantFrom(4, 4, 2, 6),
  currency: fc.constantFrom('own' as const, 'own' as const, 'other' as const),
});
const redeliver = op('redeliver', { pick });
const unknownLink = op('unknownLink', { amount: fc.integer({ min: 1, max: 9999 }) });
const claim = op('claim', { pick });
const entry = fc.record({
  kind: fc.constantFrom(
    'reference' as const,
    'reference' as const,
    'numbers' as const,
    'numbers' as const,
    'amount' as const,
    'debit' as const,
    'reversal' as const,
  ),
  pick,
  and: fc.option(pick, { freq: 2 }),
  quarters,
});
const statement = op('statement', {
  entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
  csv: fc.boolean(),
  again: fc.constantFrom('no' as const, 'no' as const, 'same' as const, 'longer' as const),
});
const confirm = op('confirm', {
  pick,
  to: pick,
  how: fc.constantFrom('document' as const, 'customer' as const, 'shares' as const),
  others: fc.array(pick, { maxLength: 2 }),
});
const ignore = op('ignore', { pick });
const post = op('post', { pick, account: pick, undo: fc.boolean() });
const namePayment = op('namePayment', { pick, of: pick });
const again = op('again', { pick });
const bad = op('bad', { pick, kind: fc.nat({ max: 999 }) });

const tamper = op('tamper', { pick, kind: fc.nat({ max: 99 }) });

const WEIGHTED = [
  { op: 'invoice' as const, weight: 6, arbitrary: invoice },
  { op: 'pay' as const, weight: 10, arbitrary: pay },
  { op: 'receipt' as const, weight: 4, arbitrary: receipt },
  { op: 'move' as const, weight: 5, arbitrary: move },
  { op: 'reverse' as const, weight: 3, arbitrary: reverse },
  { op: 'refund' as const, weight: 6, arbitrary: refund },
  { op: 'assign' as const, weight: 2, arbitrary: assign },
  { op: 'refundReceipt' as const, weight: 2, arbitrary: refundReceipt },
  { op: 'lookUp' as const, weight: 4, arbitrary: lookUp },
  { op: 'tell' as const, weight: 2, arbitrary: tell },
  { op: 'reverseRefund' as const, weight: 2, arbitrary: reverseRefund },
  { op: 'tolerance' as const, weight: 1, arbitrary: tolerance },
  { op: 'creditNote' as const, weight: 3, arbitrary: creditNote },
  { op: 'voidInvoice' as const, weight: 2, arbitrary: voidInvoice },
  { op: 'voidCreditNote' as const, weight: 3, arbitrary: voidCreditNote },
  { op: 'writeOff' as const, weight: 1, arbitrary: writeOff },
  { op: 'reverseWriteOff' as const, weight: 1, arbitrary: reverseWriteOff },
  { op: 'period' as const, weight: 1, arbitrary: period },
  { op: 'reject' as const, weight: 1, arbitrary: reject },
  { op: 'link' as const, weight: 2, arbitrary: link },
  { op: 'deliver' as const, weight: 3, arbitrary: deliver },
  { op: 'redeliver' as const, weight: 1, arbitrary: redeliver },
  { op: 'unknownLink' as const, weight: 1, arbitrary: unknownLink },
  { op: 'statement' as const, weight: 2, arbitrary: statement },
  { op: 'confirm' as const, weight: 2, arbitrary: confirm },
  { op: 'ignore' as const, weight: 1, arbitrary: ignore },
  { op: 'post' as const, weight: 2, arbitrary: post },
  { op: 'namePayment' as const, weight: 2, arbitrary: namePayment },
  { op: 'claim' as const, weight: 1, arbitrary: claim },
  { op: 'again' as const, weight: 1, arbitrary: again },
  { op: 'bad' as const, weight: 2, arbitrary: bad },
  { op: 'tamper' as const, weight: 1, arbitrary: tamper },
];

const anyWish = fc.oneof(...WEIGHTED);

export type Wish = typeof anyWish extends fc.Arbitrary<infer One> ? One : never;
export type WishOf<Name extends Wish['op']> = Extract<Wish, { op: Name }>;

/** All that can be wished, or only these. */
export function wishes(ops?: readonly Wish['op'][]): fc.Arbitrary<Wish> {
  return ops ? fc.oneof(...WEIGHTED.filter(({ op: name }) => ops.includes(name))) : anyWish;
}
