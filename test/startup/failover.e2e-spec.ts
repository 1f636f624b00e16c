import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/kernel/clock.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { aRelayTo, type Relay } from '../e2e/platform/relay.js';
import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import { requestFor, TestClient } from '../support/client.js';
import { aStandby, type Standby } from '../support/standby.js';
import { aPlace, NO_CHROMIUM, type Place, type ServiceProgram, until } from './program.js';

// A standby takes over that has nothing of the last minutes: all of it was acknowledged, and is named.

let folder: string;
let place: Place;
let primary: EmbeddedPostgres;
let standby: Standby;
let ways: Relay[];
let service: ServiceProgram;
let client: TestClient;
let env: Record<string, string>;
const lost: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-failover-'));
  place = await aPlace();
  const first = await place.service({ ...NO_CHROMIUM, QUITTANCE_DEMO: '1' });
  const demo = await place.demo();
  first.signal('SIGTERM');
  await first.ended;
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  for (const copy of [one, other]) execFileSync('cp', ['-a', place.dataDir, copy]);
  primary = await EmbeddedPostgres.start({ dataDir: one, log: () => undefined });
  standby = await aStandby(other);
  ways = [await aRelayTo(primary.urls.app), await aRelayTo(standby.urls.app)];
  const { username, password, pathname } = new URL(primary.urls.app);
  const hosts = ways.map(({ url }) => new URL(url).host).join(',');
  env = {
    ...NO_CHROMIUM,
    DATABASE_URL: `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`,
    QUITTANCE_SEAL_SECONDS: '1',
    QUITTANCE_SEAL_HEADS_FILE: join(folder, 'heads'),
  };
  service = await place.service(env);
  const { client_id: id, client_secret: secret, account_id: accountId } = demo;
  client = new TestClient(service.url, new SystemClock(), { id, secret, accountId });
}, 600_000);
afterAll(async () => {
  await place.remove();
  for (const way of ways) await way.close();
  await primary.stop();
  await standby.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Waits while no number is given. */
async function anInvoice() {
  for (;;) {
    const { status, text, body } = await client.post<DocumentBody>(
      '/v1/finance/documents',
      requestFor(),
    );
    if (status === 201) return body;
    if (status !== 503) throw new Error(text);
    held.add((JSON.parse(text) as { code: string }).code);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

const held = new Set<string>();
const given: string[] = [];
const seals = () => service.output.match(/"msg":"sealed"/g)?.length ?? 0;
const command = async (...args: string[]) => place.command([...args, '--json'], env);
const losses = () => service.output.match(/"msg":"the database has lost[^"]*"/g)?.length ?? 0;

interface Lost {
  facts: string[];
  seals: string[];
}

interface Listed {
  data: { id: string; type: string; data: { document?: { number: string | null } } }[];
}

async function allEvents(): Promise<string[]> {
  const { body } = await client.get<Listed>('/v1/events?limit=100');
  return body.data.map(({ id, type, data }) => {
    return `${type} ${id}${data.document?.number ? ` of ${data.document.number}` : ''}`;
  });
}

describe('a standby that lacks the last facts', () => {
  it('is noticed, with each of them by name', async () => {
    const before = new Set(await allEvents());
    for (let count = 0; count < 3; count += 1) {
      const invoice = await client.anInvoice();
      given.push(invoice.number ?? '');
      expect((await client.pay(invoice)).status).toBe(201);
    }
    lost.push(...(await allEvents()).filter((one) => !before.has(one)));
    expect(lost.length).toBeGreaterThanOrEqual(6);
    const sealed = seals();
    await until('they are sealed', () => seals() > sealed);

    ways[0]?.silence();
    await standby.promote();
    await until('the loss is told', () => losses() > 0);
    const { output } = await command('audit');
    const { entries } = JSON.parse(output) as { entries: { action: string; after: Lost }[] };
    const told = entries.filter(({ action }) => action === 'history.lost');
    expect(told).toMatchObject([{ after: { count: lost.length } }]);
    const [{ facts, seals: gone } = { facts: [], seals: [] }] = told.map(({ after }) => after);
    expect(gone).toContainEqual(expect.stringMatching(`^seal \\d+ of ${client.accountId}$`));
    expect(facts.toSorted()).toEqual(lost.toSorted());
  });

  it('takes payments, and nothing is sealed over the hole', async () => {
    const sealed = seals();
    const invoice = await anInvoice();
    expect(held).toEqual(new Set(['numbers_held']));
    expect(given).not.toContain(invoice.number);
    given.push(invoice.number ?? '');
    expect((await client.pay(invoice)).status).toBe(201);
    const { body } = await client.get(`/v1/finance/numbering/invoice/audit`);
    expect(body).toMatchObject({ complete: true, periods: [{ gap_count: 0, skipped_count: 3 }] });
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    expect(seals()).toBe(sealed);
    expect(losses()).toBe(1);
    // The next process asks the file and the database, and remembers nothing.
    service.signal('SIGKILL');
    await service.ended;
    service = await place.service({ ...env, PORT: String(service.port) });
    await new Promise((resolve) => setTimeout(resolve, 8000));
    expect([seals(), losses()]).toEqual([0, 0]);
    expect(given).not.toContain((await client.anInvoice()).number);
  });

  it('is sealed once somebody has accepted the loss, and the books agree', async () => {
    const wrong = await command('integrity');
    expect(wrong.code).toBe(1);
    const { code, output } = await command('integrity', '--accept-loss');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ losses: [{ fact_count: lost.length }] });
    await until('it is sealed again', () => seals() > 0);
    expect(await command('integrity')).toMatchObject({ code: 0 });
    expect(JSON.parse((await command('integrity', '--accept-loss')).output)).toEqual({
      losses: [],
    });
  });
});
