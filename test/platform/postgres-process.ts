import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';

/** A service that does nothing but hold its database, until it is killed. */
const [dataDir = ''] = process.argv.slice(2);
const { urls } = await EmbeddedPostgres.start({ dataDir, log: () => undefined });
console.log(urls.owner);
setInterval(() => undefined, 60_000);
