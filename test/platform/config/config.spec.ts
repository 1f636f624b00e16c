import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/platform/config/config-error.js';
import { Providers } from '../../../src/gateways/index.js';
import { loadConfig } from '../../../src/platform/config/config.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-config-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const load = async (variables: Record<string, string> = {}) =>
  loadConfig(variables, folder, { all: new Providers().all, refusals: () => [] });

/** The message of the refusal; every refusal is a `ConfigError`. */
async function refusalOf(variables: Record<string, string>): Promise<string> {
  try {
    await load(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  return 'accepted';
}

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:hush@db.internal/app',
  QUITTANCE_SECRET: '0b9f4e6a71c3d8520fe1a4976bd2c835',
  BASE_URL: 'https://pay.acme.test',
};

const API_KEY = 'sk_live_51NqT8vKx2mBz0RfYw4LcHd7P';

describe('without any variable', () => {
  it('listens on the loopback, on its own database, with a demo and secrets of its own', async () => {
    const config = await load();
    expect(config).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://127.0.0.1:3000',
      dataDir: join(folder, '.quittance'),
      databaseUrl: null,
      demo: true,
      accessTokenSeconds: 1800,
      rateLimit: 100,
      rateBurst: 200,
      idempotencyHours: 72,
      portalTokenDays: 90,
    });
    expect(config.secrets.map(({ length }) => length >= 32)).toEqual([true]);
    const opened = config.gateways.map(({ name, provider }) => [name, provider]);
    expect(opened).toEqual([
      ['gateway-a', 'stripe'],
      ['gateway-b', 'paypal'],
      ['sandbox', 'sandbox'],
    ]);
  });

  it('keeps its secrets between starts, for itself alone', async () => {
    const [first, second] = [await load(), await load()];
    expect(second.secrets).toEqual(first.secrets);
    expect(second.gateways).toEqual(first.gateways);
    const file = join(folder, '.quittance', 'secrets.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, '.quittance'))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      secret: first.secrets[0],
    });
  });

  it.each(['', '{', '{}', 'null', '{"secret":""}', '"hush', '{"secret":"hush'])(
    'refuses to start on a broken secrets.json: %s',
    async (text) => {
      await mkdir(join(folder, '.quittance'));
      await writeFile(join(folder, '.quittance', 'secrets.json'), text);
      const message = await refusalOf({});
      expect(message).toContain('secrets.json');
      expect(message).not.toContain('hush');
    },
  );
});

