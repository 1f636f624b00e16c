import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertIntegrity } from '../proof/run.js';
import { startWithAllProviders } from '../proof/voices/all-voices.js';
import { PATIENCE_MS } from '../support/patience.js';
import { RUN_SEED, tries } from '../support/share.js';
import { allSets, hunt, someOrders, wordsOf } from './hunt.js';

/** Of each size; `npm run orders` tries all of 3 and 4 facts. */
const ORDERS = tries({ pushed: 30, full: 2000 });
// An order takes 0.06 s alone, and was seen to take 1.7 s beside much other work.
const TIMEOUT_MS = PATIENCE_MS + ORDERS * 5_000;

let world: Awaited<ReturnType<typeof startWithAllProviders>>;

beforeAll(async () => {
  world = await startWithAllProviders({ isDeafToo: true });
});
afterAll(() => world.close());

it.each([3, 4, 5])(
  'a payment of %i facts ends as they say',
  { timeout: TIMEOUT_MS },
  async (size) => {
    const { service, voices } = world;
    const some = someOrders(allSets(voices, [...voices.keys()], size), ORDERS, RUN_SEED);
    const wrong = await hunt(service, voices, some);
    expect(wrong.map(({ order, what }) => `${wordsOf(order)}\n${what}`)).toEqual([]);
    await assertIntegrity(service, null);
  },
);
