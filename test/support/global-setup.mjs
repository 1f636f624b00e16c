// The loader lets plain Node read our TypeScript.
import './source-loader.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * One PostgreSQL server with one migrated template, and one folder for our package, for all projects;
 * workers inherit them.
 */
export default async function setUp() {
  globalThis.testDatabaseServer ??= start();
  await globalThis.testDatabaseServer;
  return async () => {
    const server = await globalThis.testDatabaseServer;
    globalThis.testDatabaseServer = undefined;
    await server?.stop();
    rmSync(process.env.TEST_PACKED_FOLDER, { recursive: true, force: true });
  };
}

async function start() {
  console.log(
    `TEST_SEED=${process.env.TEST_SEED} draws shares of what is too long (docs/testing.md)`,
  );
  process.env.TEST_PACKED_FOLDER = mkdtempSync(join(tmpdir(), 'quittance-packed-'));
  // Named by its address, so that the runner leaves it to the loader.
  const { shareTestServer } = await import(new URL('./database-server.ts', import.meta.url).href);
  return shareTestServer();
}
