import { createServer } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../src/kernel/ids.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { configOf, type ProcessPlace } from '../../src/processes.js';
import { testConfig } from '../support/service.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { aLoadOn } from './kept-connections.js';
import { aPlace, NO_CHROMIUM, type Place, type ServiceProgram, until } from './program.js';

/* Several processes behind one port, as one service. */

const DOCUMENTS = '/v1/finance/documents';
let place: Place;
let service: ServiceProgram;
let authorization: string;
let metricsPort: number;

beforeAll(async () => {
  place = await aPlace();
  metricsPort = await freePort();
  service = await place.service({
    ...NO_CHROMIUM,
    QUITTANCE_METRICS_PORT: String(metricsPort),
    QUITTANCE_PROCESSES: '3',
    QUITTANCE_RATE_LIMIT: 'off',
  });
  await until('all are ready', () => service.output.includes('"processes":3'));
  const { client_id, client_secret } = await place.demo();
  const { body } = await call('/v1/auth/token', {
    method: 'POST',
    body: { client_id, client_secret },
  });
  authorization = `Bearer ${String(body['access_token'])}`;
});
afterAll(() => place.remove());

/**
 * Over a connection of its own, which goes to the next process. A connection that was handed to a
 * process when it was killed gets no answer: it is sent again, as every client does.
 */
async function call(path: string, wish: Wish = {}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callOnce(path, wish);
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
}

interface Wish {
  method?: string;
  body?: object;
  key?: string;
}

