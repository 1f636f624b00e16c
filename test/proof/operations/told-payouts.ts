import fc from 'fast-check';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { Books } from '../books.js';
import { assertFields, assertOutcome, type Call, refused } from '../judge.js';
import { chosen } from '../picks.js';
import { SANDBOX } from '../provider.js';
import type { PayoutWord } from '../voices/voice.js';
import type { Delivery, World } from '../world.js';
import { deliveryOf, paidByProvider } from './gateway.js';
import { type FieldsOf, operation, pick, wishOf } from './operation.js';
import {
  isOfOurs,
  isWhole,
  mayBeOfOne,
  payoutIds,
  record,
  take,
  type ToldPayout,
} from './payout-books.js';
import { FEE_OF_LINE, isOf } from './payouts.js';

const TOLD = {
  pick,
  /** Other payments in it, beside that. */
  others: fc.array(pick, { maxLength: 2 }),
  hasRefunds: fc.boolean(),
  /** A price that it tells as a line, and one of the payout itself. */
  price: fc.constantFrom(0, 25),
  fee: fc.constantFrom(0, 9),
  status: fc.constantFrom('paid' as const, 'paid' as const, 'failed' as const),
  /** One that was told before, by an event of its own. */
  again: fc.option(pick, { freq: 2 }),
  odd: fc.constantFrom(
    null,
    null,
    null,
    null,
    'early' as const,
    'early' as const,
    'unknown' as const,
    'dispute' as const,
    'short' as const,
    'silent' as const,
    'refunds' as const,
  ),
};
const PICKED = { pick };

type Line = NonNullable<PayoutWord['lines']>[number];

/** The provider tells that money is on its way to the bank, or came back from there. */
function tell(world: World, books: Books, wish: FieldsOf<typeof TOLD>): Call {
  const known = wish.again === null ? undefined : chosen(world.payouts, wish.again);
  const payout = known ?? compose(world, books, wish);
  const { gateway } = payout;
  // Another amount than before, if it was told before.
  const amount = payout.word.amount + (known && wish.odd === 'short' ? 1 : 0);
  const word = { ...payout.word, amount };
  const voice = world.voiceOf(gateway);
  const at = world.service.clock.now().getTime();
  const spoken = voice.payout!(word, wish.status, at);
  return {
    text: `${gateway}: payout ${wish.status} ${JSON.stringify(word)}`,
    send: async () => {
      if (!known && !world.payouts.includes(payout)) world.payouts.push(payout);
      // Nobody has heard it for good: the same event books the payout once all in it is known.
      const answer = await world.hears(gateway, spoken);
      return { ...answer, body: { ...answer.body, id: await idOf(world, payout) } };
    },
    judge: (after, answer) => {
      refused(answer, []);
      const of = { gateway, word, id: String(answer.body['id']) };
      const isBooked = take(world, after, of, wish.status);
      assertOutcome(answer.body, isBooked ? 'ok' : 'ignored');
      // Several words about one payout are one item, and what is done stays done.
      if (!isBooked) after.payoutItems[word.payout_id] ??= 'open';
      if (!isOfOurs(world, after, word) && mayBeOfOne(word)) {
        after.waiting.push({ gateway, word, status: wish.status, at });
      }
    },
  };
}

