import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '../support/http.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { aPlace, type Place, readiness, untilReady } from './program.js';
import { until } from './program.js';

describe('a start with DATABASE_URL', () => {
  let place: Place;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await aDatabase({ migrated: false });
  });
  beforeEach(async () => {
    place = await aPlace();
  });
  afterEach(() => place.remove());
  afterAll(() => database.drop());

  const env = () => ({ DATABASE_URL: database.url });
  const hasDemo = ({ dataDir }: Place) => existsSync(join(dataDir, 'demo.json'));

  it('lets two processes migrate one empty database at once, without a demo', async () => {
    const other = await aPlace();
    try {
      const services = await Promise.all([place.starting(env()), other.starting(env())]);
      await Promise.all(services.map((service) => untilReady(service)));
      const names = await database.query('SELECT name, count(*) FROM migrations GROUP BY 1');
      expect(names.length).toBeGreaterThan(0);
      expect(names.every(({ count }) => count === 1n)).toBe(true);
      for (const service of services) service.signal('SIGTERM');
      const ends = await Promise.all(services.map(({ ended }) => ended));
      expect(ends.map(({ code, errors }) => ({ code, errors }))).toEqual([
        { code: 0, errors: '' },
        { code: 0, errors: '' },
      ]);
      expect(await database.query('SELECT 1 FROM accounts')).toEqual([]);
      expect([place, other].map(hasDemo)).toEqual([false, false]);
      expect(ends.map(({ output }) => output.includes('curl'))).toEqual([false, false]);
      expect(existsSync(join(place.dataDir, 'postgres'))).toBe(false);
    } finally {
      await other.remove();
    }
  });

  it('makes the demo there with QUITTANCE_DEMO=1, and is ready only when that is done', async () => {
    const lock = await database.connect();
    await lock.query('BEGIN; LOCK TABLE accounts');
    const service = await place.starting({ ...env(), QUITTANCE_DEMO: '1' });
    let readyTooEarly = false;
    try {
      await until('the demo waits for its table', async () => {
        const { rowCount } = await lock.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return rowCount === 1;
      });
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
      const first = await place.service({ ...env(), QUITTANCE_DEMO: '1' });
      await until('demo.json is there', () => hasDemo(place));
      const old = await place.demo();
      first.signal('SIGTERM');
      await first.ended;

      const second = await place.service({ DATABASE_URL: other.url, QUITTANCE_DEMO: '1' });
      await until('the calls are printed', () => second.output.includes('--forged\n'));
      const made = await place.demo();
      expect(made.account_id).not.toBe(old.account_id);
      expect(await other.query('SELECT 1 FROM accounts')).toHaveLength(1);
      second.signal('SIGTERM');
      await second.ended;
    } finally {
      await other.drop();
    }
  });

  it('prints an address at which it listens, whatever HOST and PORT are', async () => {
    const settings = { ...env(), HOST: '127.0.0.2', QUITTANCE_DEMO: '1' };
    const service = await place.starting(settings);
    await until('the calls are printed', () => service.output.includes('--forged\n'));
    const { base_url: url } = await place.demo();
    expect(await readiness({ url })).toBe(200);
  });
});