async function callOnce(path: string, { method = 'GET', body, key }: Wish) {
  const answer = await fetch(service.url + path, {
    method,
    signal: AbortSignal.timeout(15_000),
    headers: {
      connection: 'close',
      ...(authorization && { authorization }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return {
    status: answer.status,
    text,
    body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}

async function metrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

/** The processes that the first one started and that still run. */
function workers(program = service): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const [, parent, environment] = statOf(pid);
      return Number(parent) === program.pid && environment.includes('QUITTANCE_PROCESS_PLACE=')
        ? Number(pid)
        : [];
    });
}

/** By the environment: before it runs its own program, each child has the command line of its parent. */
function statOf(pid: string): [state: string, parent: string, environment: string] {
  try {
    const [state = '', parent = ''] = (
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
    ).split(' ');
    return [state, parent, readFileSync(`/proc/${pid}/environ`, 'utf8')];
  } catch {
    return ['', '', ''];
  }
}

async function anInvoice(): Promise<string> {
  const line = { description: 'Consulting', quantity: '1', unit_amount: 100_000, tax_rate: '0' };
  const made = await call(DOCUMENTS, {
    method: 'POST',
    body: { customer: { name: 'Globex GmbH', country: 'DE' }, lines: [line], issue: true },
  });
  expect(made.status).toBe(201);
  return String(made.body['id']);
}

const pay = (invoice: string, key: string) =>
  call(`${DOCUMENTS}/${invoice}/payments`, {
    method: 'POST',
    body: { amount: 100, method: 'cash' },
    key,
  });

/** One that was not connected yet when the port closed was never under way. */
function unlessNeverTaken(error: Error): undefined {
  if ((error.cause as { code?: string } | undefined)?.code !== 'ECONNREFUSED') throw error;
}

describe('several processes', () => {
  it('answer at one port, and book each payment once', async () => {
    expect(workers()).toHaveLength(3);
    const invoice = await anInvoice();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => pay(invoice, `shared-${index % 30}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(201));
    for (const [index, { text }] of answers.entries()) {
      expect(text).toBe(answers[index % 30]?.text);
    }
    const { body } = await call(`${DOCUMENTS}/${invoice}`);
    expect(body['amount_paid']).toBe(3000);
  });

  it('tell the metrics of all as one', async () => {
    const counted = async () => {
      const text = await metrics();
      return Number(
        /http_request_duration_seconds_count\{method="GET",route="\/livez",status="200"\} (\d+)/.exec(
          text,
        )?.[1] ?? 0,
      );
    };
    const before = await counted();
    await Promise.all(Array.from({ length: 30 }, () => call('/livez')));
    await until('all are counted', async () => (await counted()) === before + 30);
    expect(await metrics()).toContain('books_differences');
    expect((await call('/metrics')).status).toBe(404);
  });

  it('tell one status, by the process that does the jobs', async () => {
    const url = `http://127.0.0.1:${metricsPort}/status.json`;
    const [one, other] = await Promise.all([fetch(url), fetch(url)]);
    const report = (await one.json()) as { state: string; lines: { metric: string }[] };
    expect([one.status, other.status, await other.json()]).toEqual([
      200,
      200,
      expect.objectContaining({ lines: report.lines.map(() => expect.anything()) }),
    ]);
    expect(report.lines.map(({ metric }) => metric)).toContain('books_differences');
    expect((await call('/status')).status).toBe(404);
  });

  it('go on when one of them is killed, and another takes its place', async () => {
    const before = workers();
    const [killed = 0] = before;
    process.kill(killed, 'SIGKILL');
    await until('another is there', () => workers().length === 3 && !workers().includes(killed));
    // One that starts keeps nobody waiting for its metrics, however long it takes.
    const starts = workers().find((pid) => !before.includes(pid)) ?? 0;
    process.kill(starts, 'SIGSTOP');
    const told = await metrics();
    process.kill(starts, 'SIGCONT');
    expect(told).toContain('http_request_duration_seconds_count');
    const invoice = await anInvoice();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => pay(invoice, `after-${index}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201));
    expect(service.output).toContain('a process of the service ended, and is started again');
  });

  it('answer what is under way before they stop, and leave nothing behind', async () => {
    const invoice = await anInvoice();
    const urls = await EmbeddedPostgres.urlsOfRunning(place.dataDir);
    const holder = new pg.Client(urls?.owner);
    await holder.connect();
    await holder.query('BEGIN');
    const id = uuidOf('doc', invoice);
    await holder.query('SELECT 1 FROM documents WHERE document_id = $1 FOR UPDATE', [id]);
    const under = Promise.all(
      Array.from({ length: 12 }, async (_, index) =>
        pay(invoice, `last-${index}`).then(({ status }) => status, unlessNeverTaken),
      ),
    );
    await until('two processes wait for it', async () => {
      const { rowCount } = await holder.query('SELECT FROM pg_locks WHERE NOT granted');
      return (rowCount ?? 0) >= 2;
    });
    service.signal('SIGTERM');
    await until('it stops', () => service.output.includes('"stopping"'));
    await holder.query('ROLLBACK');
    await holder.end();
    const answers = (await under).filter((status) => status !== undefined);
    expect(answers.length).toBeGreaterThanOrEqual(2);
    expect(new Set(answers)).toEqual(new Set([201]));
    const { code, errors } = await service.ended;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(place.processes()).toEqual([]);
  });

  it('stop while one of them starts again', async () => {
    const own = await aPlace();
    const program = await own.service({ ...NO_CHROMIUM, QUITTANCE_PROCESSES: '2' });
    await until('both are ready', () => program.output.includes('"processes":2'));
    const [killed = 0] = workers(program);
    process.kill(killed, 'SIGKILL');
    await until('another starts', () => {
      const running = workers(program);
      return running.length === 2 && !running.includes(killed);
    });
    program.signal('SIGTERM');
    const { code, errors } = await program.ended;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(program.output).not.toContain('did not stop in time');
    await own.remove();
  });

  it('say once why they do not start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, errors } = await place.run('main', [], {
      ...NO_CHROMIUM,
      QUITTANCE_PROCESSES: '2',
      PORT: String(port),
    });
    taken.close();
    expect(code).toBe(1);
    expect(errors.match(/did not start/g)).toHaveLength(1);
    expect(errors).toContain(`PORT: ${port} is in use`);
    expect(place.processes()).toEqual([]);
  });

  it('tell which of them was killed while it started, and start it again', async () => {
    const own = await aPlace();
    const program = await own.starting({ ...NO_CHROMIUM, QUITTANCE_PROCESSES: '2' });
    await until('one starts', () => workers(program).length === 1);
    const [killed = 0] = workers(program);
    process.kill(killed, 'SIGKILL');
    await until('both are ready', () => program.output.includes('"processes":2'));
    const told = program.output.split('\n').filter((line) => line.includes('before it was ready'));
    expect(told.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'error', place: 0, pid: killed, signal: 'SIGKILL' },
    ]);
    program.signal('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, errors: '' });
    await own.remove();
  });

  it('end with the reason when one of them is killed each time that it starts', async () => {
    const own = await aPlace();
    const program = await own.starting({ ...NO_CHROMIUM, QUITTANCE_PROCESSES: '2' });
    const killed = new Set<number>();
    while (!program.hasEnded) {
      for (const pid of workers(program)) {
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      }
      await sleep(20);
    }
    expect((await program.ended).code).toBe(1);
    expect(program.output.match(/before it was ready/g)).toHaveLength(killed.size);
    expect(program.output).toMatch(/"place":0,"starts":5,"msg":"the service ends"/);
    expect(own.processes()).toEqual([]);
    await own.remove();
  });

  it('stop cleanly when the signal comes while they start', async () => {
    const own = await aPlace();
    const program = await own.starting({ ...NO_CHROMIUM, QUITTANCE_PROCESSES: '2' });
    await until('one starts', () => workers(program).length === 1);
    program.signal('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, signal: null, errors: '' });
    expect(program.output).not.toContain('"ready"');
    expect(own.processes()).toEqual([]);
    await own.remove();
  });

  it('reset nobody when they stop under load', async () => {
    const own = await aPlace();
    const program = await own.service({
      ...NO_CHROMIUM,
      QUITTANCE_PROCESSES: '2',
      QUITTANCE_RATE_LIMIT: 'off',
    });
    await until('both are ready', () => program.output.includes('"processes":2'));
    const load = aLoadOn(program);
    await sleep(500);
    program.signal('SIGTERM');
    expect(await load.failures).toEqual([]);
    expect(await program.ended).toMatchObject({ code: 0, errors: '' });
    await own.remove();
  });
});

describe('the settings of one of several', () => {
  const config = { ...testConfig(0), databasePoolSize: 20, sealSeconds: 5, integrityHours: 24 };
  const database = { app: '', owner: '', reader: null };
  const at = (place: number, of: number): ProcessPlace => ({ place, of, database });

  it('leave the jobs to the first of them', () => {
    expect(configOf(config, at(0, 2))).toMatchObject({ doesJobs: true, sealSeconds: 5 });
    expect(configOf(config, at(1, 2))).toMatchObject({
      doesJobs: false,
      demo: false,
      sealSeconds: 0,
      dueDateSeconds: 0,
      integrityHours: 0,
      mailSeconds: 0,
    });
  });

  it('share the connections', () => {
    expect(configOf(config, at(0, 3)).databasePoolSize).toBe(7);
    expect(configOf(config, at(2, 20)).databasePoolSize).toBe(2);
  });
});
