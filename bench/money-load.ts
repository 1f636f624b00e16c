import { type Contestant, type Name, query, type Stage } from './contestants.js';
import type { LoadJob, LoadResult } from './load-job.js';
import { type LoadGenerator, postgresCpuMs } from './processes.js';

export interface Timing {
  seconds: number;
  rounds: number;
  /** Of each server before its first round. */
  warmUpSeconds: number;
  /** Callers at once. */
  connections: number;
}

export interface Round {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the server's own process for one request; without PostgreSQL. */
  cpuMs: number;
  /** And of PostgreSQL. */
  postgresMs: number;
  /** And of the load generator, which takes it from all others. */
  loadMs: number;
}

export type Rounds = Record<Name, Round[]>;

export const noRounds = (): Rounds => ({
  service: [],
  before: [],
  lean: [],
  bare: [],
  textbook: [],
});

export const MONEY_KINDS = ['payments', 'one-document', 'webhooks', 'in-full'] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];

/** All callers pay the first document, where it is one document. */
function jobOf(
  kind: MoneyKind,
  { payments, webhooks, totalMinor, links }: Contestant,
  { accepted }: Tally,
  seconds: number,
): LoadPart {
  const most = seconds * MOST_PER_SECOND;
  const unused = <One>(all: One[]) => all.slice(accepted, accepted + most);
  if (kind === 'webhooks' && webhooks) return { kind, ...webhooks, links: unused(links) };
  const part: LoadPart = { kind: 'payments', secret: '', links: [], ...payments };
  if (kind === 'one-document') return { ...part, paths: part.paths.slice(0, 1) };
  if (kind === 'in-full' && totalMinor !== undefined) {
    return { ...part, paths: unused(part.paths), inFullMinor: totalMinor };
  }
  return part;
}

/** Whether a server takes part. */
function has(kind: MoneyKind, { webhooks, totalMinor }: Contestant): boolean {
  if (kind === 'webhooks') return webhooks !== undefined;
  return kind !== 'in-full' || totalMinor !== undefined;
}

type LoadPart = Omit<LoadJob, 'port' | 'connections' | 'seconds' | 'prefix'>;

interface Tally {
  accepted: number;
  amountMinor: number;
  countsBefore: Map<string, number>;
}

/** No server here books as many. */
const MOST_PER_SECOND = 5000;

/** Links that a run may need, or documents that it may pay. */
export function mostBooked({ seconds, rounds, warmUpSeconds }: Timing): number {
  return (seconds * rounds + warmUpSeconds) * MOST_PER_SECOND;
}

/**
 * The servers in turn, there and back: the machine's moods and each server's place in the row hit
 * all alike. At the end the books are read: as many payments and as much money as were accepted, or
 * the bench fails.
 */
export async function measureMoney(
  kind: MoneyKind,
  stage: Stage,
  generator: LoadGenerator,
  timing: Timing,
  say: (line: string) => void,
): Promise<Rounds> {
  const rounds = noRounds();
  const contestants = stage.contestants.filter((one) => has(kind, one));
  const tallies = new Map<Name, Tally>();
  const before = new Map<Name, Books>();
  for (const contestant of contestants) {
    before.set(contestant.name, await readBooks(contestant));
    const countsBefore = await countRows(contestant);
    tallies.set(contestant.name, { accepted: 0, amountMinor: 0, countsBefore });
  }
  for (let round = 0; round <= timing.rounds; round += 1) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const tally = tallies.get(contestant.name)!;
      const seconds = round === 0 ? timing.warmUpSeconds : timing.seconds;
      const job: LoadJob = {
        port: contestant.server.port,
        connections: timing.connections,
        seconds,
        ...jobOf(kind, contestant, tally, seconds),
        prefix: `${kind}${timing.connections}c${round}r`,
      };
      const cpuOf = async (): Promise<Cpu> =>
        Promise.all([
          contestant.server.cpuMs(),
          postgresCpuMs(stage.postgresData),
          generator.cpuMs(),
        ]);
      const cpuBefore = await cpuOf();
      const result = await generator.run(job);
      const cpu = differences(await cpuOf(), cpuBefore);
      refuseFailures(contestant.name, result);
      tally.accepted += result.accepted;
      tally.amountMinor += result.amountMinor;
      if (round === 0) continue;
      const measured = asRound(result, ...cpu);
      rounds[contestant.name].push(measured);
      say(`${kind} ${round}: ${contestant.name} ${Math.round(measured.perSecond)}/s`);
    }
  }
  for (const contestant of contestants) {
    const tally = tallies.get(contestant.name)!;
    await assertBooked(contestant, before.get(contestant.name)!, tally);
    if (kind === 'webhooks') contestant.links.splice(0, tally.accepted);
    if (kind === 'in-full') contestant.payments.paths.splice(0, tally.accepted);
  }
  await assertSameWrites(contestants, tallies);
  return rounds;
}

