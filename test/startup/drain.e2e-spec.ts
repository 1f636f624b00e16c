import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aRelayTo, type Relay } from '../e2e/platform/relay.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { call } from '../support/http.js';
import { aLoadOn, KeptConnection } from './kept-connections.js';
import { aPlace, NO_CHROMIUM, type Place, type ServiceProgram, until } from './program.js';

// From SIGTERM to the end of the process: nobody is cut off, and nothing makes it wait for ever.

const CLIENTS = 60;

let database: TestDatabase;
let relay: Relay;
let place: Place;
beforeAll(async () => {
  database = await aDatabase();
  relay = await aRelayTo(database.url);
});
beforeEach(async () => {
  place = await aPlace();
});
afterEach(async () => {
  relay.speak();
  await place.remove();
});
afterAll(async () => {
  await relay.close();
  await database.drop();
});

const aService = async (env: Record<string, string> = {}) =>
  place.service({ ...NO_CHROMIUM, DATABASE_URL: relay.url, QUITTANCE_RATE_LIMIT: 'off', ...env });

async function connections(service: ServiceProgram): Promise<KeptConnection[]> {
  const all = Array.from({ length: CLIENTS }, () => new KeptConnection(service.url));
  await Promise.all(all.map(async (one) => one.ask()));
  expect(all.filter(({ isLast }) => isLast)).toEqual([]);
  return all;
}

/** How a connection that says nothing is ended. */
async function endOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('error', (error) => resolve(error.message));
    socket.once('end', () => resolve('closed'));
    socket.resume();
  });
}

describe('SIGTERM', () => {
  it('is told to every client that keeps its connection, and resets none', async () => {
    const service = await aService({
      QUITTANCE_DRAIN_DELAY_SECONDS: '4',
      // Nobody is waited for that has asked nothing.
      QUITTANCE_DRAIN_SECONDS: '300',
    });
    const [busy, idle] = [await connections(service), await connections(service)];
    const silent = connect(service.port, '127.0.0.1');
    const silentEnd = endOf(silent);
    const working = busy.map(async (one) => one.askUntilTold());
    await sleep(200);
    service.signal('SIGTERM');
    await Promise.all(working);
    // Connections that had nothing to ask when it came are still served, and so are new ones.
    await Promise.all(idle.map(async (one) => one.ask()));
    expect(idle.filter(({ isLast }) => !isLast)).toEqual([]);
    const answered = [...busy, ...idle].flatMap(({ statuses }) => statuses);
    expect(answered.filter((status) => status !== 200)).toEqual([]);
    const ready = await call(`${service.url}/readyz`);
    expect([ready.status, ready.body['code']]).toEqual([503, 'draining']);
    expect(ready.headers.get('connection')).toBe('close');
    expect((await call(`${service.url}/v1/openapi.json`)).status).toBe(200);
    expect(await silentEnd).toBe('closed');
    expect(await service.ended).toMatchObject({ code: 0, errors: '' });
  });

  it('resets nobody under load, also where it stops listening at once', async () => {
    const service = await aService();
    const load = aLoadOn(service);
    await sleep(500);
    service.signal('SIGTERM');
    expect(await load.failures).toEqual([]);
    expect(await service.ended).toMatchObject({ code: 0, errors: '' });
  });

  it.each([
    ['the sources are loaded', () => existsSync(join(place.folder, 'cache/compiled'))],
    ['PostgreSQL starts', () => place.processes().some((line) => line.includes(' -D '))],
  ])('when %s, stops what there is', async (when, hasCome) => {
    const cache: Record<string, string> = when.startsWith('the')
      ? { QUITTANCE_CACHE_DIR: 'cache' }
      : {};
    const program = await place.starting({ ...NO_CHROMIUM, ...cache });
    await until('it has come so far', hasCome);
    program.signal('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, signal: null, errors: '' });
    expect(program.output).not.toContain('"ready"');
    expect(place.processes()).toEqual([]);
  });

  it.each([
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
  ] as const)('after %s, %s ends at once', async (first, second) => {
    const service = await aService({ QUITTANCE_DRAIN_DELAY_SECONDS: '300' });
    service.signal(first);
    await until('it stops', () => service.output.includes('"stopping"'));
    service.signal(second);
    expect(await service.ended).toMatchObject({ code: 130 });
  });

  it('ends a process whose database is silent', async () => {
    const service = await aService({
      QUITTANCE_STATEMENT_TIMEOUT_MS: '300000',
      QUITTANCE_DRAIN_SECONDS: '1',
      QUITTANCE_SEAL_SECONDS: '1',
    });
    relay.silence();
    const asked = Array.from({ length: 20 }, async () =>
      call(`${service.url}/v1/portal/${'A'.repeat(43)}`).then(
        ({ status }) => status,
        () => 'cut off',
      ),
    );
    await sleep(1500);
    service.signal('SIGTERM');
    const { code, signal, errors } = await service.ended;
    expect({ signal, errors }).toEqual({ signal: null, errors: '' });
    expect([0, 1]).toContain(code);
    await Promise.all(asked);
  });
});
