import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../src/kernel/ids.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { call } from '../support/http.js';
import { aPlace, NO_CHROMIUM, type Place, readiness, until, untilReady } from './program.js';

const DEMO = { QUITTANCE_DEMO: '1' };

const hasDemo = ({ dataDir }: Place) => existsSync(join(dataDir, 'demo.json'));

describe('a start with DATABASE_URL', () => {
  let place: Place;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await aDatabase();
  });
  beforeEach(async () => {
    place = await aPlace();
  });
  afterEach(() => place.remove());
  afterAll(() => database.drop());

  const env = () => ({ ...NO_CHROMIUM, DATABASE_URL: database.url });

  it('lets two processes migrate one empty database at once, without a demo', async () => {
    const [other, empty] = await Promise.all([aPlace(), aDatabase({ migrated: false })]);
    try {
      const settings = { ...env(), DATABASE_URL: empty.url };
      const services = await Promise.all([place.starting(settings), other.starting(settings)]);
      await Promise.all(services.map((service) => untilReady(service)));
      const names = await empty.query('SELECT name, count(*) FROM migrations GROUP BY 1');
      expect(names.length).toBeGreaterThan(0);
      expect(names.every(({ count }) => count === 1n)).toBe(true);
      for (const service of services) service.signal('SIGTERM');
      const ends = await Promise.all(services.map(({ ended }) => ended));
      expect(ends.map(({ code, errors }) => ({ code, errors }))).toEqual([
        { code: 0, errors: '' },
        { code: 0, errors: '' },
      ]);
      expect(await empty.query('SELECT 1 FROM accounts')).toEqual([]);
      expect([place, other].map(hasDemo)).toEqual([false, false]);
      expect(ends.map(({ output }) => output.includes('curl'))).toEqual([false, false]);
      expect(existsSync(join(place.dataDir, 'postgres'))).toBe(false);
    } finally {
      await other.remove();
      await empty.drop();
    }
  });

  it('makes the demo there with QUITTANCE_DEMO=1, and is ready only when that is done', async () => {
    const lock = await database.connect();
    await lock.query('BEGIN; LOCK TABLE accounts');
    const service = await place.starting({ ...env(), ...DEMO });
    let readyTooEarly = false;
    try {
      await until('the demo waits for its table', async () => {
        const { rowCount } = await lock.query(
          `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
            WHERE NOT granted AND datname = current_database()`,
        );
        return service.hasEnded || (rowCount ?? 0) > 0;
      });
      expect(service.hasEnded ? service.errors : '').toBe('');
      readyTooEarly = (await readiness(service)) === 200;
    } finally {
      await lock.query('COMMIT');
      await lock.end();
    }
    await untilReady(service);
    await until('demo.json is there', () => hasDemo(place));
    const demo = await place.demo();
    const answer = await call(`${service.url}/v1/auth/token`, {
      method: 'POST',
      body: { client_id: demo.client_id, client_secret: demo.client_secret },
    });
    expect(answer.status).toBe(200);
    expect(readyTooEarly).toBe(false);
  });

  it('makes another demo where demo.json is of another database', async () => {
    const other = await aDatabase();
    try {
      const old = { account_id: 'acc_01h455vb4pex5vsknk084sn02q', client_id: 'cli_of_elsewhere' };
      await mkdir(place.dataDir);
      await writeFile(join(place.dataDir, 'demo.json'), JSON.stringify(old));
      const service = await place.service({ ...env(), DATABASE_URL: other.url, ...DEMO });
      await until('the calls are printed', () => service.output.includes('--forged\n'));
      const [account, ...more] = await other.query('SELECT account_id FROM accounts');
      expect(more).toEqual([]);
      const { account_id: made } = await place.demo();
      expect(uuidOf('acc', made)).toBe(account?.['account_id']);
      service.signal('SIGTERM');
      await service.ended;
    } finally {
      await other.drop();
    }
  });

  it('prints an address at which it listens, whatever HOST and PORT are', async () => {
    const settings = { ...env(), HOST: '127.0.0.2', ...DEMO };
    const service = await place.starting(settings);
    await until('the calls are printed', () => service.output.includes('--forged\n'));
    const { base_url: url } = await place.demo();
    expect(await readiness({ url })).toBe(200);
  });
});
