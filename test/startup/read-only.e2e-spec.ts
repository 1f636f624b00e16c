import { execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aServerPair, type ServerPair } from '../support/server-pair.js';
import {
  aPlace,
  NO_CHROMIUM,
  type Place,
  readiness,
  type ServiceProgram,
  until,
} from './program.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { freePort } from '../../src/testing/service/free-port.js';

// Programs on a real standby: one that only reads, and one that nobody told that it is on one.

let pair: ServerPair;
let place: Place;
let env: Record<string, string>;
let reading: Record<string, string>;

beforeAll(async () => {
  pair = await aServerPair({ migrated: false });
  place = await aPlace();
  env = { ...NO_CHROMIUM, QUITTANCE_SECRET: 'of-both-programs-which-is-long-enough-for-a-test' };
  const metrics = { QUITTANCE_METRICS_PORT: String(await freePort()) };
  reading = {
    ...env,
    ...metrics,
    DATABASE_URL: pair.standby.urls.app,
    QUITTANCE_READ_ONLY: 'true',
    QUITTANCE_SEAL_SECONDS: '1',
  };
}, 600_000);
afterAll(async () => {
  await place?.remove();
  await pair?.remove();
}, 60_000);

const pause = async (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const wrongIn = ({ output }: ServiceProgram) =>
  output
    .split('\n')
    .filter((line) => /"level":"(warn|error|fatal)"/.test(line) && !/PDF/.test(line));
const errorsIn = (lines: readonly string[]) => lines.filter((line) => /ERROR|PANIC/.test(line));

const isProxyInstalled = (() => {
  try {
    return execFileSync('haproxy', ['-v']).length > 0;
  } catch {
    console.warn('left out: HAProxy is not installed');
    return false;
  }
})();

/** HAProxy before both, by the file that we hand out. */
async function aProxy(writer: ServiceProgram, reader: ServiceProgram) {
  const given = new URL('../../deploy/high-availability/readers.cfg', import.meta.url);
  const address = `127.0.0.1:${await freePort()}`;
  const text = (await readFile(given, 'utf8'))
    .replace('<ADDRESS>', address)
    .replace('<WRITER>', new URL(writer.url).host)
    .replace('<READER>', new URL(reader.url).host);
  const path = join(place.folder, 'readers.cfg');
  await writeFile(path, text);
  const program = spawn('haproxy', ['-db', '-f', path], { stdio: 'ignore' });
  return { url: `http://${address}`, stop: () => program.kill('SIGKILL') };
}

async function tokenAt({ url }: { url: string }): Promise<string> {
  const { client_id: id, client_secret: secret } = await place.demo();
  const body = JSON.stringify({ client_id: id, client_secret: secret });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/auth/token`, { method: 'POST', headers, body });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
}

async function documentsAt({ url }: { url: string }, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/v1/finance/documents`, { headers })).status;
}

describe('a program that only reads', () => {
  it('does not start where migrations are missing, and says what to do', async () => {
    const program = await place.starting(reading);
    const { code, output, errors } = await program.ended;
    expect(code).not.toBe(0);
    expect(`${output}${errors}`).toMatch(/QUITTANCE_READ_ONLY: the database lacks .*Run migrate/s);
  });

  it('answers on the standby, warns of nothing, and goes on while the primary is away', async () => {
    await migrate(pair.primary.urls);
    const writing = { ...env, DATABASE_URL: pair.primary.urls.app, QUITTANCE_DEMO: '1' };
    const owner = { DATABASE_OWNER_URL: pair.primary.urls.owner };
    const writer = await place.service({ ...writing, ...owner });
    await pair.caughtUp();
    pair.lines.length = 0;
    const reader = await place.service({ ...reading, QUITTANCE_PROCESSES: '2' });
    const token = await tokenAt(reader);
    expect(await documentsAt(reader, token)).toBe(200);
    expect(await documentsAt(writer, token)).toBe(200);
    const said = await place.command(['status'], reading);
    expect(said.output).toContain('It only reads');
    const doctor = JSON.parse(
      (await place.command(['doctor', '--live', '--json'], reading)).output,
    );
    const found = JSON.stringify(doctor);
    expect(found).toContain('this service only reads');
    expect(found).toContain('the server is a standby');
    expect(await place.command(['migrate'], reading)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('nothing is changed from here') as string,
    });
    expect((await place.command(['account', 'list', '--json'], reading)).output).toContain('acc_');
    const proxy = isProxyInstalled ? await aProxy(writer, reader) : reader;
    await until('it is served', async () => (await readiness(proxy)) === 200);
    // Rounds of all jobs that there would be.
    await pause(12_000);
    expect(wrongIn(reader)).toEqual([]);
    writer.signal('SIGTERM');
    await writer.ended;
    await pair.primary.stop();
    expect(await readiness(reader)).toBe(200);
    await until('the reader serves', async () => (await readiness(proxy)) === 200);
    expect(await documentsAt(proxy, await tokenAt(proxy))).toBe(200);
    const refused = await fetch(`${proxy.url}/v1/webhooks/gateway-a`, {
      method: 'POST',
      body: '{}',
    });
    expect(await refused.json()).toMatchObject({ status: 503, code: 'database_read_only' });
    if ('stop' in proxy) proxy.stop();
    reader.signal('SIGTERM');
    expect(await reader.ended).toMatchObject({ code: 0 });
    expect(wrongIn(reader)).toEqual([]);
    expect(errorsIn(pair.lines)).toEqual([]);
    const create = ['account', 'create', '--name', 'New'];
    const { code, errors } = await place.command(create, reading);
    expect([code, errors]).toEqual([2, expect.stringContaining('takes no changes')]);
  });
});

describe('a program that was not told that it is on a standby', () => {
  it('is not ready, says so once, and goes on when the standby takes over', async () => {
    const told = { ...env, DATABASE_URL: pair.standby.urls.app };
    const program = await place.starting({ ...told, QUITTANCE_SEAL_SECONDS: '1' });
    await until('it answers', async () => (await readiness(program)) === 503);
    await pause(12_000);
    expect(await readiness(program)).toBe(503);
    const [line, ...others] = wrongIn(program);
    expect(line).toContain('the database takes no changes');
    expect(line).not.toContain('stack');
    expect(others).toEqual([]);
    await pair.standby.promote();
    await until('it is ready', async () => (await readiness(program)) === 200);
    await until('jobs go on', () => program.output.includes('takes changes again'));
  });
});
