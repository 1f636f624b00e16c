import { parseArgs } from 'node:util';
import { shareTestServer } from '../support/database-server.js';
import { Load, WRITERS } from './load.js';
import { type Scenario, SCENARIOS, Skipped, type Stage } from './scenarios.js';

// npm run faults                                        every fault, some ten minutes
// npm run faults -- --only "full disk" --rounds 2

/** Between two faults, so that each meets a service that is at work. */
const PAYMENTS_BETWEEN = 50;

interface Outcome {
  isGood: boolean;
  row: string[];
  notes: string[];
}

const HEAD = ['fault', 'rounds', 'acknowledged', 'repeated', 'lost', 'doubled', '503', '500'];
const WIDTHS = [30, 7, 13, 9, 5, 8, 6, 5, 12, 12];

const { values } = parseArgs({
  options: { only: { type: 'string' }, rounds: { type: 'string' } },
});
const wanted = SCENARIOS.filter(({ name }) => !values.only || name.includes(values.only));
if (wanted.length === 0) {
  throw new Error(`--only: known are ${SCENARIOS.map(({ name }) => name).join(', ')}`);
}

const server = await shareTestServer();
try {
  print([...HEAD, 'median s', 'longest s']);
  for (const scenario of wanted) {
    const { isGood, row, notes } = await played(scenario);
    print(row);
    for (const note of notes) console.log(`  ${note}`);
    if (!isGood) process.exitCode = 1;
  }
  console.log(
    process.exitCode === 1
      ? 'a fault cost more than time: see above'
      : 'nothing lost, nothing doubled, no 500',
  );
} finally {
  await server.stop();
}

/** The fault made over and over under load, and what was left in the end. */
async function played(scenario: Scenario): Promise<Outcome> {
  const rounds = Number(values.rounds ?? scenario.rounds);
  let stage: Stage;
  try {
    stage = await scenario.stage();
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    return { isGood: true, row: [scenario.name, 'skipped'], notes: [error.message] };
  }
  try {
    const [first] = stage.services;
    const demo = await first!.demo();
    const load = await Load.begin(
      stage.services.map(({ url }) => url),
      demo,
    );
    const seconds = await wounded(stage, load, rounds);
    await load.end();
    for (const service of stage.services) await service.untilReady();
    return await judged(scenario.name, stage, load, seconds);
  } finally {
    await stage.close();
  }
}

/** Seconds of each round until every caller had a payment acknowledged again. */
async function wounded(stage: Stage, load: Load, rounds: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await load.untilMore(PAYMENTS_BETWEEN);
    await stage.wound();
    await stage.heal?.();
    const healedMs = performance.now();
    // More than can have been under way.
    await load.untilMore(WRITERS + 1);
    seconds.push((performance.now() - healedMs) / 1000);
  }
  return seconds;
}

async function judged(name: string, stage: Stage, load: Load, seconds: number[]): Promise<Outcome> {
  const { acknowledged, repeated, lost, doubled } = await load.count();
  const differences = await stage.services[0]!.integrity();
  const sorted = seconds.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const failed = [...load.answers].filter(([what]) => what.startsWith('5') && what !== '503');
  const broken = failed.reduce((sum, [, times]) => sum + times, 0);
  const answers = [...load.answers].sort().map(([what, times]) => `${what}: ${times}`);
  return {
    isGood: lost === 0 && doubled === 0 && load.unexpected.length === 0 && differences.length === 0,
    row: [
      name,
      String(seconds.length),
      String(acknowledged),
      String(repeated),
      String(lost),
      String(doubled),
      String(load.answers.get('503') ?? 0),
      String(broken),
      median.toFixed(2),
      (sorted.at(-1) ?? 0).toFixed(2),
    ],
    notes: [
      answers.join(', '),
      ...(stage.tell ? [stage.tell()] : []),
      ...load.unexpected.map((text) => `UNEXPECTED ${text}`),
      ...differences.map((text) => `DIFFERENCE ${text}`),
    ],
  };
}

function print(cells: string[]): void {
  const line = cells.map((cell, index) => {
    const width = WIDTHS[index] ?? 12;
    return index === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  console.log(line.join(' '));
}
