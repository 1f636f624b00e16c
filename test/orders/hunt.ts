import { isDeepStrictEqual } from 'node:util';
import { permutations } from '../e2e/payments/dispute-calls.js';
import { Chance } from '../hostile/chance.js';
import { Provider } from '../proof/provider.js';
import type { Voice } from '../proof/voices/voice.js';
import type { TestService } from '../support/service.js';
import { ABOVE, type Amounts, canCome, type Fact, FACTS, isLegal, PARTS, WHOLE } from './facts.js';
import { Lane, type Order } from './play.js';

type Voices = ReadonlyMap<string, Voice>;

/** An order that ended otherwise than the same facts should. */
export interface Difference {
  order: Order;
  what: string;
}

const LANES = 4;

/** All orders of all legal sets of so many facts, each also with one fact doubled. */
export function allOrders(voices: Voices, providers: readonly string[], size: number): Order[] {
  return providers.flatMap((provider) => {
    const voice = voices.get(provider);
    if (!voice) throw new Error(`there is no ${provider}`);
    return setsOf(FACTS, size)
      .filter((facts) => isLegal(facts, provider, voice))
      .flatMap((facts) =>
        amountsOf(facts, voice).flatMap((amounts) =>
          permutations(facts)
            .filter(canCome)
            .flatMap((told, index) => [
              { provider, amounts, told, doubled: null },
              { provider, amounts, told, doubled: told[index % told.length] ?? null },
            ]),
        ),
      );
  });
}

/** So many of them, by the seed: a share that has something of each provider and set. */
export function someOf<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const chance = new Chance(seed);
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const at = chance.below(left.length);
    const [item] = left.splice(at, 1, left.at(-1)!);
    left.pop();
    return item!;
  });
}

/** Plays them all; a payment that ends wrongly keeps no other from its turn. */
export async function hunt(
  service: TestService,
  voices: Voices,
  orders: readonly Order[],
  onPlayed: (played: number) => void = () => {},
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
      if (what !== null) wrong.push({ order, what });
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
  const isDisputed = facts.some((fact) => DISPUTED.has(fact));
  if (!isDisputed) return [PARTS];
  if (dispute.isWhole) return [WHOLE];
  return facts.some((fact) => fact.startsWith('second_') && DISPUTED.has(fact))
    ? [PARTS]
    : [PARTS, WHOLE, ABOVE];
}

const DISPUTED: ReadonlySet<Fact> = new Set([
  'opened',
  'updated',
  'lost',
  'won',
  'reopened',
  'second_opened',
  'second_lost',
]);
