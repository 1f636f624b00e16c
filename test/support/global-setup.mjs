// The loader lets plain Node read our TypeScript.
import './source-loader.mjs';

/** One PostgreSQL server with one migrated template for all projects; workers inherit both. */
export default async function setUp() {
  globalThis.testDatabaseServer ??= start();
  await globalThis.testDatabaseServer;
  return async () => {
    const server = await globalThis.testDatabaseServer;
    globalThis.testDatabaseServer = undefined;
    await server?.stop();
  };
}

async function start() {
  // Named by its address, so that the runner leaves it to the loader.
  const { openTestServer } = await import(new URL('./database-server.ts', import.meta.url).href);
  const server = await openTestServer();
  process.env['TEST_SERVER_URL'] = server.url;
  process.env['TEST_APP_URL'] = server.appUrl;
  process.env['TEST_TEMPLATE'] = server.template;
  return server;
}