describe('a variable', () => {
  it.each<[Record<string, string>, object]>([
    [{ PORT: '0' }, { port: 0 }],
    [{}, { metrics: { host: '127.0.0.1', port: 9464 } }],
    [{ QUITTANCE_METRICS_PORT: 'off' }, { metrics: null }],
    [
      { QUITTANCE_METRICS_PORT: '0', QUITTANCE_METRICS_HOST: '::' },
      { metrics: { host: '::', port: 0 } },
    ],
    [
      { PORT: '8080', HOST: '0.0.0.0' },
      { baseUrl: 'http://127.0.0.1:8080', host: '0.0.0.0' },
    ],
    [{ BASE_URL: 'https://pay.acme.test//' }, { baseUrl: 'https://pay.acme.test' }],
    [{ DATABASE_URL: 'postgresql://x/y' }, { databaseUrl: 'postgresql://x/y', demo: false }],
    [{ DATABASE_URL: 'postgres://x/y', QUITTANCE_DEMO: '1' }, { demo: true }],
    [
      { DATABASE_URL: 'postgres://u:p@a:1,b:2/y?target_session_attrs=read-write' },
      { databaseUrl: 'postgres://u:p@a:1,b:2/y?target_session_attrs=read-write' },
    ],
    [{ QUITTANCE_DEMO: '0' }, { demo: false }],
    [{ QUITTANCE_RATE_LIMIT: 'off' }, { rateLimit: null }],
    [{ QUITTANCE_RATE_LIMIT: '7' }, { rateLimit: 7 }],
    [{ QUITTANCE_TRUST_PROXY: '1' }, { trustProxy: true }],
    [{}, { outgoing: { ranges: [], ports: [[443, 443]] } }],
    [
      {
        QUITTANCE_OUTGOING_RANGES: '10.20.0.0/16, fd12:3456::/32,192.168.1.9',
        QUITTANCE_OUTGOING_PORTS: '443, 9000-9099',
      },
      {
        outgoing: {
          ranges: ['10.20.0.0/16', 'fd12:3456::/32', '192.168.1.9'],
          ports: [
            [443, 443],
            [9000, 9099],
          ],
        },
      },
    ],
    [{ QUITTANCE_VIES_URL: 'https://vies.test/api/' }, { viesUrl: 'https://vies.test/api' }],
    [{ QUITTANCE_VIES_URL: 'http://127.0.0.1:9/api' }, { viesUrl: 'http://127.0.0.1:9/api' }],
    // Compose files write `KEY=` for a variable that is not set.
    [
      { DATABASE_URL: '', PORT: '', QUITTANCE_SECRET: '' },
      { databaseUrl: null, port: 3000 },
    ],
    [{ QUITTANCE_SECRET: 'a'.repeat(32) }, { secrets: ['a'.repeat(32)] }],
    [
      { QUITTANCE_SECRET: `${'n'.repeat(40)}, ${'o'.repeat(32)}` },
      { secrets: ['n'.repeat(40), 'o'.repeat(32)] },
    ],
  ])('is understood: %j', async (variables, expected) => {
    expect(await load(variables)).toMatchObject(expected);
  });

  it.each([
    ['PORT', 'hush'],
    ['QUITTANCE_METRICS_PORT', '3000'],
    ['QUITTANCE_METRICS_PORT', '65536'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', ' '],
    ['PORT', '1e3'],
    ['BASE_URL', 'hush'],
    ['BASE_URL', 'ftp://hush.test'],
    ['DATABASE_URL', 'mysql://root:hush@db/app'],
    ['DATABASE_URL', 'hush'],
    ['DATABASE_URL', 'postgres://app:hush@one,two:x/app'],
    ['DATABASE_URL', 'postgres://app:hush@one,two/app?target_session_attrs=standby'],
    ['DATABASE_POOL_SIZE', '1'],
    ['QUITTANCE_SECRET', 'hush'],
    ['QUITTANCE_SECRET', `${'s'.repeat(32)},hush`],
    ['QUITTANCE_SECRET', `${'hush'.repeat(8)},`],
    ['QUITTANCE_DEMO', 'hush'],
    ['QUITTANCE_GATEWAY_HOSTS', 'hush'],
    ['QUITTANCE_RATE_LIMIT', 'hush'],
    ['QUITTANCE_RATE_LIMIT', '0'],
    ['QUITTANCE_ACCESS_TOKEN_SECONDS', '59'],
    ['QUITTANCE_BODY_LIMIT_BYTES', '1'],
    ['QUITTANCE_LOG_LEVEL', 'hush'],
    ['QUITTANCE_TRUST_PROXY', 'hush'],
    ['QUITTANCE_OUTGOING_RANGES', 'hush'],
    ['QUITTANCE_OUTGOING_RANGES', '10.0.0.0/33'],
    ['QUITTANCE_OUTGOING_RANGES', '10.0.0.0/8;hush'],
    ['QUITTANCE_OUTGOING_PORTS', 'hush'],
    ['QUITTANCE_OUTGOING_PORTS', '0'],
    ['QUITTANCE_OUTGOING_PORTS', '65536'],
    ['QUITTANCE_OUTGOING_PORTS', '9099-9000'],
    ['QUITTANCE_VIES_URL', 'http://hush.test'],
    ['NODE_ENV', 'hush'],
  ])('is refused by name, and its value is not shown: %s=%s', async (name, value) => {
    const message = await refusalOf({ [name]: value });
    expect(message).toContain(`${name}:`);
    expect(message).not.toContain('hush');
  });

  it.each(['prod', 'Production', 'production ', 'staging'])(
    'is refused with the words that are known: NODE_ENV=%s',
    async (value) => {
      const message = await refusalOf({ ...PRODUCTION, NODE_ENV: value });
      expect(message).toMatch(/^NODE_ENV: .*production.*development.*test/);
    },
  );

  it('is refused together with every other wrong one', async () => {
    const message = await refusalOf({ PORT: 'x', QUITTANCE_DEMO: 'x', BASE_URL: 'x' });
    const names = message.split('\n').map((line) => line.split(':', 1)[0]);
    expect(names.sort()).toEqual(['BASE_URL', 'PORT', 'QUITTANCE_DEMO']);
  });
});

describe('production', () => {
  it('starts with a database, a secret and a base URL; no gateway is open by itself', async () => {
    expect(await load(PRODUCTION)).toMatchObject({ production: true, demo: false, gateways: [] });
    expect(await stat(join(folder, '.quittance')).catch(() => 'none')).toBe('none');
  });

  it('starts with the embedded database in a folder that is said, and makes backups', async () => {
    const embedded = { ...PRODUCTION, DATABASE_URL: '', QUITTANCE_DATA_DIR: 'books' };
    expect(await load(embedded)).toMatchObject({
      databaseUrl: null,
      demo: false,
      gateways: [],
      dataDir: join(folder, 'books'),
      backups: { folder: join(folder, 'books', 'backups'), hours: 24, kept: 7 },
    });
    const told = { QUITTANCE_BACKUP_DIR: '/far', QUITTANCE_BACKUP_HOURS: '0' };
    expect((await load({ ...embedded, ...told })).backups).toMatchObject({
      folder: '/far',
      hours: 0,
    });
    expect((await load({ QUITTANCE_DATA_DIR: 'books' })).backups.hours).toBe(0);
    expect((await load(PRODUCTION)).backups.hours).toBe(0);
  });

  it.each(['QUITTANCE_BACKUP_DIR', 'QUITTANCE_BACKUP_HOURS', 'QUITTANCE_BACKUPS_KEPT'])(
    'refuses %s beside a server of the operator, which has its own tools',
    async (name) => {
      expect(await refusalOf({ ...PRODUCTION, [name]: '5' })).toMatch(new RegExp(`^${name}: `));
    },
  );

  it.each(['DATABASE_URL', 'QUITTANCE_SECRET', 'BASE_URL'])('refuses without %s', async (name) => {
    expect(await refusalOf({ ...PRODUCTION, [name]: '' })).toContain(`${name}:`);
  });

  it.each([
    ['QUITTANCE_SECRET', 'change-me-change-me-change-me-change-me'],
    ['QUITTANCE_SECRET', 'CHANGEME-CHANGEME-CHANGEME-CHANGEME-'],
    ['QUITTANCE_SECRET', 'an-example-secret-of-the-documentation'],
    ['DATABASE_URL', 'postgres://app:change-me@db.internal/app'],
    ['GATEWAY_A_WEBHOOK_SECRET', 'whsec_test_secret'],
    ['GATEWAY_MY_SHOP_WEBHOOK_SECRET', 'demo-only'],
    ['GATEWAY_B_CLIENT_SECRET', 'EXAMPLE-of-paypal'],
    ['GATEWAY_A_API_KEY', 'sk_live_example'],
  ])('refuses an example in %s', async (name, value) => {
    const message = await refusalOf({ ...PRODUCTION, [name]: value });
    expect(message).toContain(`${name}:`);
    expect(message).not.toContain(value);
  });

  it.each([
    ['QUITTANCE_SECRET', 'a'.repeat(40)],
    ['QUITTANCE_SECRET', 'password12345password12345password12345'],
    ['QUITTANCE_SECRET', 'quittance'.repeat(4)],
    // Each of a list, also the older ones: what they signed still counts.
    ['QUITTANCE_SECRET', `${PRODUCTION.QUITTANCE_SECRET},${'quittance'.repeat(4)}`],
    ['GATEWAY_A_WEBHOOK_SECRET', `whsec_${'a'.repeat(32)}`],
    ['GATEWAY_A_WEBHOOK_SECRET', 'whsec_kD9vQ2xT7mB4nR8sL1wZ6yC3pH5jF0gA,hunter2'],
    ['GATEWAY_SHOP_API_KEY', 'sk_live_1'],
    ['GATEWAY_B_CLIENT_SECRET', 'my-paypal-secret'],
    ['BASE_URL', 'http://pay.acme.test'],
    ['BASE_URL', 'http://127.0.0.1.acme.test'],
    ['QUITTANCE_DEMO', '1'],
    ['QUITTANCE_GATEWAY_HOSTS', 'any'],
    ['QUITTANCE_OUTGOING_RANGES', '0.0.0.0/0'],
    ['QUITTANCE_OUTGOING_RANGES', '10.0.0.0/8,169.254.0.0/16'],
    ['QUITTANCE_OUTGOING_RANGES', 'fc00::/7'],
  ])('refuses what is unsafe: %s=%s', async (name, value) => {
    const message = await refusalOf({ ...PRODUCTION, [name]: value });
    expect(message.split('\n')).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
    expect(message).not.toContain(value);
  });

  it.each([
    ['BASE_URL', 'http://127.0.0.1:3000'],
    ['BASE_URL', 'http://localhost:3000'],
    ['BASE_URL', 'http://[::1]:3000'],
    ['QUITTANCE_DEMO', '0'],
    ['QUITTANCE_OUTGOING_RANGES', '10.0.0.0/8,fd12:3456::/32'],
    ['QUITTANCE_SECRET', 'kV5nB8sR2wQ7zL4xT9mC1pJ6hG3fD0aY,0b9f4e6a71c3d8520fe1a4976bd2c835'],
    ['GATEWAY_A_WEBHOOK_SECRET', 'whsec_kD9vQ2xT7mB4nR8sL1wZ6yC3pH5jF0gA'],
  ])('takes %s=%s', async (name, value) => {
    expect(await refusalOf({ ...PRODUCTION, [name]: value })).toBe('accepted');
  });

  it('refuses everything at once, also what keeps gateways from opening', async () => {
    const wrong = {
      NODE_ENV: 'production',
      QUITTANCE_SECRET: 'hunter2'.repeat(5),
      BASE_URL: 'http://pay.acme.test',
      PORT: 'hunter2',
      GATEWAY_B_WEBHOOK_ID: 'WH-1',
    };
    const error = await loadConfig(wrong, folder, {
      all: new Providers().all,
      refusals: (configs) => configs.map(({ name }) => `${name} is told, too`),
    }).catch((each: Error) => each);
    const lines = (error as Error).message.split('\n').map((line) => line.split(/[: ]/, 1)[0]);
    expect(lines).toEqual(['PORT', 'DATABASE_URL', 'BASE_URL', 'QUITTANCE_SECRET', 'gateway-b']);
    expect((error as Error).message).not.toContain('hunter2');
  });

  it('makes nothing up: no sandbox, no secret of a gateway', async () => {
    const named = {
      GATEWAY_A_API_KEY: API_KEY,
      GATEWAYS: 'shop',
      GATEWAY_SHOP_PROVIDER: 'stripe',
    };
    const { gateways } = await load({ ...PRODUCTION, ...named });
    expect(gateways).toEqual([
      { name: 'gateway-a', provider: 'stripe', settings: { api_key: API_KEY } },
      { name: 'shop', provider: 'stripe', settings: {} },
    ]);
  });
});

const owners = async (variables: Record<string, string>) =>
  Object.fromEntries(
    (await load(variables)).gateways.map(({ name, accounts }) => [name, accounts]),
  );

describe('gateways', () => {
  it('are of tests where nothing but ours stands behind them, else as it is said', async () => {
    const none = { 'gateway-a': 'tests', 'gateway-b': 'tests', sandbox: 'tests' };
    expect(await owners({})).toEqual(none);
    expect(await owners({ GATEWAY_A_API_KEY: 'sk_test_1', GATEWAY_B_ACCOUNTS: 'acc_1' })).toEqual({
      ...none,
      'gateway-a': undefined,
      'gateway-b': 'acc_1',
    });
  });

  it('are named by an operator, beside the two literal ones', async () => {
    const { gateways } = await load({
      GATEWAYS: ' Stripe , paypal,my-shop ',
      GATEWAY_MY_SHOP_PROVIDER: 'stripe',
      GATEWAY_MY_SHOP_WEBHOOK_SECRET: 'whsec_shop',
      GATEWAY_A_PROVIDER: 'sandbox',
    });
    const byName = new Map(gateways.map((gateway) => [gateway.name, gateway]));
    expect([...byName.keys()].sort()).toEqual(
      ['gateway-a', 'gateway-b', 'my-shop', 'paypal', 'sandbox', 'stripe'].sort(),
    );
    expect(byName.get('my-shop')).toEqual({
      name: 'my-shop',
      provider: 'stripe',
      settings: { webhook_secret: 'whsec_shop' },
    });
    expect(byName.get('gateway-a')?.provider).toBe('sandbox');
    expect(byName.get('stripe')?.provider).toBe('stripe');
  });

  it('trust the demo’s certificates only where an operator names no others', async () => {
    const demo = await load();
    const own = await load({ GATEWAY_B_ENVIRONMENT: 'live', GATEWAY_B_WEBHOOK_ID: 'WH-1' });
    const settings = (config: typeof demo) =>
      config.gateways.find(({ name }) => name === 'gateway-b')?.settings ?? {};
    expect(Object.keys(settings(demo))).toEqual(expect.arrayContaining(['anchors', 'demo_key']));
    expect(settings(own)).toEqual({ environment: 'live', webhook_id: 'WH-1' });
  });
});
