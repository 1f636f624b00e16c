import fc from 'fast-check';
import type { Books } from '../books.js';
import { assertOutcome, type Call, refused } from '../judge.js';
import { chosen } from '../picks.js';
import { takeBackWhole } from '../taken-back.js';
import type { Failing, Spoken, Voice } from '../voices/voice.js';
import type { Delivery, World } from '../world.js';
import { anyLink, deliveryOf, isKnown, timeAt } from './gateway.js';
import { type FieldsOf, operation, pick } from './operation.js';

const FAILURE = {
  pick,
  kind: fc.constantFrom('reversed' as const, 'reversed' as const, 'failed' as const),
  /** By the provider's own times: of a try before the payment, or of the payment itself. */
  isLater: fc.integer({ min: 0, max: 3 }).map((number) => number > 0),
  /** Told before the payment is. */
  isEarly: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
  /** The same reversal by an event of its own, where one was told. */
  isAgain: fc.boolean(),
  /** By a name of its own, where not all have one. */
  isNamed: fc.boolean(),
};
const PROCESSING = { pick, isOld: fc.boolean() };
const MINUTE = 60_000;

/** A provider says that money did not come, or takes it back. */
function fail(world: World, books: Books, wish: FieldsOf<typeof FAILURE>): Call {
  const { isLater, isEarly } = wish;
  const known = [...world.deliveries, ...(wish.pick % 4 === 0 ? world.strays : [])];
  const stays = known.filter((one) => isKnown(books, one.paid.id) && !isGone(books, one));
  const delivery = isEarly
    ? undelivered(world, wish.pick)
    : chosen(wish.pick % 4 < 3 && stays.length > 0 ? stays : known, wish.pick);
  const { link, paid } = delivery ?? undelivered(world, 0);
  const way = wayOf(world.voiceOf(link.gateway), wish.kind);
  const { kind, failing, namesLink, told } = way;
  if (failing?.of === 'ofTry') return failTry(world, link, failing);
  const at = paid.at + (isLater ? MINUTE : -MINUTE);
  const counts = kind === 'reversed' || isLater;
  const names = 'names' in way ? way.names : undefined;
  const name = names ? world.reversalOf(paid.id, names, wish) : null;
  const amount = names?.saysAmount ? paid.amount : null;
  const what = `${paid.id} ${kind}${name === null ? '' : ` as ${name}`}`;
  return {
    ...telling(world, link, what, told({ ...paid, link: link.id }, at, name)),
    judge: (after, answer) => {
      refused(answer, []);
      const hasCome = isKnown(after, paid.id);
      assertOutcome(answer.body, hasCome && counts ? 'ok' : 'ignored');
      if (hasCome) {
        if (counts) takeBackWhole(after, paid, link.id, { at, kind, name, amount });
        return;
      }
      after.failures.push({ id: paid.id, counts, at, kind, name, amount });
      if (namesLink) failPage(after, link.id, at, failing?.isFinal ?? true);
    },
  };
}

/** As it is wished, or as this provider can say it. */
function wayOf({ failed, reversed }: Voice, wished: 'reversed' | 'failed') {
  if (reversed && (wished === 'reversed' || !failed)) {
    return { kind: 'reversed' as const, failing: undefined, ...reversed };
  }
  return { kind: 'failed' as const, failing: failed, namesLink: true, told: failed!.told };
}

/** A try of the payer that fails, and is never paid: it takes nothing back. */
function failTry(world: World, link: Delivery['link'], { told, ...of }: Failing): Call {
  const { amount, currency, gateway } = link;
  const charge = { id: world.voiceOf(gateway).paymentId(), link: link.id, amount, currency };
  const at = timeAt(world, gateway);
  return {
    ...telling(world, link, `${charge.id} failed`, told(charge, at)),
    judge: (after, answer) => {
      refused(answer, []);
      assertOutcome(answer.body, 'ignored');
      failPage(after, link.id, at, of.isFinal);
    },
  };
}

/** That the page of a canceled link failed is no news. A try that is not the last leaves it open, and is known. */
function failPage(books: Books, link: string, at: number, isFinal: boolean): void {
  const of = books.links[link];
  if (!of || ['paid', 'unmatched', 'failed'].includes(of.status) || of.processingAt > at) return;
  const isEnd = of.status !== 'canceled' && (isFinal || of.status === 'processing');
  if (isEnd) Object.assign(of, { status: 'failed', failedAt: at });
  else of.failedAt = Math.max(of.failedAt, at);
}

function isGone({ receipts, payments }: Books, { paid }: Delivery): boolean {
  return (
    receipts.some((one) => one.id === paid.id && one.gone > 0) ||
    payments.some((one) => one.provider === paid.id && one.gone > 0)
  );
}

/** A payment that its provider will tell of later, if at all. */
function undelivered(world: World, at: number): Delivery {
  const link = world.links[at % world.links.length]!;
  const delivery = deliveryOf(world, link, link.amount, { currency: link.currency, fee: 0 });
  world.deliveries.push(delivery);
  return delivery;
}

/** Money is on its way: nothing has moved yet, and another link asks first. */
function processing(world: World, _books: Books, wish: FieldsOf<typeof PROCESSING>): Call {
  const link = world.links[wish.pick % world.links.length]!;
  const at = timeAt(world, link.gateway) - (wish.isOld ? 10 * MINUTE : 0);
  const voice = world.voiceOf(link.gateway);
  const charge = { ...link, id: voice.paymentId(), link: link.id };
  return {
    ...telling(world, link, `${charge.id} processing`, voice.processing(charge, at)),
    judge: (after, answer) => {
      refused(answer, []);
      assertOutcome(answer.body, 'ignored');
      const of = after.links[link.id]!;
      if (of.paidAt >= at || of.failedAt >= at) return;
      if (['paid', 'processing', 'unmatched'].includes(of.status)) return;
      Object.assign(of, { status: 'processing', processingAt: at });
    },
  };
}

function telling(world: World, { id, gateway }: Delivery['link'], what: string, spoken: Spoken) {
  return {
    text: `${gateway}: ${what}, link ${id}`,
    send: async () => {
      const answer = await world.hears(gateway, spoken);
      world.heard.push({ gateway, spoken });
      return answer;
    },
  };
}

/** With spent credit it is several transactions; so that nothing comes in between, it is alone. */
const ALONE = 1000;

export const FAILURE_OPERATIONS = [
  operation('fail', {
    weight: 4,
    fields: FAILURE,
    needs: anyLink,
    transactions: ALONE,
    call: fail,
  }),
  operation('processing', { weight: 1, fields: PROCESSING, needs: anyLink, call: processing }),
];
