import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/kernel/clock.js';
import { SCOPES } from '../../src/platform/http/access.js';
import { bankFixture } from '../support/bank-files.js';
import { TestClient } from '../support/client.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { call } from '../support/http.js';
import { aPlace, NO_CHROMIUM, type Place, type ServiceProgram, until } from './program.js';

const STACK = /^\s+at /m;
const UNKNOWN_ACCOUNT = 'acc_01h455vb4pex5vsknk084sn02q';

interface Finding {
  check: string;
  ok: boolean;
  warning?: true;
  detail: string;
}

// Each command runs once as a program; its other cases in this process, which takes a tenth of that.

/** Runs the program; `json` is what it printed. */
async function cli(place: Place, args: string[], env: Record<string, string> = {}) {
  return withJson(args, await place.run('cli', args, env));
}

/** The same without a process of its own. */
async function command(place: Place, args: string[], env: Record<string, string> = {}) {
  return withJson(args, await place.command(args, env));
}

function withJson<Ended extends { output: string }>(args: string[], ended: Ended) {
  const json = (args.includes('--json') && ended.output ? JSON.parse(ended.output) : {}) as Record<
    string,
    unknown
  >;
  return { ...ended, json };
}

describe('the command line in a folder', () => {
  let place: Place;
  let accountId: string;
  let service: ServiceProgram;

  beforeAll(async () => {
    place = await aPlace();
  });
  afterAll(() => place.remove());

  it('starts the database itself where no service runs, and stops it again', async () => {
    const made = await cli(place, ['account', 'create', '--name', 'Acme', '--json']);
    expect(made).toMatchObject({ code: 0, errors: '' });
    expect(made.json).toEqual({
      account_id: expect.stringMatching(/^acc_/),
      name: 'Acme',
      mode: 'live',
      currency: 'EUR',
      time_zone: 'UTC',
      // Gateways that this start made up are for accounts made for trying.
      gateways: [],
    });
    accountId = String(made.json['account_id']);
    expect(existsSync(join(place.dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(place.dataDir, 'lock'))).toBe(false);
    expect(place.processes()).toEqual([]);
  });

  it('makes a client whose credentials the running service takes, with these scopes', async () => {
    service = await place.service({ ...NO_CHROMIUM, QUITTANCE_DEMO: '0' });
    const args = ['--account', accountId, '--scope', 'documents:read payments:read', '--json'];
    const made = await cli(place, ['client', 'create', ...args]);
    expect(made).toMatchObject({ code: 0, errors: '' });
    const answer = await call(`${service.url}/v1/auth/token`, { method: 'POST', body: made.json });
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });

    const reader = new TestClient(service.url, new SystemClock(), {
      id: String(made.json['client_id']),
      secret: String(made.json['client_secret']),
      accountId,
    });
    expect(await reader.get('/v1/finance/documents')).toMatchObject({
      status: 200,
      body: { data: [] },
    });
    expect(await reader.post('/v1/finance/documents', {})).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });

  it('makes a client of every scope when none is named', async () => {
    const made = await command(place, ['client', 'create', '--account', accountId, '--json']);
    const body = { ...made.json, scope: SCOPES.join(' ') };
    const answer = await call(`${service.url}/v1/auth/token`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  });

  it('refuses wrong input with one sentence', async () => {
    const wrong: [string[], RegExp][] = [
      [['client', 'create', '--account', accountId, '--scope', 'documents:burn'], /documents:burn/],
      [['client', 'create', '--account', UNKNOWN_ACCOUNT], /account/],
      [['client', 'create', '--account', 'acme'], /--account/],
      [['account', 'create', '--name', 'Acme', '--currency', 'GOLD'], /GOLD/],
      [['account', 'create', '--name', 'Acme', '--time-zone', 'Mars/Olympus'], /Mars\/Olympus/],
      [['account', 'create', '--name', '  '], /--name/],
    ];
    const ends = await Promise.all(
      wrong.map(([args], at) => (at === 0 ? place.run('cli', args) : place.command(args))),
    );
    const shown = ends.map(({ code, output, errors }, at) => ({
      args: wrong[at]?.[0],
      failed: code !== 0 && code !== null,
      output,
      names: wrong[at]?.[1].test(errors),
      lines: errors.trim().split('\n').length < 4,
      stack: STACK.test(errors),
    }));
    expect(shown).toEqual(
      wrong.map(([args]) => ({
        args,
        failed: true,
        output: '',
        names: true,
        lines: true,
        stack: false,
      })),
    );
  });

  it('finds a running service healthy', async () => {
    const { code, errors, json } = await cli(place, ['doctor', '--json']);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(json['ok']).toBe(true);
    const findings = json['findings'] as Finding[];
    expect(findings.map(({ check, ok }) => ({ check, ok }))).toEqual(
      [
        'database',
        'backups',
        'backup_store',
        'file_store',
        'roles',
        'chromium',
        'fonts',
        'images',
        'gateways',
        'gateway_tests',
        'mail',
        'outgoing',
        'extensions',
        'vat_register',
      ].map((check) => ({
        check,
        ok: true,
      })),
    );
    // Which Chromium this machine has is not ours to say.
    const warned = findings.filter(({ check, warning }) => warning && check !== 'chromium');
    expect(warned).toEqual([]);
  });

  it('imports a file of the bank once, for the operator', async () => {
    const file = join(place.dataDir, 'statement.xml');
    writeFileSync(file, bankFixture('camt053-v02.xml'));
    const args = ['bank-statements', 'import', file, '--account', accountId, '--json'];
    const first = await cli(place, args);
    expect(first).toMatchObject({ code: 0, errors: '' });
    expect(first.json).toMatchObject({ format: 'camt.053', counts: { entries: 4, debits: 1 } });
    expect((await command(place, args)).json).toEqual(first.json);
    writeFileSync(file, '<!DOCTYPE x><x/>');
    expect(await command(place, args)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('DOCTYPE'),
    });
  });

  it('finds no difference in a running service, and leaves it running', async () => {
    const { code, errors, json } = await command(place, ['integrity', '--json']);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(json).toEqual({
      checks: expect.any(Number),
      differences: [],
      sealed: null,
      unsealed_rows: expect.any(Number),
    });
    expect(json['checks']).toBeGreaterThan(5);
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, errors: '' });
  });
});

