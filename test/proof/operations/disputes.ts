import fc from 'fast-check';
import type { Books } from '../books.js';
import { dispute } from '../disputed.js';
import { assertOutcome, type Call, refused } from '../judge.js';
import { chosen, quartersOf } from '../picks.js';
import type { Delivery, World } from '../world.js';
import { isKnown, paidByProvider } from './gateway.js';
import { type FieldsOf, operation, pick } from './operation.js';

const DISPUTE = {
  pick,
  /** Mostly all of it; two on one payment, each with an amount of its own. */
  which: fc.constantFrom(0, 0, 0, 1),
  quarters: fc.constantFrom(4, 4, 2, 3, 5),
  status: fc.constantFrom(
    'open' as const,
    'open' as const,
    'lost' as const,
    'lost' as const,
    'won' as const,
    'inquiry' as const,
    'closed' as const,
  ),
  fee: fc.constantFrom(null, 0, 15),
  /** A word of before, that comes late. */
  isLate: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
};
const MINUTE = 60_000;
/** Between two words: all of a run are within the hour. */
const A_WHILE = 10_000;

function disputable({ deliveries }: World, books: Books): Delivery[] {
  return deliveries.filter(({ paid }) => isKnown(books, paid.id));
}

/** The payer disputes a payment, or the provider decides that. */
function tell(world: World, books: Books, wish: FieldsOf<typeof DISPUTE>): Call {
  const known = disputable(world, books);
  const { link, paid } = known[wish.pick % known.length] ?? chosen(world.deliveries, 0)!;
  const { dispute: voice } = world.voiceOf(link.gateway);
  const id = voice.id(paid.id, wish.which);
  const before = books.disputes.find((one) => one.id === id);
  // The first word says how much is disputed, and that stays.
  const amount = before?.amount ?? quartersOf(paid.amount, voice.isWhole ? 4 : wish.quarters);
  const { statuses } = voice;
  const isTold = (statuses as readonly string[]).includes(wish.status);
  const status = isTold ? wish.status : statuses[wish.pick % statuses.length]!;
  world.words += 1;
  const at = paid.at + (wish.isLate ? -MINUTE : world.words * A_WHILE);
  const charge = { ...paid, link: link.id };
  const say = () => voice.told(charge, id, { status, amount, fee: wish.fee, at });
  const { word, spoken } = voice.saysOnce ? world.saidOnce(`${id} ${status}`, say) : say();
  return {
    text: `${link.gateway}: dispute ${id} over ${amount} ${status}${wish.isLate ? ', late' : ''}`,
    send: async () => {
      const answer = await world.hears(link.gateway, spoken);
      world.heard.push({ gateway: link.gateway, spoken });
      return answer;
    },
    judge: (after, answer) => {
      refused(answer, []);
      assertOutcome(answer.body, 'ok');
      dispute(after, paid, link.id, { id, ...word });
    },
  };
}

/** With spent credit it is several transactions; so that nothing comes in between, it is alone. */
const ALONE = 1000;

export const DISPUTE_OPERATIONS = [
  operation('dispute', {
    weight: 5,
    fields: DISPUTE,
    needs: (wish) => ({ of: disputable, first: paidByProvider(wish) }),
    transactions: ALONE,
    call: tell,
  }),
];
