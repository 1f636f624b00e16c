import { setTimeout as sleep } from 'node:timers/promises';
import { publicId, type Uuid } from '../src/kernel/ids.js';
import { type DataService, onData } from './data-service.js';
import { type GrowthRow, median } from './report.js';

/** As many documents a month in both, half a year and five years long. */
const SIZES = [100_000, 1_000_000] as const;
const DAY_MS = 86_400_000;
const SETTLE_MS = 2000;

/** How long one caller waits for each report and list, with a short and a long history. */
export async function measureGrowth(
  rounds: number,
  say: (line: string) => void,
): Promise<GrowthRow[]> {
  const found = new Map<string, number[]>();
  for (const documents of SIZES) {
    await onData({ documents, payments: 1 }, say, async (service) => {
      for (const [name, path] of Object.entries(await pathsOf(service))) {
        say(`measuring ${name}`);
        const ms = await waitedFor(service, path, rounds);
        found.set(name, [...(found.get(name) ?? []), ms]);
      }
    });
  }
  return Array.from(found, ([name, [smallMs = Number.NaN, largeMs = Number.NaN]]) => ({
    name,
    smallMs,
    largeMs,
  }));
}

const dayAt = (at: Date | undefined, days: number) =>
  new Date((at?.getTime() ?? 0) + days * DAY_MS).toISOString().slice(0, 10);

const report = (name: string, query: string) => `/v1/finance/reports/${name}?${query}`;

const OF_A_CUSTOMER = `SELECT customer_id AS customer, min(document_id::text) AS document
  FROM documents WHERE account_id = $1 AND kind = 'invoice' GROUP BY 1
  HAVING count(*) BETWEEN 3 AND 12 ORDER BY 1 LIMIT 1`;

/** By what they tell: of the month that ended 30 days ago, of the first one, and of all. */
async function pathsOf({ database, accountId }: DataService): Promise<Record<string, string>> {
  const { rows } = await database.query<{ customer: Uuid; document: Uuid }>(OF_A_CUSTOMER, [
    accountId,
  ]);
  const [{ customer, document } = { customer: '', document: '' }] = rows;
  const { rows: ends } = await database.query<{ first: Date; last: Date }>(
    'SELECT min(created_at) AS first, max(created_at) AS last FROM documents',
  );
  const last = { from: dayAt(ends[0]?.last, -60), to: dayAt(ends[0]?.last, -30) };
  const first = { from: dayAt(ends[0]?.first, 40), to: dayAt(ends[0]?.first, 70) };
  const of = ({ from, to }: typeof last) => `from=${from}&to=${to}`;
  const effective = ({ from, to }: typeof last) => `effective_from=${from}&effective_to=${to}`;
  return {
    'balances today': `/v1/finance/ledger/balances`,
    'balances at an earlier day': `/v1/finance/ledger/balances?date=${first.to}`,
    'trial balance of a month': report('trial-balance', of(last)),
    'trial balance of the second month': report('trial-balance', of(first)),
    'aging today': report('aging', ''),
    'aging at an earlier day': report('aging', `date=${first.to}`),
    'aging by document': report('aging', 'group=document'),
    'revenue of a month': report('revenue', `${of(last)}&interval=day`),
    'tax of a month': report('tax', of(last)),
    'tax of the second month': report('tax', of(first)),
    'EC sales of a month': report('ec-sales', of(last)),
    'OSS of a month': report('oss', of(last)),
    'gateways at the end of a month': report(
      'gateway-reconciliation',
      `from=${last.from}&date=${last.to}`,
    ),
    'a page of the journal of a month': report('journal', `${of(last)}&format=json`),
    'the journal of a month as a file': report('journal', of(last)),
    'ledger, newest first': '/v1/finance/ledger',
    'ledger of a month': `/v1/finance/ledger?${effective(last)}`,
    'ledger of the second month': `/v1/finance/ledger?${effective(first)}`,
    'statement of a customer': `/v1/finance/customers/${publicId('cus', customer)}/statement`,
    'documents, newest first': '/v1/finance/documents',
    'open documents': '/v1/finance/documents?status=open',
    'documents of a customer': `/v1/finance/documents?customer_id=${publicId('cus', customer)}`,
    'a search': '/v1/finance/documents?q=consulting',
    'a document': `/v1/finance/documents/${publicId('doc', document)}`,
    'payments, newest first': '/v1/finance/payments',
    customers: '/v1/finance/customers',
  };
}

/** The median of some calls, behind one that warms up. */
async function waitedFor(
  { server, headers }: DataService,
  path: string,
  rounds: number,
): Promise<number> {
  const times: number[] = [];
  // The one before may have left garbage, and work of the database, behind.
  await sleep(SETTLE_MS);
  for (let round = 0; round <= rounds; round += 1) {
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
    if (round > 0) times.push(performance.now() - startedAt);
  }
  return median(times);
}
