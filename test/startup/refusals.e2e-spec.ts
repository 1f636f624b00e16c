import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareGateways } from '../../src/boot.js';
import { Providers } from '../../src/gateways/index.js';
import { ConfigError } from '../../src/platform/config/config-error.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { PAYPAL_FOLDER } from '../support/folders.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { call } from '../support/http.js';
import { aPlace, type Ended, NO_CHROMIUM, type Place } from './program.js';

const STACK = /^\s+at /m;

type Environment = Record<string, string | undefined>;

const PRODUCTION = {
  ...NO_CHROMIUM,
  NODE_ENV: 'production',
  BASE_URL: 'https://billing.acme.test',
  QUITTANCE_SECRET: 'kV5nB8sR2wQ7zL4xT9mC1pJ6hG3fD0aY',
};

/** Started as programs; the others are judged here, by the same code without the start. */
const STARTED = new Set([
  'weak secrets, and PayPal that cannot be asked, all at once',
  'several bad values at once',
  'a database that does not answer',
]);

const PAYPAL = {
  GATEWAY_B_ENVIRONMENT: 'live',
  GATEWAY_B_WEBHOOK_ID: '8PT597110X687430LKGECATA',
};

/** The fault, the settings, and the variables that the refusal has to name. */
const REFUSALS: [string, Environment, string[]][] = [
  ['production without a database', { ...PRODUCTION, DATABASE_URL: undefined }, ['DATABASE_URL']],
  [
    'production without a secret',
    { ...PRODUCTION, QUITTANCE_SECRET: undefined },
    ['QUITTANCE_SECRET'],
  ],
  [
    'hosts of accounts',
    { ...PRODUCTION, QUITTANCE_GATEWAY_HOSTS: 'any' },
    ['QUITTANCE_GATEWAY_HOSTS'],
  ],
  ['a demo in production', { ...PRODUCTION, QUITTANCE_DEMO: '1' }, ['QUITTANCE_DEMO']],
  ['production over plain http', { ...PRODUCTION, BASE_URL: 'http://acme.test' }, ['BASE_URL']],
  ['a word that is nearly production', { ...PRODUCTION, NODE_ENV: 'prd' }, ['NODE_ENV']],
  [
    'weak secrets, and PayPal that cannot be asked, all at once',
    {
      ...PRODUCTION,
      ...PAYPAL,
      QUITTANCE_SECRET: 'quittance'.repeat(4),
      GATEWAY_A_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}`,
    },
    ['QUITTANCE_SECRET', 'GATEWAY_A_WEBHOOK_SECRET', 'GATEWAY_B_CLIENT_ID'],
  ],
  ['production without its address', { ...PRODUCTION, BASE_URL: undefined }, ['BASE_URL']],
  [
    'production with nothing set',
    { NODE_ENV: 'production', DATABASE_URL: undefined },
    ['DATABASE_URL', 'QUITTANCE_SECRET', 'BASE_URL'],
  ],
  [
    'the secret of .env.example',
    { ...PRODUCTION, QUITTANCE_SECRET: 'change-me-change-me-change-me-change-me' },
    ['QUITTANCE_SECRET'],
  ],
  [
    'the database password of .env.example',
    { ...PRODUCTION, DATABASE_URL: 'postgres://quittance:change-me@127.0.0.1:1/quittance' },
    ['DATABASE_URL'],
  ],
  [
    "a gateway's example secret",
    { ...PRODUCTION, GATEWAY_A_WEBHOOK_SECRET: 'whsec_change-me' },
    ['GATEWAY_A_WEBHOOK_SECRET'],
  ],
  [
    'a secret that is too short',
    { ...PRODUCTION, QUITTANCE_SECRET: 'hunter2' },
    ['QUITTANCE_SECRET'],
  ],
  [
    'the sandbox gateway in production',
    {
      ...PRODUCTION,
      GATEWAYS: 'sandbox',
      GATEWAY_SANDBOX_WEBHOOK_SECRET: 'whsec_VGhpcyBpcyBubyByZWFsIHNlY3JldCBhdCBhbGw=',
    },
    ['GATEWAY_SANDBOX_PROVIDER'],
  ],
  [
    'extra PayPal roots in production',
    { ...PRODUCTION, ...PAYPAL, GATEWAY_B_ANCHORS: join(PAYPAL_FOLDER, 'anchors.pem') },
    ['GATEWAY_B_ANCHORS'],
  ],
  [
    'a provider that does not exist',
    { GATEWAYS: 'my-shop', GATEWAY_MY_SHOP_PROVIDER: 'pay-by-magic' },
    ['GATEWAY_MY_SHOP_PROVIDER'],
  ],
  [
    'several bad values at once',
    {
      PORT: '70000',
      BASE_URL: 'ftp://files.acme.test',
      DATABASE_URL: 'mysql://root:hunter2@127.0.0.1/quittance',
      DATABASE_POOL_SIZE: '1.75',
      QUITTANCE_RATE_LIMIT: 'unlimited',
      QUITTANCE_DEMO: 'maybe',
      QUITTANCE_TRUST_PROXY: 'everyone',
      QUITTANCE_LOG_LEVEL: 'shouting',
      QUITTANCE_PORTAL_TOKEN_DAYS: '-17',
    },
    [
      'PORT',
      'BASE_URL',
      'DATABASE_URL',
      'DATABASE_POOL_SIZE',
      'QUITTANCE_RATE_LIMIT',
      'QUITTANCE_DEMO',
      'QUITTANCE_TRUST_PROXY',
      'QUITTANCE_LOG_LEVEL',
      'QUITTANCE_PORTAL_TOKEN_DAYS',
    ],
  ],
  [
    'a database that does not answer',
    { DATABASE_URL: 'postgres://quittance:hunter2@127.0.0.1:1/quittance' },
    ['DATABASE_URL'],
  ],
];

describe('settings that are refused', () => {
  let place: Place;
  let database: TestDatabase;
  const ends = new Map<string, Partial<Ended>>();

  beforeAll(async () => {
    [place, database] = await Promise.all([aPlace(), aDatabase()]);
    const run = async ([name, wrong]: (typeof REFUSALS)[number]) => {
      const port = String(await freePort());
      const env = settings({ PORT: port, DATABASE_URL: database.url, ...wrong });
      const judge = STARTED.has(name) ? place.run('main', [], env) : refusalOf(env, place.folder);
      ends.set(name, await judge);
    };
    await Promise.all(REFUSALS.map(run));
  });
  afterAll(async () => {
    await place.remove();
    await database.drop();
  });

  it.each(REFUSALS)('%s', (name, wrong, variables) => {
    const { code, output = '', errors = '' } = ends.get(name) ?? {};
    expect(code).toBe(1);
    for (const variable of variables) {
      expect(errors).toMatch(new RegExp(`^${variable}\\b`, 'm'));
    }
    expect(errors).not.toMatch(STACK);
    const secrets = variables.map((variable) => wrong[variable]).filter(Boolean);
    for (const secret of [...secrets, 'hunter2', PRODUCTION.QUITTANCE_SECRET]) {
      expect(output + errors).not.toContain(secret);
    }
  });

  it('but production with good settings starts, and an unconfigured gateway is closed', async () => {
    const service = await place.service({
      ...PRODUCTION,
      DATABASE_URL: database.url,
      NODE_COMPILE_CACHE: '',
      QUITTANCE_CACHE_DIR: join(place.folder, 'own-cache'),
    });
    for (const gateway of ['gateway-a', 'gateway-b', 'sandbox']) {
      const path = `${service.url}/v1/webhooks/${gateway}`;
      const answer = await call(path, { method: 'POST', body: { type: 'anything' } });
      expect(answer).toMatchObject({ status: 404, body: { code: 'gateway_not_found' } });
    }
    expect(service.output).not.toContain('curl');
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, errors: '' });
    expect(await database.query('SELECT 1 FROM accounts')).toEqual([]);
    // The next start finds compiled what this one has compiled, which is nobody else's to write.
    const compiled = join(place.folder, 'own-cache/compiled');
    expect(readdirSync(compiled)).toHaveLength(1);
    expect(statSync(compiled).mode & 0o777).toBe(0o700);
  });
});

/** As `src/run.ts` judges settings before it opens the database. */
async function refusalOf(env: Record<string, string>, folder: string): Promise<Partial<Ended>> {
  try {
    const providers = await Providers.installed(env, folder);
    await prepareGateways(await loadConfig(env, folder, providers), providers);
    return { code: 0 };
  } catch (error) {
    return error instanceof ConfigError ? { code: 1, errors: error.message } : { code: null };
  }
}

/** Without those that are explicitly not set. */
function settings(env: Environment): Record<string, string> {
  const set = Object.entries(env).filter((entry): entry is [string, string] => !!entry[1]);
  return Object.fromEntries(set);
}