describe('the command line with DATABASE_URL', () => {
  let place: Place;
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    place = await aPlace();
    database = await aDatabase({ migrated: false });
    env = { DATABASE_URL: database.url };
  });
  afterAll(async () => {
    await place.remove();
    await database.drop();
  });

  it('names what is missing: migrations, Chromium', async () => {
    const { code, json } = await command(place, ['doctor', '--json'], {
      ...env,
      CHROMIUM_PATH: join(place.folder, 'no-such-chromium'),
    });
    expect(code).toBe(1);
    expect(json['ok']).toBe(false);
    const findings = json['findings'] as Finding[];
    const ok = findings.map(({ check, ok }) => [check, ok]);
    expect(Object.fromEntries(ok)).toEqual({
      database: false,
      backups: true,
      backup_store: true,
      file_store: true,
      roles: true,
      chromium: false,
      fonts: false,
      images: true,
      gateways: true,
      gateway_tests: true,
      mail: true,
      outgoing: true,
      extensions: true,
      vat_register: true,
    });
    const details = Object.fromEntries(findings.map(({ check, detail }) => [check, detail]));
    expect(details['database']).toMatch(/migrate/);
    expect(details['chromium']).toMatch(/CHROMIUM_PATH/);
  });

  it('says what is wrong with the database even when it does not answer', async () => {
    const { code, errors, json } = await command(place, ['doctor', '--json'], {
      DATABASE_URL: 'postgres://quittance:hunter2@127.0.0.1:1/quittance',
      CHROMIUM_PATH: join(place.folder, 'no-such-chromium'),
    });
    expect({ code, errors }).toEqual({ code: 1, errors: '' });
    const [finding] = json['findings'] as Finding[];
    expect(finding).toMatchObject({ check: 'database', ok: false });
    expect(finding?.detail).toMatch(/\w{3}/);
    expect(finding?.detail).not.toContain('hunter2');
  });

  it('migrates an empty database once', async () => {
    const first = await cli(place, ['migrate', '--json'], env);
    expect(first).toMatchObject({ code: 0, errors: '' });
    const names = await database.query('SELECT name FROM migrations ORDER BY id');
    expect(first.json).toEqual({ migrated: names.map(({ name }) => name) });
    expect(names.length).toBeGreaterThan(0);

    const second = await command(place, ['migrate', '--json'], env);
    expect(second).toMatchObject({ code: 0, errors: '', json: { migrated: [] } });
  });

  it('finds a balance that was changed behind its back, and names the document', async () => {
    const service = await place.service({ ...env, ...NO_CHROMIUM, QUITTANCE_DEMO: '1' });
    await until('the calls are printed', () => service.output.includes('--forged\n'));
    service.signal('SIGTERM');
    await service.ended;
    const { invoice_id: id } = await place.demo();
    expect(await command(place, ['integrity', '--json'], env)).toMatchObject({
      code: 0,
      json: { differences: [] },
    });

    const changed = await database.query(
      "UPDATE documents SET amount_paid = amount_paid + 1 WHERE kind = 'invoice' RETURNING 1",
    );
    expect(changed).toHaveLength(1);
    const { code, json } = await cli(place, ['integrity', '--json'], env);
    expect(code).toBe(1);
    expect(json['differences']).toContainEqual({
      check: expect.any(String),
      id,
      stored: '1',
      derived: '0',
    });
  });
});
