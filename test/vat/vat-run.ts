import { parseArgs } from 'node:util';
import { assertIntegrity } from '../proof/run.js';
import { shareTestServer } from '../support/database-server.js';
import { startTestService } from '../support/service.js';
import { hunt, wordsOf } from './hunt.js';

// npm run vat -- --sellers 200 --steps 60 --seed 7

const { values } = parseArgs({
  options: {
    sellers: { type: 'string', default: '500' },
    steps: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    lanes: { type: 'string', default: '4' },
    shown: { type: 'string', default: '10' },
  },
});

const server = await shareTestServer();
const service = await startTestService();
try {
  console.log(`seed ${values.seed}`);
  const startedMs = performance.now();
  const [sellers, steps, seed, lanes] = [
    Number(values.sellers),
    Number(values.steps),
    Number(values.seed),
    Number(values.lanes),
  ];
  const { wrong, done } = await hunt(service, { sellers, steps, seed, lanes }, (count) => {
    if (count % 100 === 0) console.log(`${count} of ${sellers}`);
  });
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  console.log(`${sellers} sellers of ${steps} steps, ${minutes} min`);
  for (const [name, count] of done) console.log(`  ${name}: ${count}`);
  console.log(`  ${wrong.length} have another tax by another way`);
  for (const one of wrong.slice(0, Number(values.shown))) console.log(wordsOf(one));
  if (wrong.length > 0) process.exitCode = 1;
  await assertIntegrity(service, null);
  console.log('the books agree');
} finally {
  await service.close();
  await server.stop();
}
