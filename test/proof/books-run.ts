import { parseArgs } from 'node:util';
import { shareTestServer } from '../support/database-server.js';
import { prove, STEPS_PER_RUN } from './run.js';
import { startWithAllProviders } from './voices/all-voices.js';

// npm run test:books -- --runs 20000 --seed 7
// npm run test:books -- --runs 1000 --integrity                    checks all books after each run
// npm run test:books -- --seed 7 --path 12:3:0 --replay AAB:F      one failing run again

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    steps: { type: 'string', default: String(STEPS_PER_RUN) },
    path: { type: 'string' },
    replay: { type: 'string' },
    ops: { type: 'string' },
    integrity: { type: 'boolean', default: false },
  },
});
const wanted = values.runs ?? (values.path === undefined ? '20000' : '1');
const [runs, seed, steps] = [wanted, values.seed, values.steps].map((text) => {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`not a whole number: ${text}`);
  return Number(text);
}) as [number, number, number];

const server = await shareTestServer();
const { service, voices, close } = await startWithAllProviders();
try {
  console.log(`${runs} runs of ${steps} steps, seed ${seed}`);
  const startedMs = performance.now();
  const proof = await prove(service, {
    runs,
    seed,
    voices,
    steps,
    integrity: values.integrity,
    ...(values.ops !== undefined && { ops: values.ops.split(',') }),
    ...(values.path !== undefined && { path: values.path }),
    ...(values.replay !== undefined && { replayPath: values.replay }),
    onProgress: (done) => console.log(`${done} runs agree so far`),
  });
  if (proof.failure !== null) {
    console.error(proof.failure);
    process.exitCode = 1;
  } else {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const { runs: made, steps: taken, calls } = proof;
    console.log(`proved: ${made} runs, ${taken} steps, ${calls} calls, seed ${seed}, ${seconds} s`);
  }
  const [stats] = await service.database.query<{ deadlocks: bigint }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  console.log(`${stats?.deadlocks} deadlocks, which the service tried again`);
  for (const [outcome, count] of [...proof.outcomes].sort()) {
    console.log(`${outcome.padEnd(50)} ${String(count).padStart(9)}`);
  }
} finally {
  await close();
  await server.stop();
}
