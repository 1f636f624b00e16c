import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/platform/database/data-source.js';

/** For TypeORM's own command line: `npx typeorm -d dist/ormconfig.js migration:show`. */
export default new DataSource(
  dataSourceOptions({
    url: process.env['DATABASE_URL'] ?? '',
    poolSize: 2,
    lockTimeoutMs: 5000,
    statementTimeoutMs: 60_000,
  }),
);
