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
  const { shareTestServer } = await import(new URL('./database-server.ts', import.meta.url).href);
  return shareTestServer();
}
