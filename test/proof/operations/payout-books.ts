import type { Answer } from '../../support/http.js';
import { type Books, post } from '../books.js';
import type { PayoutWord } from '../voices/voice.js';
import type { World } from '../world.js';
import { failed, FEE_OF_LINE, isOf, send, taken, unbookedFees } from './payouts.js';

export interface ToldPayout {
  gateway: string;
  word: PayoutWord;
  /** Ours, if it is recorded. */
  id: string;
}

/** @returns whether it is in the books as it was told; any other is for a person */
export function take(
  world: World,
  books: Books,
  { gateway, word, id }: ToldPayout,
  status: 'paid' | 'failed',
): boolean {
  const all = books.payouts.filter(isOf(gateway, word.payout_id));
  const before = all.find((one) => one.status !== 'reversed');
  if (!isOfOurs(world, books, word)) return false;
  // A person recorded it, and says that it never was.
  if (!before && all.length > 0) return false;
  if (before && (before.amount !== word.amount || before.fee !== word.fee)) return false;
  if (!before && !isWhole(word)) return false;
  const payout = before ?? record(world, books, { gateway, word, id });
  if (status === 'paid' || payout.status === 'failed') return true;
  if (payout.status === 'paid') return false;
  failed(books, payout);
  return true;
}

/** Several accounts share each gateway: all in it has to be ours, but for prices. */
export function isOfOurs(world: World, books: Books, { lines }: PayoutWord): boolean {
  const payments = taken(books);
  const refunds = world.made.filter(({ id }) => books.refunds.some((one) => one.id === id));
  const ours = new Set([
    ...payments.map((id) => `payment ${id}`),
    ...refunds.map(({ name }) => `refund ${name}`),
  ]);
  const told = (lines ?? []).filter(({ kind }) => kind !== 'fee');
  return told.length > 0 && told.every((one) => ours.has(`${one.kind} ${one.provider_id}`));
}

/** Of whom a dispute is, nobody tells. */
export const mayBeOfOne = ({ lines }: PayoutWord): boolean => {
  const named = (lines ?? []).filter(({ kind }) => kind !== 'fee');
  return named.length > 0 && named.every(({ kind }) => kind === 'payment' || kind === 'refund');
};

/**
 * A payment is told that payouts named before: those that waited for it are booked as they were told,
 * and its fee by one that is recorded already.
 * @param ids of our payouts, by the provider's
 */
export function goOn(
  world: World,
  books: Books,
  payment: string,
  ids: Readonly<Record<string, string>>,
): void {
  const isNamed = ({ word }: Books['waiting'][number]) =>
    (word.lines ?? []).some((one) => one.kind === 'payment' && one.provider_id === payment);
  if (!taken(books).includes(payment)) return;
  const told = books.waiting.filter(isNamed);
  const inOrder = told.toSorted(
    (a, b) => a.at - b.at || Number(a.status === 'failed') - Number(b.status === 'failed'),
  );
  for (const { gateway, word, status } of inOrder) {
    take(world, books, { gateway, word, id: ids[word.payout_id] ?? '' }, status);
  }
  for (const payout of books.payouts) {
    if (payout.status === 'reversed' || !payout.waits.includes(payment)) continue;
    payout.waits = payout.waits.filter((one) => one !== payment);
    if (unbookedFees(world, books, [payment]).length === 0) continue;
    payout.feesOf.push(payment);
    payout.bookedFee += FEE_OF_LINE;
    post(books, payout.currency, 'gateway_fees', 'gateway_clearing', FEE_OF_LINE);
  }
}

/** An answer with the payouts that are there then: what is booked with it is named nowhere else. */
export async function withPayouts(world: World, answer: Answer): Promise<Answer> {
  if (world.payouts.length === 0) return answer;
  return { ...answer, body: { ...answer.body, payouts: await payoutIds(world) } };
}

export const toldIn = (body: Answer['body']): Record<string, string> =>
  (body['payouts'] ?? {}) as Record<string, string>;

/** Our ids of payouts, by the provider's: the newest of each. */
export async function payoutIds({ client }: World): Promise<Record<string, string>> {
  const path = '/v1/finance/payouts?limit=100';
  const { body } = await client.get<{ data: { id: string; provider_payout_id: string }[] }>(path);
  return Object.fromEntries(body.data.toReversed().map((one) => [one.provider_payout_id, one.id]));
}

export const isWhole = ({ amount, fee, lines }: PayoutWord): boolean =>
  (lines ?? []).reduce((sum, line) => sum + line.amount - line.fee, -fee) === amount;

export function record(world: World, books: Books, { gateway, word, id }: ToldPayout) {
  const { payout_id: provider, amount, currency, fee, lines } = word;
  const named = (lines ?? []).filter((one) => one.kind === 'payment');
  const feesOf = unbookedFees(
    world,
    books,
    named.flatMap((one) => (one.fee > 0 ? (one.provider_id ?? []) : [])),
  );
  const prices = (lines ?? []).filter((one) => one.kind === 'fee');
  const priced = prices.reduce((sum, one) => sum - one.amount, 0);
  const bookedFee = fee + priced + feesOf.length * FEE_OF_LINE;
  const ours = taken(books);
  const waits = named.flatMap((one) =>
    one.fee > 0 && one.provider_id !== null && !ours.includes(one.provider_id)
      ? [one.provider_id]
      : [],
  );
  const fees = { fee, bookedFee, feesOf, waits };
  const sentOn = word.sent_on;
  return send(books, { id, gateway, provider, amount, currency, sentOn, ...fees });
}
