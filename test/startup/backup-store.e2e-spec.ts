import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/kernel/clock.js';
import { readBackupStore } from '../../src/platform/config/backup-store-config.js';
import { BackupStore } from '../../src/platform/database/backup/store/backup-store.js';
import { S3Failure } from '../../src/platform/s3/s3-failure.js';
import { TestClient } from '../support/client.js';
import { type S3Server, startS3Server } from '../support/s3-server.js';
import { aPlace, NO_CHROMIUM, type Place, until } from './program.js';

// A service with money, its encrypted backup in S3-compatible storage, and another machine.

const BUCKET = 'kept-elsewhere';
const ENV = { ...NO_CHROMIUM, QUITTANCE_RATE_LIMIT: 'off' };

let server: S3Server;
let folder: string;
let place: Place;
let other: Place;
let env: Record<string, string>;
let identity: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-store-'));
  server = await startS3Server(folder, BUCKET);
  [place, other] = await Promise.all([aPlace(), aPlace()]);
  const { output } = await place.command(['backups', 'key', '--json']);
  const key = JSON.parse(output) as { identity: string; recipient: string };
  identity = join(other.folder, 'identity.txt');
  await writeFile(identity, `# public key: ${key.recipient}\n${key.identity}\n`);
  env = {
    ...ENV,
    QUITTANCE_BACKUP_TO: `s3://${BUCKET}/acme`,
    QUITTANCE_BACKUP_S3_ENDPOINT: server.endpoint,
    QUITTANCE_BACKUP_S3_KEY_ID: 'S3RVER',
    QUITTANCE_BACKUP_S3_SECRET: 'S3RVER',
    QUITTANCE_BACKUP_AGE_RECIPIENTS: key.recipient,
    QUITTANCE_BACKUP_KEEP: '2 daily, 1 yearly',
  };
});
afterAll(async () => {
  await server.kill();
  await Promise.all([place.remove(), other.remove()]);
  await rm(folder, { recursive: true, force: true });
});

const command = async (at: Place, args: string[], more: Record<string, string> = {}) => {
  const { code, output, errors } = await at.command([...args, '--json'], { ...env, ...more });
  const told = JSON.parse(output || errors) as { detail?: string; name?: string; file?: string };
  return { code, ...told };
};
const listed = async () =>
  ((await command(place, ['backups', 'list'])) as unknown as { data: { name: string }[] }).data;
/** Of the store, as it keeps it. */
const fileOf = async (name: string) => {
  const files = await readdir(folder, { recursive: true });
  return join(
    folder,
    files.find((one) => one.includes(name) && !one.includes('md5') && !one.includes('metadata'))!,
  );
};

const FIGURES = `SELECT (SELECT count(*) FROM payments)::int AS payments,
  (SELECT sum(amount) FROM payments)::text AS paid, (SELECT count(*) FROM transfers)::int AS transfers,
  (SELECT count(*) FROM events)::int AS events`;

async function figures(at: Place): Promise<unknown> {
  const { default: pg } = await import('pg');
  const { output } = await at.command(['database-url', '--json'], ENV);
  const client = new pg.Client((JSON.parse(output) as { url: string }).url);
  await client.connect();
  try {
    return (await client.query<object>(FIGURES)).rows[0];
  } finally {
    await client.end();
  }
}