/** Of payments and refunds at one gateway, in one currency. */
function compose(world: World, books: Books, wish: FieldsOf<typeof TOLD>): World['payouts'][0] {
  const able = world.deliveries.filter(({ link }) => world.voiceOf(link.gateway).payout);
  const first = wish.odd === 'early' ? early(world, wish.pick) : chosen(able, wish.pick);
  const { link, paid } = first ?? early(world, wish.pick);
  const { gateway } = link;
  const { currency } = paid;
  const like = able.filter((one) => one.link.gateway === gateway && one.paid.currency === currency);
  const others = wish.others.flatMap((number) => chosen(like, number)?.paid ?? []);
  const payments = new Map([paid, ...others].map(({ id, amount }) => [id, amount]));
  const lines: Line[] = [...payments].map(([provider_id, amount]) => {
    return { kind: 'payment', amount, fee: FEE_OF_LINE, provider_id };
  });
  const refunds = wish.hasRefunds ? refundsAt(world, books, gateway, currency) : [];
  if (wish.odd === 'refunds' && refunds.length > 0) lines.length = 0;
  lines.push(...refunds);
  if (wish.price > 0) lines.push({ kind: 'fee', amount: -wish.price, fee: 0, provider_id: null });
  if (wish.odd === 'unknown') {
    lines.push({
      kind: 'payment',
      amount: 100,
      fee: 0,
      provider_id: `of-others-${world.nextLabel()}`,
    });
  }
  if (wish.odd === 'dispute') {
    lines.push({ kind: 'dispute', amount: -100, fee: 0, provider_id: null });
  }
  const sum = lines.reduce((all, { amount, fee }) => all + amount - fee, -wish.fee);
  const amount = wish.odd === 'short' || sum === 0 ? sum - 1 : sum;
  const word = {
    payout_id: `told-${uuidOf('acc', world.client.accountId)}-${world.nextLabel()}`,
    amount: amount === 0 ? 1 : amount,
    currency,
    fee: wish.fee,
    sent_on: world.service.clock.now().toISOString().slice(0, 10),
    lines: wish.odd === 'silent' ? null : lines,
  };
  return { gateway, word };
}

/** A payment that is told later, if at all. */
function early(world: World, number: number): Delivery {
  const able = world.links.filter(({ gateway }) => world.voiceOf(gateway).payout);
  const link = chosen(able, number % 11) ?? { ...world.links[0]!, gateway: SANDBOX };
  const { amount, currency } = link;
  const delivery = deliveryOf(world, link, amount, { currency, fee: 0 });
  if (able.length > 0) world.deliveries.push(delivery);
  return delivery;
}

/** Those that somebody made in the provider's dashboard. */
function refundsAt(world: World, books: Books, gateway: string, currency: string): Line[] {
  const made = world.made.filter((one) => one.gateway === gateway && one.currency === currency);
  return made
    .filter(({ id }) => books.refunds.some((one) => one.id === id))
    .slice(0, 2)
    .map(({ name, amount }) => ({ kind: 'refund', amount: -amount, fee: 0, provider_id: name }));
}

async function idOf(world: World, { word }: Omit<ToldPayout, 'id'>) {
  return (await payoutIds(world))[word.payout_id] ?? null;
}

/** Somebody records by hand what the provider tells, too. */
function recordTold(world: World, _books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const { gateway, word } = world.payouts[wish.pick % world.payouts.length]!;
  const { payout_id, lines, ...said } = word;
  const body = { ...said, gateway, provider_payout_id: payout_id, ...(lines && { lines }) };
  const request = world.request('payouts', body);
  return {
    ...request,
    judge: (after, answer) => {
      const all = after.payouts.filter(isOf(gateway, payout_id));
      const isThere = all.some((one) => one.status !== 'reversed');
      const differs = lines !== null && lines.length > 0 && !isWhole(word);
      const broken = [isThere && 'payout_exists', differs && 'payout_lines_differ'];
      if (refused(answer, broken)) return;
      const id = String(answer.body['id']);
      if (all.some((one) => one.id === id)) return;
      const payout = record(world, after, { gateway, word, id });
      assertFields(answer.body, { status: 'sent', booked_fee: payout.bookedFee });
    },
  };
}

/** It is several transactions; so that nothing comes in between, it is alone. */
const ALONE = 1000;

const telling = operation('tellPayout', {
  weight: 3,
  fields: TOLD,
  needs: (wish) => ({ of: ({ links }) => links, first: paidByProvider(wish) }),
  transactions: ALONE,
  call: tell,
});

function anyTold({ pick: number }: { pick: number }) {
  const rest = { others: [], hasRefunds: false, again: null, odd: null };
  return wishOf(telling, { pick: number, status: 'paid', price: 0, fee: 0, ...rest });
}

export const TOLD_PAYOUT_OPERATIONS = [
  telling,
  operation('recordTold', {
    weight: 1,
    fields: PICKED,
    needs: (wish) => ({ of: ({ payouts }) => payouts, first: anyTold(wish) }),
    call: recordTold,
  }),
];
