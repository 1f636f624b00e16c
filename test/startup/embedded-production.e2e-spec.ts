import { existsSync } from 'node:fs';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/kernel/clock.js';
import { TestClient } from '../support/client.js';
import { aPlace, NO_CHROMIUM, type Place, type ServiceProgram, until } from './program.js';

const PRODUCTION = {
  ...NO_CHROMIUM,
  NODE_ENV: 'production',
  BASE_URL: 'https://billing.acme.test',
  QUITTANCE_SECRET: 'kV5nB8sR2wQ7zL4xT9mC1pJ6hG3fD0aY',
  QUITTANCE_DATA_DIR: '.quittance',
  QUITTANCE_BACKUPS_KEPT: '2',
  QUITTANCE_DRAIN_DELAY_SECONDS: '0',
};
/** Of another program, and of days that are long past. */
const NOT_OURS = 'quittance.backup';
const OLDER = ['quittance-20200101T000000Z.backup', 'quittance-20200102T000000Z.backup'];
const LAST_OF_2020 = 'quittance-20200103T000000Z.backup';
const OURS = /^quittance-\d{8}T\d{6}Z\.backup$/;

describe('production with the embedded database', () => {
  let place: Place;
  let other: Place;
  let service: ServiceProgram;

  beforeAll(async () => {
    [place, other] = await Promise.all([aPlace(), aPlace()]);
    service = await place.service(PRODUCTION);
  });
  afterAll(async () => {
    await place.remove();
    await other.remove();
  });

  const backups = async () => (await readdir(join(place.dataDir, 'backups'))).sort();
  const command = async (args: string[]) => {
    const { code, output, errors } = await place.command([...args, '--json'], PRODUCTION);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    return JSON.parse(output) as Record<string, string>;
  };

  it('makes nothing up: no demo, no secret, no sandbox, no page of mails', async () => {
    const made = ['demo.json', 'secrets.json'].filter((name) =>
      existsSync(join(place.dataDir, name)),
    );
    expect(made).toEqual([]);
    expect((await stat(place.dataDir)).mode & 0o777).toBe(0o700);
    expect((await fetch(`${service.url}/mail`)).status).toBe(404);
    expect((await fetch(`${service.url}/v1/webhooks/sandbox`, { method: 'POST' })).status).toBe(
      404,
    );
    const account = await command(['account', 'create', '--name', 'Acme']);
    expect(account).toMatchObject({ mode: 'live', gateways: [] });
    const test = await command(['account', 'create', '--name', 'Trying', '--test']);
    expect(test).toMatchObject({ mode: 'test', gateways: [] });
  });

  it('backs itself up, once in its time; what is restored elsewhere has all that was paid', async () => {
    await until('there is a backup', async () =>
      (await backups()).some((name) => name.endsWith('.backup')),
    );
    const account = await command(['account', 'create', '--name', 'Shop']);
    const { account_id: accountId = '' } = account;
    const made = await command(['client', 'create', '--account', accountId, '--name', 'shop']);
    const { client_id: id = '', client_secret: secret = '' } = made;
    expect(secret).toMatch(/^qtc_live_/);
    const client = new TestClient(service.url, new SystemClock(), { id, secret, accountId });
    const invoice = await client.anInvoice();
    expect((await client.pay(invoice, { amount: 2500 })).status).toBe(201);

    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
    const first = await backups();
    expect(first).toHaveLength(1);
    expect((await stat(join(place.dataDir, 'backups', first[0]!))).mode & 0o777).toBe(0o600);
    // As if all this had been years ago, and a newer one were due.
    const folderHere = join(place.dataDir, 'backups');
    await rename(join(folderHere, first[0]!), join(folderHere, LAST_OF_2020));
    const old = [...OLDER, NOT_OURS];
    await Promise.all(old.map(async (name) => writeFile(join(folderHere, name), '')));
    const next = await place.service(PRODUCTION);
    const isPruned = async () => (await backups()).filter((name) => OURS.test(name)).length === 2;
    await until('the oldest are gone', isPruned);
    const kept = await backups();
    expect(kept).toEqual([LAST_OF_2020, expect.stringMatching(OURS), NOT_OURS]);
    next.signal('SIGTERM');
    await next.ended;

    const folder = join(place.folder, 'far');
    const env = { ...PRODUCTION, QUITTANCE_BACKUP_DIR: folder };
    const last = await place.service(env);
    const far = async () => (await readdir(folder)).filter((name) => name.endsWith('.backup'));
    await until('there is one there', async () => existsSync(folder) && (await far()).length === 1);
    const [file = ''] = await far();
    last.signal('SIGTERM');
    await last.ended;
    const restored = await other.command(['restore', join(folder, file), '--json'], PRODUCTION);
    expect(restored).toMatchObject({ code: 0, errors: '' });
    expect(existsSync(join(other.dataDir, 'backups'))).toBe(false);
    const again = await other.service(PRODUCTION);
    const there = new TestClient(again.url, new SystemClock(), { id, secret, accountId });
    expect(await there.read(invoice)).toMatchObject({ amount_paid: 2500 });
    const { code, output } = await other.command(['integrity', '--json'], PRODUCTION);
    expect({ code, ...JSON.parse(output) }).toMatchObject({ code: 0, differences: [] });
  });
});