type Cpu = [server: number, postgres: number, load: number];

function differences(after: Cpu, before: Cpu): Cpu {
  return [after[0] - before[0], after[1] - before[1], after[2] - before[2]];
}

export function asRound(result: LoadResult, cpuMs: number, postgresMs = 0, loadMs = 0): Round {
  const { completed, accepted, seconds, p50Ms, p99Ms } = result;
  return {
    perSecond: completed / seconds,
    p50Ms,
    p99Ms,
    cpuMs: cpuMs / accepted,
    postgresMs: postgresMs / accepted,
    loadMs: loadMs / accepted,
  };
}

export function refuseFailures(name: string, { failures, accepted }: LoadResult): void {
  if (Object.keys(failures).length > 0) {
    throw new Error(`${name} gave unexpected answers: ${JSON.stringify(failures, null, 2)}`);
  }
  if (accepted === 0) throw new Error(`${name} was asked nothing`);
}

interface Books {
  payments: number;
  amountMinor: number;
  paidMinor: number;
}

async function readBooks({ databaseUrl, paid }: Contestant): Promise<Books> {
  const [row] = await query(
    databaseUrl,
    `SELECT (SELECT count(*) FROM payments) AS payments,
       (SELECT coalesce(sum(amount), 0) FROM payments) AS amount,
       (SELECT sum(${paid.column}) FROM ${paid.table}) AS paid`,
  );
  return {
    payments: Number(row?.['payments']),
    amountMinor: Number(row?.['amount']),
    paidMinor: Number(row?.['paid']),
  };
}

/** As many payments as were accepted, of the same sum, and the documents say the same. */
async function assertBooked(contestant: Contestant, before: Books, tally: Tally): Promise<void> {
  const after = await readBooks(contestant);
  const { accepted, amountMinor } = tally;
  const wrong =
    after.payments - before.payments !== accepted ||
    after.amountMinor - before.amountMinor !== amountMinor ||
    after.paidMinor - before.paidMinor !== amountMinor;
  if (!wrong) return;
  const books = JSON.stringify({ before, after, accepted, amountMinor });
  throw new Error(`the books of ${contestant.name} are wrong: ${books}`);
}

async function countRows({ databaseUrl }: Contestant): Promise<Map<string, number>> {
  const tables = await query(
    databaseUrl,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const counts = new Map<string, number>();
  for (const { name = '' } of tables) {
    const [row] = await query(databaseUrl, `SELECT count(*) AS n FROM "${name}"`);
    counts.set(name, Number(row?.['n']));
  }
  return counts;
}

/**
 * In the background: seals and sums, one for very many payments, and checks of the books. Of
 * deliveries the service lets the oldest go.
 */
const WRITTEN_BESIDE = [
  'seals',
  'seal_heads',
  'transfer_sums',
  'claim_sums',
  'gateway_sums',
  'audit_entries',
  'integrity_runs',
  'gateway_deliveries',
];

/** "Bare" is a yardstick only as long as it writes the same rows for each payment. */
async function assertSameWrites(
  contestants: readonly Contestant[],
  tallies: Map<Name, Tally>,
): Promise<void> {
  const perPayment: Record<string, string>[] = [];
  for (const contestant of contestants) {
    if (contestant.name !== 'service' && contestant.name !== 'bare') continue;
    const { accepted, countsBefore } = tallies.get(contestant.name)!;
    const counts = await countRows(contestant);
    for (const table of WRITTEN_BESIDE) counts.delete(table);
    const rows = [...counts].map(([table, count]) => {
      const added = count - (countsBefore.get(table) ?? 0);
      return [table, (added / accepted).toFixed(4)] as const;
    });
    perPayment.push(Object.fromEntries(rows.filter(([, added]) => Number(added) > 0).sort()));
  }
  const [service, bare] = perPayment.map((rows) => JSON.stringify(rows));
  if (bare !== undefined && service !== bare) {
    throw new Error(`rows for each payment differ: service ${service}, bare ${bare}`);
  }
}
