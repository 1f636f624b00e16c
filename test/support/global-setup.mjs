// Runs once, outside Jest's own module system: the loader lets plain Node read our TypeScript.
import './source-loader.mjs';

/** One PostgreSQL server with one migrated template for the whole run; workers inherit both. */
export default async function setUp() {
  const { openTestServer } = await import('./database-server.ts');
  const server = await openTestServer();
  process.env['TEST_SERVER_URL'] = server.url;
  process.env['TEST_APP_URL'] = server.appUrl;
  process.env['TEST_TEMPLATE'] = server.template;
  globalThis.testDatabaseServer = server;
}
