import { DataSource } from 'typeorm';
import { SystemClock } from '../../src/kernel/clock.js';
import { UuidV7Generator } from '../../src/kernel/ids.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { DatabaseProbe } from '../../src/platform/database/database-probe.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { REFUSALS } from '../../src/refusals.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import type { TestDatabase } from './database.js';
import { testConfig } from './service.js';

/** Transactions on a database, over connections as the service has them, and nothing else of it. */
export async function aUnitOfWork({ url }: TestDatabase, over: { databasePoolSize?: number } = {}) {
  const config = { ...testConfig(0), ...over };
  const dataSource = await new DataSource(
    dataSourceOptions({ ...config, url, poolSize: config.databasePoolSize }),
  ).initialize();
  const pool = new Database(dataSource);
  const probe = new DatabaseProbe(url);
  const metrics = new Metrics();
  const transactions = new Transactions(pool, config, new SystemClock(), new UuidV7Generator());
  const unitOfWork = new UnitOfWork(transactions, probe, metrics, REFUSALS);
  return { unitOfWork, metrics, pool, probe, close: async () => dataSource.destroy() };
}
