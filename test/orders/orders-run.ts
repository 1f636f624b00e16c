import { parseArgs } from 'node:util';
import { startWithAllProviders } from '../proof/voices/all-voices.js';
import { assertIntegrity } from '../proof/run.js';
import { shareTestServer } from '../support/database-server.js';
import { allOrders, allSets, type Difference, hunt, someOrders, wordsOf } from './hunt.js';

// npm run orders -- --provider stripe --sizes 3
// npm run orders -- --orders 500 --seed 7
// npm run orders -- --facts paid,lost,won

const { values } = parseArgs({
  options: {
    provider: { type: 'string' },
    sizes: { type: 'string', default: '3,4,5' },
    orders: { type: 'string' },
    five: { type: 'string', default: '8000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    facts: { type: 'string' },
    shown: { type: 'string', default: '10' },
  },
});
const SIZE_BY_SEED = 5;

const server = await shareTestServer();
const { service, voices, close } = await startWithAllProviders({ isDeafToo: true });
try {
  const providers = values.provider?.split(',') ?? [...voices.keys()];
  console.log(`seed ${values.seed}`);
  const named = values.facts?.split(',').sort().join();
  const sizes = named ? [named.split(',').length] : values.sizes.split(',').map(Number);
  for (const size of sizes) await huntOf(providers, size, named);
  await assertIntegrity(service, null);
  console.log('the books agree');
} finally {
  await close();
  await server.stop();
}

async function huntOf(
  providers: readonly string[],
  size: number,
  named: string | undefined,
): Promise<void> {
  const sets = allSets(voices, providers, size).filter(
    ({ facts }) => named === undefined || [...facts].sort().join() === named,
  );
  const bound = values.orders ?? (size < SIZE_BY_SEED ? undefined : values.five);
  const orders =
    bound === undefined ? allOrders(sets) : someOrders(sets, Number(bound), Number(values.seed));
  const startedMs = performance.now();
  const wrong = await hunt(service, voices, orders, (played) => {
    if (played % 2000 === 0) console.log(`${played} of ${orders.length}`);
  });
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  console.log(`${size} facts: ${orders.length} orders of ${sets.length} sets, ${minutes} min`);
  console.log(`  ${wrong.length} end otherwise than their facts`);
  for (const provider of providers) {
    const own = wrong.filter(({ order }) => order.provider === provider);
    if (own.length > 0) console.log(`  ${own.length} at ${provider}`);
  }
  show(wrong);
  if (wrong.length > 0) process.exitCode = 1;
}

/** The shortest first, one of each set of facts. */
function show(wrong: readonly Difference[]): void {
  const bySet = new Map<string, Difference>();
  for (const one of wrong) {
    const { provider, told, amounts } = one.order;
    const set = `${provider} ${amounts.dispute} ${[...told].sort().join(' ')}`;
    if (!bySet.has(set)) bySet.set(set, one);
  }
  console.log(`  ${bySet.size} sets`);
  for (const { order, what } of [...bySet.values()].slice(0, Number(values.shown))) {
    console.log(`${wordsOf(order)}\n  ${what}`);
  }
}
