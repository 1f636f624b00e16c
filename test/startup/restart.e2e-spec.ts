import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { Demo } from '../../src/demo/demo-account.js';
import { SystemClock } from '../../src/kernel/clock.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { TestClient } from '../support/client.js';
import { aDatabase } from '../support/database.js';
import { call } from '../support/http.js';
import { aPlace, type Place, readiness, type ServiceProgram, until } from './program.js';

const STACK = /^\s+at /m;

async function untilSomebodyWaits(connection: pg.Client): Promise<void> {
  await until('a request waits for the row', async () => {
    const { rowCount } = await connection.query('SELECT 1 FROM pg_locks WHERE NOT granted');
    return rowCount === 1;
  });
}

describe('a folder that was started in before', () => {
  let place: Place;
  let service: ServiceProgram;
  let demo: Demo;
  const connections: pg.Client[] = [];

  // One story: each test leaves a service running, or the folder ready for the next start.
  beforeAll(async () => {
    place = await aPlace();
    service = await place.service();
    await until('the calls are printed', () => service.output.includes('--forged\n'));
    demo = await place.demo();
  });
  afterEach(async () => {
    await Promise.all(connections.splice(0).map((client) => client.end().catch(() => undefined)));
  });
  afterAll(() => place.remove());

  const client = () =>
    new TestClient(service.url, new SystemClock(), {
      id: demo.client_id,
      secret: demo.client_secret,
      accountId: demo.account_id,
    });

  const paidOf = async () => (await client().read({ id: demo.invoice_id })).amount_paid;

  /** A connection of the service's own role, in a transaction that holds the invoice's row. */
  async function holdInvoice(): Promise<pg.Client> {
    const urls = await EmbeddedPostgres.urlsOfRunning(place.dataDir);
    const connection = new pg.Client(urls?.app);
    connections.push(connection);
    connection.on('error', () => undefined);
    await connection.connect();
    await connection.query('BEGIN');
    await connection.query("SELECT 1 FROM documents WHERE kind = 'invoice' FOR UPDATE");
    return connection;
  }

  async function stopped(): Promise<void> {
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, signal: null });
  }

  it('refuses a second start while the first runs, and says which process that is', async () => {
    const { code, errors } = await (await place.starting()).ended;
    expect(code).toBe(1);
    expect(errors).toContain(`another Quittance (pid ${service.pid})`);
    expect(errors).not.toMatch(STACK);
    expect(await readiness(service)).toBe(200);
  });

  it.each<[string, (port: string) => Record<string, string>]>([
    ['PORT', (PORT) => ({ PORT })],
    ['QUITTANCE_METRICS_PORT', (port) => ({ PORT: '0', QUITTANCE_METRICS_PORT: port })],
  ])('refuses a port in use, and names %s', async (name, taking) => {
    const other = await aPlace();
    const database = await aDatabase();
    try {
      const env = { ...taking(String(service.port)), DATABASE_URL: database.url };
      const { code, errors } = await other.run('main', [], env);
      expect(code).toBe(1);
      expect(errors).toMatch(new RegExp(`^${name}: `, 'm'));
      expect(errors).not.toMatch(STACK);
    } finally {
      await other.remove();
      await database.drop();
    }
  });

  it('answers what is under way before it ends on SIGTERM, and leaves nobody behind', async () => {
    const before = await paidOf();
    const token = demo.quote_portal_token;
    const lock = await holdInvoice();
    const pdf = call(`${service.url}/v1/portal/documents/${token}/pdf`);
    const payment = client().pay({ id: demo.invoice_id }, { reference: 'in flight' });
    await untilSomebodyWaits(lock);
    expect(place.processes()).toEqual(
      expect.arrayContaining([
        expect.stringContaining('/postgres -D '),
        expect.stringContaining(`/profile-${service.pid}-`),
      ]),
    );

    service.signal('SIGTERM');
    await until('new requests are sent elsewhere', async () => (await readiness(service)) !== 200);
    await until('nothing listens', async () => (await readiness(service)) === 'ECONNREFUSED');
    await sleep(300);
    expect(service.hasEnded).toBe(false);
    await lock.query('COMMIT');

    expect(await payment).toMatchObject({
      status: 201,
      body: { success: true, amount_paid: before + 2500 },
    });
    const { status, bytes } = await pdf;
    expect({ status, start: bytes.subarray(0, 5).toString() }).toEqual({
      status: 200,
      start: '%PDF-',
    });
    await lock.end();
    expect(await service.ended).toMatchObject({ code: 0, signal: null, errors: '' });
    expect(place.processes()).toEqual([]);
    expect(existsSync(join(place.dataDir, 'lock'))).toBe(false);
  });

  it('keeps account, credentials, documents and payments for the next start', async () => {
    const text = await readFile(join(place.dataDir, 'demo.json'), 'utf8');
    service = await place.service({ PORT: String(service.port) });
    await until('the calls are printed', () => service.output.includes('--forged\n'));
    expect(await readFile(join(place.dataDir, 'demo.json'), 'utf8')).toBe(text);
    expect(service.output).toContain(demo.client_secret);
    expect(await client().read({ id: demo.invoice_id })).toMatchObject({ amount_paid: 2500 });
    const { body } = await client().get<{ data: unknown[] }>('/v1/finance/documents');
    expect(body.data).toHaveLength(2);
  });

  it('starts again after kill -9 without losing what it had answered', async () => {
    const { status } = await client().pay({ id: demo.invoice_id }, { amount: 700 });
    expect(status).toBe(201);
    const lock = await holdInvoice();
    const cutOff = client()
      .pay({ id: demo.invoice_id }, { amount: 1 })
      .then(
        () => false,
        () => true,
      );
    await untilSomebodyWaits(lock);
    service.signal('SIGKILL');
    expect(await service.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await cutOff).toBe(true);

    service = await place.service({ PORT: String(service.port) });
    expect(await paidOf()).toBe(3200);
    // The killed process's PostgreSQL and Chromium are gone as well: one server, no old profile.
    const running = place.processes();
    expect(running.filter((line) => line.includes('/postgres -D '))).toHaveLength(1);
  });

  it('outlives its PostgreSQL: 503 meanwhile, then the same data behind the same connections', async () => {
    const pidFile = join(place.dataDir, 'postgres', 'postmaster.pid');
    for (const victim of ['postmaster', 'backend']) {
      const [postmaster] = (await readFile(pidFile, 'utf8')).split('\n', 1);
      const backend = await holdInvoice();
      const { rows } = await backend.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      process.kill(victim === 'backend' ? Number(rows[0]?.pid) : Number(postmaster), 'SIGKILL');
      const answers = new Set<string>();
      await until('it is ready again', async () => {
        const answer = await fetch(`${service.url}/readyz`);
        await answer.arrayBuffer();
        answers.add(`${answer.status} ${answer.headers.has('retry-after')}`);
        return answer.status === 200 && answers.size > 1;
      });
      expect([...answers].toSorted()).toEqual(['200 false', '503 true']);
      expect(await paidOf()).toBe(3200);
    }
    expect(service.hasEnded).toBe(false);
    expect(service.output).toContain('runs again');
    await stopped();
    expect(place.processes()).toEqual([]);
  });

  it('leaves nobody behind when SIGTERM comes before it is ready, and starts again', async () => {
    service = await place.starting({ PORT: String(service.port) });
    await until('PostgreSQL starts', () =>
      place.processes().some((line) => line.includes('/postgres -D ')),
    );
    await stopped();
    await until('nobody is left behind', () => place.processes().length === 0);
    service = await place.service({ PORT: String(service.port) });
    expect(await paidOf()).toBe(3200);
  });
});
