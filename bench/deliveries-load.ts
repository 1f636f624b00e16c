import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, query } from './contestants.js';
import { refuseFailures, type Timing } from './money-load.js';
import type { LoadGenerator } from './processes.js';
import type { ReceiverFigures } from './receiver.js';
import type { ReportRow } from './report.js';

const RECEIVER = new URL('./receiver.js', import.meta.url);
const EVERY_MS = 20;
const DRAINED_WITHIN_MS = 300_000;

/** The service may call a receiver of the bench. */
export const MAY_CALL = {
  QUITTANCE_OUTGOING_RANGES: '127.0.0.0/8',
  QUITTANCE_OUTGOING_PORTS: '1024-65535',
};

/** Endpoints that are sent all events. @returns their receiver, which the caller kills */
export async function subscribe(
  { server, payments }: Contestant,
  endpoints: number,
): Promise<ChildProcess> {
  const receiver = fork(RECEIVER);
  const [port] = (await once(receiver, 'message')) as [number];
  for (let endpoint = 0; endpoint < endpoints; endpoint += 1) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/webhook-endpoints`, {
      method: 'POST',
      headers: { ...payments.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/${endpoint}` }),
    });
    if (answer.status !== 201) throw new Error(`no endpoint: ${await answer.text()}`);
  }
  return receiver;
}

/**
 * How long an event takes to a receiver on the same machine while little is asked, and how many
 * leave in a second when very many wait.
 */
export async function measureDeliveries(
  service: Contestant,
  generator: LoadGenerator,
  { seconds, rounds, connections }: Timing,
  endpoints: number,
): Promise<ReportRow[]> {
  const receiver = await subscribe(service, endpoints);
  const figures = async (): Promise<ReceiverFigures> => {
    receiver.send('figures');
    return ((await once(receiver, 'message')) as [ReceiverFigures])[0];
  };
  try {
    await payOneByOne(service, seconds * rounds);
    await untilDelivered(service);
    const { calls, p50Ms, p99Ms } = await figures();
    const result = await generator.run({
      kind: 'payments',
      port: service.server.port,
      connections,
      seconds,
      ...service.payments,
      prefix: 'deliveries',
      secret: '',
      links: [],
    });
    refuseFailures(service.name, result);
    await figures();
    const startedAt = performance.now();
    await untilDelivered(service);
    const perSecond = ((await figures()).calls * 1000) / (performance.now() - startedAt);
    const of = `${endpoints} endpoints`;
    return [
      { name: `deliveries to ${of} of a backlog`, unit: '/s', service: perSecond },
      { name: `fact to receiver, ${calls} calls of ${of}, p50`, unit: 'ms', service: p50Ms },
      { name: `fact to receiver, ${calls} calls of ${of}, p99`, unit: 'ms', service: p99Ms },
    ];
  } finally {
    receiver.kill();
  }
}

async function payOneByOne({ server, payments }: Contestant, seconds: number): Promise<void> {
  const count = (seconds * 1000) / EVERY_MS;
  for (let payment = 0; payment < count; payment += 1) {
    const path = payments.paths[payment % payments.paths.length];
    const [answer] = await Promise.all([
      fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: 'POST',
        headers: {
          ...payments.headers,
          'Content-Type': 'application/json',
          'Idempotency-Key': `one-by-one-${payment}`,
        },
        body: JSON.stringify({ amount: 1, method: 'cash' }),
      }),
      sleep(EVERY_MS),
    ]);
    const { status } = answer;
    if (status !== payments.expect.status) throw new Error(`${status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

/** Each event that was written since the endpoints were made has come to each of them. */
async function untilDelivered({ databaseUrl }: Contestant): Promise<void> {
  const until = performance.now() + DRAINED_WITHIN_MS;
  while (performance.now() < until) {
    const [left] = await query(
      databaseUrl,
      `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status <> 'delivered')
         + (SELECT count(*) FROM events, event_marks
            WHERE consumer = 'deliveries' AND xact >= through_xact) AS count`,
    );
    if (Number(left?.['count']) === 0) return;
    await sleep(EVERY_MS);
  }
  throw new Error('events were not delivered in time');
}
