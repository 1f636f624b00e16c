import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntegrityJob } from '../../../src/integrity/application/integrity-job.js';
import { Presence } from '../../../src/feed/infrastructure/presence.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import {
  isPoolerInstalled,
  type Pooler,
  POOLER_SESSIONS,
  startPooler,
} from '../../support/pooler.js';
import { startTestService, type TestService } from '../../support/service.js';

// `npm run test:pooler` runs all tests of the service like that.

describe.runIf(isPoolerInstalled)(
  'behind a pooler that gives each transaction another session',
  () => {
    let pooler: Pooler;
    let database: TestDatabase;
    let pooled: string;
    let service: TestService;
    let client: TestClient;
    beforeAll(async () => {
      database = await aDatabase();
      pooler = await startPooler(process.env['TEST_APP_URL'] ?? '');
      pooled = pooler.before(database.url);
      const through = { ...database, url: pooled };
      service = await startTestService({ database: through, lockTimeoutMs: 3000, doesJobs: false });
      client = await service.aClient();
    });
    afterAll(async () => {
      await service.close();
      await pooler.stop();
      await database.drop();
    });

    const locks = async () =>
      database.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );

    it('payments of many callers are booked once each, in a few sessions', async () => {
      const invoices = await Promise.all(Array.from({ length: 8 }, () => client.anInvoice()));
      const paid = await Promise.all(
        Array.from({ length: 80 }, (_, at) => client.pay(invoices[at % 8]!, { amount: 10 })),
      );
      expect(paid.map(({ status }) => status)).toEqual(Array(80).fill(201));
      expect(await client.read(invoices[0]!)).toMatchObject({ amount_paid: 100 });
      const sessions = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename <> current_user`,
      );
      expect(sessions.length).toBeLessThanOrEqual(POOLER_SESSIONS);
    });

    it('the limit of a wait for a row holds', async () => {
      const invoice = await client.anInvoice();
      const holder = await database.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT FROM documents FOR UPDATE');
      expect(await client.pay(invoice, { amount: 10 })).toMatchObject({ status: 409 });
      await holder.end();
      expect(await client.pay(invoice, { amount: 10 })).toMatchObject({ status: 201 });
    });

    it('no lock is left behind by a check, nor by migrations of several processes', async () => {
      const job = service.app.get(IntegrityJob);
      expect((await client.post('/v1/finance/integrity/runs', {})).status).toBe(201);
      expect((await Promise.all([job.run(), job.run()])).sort()).toEqual([0, 1]);
      await Promise.all([migrate(pooled), migrate(pooled), migrate(pooled)]);
      expect(await locks()).toEqual([]);
    });

    it('a process is seen until it ends', async () => {
      const presence = service.app.get(Presence);
      await presence.show();
      expect(await locks()).toHaveLength(1);
      await presence.onApplicationShutdown();
      await expect.poll(locks).toEqual([]);
    });

    it('is refused without the word for it', async () => {
      await expect(migrate(pooled.replace('?pooler=transaction', ''))).rejects.toThrow(
        'unsupported startup parameter',
      );
    });
  },
);