describe('backups in S3-compatible storage', () => {
  let name: string;

  it('are sent by the schedule, and restored on another machine by the keys alone', async () => {
    const first = await place.service(ENV);
    await until('the demo is made', () => existsSync(join(place.dataDir, 'demo.json')));
    const demo = await place.demo();
    const client = new TestClient(first.url, new SystemClock(), {
      id: demo.client_id,
      secret: demo.client_secret,
      accountId: demo.account_id,
    });
    for (const amount of [100, 250, 1]) {
      expect((await client.pay({ id: demo.invoice_id }, { amount })).status).toBe(201);
    }
    first.signal('SIGTERM');
    await first.ended;
    const again = await place.service({ ...env, QUITTANCE_BACKUP_HOURS: '24' });
    await until('it is in the store', async () => (await listed()).length === 1);
    const before = await figures(place);
    again.signal('SIGTERM');
    await again.ended;
    [{ name }] = (await listed()) as [{ name: string }];
    expect(await command(place, ['backups', 'verify', name])).toMatchObject({ code: 0, ok: true });
    const raw = await readFile(await fileOf(name));
    expect(raw.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const restored = await command(other, ['restore', '--newest', '--identity', identity]);
    expect(restored).toMatchObject({ code: 0, format: 1, made_at: expect.any(String) });
    const there = await other.service(ENV);
    expect(await figures(other)).toEqual(before);
    expect(before).toMatchObject({ payments: expect.any(Number), paid: expect.any(String) });
    const integrity = await other.command(['integrity', '--json'], ENV);
    expect({ code: integrity.code, ...JSON.parse(integrity.output) }).toMatchObject({
      code: 0,
      differences: [],
    });
    const waiting = await other.command(['release', '--json'], ENV);
    expect(JSON.parse(waiting.output)).toMatchObject({ schedules: { held: true, count: 0 } });
    there.signal('SIGTERM');
    await there.ended;
  });

  it('say what to do about a wrong key, a missing bucket, and a store that is not there', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ QUITTANCE_BACKUP_S3_SECRET: 'other' }, /SignatureDoesNotMatch .*S3_SECRET/],
      [{ QUITTANCE_BACKUP_S3_KEY_ID: 'other' }, /InvalidAccessKeyId .*S3_KEY_ID/],
      [{ QUITTANCE_BACKUP_TO: 's3://not-there/acme' }, /NoSuchBucket .*make the bucket not-there/],
      [{ QUITTANCE_BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1' }, /does not answer .*S3_ENDPOINT/],
      [{ QUITTANCE_BACKUP_TO: 'https://x' }, /QUITTANCE_BACKUP_TO: must be s3/],
      [{ QUITTANCE_BACKUP_KEEP: 'all' }, /QUITTANCE_BACKUP_KEEP: must be counts/],
      [{ QUITTANCE_BACKUP_AGE_RECIPIENTS: 'age1x' }, /AGE_RECIPIENTS: must be public keys/],
      [{ QUITTANCE_BACKUP_S3_SECRET: '' }, /QUITTANCE_BACKUP_S3_SECRET: is missing/],
    ];
    for (const [wrong, said] of cases) {
      const { code, detail } = await command(place, ['backups', 'list'], wrong);
      expect({ code, detail }).toMatchObject({ detail: expect.stringMatching(said) });
    }
    const doctor = await place.command(['doctor', '--json'], { ...env, ...cases[0]![0] });
    const { findings } = JSON.parse(doctor.output) as { findings: { check: string }[] };
    expect(findings.find(({ check }) => check === 'backup_store')).toMatchObject({ ok: false });
  });

  it('are refused by another identity, and when a byte is another one or missing', async () => {
    const target = await aPlace();
    const file = await fileOf(name);
    const whole = await readFile(file);
    const restore = async (key = identity) =>
      command(target, ['restore', '--stored', name, '--identity', key]);
    try {
      const strange = join(target.folder, 'strange.txt');
      const { output } = await place.command(['backups', 'key']);
      await writeFile(strange, output);
      expect(await restore(strange)).toMatchObject({ detail: expect.stringContaining('identit') });
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(changed.length >> 1) ^ 1, changed.length >> 1);
      for (const bytes of [changed, whole.subarray(0, -1000)]) {
        await writeFile(file, bytes);
        expect(await restore()).toMatchObject({
          detail: expect.stringMatching(/is no whole backup: .*Nothing was restored/),
        });
        expect(await command(place, ['backups', 'verify', name])).toMatchObject({
          code: 1,
          ok: false,
        });
      }
      const left = await readdir(target.dataDir).catch(() => []);
      expect(left.filter((one) => one !== 'postgres-lib')).toEqual([]);
    } finally {
      await writeFile(file, whole);
      await target.remove();
    }
  });

  it('take the dump of a server, and give it back as it was', async () => {
    const dump = join(place.folder, 'x.dump');
    // More than one part.
    const bytes = Buffer.alloc(20_000_000, 'of a server of the operator\n');
    await writeFile(dump, bytes);
    const sent = await command(place, ['backups', 'send', dump]);
    expect(sent).toMatchObject({ code: 0, name: expect.stringMatching(/\.dump\.age$/) });
    const back = join(other.folder, 'back.dump');
    const fetched = await command(other, [
      'backups',
      'fetch',
      sent.name ?? 'none',
      back,
      '--identity',
      identity,
    ]);
    expect(fetched).toMatchObject({ code: 0, file: back });
    expect((await readFile(back)).equals(bytes)).toBe(true);
    expect(await listed()).toHaveLength(2);
  });

  it('go by the plan, each kind by itself, and what is not ours or locked stays', async () => {
    const config = (await readBackupStore(env))!;
    const store = await BackupStore.open(config);
    const names = ['20240101T000000Z', '20260101T000000Z', '20260102T000000Z'].map(
      (at) => `quittance-${at}.backup.age`,
    );
    for (const one of names) await store.send(Readable.from([Buffer.from('x')]), one);
    await mkdir(join(folder, BUCKET, 'acme'), { recursive: true });
    // The newest of 2026 is that of today, and takes the place of the year.
    const locked = await aRefusingProxy(server.endpoint);
    const behind = await BackupStore.open({ ...config, endpoint: locked.endpoint });
    const kept = await behind.prune(new Date());
    expect(kept).toEqual({ deleted: [], locked: [names[1], names[0]] });
    await locked.close();
    expect(await store.prune(new Date())).toEqual({ deleted: [names[1], names[0]], locked: [] });
    expect((await listed()).map((one) => one.name)).toEqual(
      expect.arrayContaining([name, names[2]]),
    );
  });

  it('leave nothing behind when the store dies in the middle, and are sent later', async () => {
    const store = await BackupStore.open((await readBackupStore(env))!);
    const late = 'quittance-20260201T000000Z.backup.age';
    async function* content() {
      yield Buffer.alloc(17_000_000);
      await server.kill();
      yield Buffer.alloc(17_000_000);
    }
    await expect(store.send(Readable.from(content()), late)).rejects.toThrow(S3Failure);
    const { port } = new URL(server.endpoint);
    server = await startS3Server(folder, BUCKET, Number(port));
    expect((await listed()).map((one) => one.name)).not.toContain(late);
    await store.send(Readable.from([Buffer.from('x')]), late);
    expect((await listed()).map((one) => one.name)).toContain(late);
  });
});

/** A store whose objects may not be deleted yet. */
async function aRefusingProxy(endpoint: string) {
  const proxy = createServer((asked, response) => {
    if (asked.method === 'DELETE') {
      response.writeHead(403, { 'content-type': 'application/xml' });
      return response.end('<Error><Code>AccessDenied</Code><Message>locked</Message></Error>');
    }
    const { method, headers } = asked;
    const passed = request(`${endpoint}${asked.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: async () => new Promise((resolve) => proxy.close(resolve)),
  };
}
