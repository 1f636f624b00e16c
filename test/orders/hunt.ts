import { isDeepStrictEqual } from 'node:util';
import { permutations } from '../e2e/payments/dispute-calls.js';
import { Chance } from '../../src/testing/chance.js';
import { Provider } from '../proof/provider.js';
import type { Voice } from '../proof/voices/voice.js';
import type { TestService } from '../support/service.js';
import {
  ABOVE,
  type Amounts,
  canCome,
  type Fact,
  FACTS,
  isLegal,
  OF_DISPUTES,
  PARTS,
  WHOLE,
} from './facts.js';
import { Lane, type Order } from './play.js';

type Voices = ReadonlyMap<string, Voice>;

/** An order that ended otherwise than the same facts should. */
export interface Difference {
  order: Order;
  what: string;
}

interface Heard {
  onPlayed(played: number): void;
  onWrong(difference: Difference): void;
}

const LANES = 4;

/** Facts that can all have happened to one payment. */
type FactSet = Pick<Order, 'provider' | 'amounts'> & { facts: readonly Fact[] };

/** All legal sets of so many facts. */
export function allSets(voices: Voices, providers: readonly string[], size: number): FactSet[] {
  return providers.flatMap((provider) => {
    const voice = voices.get(provider);
    if (!voice) throw new Error(`there is no ${provider}`);
    return setsOf(FACTS, size)
      .filter((facts) => isLegal(facts, provider, voice))
      .flatMap((facts) => amountsOf(facts, voice).map((amounts) => ({ provider, amounts, facts })));
  });
}

/** All their orders, each also with one fact doubled. */
export function allOrders(sets: readonly FactSet[]): Order[] {
  return sets.flatMap(({ facts, ...of }) =>
    permutations(facts)
      .filter(canCome)
      .flatMap((told, index) => [
        { ...of, told, doubled: null },
        { ...of, told, doubled: told[index % told.length] ?? null },
      ]),
  );
}

/** So many orders by the seed, of any set. */
export function someOrders(sets: readonly FactSet[], count: number, seed: number): Order[] {
  const chance = new Chance(seed);
  return Array.from({ length: sets.length === 0 ? 0 : count }, () => {
    const { facts, ...of } = chance.of(sets);
    const told = chance.of(permutations(facts).filter(canCome));
    return { ...of, told, doubled: chance.isIn(50) ? chance.of(told) : null };
  });
}

/** Plays them all; a payment that ends wrongly keeps no other from its turn. */
export async function hunt(
  service: TestService,
  voices: Voices,
  orders: readonly Order[],
  { onPlayed = () => {}, onWrong = () => {} }: Partial<Heard> = {},
): Promise<Difference[]> {
  const wrong: Difference[] = [];
  // Providers give back what they are asked for, at once.
  void new Provider(service, voices);
  let next = 0;
  const lanes = Array.from({ length: LANES }, async () => {
    const lane = new Lane(service, voices);
    for (;;) {
      const order = orders[next];
      if (!order) return;
      next += 1;
      const what = await differenceOf(lane, order);
      if (what !== null) {
        wrong.push({ order, what });
        onWrong({ order, what });
      }
      onPlayed(next);
    }
  });
  await Promise.all(lanes);
  return wrong;
}

export function wordsOf({ provider, amounts, told, doubled }: Order): string {
  const again = doubled === null ? '' : ` > ${doubled} again`;
  return `${provider}, dispute over ${amounts.dispute}: ${told.join(' > ')}${again}`;
}

async function differenceOf(lane: Lane, order: Order): Promise<string | null> {
  try {
    const endings = await lane.play(order);
    if (endings === null) return null;
    const [ended, expected] = endings;
    if (isDeepStrictEqual(ended, expected)) return null;
    return `ended ${JSON.stringify(ended)}\n  instead of ${JSON.stringify(expected)}`;
  } catch (error) {
    return String(error);
  }
}

function setsOf(facts: readonly Fact[], size: number): Fact[][] {
  if (size === 0) return [[]];
  return facts.flatMap((fact, index) =>
    setsOf(facts.slice(index + 1), size - 1).map((rest) => [fact, ...rest]),
  );
}

/** Disputes over a part, over all, and over more: as far as the facts tell them apart. */
function amountsOf(facts: readonly Fact[], { dispute }: Voice): Amounts[] {
  const isDisputed = facts.some((fact) => OF_DISPUTES.has(fact));
  if (!isDisputed) return [PARTS];
  if (dispute.isWhole) return [WHOLE];
  return facts.some((fact) => fact.startsWith('second_') && OF_DISPUTES.has(fact))
    ? [PARTS]
    : [PARTS, WHOLE, ABOVE];
}
