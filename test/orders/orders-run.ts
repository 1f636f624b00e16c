import { parseArgs } from 'node:util';
import { startWithAllProviders } from '../proof/voices/all-voices.js';
import { assertIntegrity } from '../proof/run.js';
import { shareTestServer } from '../support/database-server.js';
import { allOrders, allSets, hunt, someOrders, wordsOf } from './hunt.js';

// npm run orders -- --provider stripe --sizes 3
// npm run orders -- --orders 500 --seed 7
// npm run orders -- --facts paid,lost,won
// npm run orders -- --sizes 4 --provider sandbox --from 8000

const { values } = parseArgs({
  options: {
    provider: { type: 'string' },
    sizes: { type: 'string', default: '3,4,5' },
    orders: { type: 'string' },
    five: { type: 'string', default: '8000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    facts: { type: 'string' },
    from: { type: 'string', default: '0' },
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
  const all =
    bound === undefined ? allOrders(sets) : someOrders(sets, Number(bound), Number(values.seed));
  const from = Number(values.from);
  const orders = all.slice(from);
  const startedMs = performance.now();
  // A walk of hours tells what it finds at once: it may be ended before its end.
  const wrong = await hunt(service, voices, orders, {
    onPlayed(played) {
      if (played % 2000 === 0) console.log(`${from + played} of ${all.length}`);
    },
    onWrong: ({ order, what }) => console.log(`${wordsOf(order)}\n  ${what}`),
  });
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  console.log(`${size} facts: ${orders.length} orders of ${sets.length} sets, ${minutes} min`);
  console.log(`  ${wrong.length} end otherwise than their facts`);
  for (const provider of providers) {
    const own = wrong.filter(({ order }) => order.provider === provider);
    if (own.length > 0) console.log(`  ${own.length} at ${provider}`);
  }
  if (wrong.length > 0) process.exitCode = 1;
}
