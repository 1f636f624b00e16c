import pg from 'pg';
import { DataSource } from 'typeorm';
import { publicId, type Uuid } from '../src/kernel/ids.js';
import { IntegrityQuery } from '../src/integrity/index.js';
import type { BooksPart } from '../src/integrity/domain/integrity-run.js';
import { SealHeadsFile } from '../src/integrity/infrastructure/heads-file.repository.js';
import type { Config } from '../src/platform/config/config.js';
import { LossesRepository } from '../src/integrity/infrastructure/losses.repository.js';
import { dataSourceOptions } from '../src/platform/database/data-source.js';
import { Database } from '../src/platform/database/database.js';
import { createLog } from '../src/platform/observability/log.js';
import { Metrics } from '../src/platform/observability/metrics.js';
import { POOL_SIZE, serviceEnvironment, startService } from './contestants.js';
import { type DataAccount, openData } from './data-store.js';
import { asRound, refuseFailures, type Round, type Timing } from './money-load.js';
import type { LoadGenerator, Server } from './processes.js';
import { median, type ReportRow } from './report.js';
import { accessToken } from './seed.js';

/** A million payments and a little more. */
const DATA = { documents: 450_000, payments: 4 };
const noFile = new SealHeadsFile(
  { sealHeadsFile: null } as Config,
  new Metrics(),
  createLog('silent'),
);
const PAID_DOCUMENTS = 2000;
/** A run pays far less. */
const LARGE_DUE = 1_000_000;

/** How long the books take to check, and what payments there are meanwhile. */
export async function measureIntegrity(
  generator: LoadGenerator,
  timing: Timing,
  say: (line: string) => void,
): Promise<ReportRow[]> {
  const data = await openData(DATA, say);
  const { databaseUrl, folder, accounts } = data;
  const [large, small] = accounts as [DataAccount, DataAccount];
  const limits = { poolSize: POOL_SIZE, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const options = dataSourceOptions({ url: databaseUrl, ...limits });
  const dataSource = await new DataSource(options).initialize();
  const database = new Database(dataSource);
  const integrity = new IntegrityQuery(database, new LossesRepository(database, noFile));
  const env = { ...serviceEnvironment(folder), DATABASE_URL: databaseUrl };
  const server = await startService(folder, env);
  try {
    say('measuring integrity');
    const all = await secondsOf(timing.rounds, () => agree(integrity));
    const ofLarge = await secondsOf(1, () => agree(integrity, { accountId: large.accountId }));
    const ofSmall = await secondsOf(timing.rounds, () =>
      agree(integrity, { accountId: small.accountId }),
    );
    const part = await aThirtieth(database);
    const ofPart = await secondsOf(timing.rounds, () => agree(integrity, { part }));
    say('measuring payments, alone and during integrity');
    const pay = await payments(server, generator, timing, databaseUrl, large);
    await pay(timing.warmUpSeconds);
    const alone = await pay(timing.seconds);
    const check = agree(integrity);
    const during = await pay(timing.seconds);
    await check;
    const rows = [
      ['integrity of all accounts', 's', all],
      ['integrity of a thirtieth of what was checked', 's', ofPart],
      ['integrity of the large account', 's', ofLarge],
      ['integrity of a small account', 's', ofSmall],
      ['payments', '/s', alone.perSecond],
      ['payments during integrity', '/s', during.perSecond],
      ['payments p50', 'ms', alone.p50Ms],
      ['payments p50 during integrity', 'ms', during.p50Ms],
      ['payments p99', 'ms', alone.p99Ms],
      ['payments p99 during integrity', 'ms', during.p99Ms],
    ] as const;
    return rows.map(([name, unit, service]) => ({ name, unit, service }));
  } finally {
    await server.stop();
    await dataSource.destroy();
    await data.stop();
  }
}

async function agree(
  integrity: IntegrityQuery,
  { accountId = null, part = null }: { accountId?: Uuid | null; part?: BooksPart | null } = {},
): Promise<void> {
  await integrity.examine({ accountId, part, done: [] }, async ({ check }, found) => {
    if (found.length > 0) throw new Error(`${check}: ${JSON.stringify(found.slice(0, 5))}`);
    return true;
  });
}

/** As a daily check of them has it where nothing is new: from the middle on. */
async function aThirtieth(database: Database): Promise<BooksPart> {
  const ends = await database.query<{ end: bigint }>(
    'SELECT DISTINCT through_xact AS end FROM seals ORDER BY 1',
  );
  const at = (share: number) => ends[Math.floor((ends.length - 1) * share)]?.end ?? 0n;
  return { since: at(1), again: { from: at(15 / 30), to: at(16 / 30) } };
}

async function secondsOf(times: number, work: () => Promise<void>): Promise<number> {
  const seconds: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now();
    await work();
    seconds.push((performance.now() - startedAt) / 1000);
  }
  return median(seconds);
}

/** On invoices that stay open, so that no run pays one in full. */
async function payments(
  server: Server,
  generator: LoadGenerator,
  { connections }: Timing,
  databaseUrl: string,
  { accountId, clientId: client_id, clientSecret: client_secret }: DataAccount,
): Promise<(seconds: number) => Promise<Round>> {
  const database = new pg.Client(databaseUrl);
  await database.connect();
  const { rows } = await database.query<{ id: Uuid }>(
    `SELECT document_id AS id FROM documents
     WHERE account_id = $1 AND kind = 'invoice' AND lifecycle = 'open'
       AND total - amount_paid > $2 LIMIT $3`,
    [accountId, LARGE_DUE, PAID_DOCUMENTS],
  );
  await database.end();
  const token = await accessToken(server, { client_id, client_secret });
  let round = 0;
  return async (seconds) => {
    round += 1;
    const result = await generator.run({
      kind: 'payments',
      port: server.port,
      connections,
      seconds,
      paths: rows.map(({ id }) => `/v1/finance/documents/${publicId('doc', id)}/payments`),
      headers: { Authorization: `Bearer ${token}` },
      expect: { status: 201, body: '"success":true' },
      prefix: `integrity${Date.now()}r${round}`,
      secret: '',
      links: [],
    });
    refuseFailures('service', result);
    return asRound(result, 0);
  };
}
