import { isDeepStrictEqual, parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { prepareDemo } from '../../../src/demo/demo-account.js';
import { shareTestServer } from '../../../test/support/database-server.js';
import { startTestService } from '../../../test/support/service.js';
import { hasJava, judgeTypes, Python, takeTour } from './judge.js';
import { makePythonClient } from './package.js';

// npm run sdk:python              the Python client, in sdk/python/dist
// npm run sdk:python -- --tour    then mypy judges it, and it takes the tour of the README

const { values } = parseArgs({ options: { tour: { type: 'boolean', default: false } } });
const folder = fileURLToPath(new URL('../dist', import.meta.url));

/** The tour's own facts; the sum of its balances is zero. */
const EXPECTED = {
  paid: 25_000,
  due: 96_043,
  status: 'partially_paid',
  once: true,
  refused: '422 amount_exceeds_due',
  rejected: true,
  pdf: '%PDF-',
  own: {
    customer: true,
    accepted: true,
    quote: 'converted',
    converted: 'invoice',
    total: 25_436,
    amount_due: 0,
    invoice: 'paid',
    pdf: '%PDF-',
  },
  balances: 0,
  differences: 0,
};

if (await hasJava()) {
  const { models, calls } = await makePythonClient(folder);
  console.log(`${folder}: ${models} models, ${calls} calls`);
  if (values.tour) await judge();
} else {
  console.log('skipped: no java, which the generator runs on');
  // A check is left out, but a client that is wanted is missing.
  if (!values.tour) process.exitCode = 1;
}

async function judge(): Promise<void> {
  const { program, hasMypy, missing } = await Python.found();
  for (const reason of missing) console.log(`skipped: ${reason}`);
  if (!program) return;
  if (hasMypy && !(await judgeTypes(program, folder, console.log))) process.exitCode = 1;
  await tour(program);
}

async function tour(python: string): Promise<void> {
  const server = await shareTestServer();
  const service = await startTestService();
  try {
    const running = { app: service.app, url: service.url, stop: async () => undefined };
    const dataDir = join(folder, 'demo');
    const demo = await prepareDemo(running, { ...service.config, dataDir });
    const told = await takeTour(python, folder, demo);
    console.log(`${python} tour.py ${JSON.stringify(told)}`);
    if (isDeepStrictEqual(told, EXPECTED)) console.log('the tour is as expected');
    else process.exitCode = 1;
  } finally {
    await service.close();
    await server.stop();
  }
}
