import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { Demo } from '../../src/demo/demo-account.js';
import { SystemClock } from '../../src/kernel/clock.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { TestClient } from '../support/client.js';
import { aPlace, NO_CHROMIUM, type Place, type ServiceProgram, until } from './program.js';
import { FakeTerminal, toldBehind } from './terminals.js';

const WRITERS = 4;
/** The backup has its share of the machine. */
const BETWEEN_PAYMENTS_MS = 20;
const ENV = { ...NO_CHROMIUM, QUITTANCE_RATE_LIMIT: 'off' };

const FIRST_EVENT = '/v1/events?after=beginning&limit=1';

const clientOf = (url: string, { client_id, client_secret, account_id }: Demo) =>
  new TestClient(url, new SystemClock(), {
    id: client_id,
    secret: client_secret,
    accountId: account_id,
  });

async function query<Row extends pg.QueryResultRow>(place: Place, sql: string): Promise<Row[]> {
  const urls = await EmbeddedPostgres.urlsOfRunning(place.dataDir);
  const client = new pg.Client(urls?.owner);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Of all files below a folder. */
function digestsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(files.map((path) => [relative(folder, path), digestOf(path)]));
}

describe('a backup of the embedded database', () => {
  let place: Place;
  let service: ServiceProgram;
  let file: string;
  /** Payments by reference, with the time at which they had been answered. */
  const acknowledged: [reference: string, at: string][] = [];
  let madeAt = '';
  /** Of a program that follows the events. */
  let eventPlace = '';

  beforeAll(async () => {
    place = await aPlace();
    file = join(place.folder, 'quittance.backup');
    service = await place.service(ENV);
    await until('the demo is made', () => existsSync(join(place.dataDir, 'demo.json')));
  });
  afterAll(() => place.remove());

  it('that is killed half-way leaves no file that looks whole, and the server as it was', async () => {
    const killed = place.start('cli', ['backup', file], ENV);
    const parts = async () =>
      (await readdir(place.folder)).filter((name) => name.endsWith('.part'));
    await until('it writes', async () => killed.hasEnded || (await parts()).length > 0);
    killed.signal('SIGKILL');
    expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(existsSync(file)).toBe(false);
    const slots = 'SELECT slot_name FROM pg_replication_slots';
    await until(
      'its place in the log is free',
      async () => (await query(place, slots)).length === 0,
    );
  });

  it('is made while payments go on', async () => {
    const demo = await place.demo();
    const reader = clientOf(service.url, demo);
    const first = await reader.get<{ next_cursor: string }>(FIRST_EVENT);
    eventPlace = first.body.next_cursor;
    const writing = { goesOn: true };
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const client = clientOf(service.url, demo);
      for (let at = 0; writing.goesOn; at += 1) {
        const reference = `${writer}/${at}`;
        const { status } = await client.pay({ id: demo.invoice_id }, { amount: 1, reference });
        if (status === 201 && writing.goesOn)
          acknowledged.push([reference, new Date().toISOString()]);
        await sleep(BETWEEN_PAYMENTS_MS);
      }
    });
    await until('payments are made', () => acknowledged.length > 20);
    const before = acknowledged.length;
    const made = await place.run('cli', ['backup', file, '--json'], ENV);
    writing.goesOn = false;
    await Promise.all(writers);
    expect(made).toMatchObject({ code: 0, errors: '' });
    const told = JSON.parse(made.output) as { made_at: string };
    expect(told).toMatchObject({ file, format: 1 });
    madeAt = told.made_at;
    expect(acknowledged.length).toBeGreaterThan(before);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await place.command(['backup', file], ENV)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('is there already'),
    });
  });

  it('tells a terminal how far it has come, and is the same one', async (test) => {
    if (spawnSync('script', ['--version']).status !== 0)
      return test.skip('script is not installed');
    const copy = join(place.folder, 'seen.backup');
    const { code, output } = await place.shown(['backup', copy], ENV);
    expect(code).toBe(0);
    expect(toldBehind('backup', output)).toMatch(
      /^\S+seen\.backup: \d+ files, \d+ MB\. It holds your secrets\.\r\n$/,
    );
    const restored: Record<string, string>[] = [];
    for (const terminal of [new FakeTerminal(), undefined]) {
      const folder = join(place.folder, `restored-${restored.length}`);
      const env = { ...ENV, QUITTANCE_DATA_DIR: folder };
      const ended = await place.command(['restore', copy], env, terminal);
      expect(ended).toMatchObject({ code: 0, errors: '' });
      if (terminal) expect(toldBehind('restore', `${terminal.text}${ended.output}`)).toMatch(/^\S/);
      restored.push(digestsIn(folder));
      await rm(folder, { recursive: true });
    }
    expect(restored[0]).toEqual(restored[1]);
    expect(Object.keys(restored[0] ?? {}).length).toBeGreaterThan(500);
  });

  it('is refused when a byte of it is missing or another, and by a folder in use', async () => {
    const whole = await readFile(file);
    const broken = join(place.folder, 'broken.backup');
    const target = await aPlace();
    try {
      const restore = async () => target.command(['restore', broken], ENV);
      await writeFile(broken, whole);
      await truncate(broken, whole.length - 1000);
      const cut = await restore();
      whole.writeUInt8(whole.readUInt8(whole.length >> 1) ^ 1, whole.length >> 1);
      await writeFile(broken, whole);
      const changed = await restore();
      for (const { code, output, errors } of [cut, changed]) {
        expect({ code, output }).toEqual({ code: 2, output: '' });
        expect(errors).toMatch(/^.*broken.backup is no whole backup: .*Nothing was restored\.\n$/);
      }
      expect((await readdir(target.dataDir)).filter((name) => name !== 'postgres-lib')).toEqual([]);
      await writeFile(join(target.dataDir, 'secrets.json'), '{}');
      expect(await target.command(['restore', file], ENV)).toMatchObject({
        code: 2,
        errors: expect.stringMatching(/is in use \(secrets.json\); restore into an empty folder/),
      });
      expect(await place.command(['restore', file], ENV)).toMatchObject({ code: 2 });
      await rm(join(target.dataDir, 'secrets.json'));
      await mkdir(join(target.dataDir, 'restoring'));
      expect(await (await target.starting(ENV)).ended).toMatchObject({
        code: 1,
        errors: expect.stringContaining('was interrupted'),
      });
    } finally {
      await target.remove();
    }
  });

  it('comes back elsewhere with all that was acknowledged, credentials, and sound books', async () => {
    const demo = await place.demo();
    service.signal('SIGTERM');
    await service.ended;
    const other = await aPlace();
    try {
      const restored = await other.run('cli', ['restore', file, '--json'], ENV);
      expect(restored).toMatchObject({ code: 0, errors: '' });
      const again = await other.service(ENV);
      const rows = await query<{ reference: string }>(other, 'SELECT reference FROM payments');
      const there = new Set(rows.map(({ reference }) => reference));
      const before = acknowledged.filter(([, at]) => at < madeAt).map(([reference]) => reference);
      expect(before.length).toBeGreaterThan(20);
      expect(before.filter((reference) => !there.has(reference))).toEqual([]);
      const said = `SELECT after->>'file' AS file FROM audit_entries WHERE action = 'cli.backup'`;
      expect(await query(other, said)).toContainEqual({ file });
      // Its paths and its address are those of the new place.
      const { account_id, client_id, client_secret, invoice_id } = demo;
      expect(await other.demo()).toMatchObject({
        account_id,
        client_id,
        client_secret,
        invoice_id,
      });
      const client = clientOf(again.url, demo);
      expect((await client.pay({ id: demo.invoice_id }, { amount: 1 })).status).toBe(201);
      const { code, output } = await other.command(['integrity', '--json'], ENV);
      expect({ code, ...JSON.parse(output) }).toMatchObject({ code: 0, differences: [] });
      // The event is there, and its history is another one: who follows, and what was on its way, waits.
      expect(await client.get(`/v1/events?after=${eventPlace}`)).toMatchObject({
        status: 409,
        body: { code: 'history_changed' },
      });
      expect((await client.get(FIRST_EVENT)).status).toBe(200);
      const offset = await query(other, 'SELECT book_xact_offset() AS offset');
      expect(offset).toEqual([{ offset: '0' }]);
    } finally {
      await other.remove();
    }
  });

  it('is not for a server of the operator, whose own tools are named', async () => {
    const env = { ...ENV, DATABASE_URL: 'postgres://quittance:x@127.0.0.1:1/quittance' };
    for (const command of ['backup', 'restore']) {
      expect(await place.command([command, join(place.folder, 'x')], env)).toMatchObject({
        code: 2,
        errors: expect.stringContaining('pg_basebackup'),
      });
    }
  });

  it('has an address for each role of the running database, and none without it', async () => {
    const command = ['database-url'];
    expect(await place.run('cli', command, ENV)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('no service'),
    });
    service = await place.service(ENV);
    const roles: [string[], string][] = [
      [[], 'quittance_owner'],
      [['--role', 'reader'], 'quittance_reader'],
      [['--role', 'app'], 'quittance_app'],
    ];
    for (const [args, user] of roles) {
      const { code, output } = await place.command([...command, ...args], ENV);
      const client = new pg.Client(output.trim());
      await client.connect();
      const { rows } = await client.query('SELECT current_user AS user');
      await client.end();
      expect({ code, rows }).toEqual({ code: 0, rows: [{ user }] });
    }
  });
});
