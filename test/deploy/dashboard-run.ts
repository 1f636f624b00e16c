import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { IntegrityJob } from '../../src/integrity/application/integrity-job.js';
import { imported } from '../e2e/bank/bank-calls.js';
import { disputeCalls } from '../e2e/payments/dispute-calls.js';
import { startRefundService } from '../e2e/payments/refund-calls.js';
import { answering, Receiver } from '../feed/receiver.js';
import type { TestClient } from '../support/client.js';
import { shareTestServer } from '../support/database-server.js';
import { queriesOf } from '../support/prom-queries.js';
import type { TestService } from '../support/service.js';
import { canRun, PrometheusServer } from './prometheus-server.js';

// npm run dashboard:queries -- --seconds 40 --port 9520
// Every query of the dashboard, asked of a real Prometheus that reads a service under a little load.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    port: { type: 'string', default: '9520' },
  },
});
const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** They have nothing to tell here, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  backup_age_seconds: 'the database is not embedded',
  'job_last_round_failed{job="quittance"}) > 0': 'no work has failed',
  figures_failed_total: 'all figures could be read',
};

/** Something of each kind: money, refusals, PDFs, events, disputes, and what waits for a person. */
async function load(service: TestService, client: TestClient, untilMs: number): Promise<void> {
  const calls = disputeCalls(service, () => client);
  const due = new Date(service.clock.now().getTime() + 3 * 86_400_000).toISOString();
  const disputed = await calls.paid();
  await calls.tell('dispute.opened', disputed, {
    fee: 1500,
    reason: 'fraud',
    evidence_due_by: due,
  });
  await imported(client, { amount: '77.00', text: 'nobody knows' });
  await service.app.get(IntegrityJob).run();
  for (let round = 0; performance.now() < untilMs; round += 1) {
    const invoice = await client.anInvoice();
    await Promise.all([
      client.pay(invoice, { amount: 100 }),
      client.pay(invoice, { amount: 200 }),
      client.get(`/v1/finance/documents/${invoice.id}`),
      client.get('/v1/finance/documents/doc_01h455vb4pex5vsknk084sn02q'),
      ...(round % 5 === 0 ? [client.get(`/v1/finance/documents/${invoice.id}/pdf`)] : []),
    ]);
    const link = await client.aPaymentLink(invoice);
    if (round % 3 === 0) await client.void(await client.anInvoice());
    await service.deliverPaid(link);
  }
}

function emptyBecause(query: string): string | undefined {
  return Object.entries(EMPTY).find(([part]) => query.includes(part))?.[1];
}

async function askAll(prometheus: PrometheusServer): Promise<number> {
  const dashboard = JSON.parse(
    readFileSync(`${DEPLOY}grafana/quittance.json`, 'utf8'),
  ) as Parameters<typeof queriesOf>[0];
  const counts = { answered: 0, empty: 0, wrong: 0 };
  for (const { row, panel, query } of queriesOf(dashboard)) {
    const asked = query.replaceAll('$job', 'quittance').replaceAll('$__rate_interval', '30s');
    const found = await prometheus.query(asked).catch((error: unknown) => String(error));
    const shown =
      typeof found === 'string' ? found : `${found.series} series, ${found.first ?? 'no'} value`;
    const excuse = emptyBecause(asked);
    const isWrong = typeof found === 'string' || (found.series === 0 && !excuse);
    counts[isWrong ? 'wrong' : shown.startsWith('0 ') ? 'empty' : 'answered'] += 1;
    const why = shown.startsWith('0 ') && excuse ? ` (${excuse})` : '';
    console.log(`${isWrong ? 'WRONG' : 'ok   '} ${row} / ${panel}: ${shown}${why}`);
  }
  console.log(JSON.stringify(counts));
  return counts.wrong;
}

async function main(): Promise<void> {
  const reason = await canRun('prometheus');
  if (reason) return console.log(`skipped: ${reason}`);
  const server = await shareTestServer();
  const receiver = await Receiver.open((call, response) => answering(200)(call, response));
  const world = await startRefundService({
    sendsEvents: true,
    sealSeconds: 1,
    mailSeconds: 1,
    dueDateSeconds: 1,
    integrityHours: 24,
  });
  const { service, client } = world;
  const target = new URL(service.metricsUrl).host;
  const prometheus = await PrometheusServer.start(
    target,
    `${DEPLOY}prometheus/alerts.yml`,
    Number(values.port),
  );
  try {
    await client.post('/v1/webhook-endpoints', { url: receiver.url, types: ['document.issued'] });
    await load(service, client, performance.now() + Number(values.seconds) * 1000);
    await sleep(3000);
    const wrong = await askAll(prometheus);
    console.log(`alerts: ${(await prometheus.alerts()).join(', ') || 'none'}`);
    if (wrong > 0) process.exitCode = 1;
  } finally {
    await prometheus.stop();
    await world.close();
    await receiver.close();
    await server.stop();
  }
}

await main();
