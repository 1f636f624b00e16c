import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseCluster } from './cluster.js';
import { CLUSTER_FAULTS } from './cluster-faults.js';
import { FaultRound, isToldInTime, type RoundResult } from './fault-round.js';
import { Machines } from './machines.js';
import { Payers } from './payers.js';
import { ServicePair } from './service-pair.js';
import { whatIsMissing } from './shell.js';
import { countStored } from './stored-payments.js';

// npm run build, then:
// npm run faults:cluster                                     50,000 payments over all faults
// npm run faults:cluster -- --mode async --payments 5000 --only "primary killed"

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 8e9;
const WIDTHS = [41, 13, 5, 8, 8, 11, 14];

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'sync' },
    payments: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const isSynchronous = values.mode !== 'async';
const only = values.only?.split(',');
const wanted = CLUSTER_FAULTS.filter(({ name }) => only?.includes(name) ?? true);
if (wanted.length === 0 || !['sync', 'async'].includes(values.mode))
  throw new Error(
    `--mode sync or async, --only some of ${CLUSTER_FAULTS.map(({ name }) => name).join(', ')}`,
  );

const say = (text: string) => console.log(text);

const missing = whatIsMissing();
if (missing.length > 0) {
  for (const one of missing) say(one);
  process.exit(2);
}

// A process that is killed loses nothing of a file in memory.
const { bavail, bsize } = statfsSync(MEMORY);
const parent = bavail * bsize > NEEDED_BYTES ? MEMORY : tmpdir();
const folder = await mkdtemp(join(parent, 'quittance-cluster-'));
await chmod(folder, 0o755);
const machines = await Machines.make();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void machines.remove().finally(() => process.exit(1)));
let isGood = false;
try {
  isGood = await run();
} catch (error) {
  console.error(error);
} finally {
  await machines.remove();
}
if (isGood) await rm(folder, { recursive: true, force: true, maxRetries: 20 });
else say(`its files: ${folder}`);
process.exit(isGood ? 0 : 1);

async function run(): Promise<boolean> {
  const cluster = await DatabaseCluster.start(machines, folder, isSynchronous);
  say(await cluster.list());
  const pair = await ServicePair.make(machines, folder);
  const payers = await Payers.begin(pair.urls, await pair.start(), Number(values.seed));
  const stage = { machines, cluster, pair };
  const lost = new Set<string>();
  let allWell = true;
  print(['fault', 'acknowledged', 'lost', 'doubled', 'longest', 'taken over', 'first payment']);
  for (const [index, fault] of wanted.entries()) {
    const goal = Math.ceil((Number(values.payments) * (index + 1)) / wanted.length);
    const result = await new FaultRound(stage, payers, fault, lost).play(goal);
    tell(fault.name, result);
    if (result.doubled > 0 || (isSynchronous ? result.lost > 0 : !isToldInTime(result)))
      allWell = false;
  }
  await payers.end();
  return (await judged(stage, payers, lost)) && allWell;
}

function seconds(value: number | null): string {
  return value === null ? '' : `${value.toFixed(1)} s`;
}

function tell(name: string, result: RoundResult): void {
  const { acknowledged, doubled, told } = result;
  const times = [result.gapS, result.takenOverS, result.firstPaymentS].map(seconds);
  print([name, String(acknowledged), String(result.lost), String(doubled), ...times]);
  if (result.refusals.length > 0)
    say(`  ${result.refusals.map(([what, count]) => `${what}: ${count}`).join(', ')}`);
  if (told) {
    const how = told.byName ? 'by name' : 'by number: nobody could ask the old server';
    say(`  ${told.named} of ${result.lost} told ${how}, after ${told.afterS.toFixed(1)} s`);
  }
}

/** All that was acknowledged, once more, and the books. */
async function judged(
  { cluster, pair }: { cluster: DatabaseCluster; pair: ServicePair },
  payers: Payers,
  known: ReadonlySet<string>,
): Promise<boolean> {
  const { lost, doubled } = await countStored(cluster, payers.acknowledged);
  const unknown = lost.filter(({ name }) => !known.has(name));
  const { differences = [], checks } = (await pair.command(['integrity'])) as {
    differences?: object[];
    checks?: number;
  };
  const errors = await pair.errors();
  await pair.stop();
  const { acknowledged, numbers, numbersTwice, unexpected } = payers;
  say(
    `${values.mode}, seed ${values.seed}: ${acknowledged.length} acknowledged, ${lost.length} lost, ` +
      `${doubled.length + payers.doubled.length} doubled; ${numbers.size} invoices, ${numbersTwice.length} ` +
      `numbers given twice; integrity: ${checks} checks, ` +
      `${differences.length} differences; ${errors.length} errors in the log`,
  );
  for (const one of differences.slice(0, 20)) say(`DIFFERENCE ${JSON.stringify(one)}`);
  for (const one of numbersTwice) say(`TWICE ${one}`);
  for (const one of unexpected) say(`UNEXPECTED ${one}`);
  const isWrong = unknown.length + doubled.length + payers.doubled.length + numbersTwice.length > 0;
  return !isWrong && differences.length === 0 && unexpected.length === 0;
}

function print(cells: string[]): void {
  say(
    cells
      .map((cell, index) => (index ? cell.padStart(WIDTHS[index] ?? 8) : cell.padEnd(WIDTHS[0]!)))
      .join(' '),
  );
}
