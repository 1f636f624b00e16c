import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';

/** A data folder as its first start left it, for tests of what comes later: a copy is quick. */
export interface BegunFolder {
  copyTo(dataDir: string): Promise<void>;
  remove(): Promise<void>;
}

export async function aBegunFolder(): Promise<BegunFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pg-'));
  const server = await EmbeddedPostgres.start({ dataDir: folder, log: () => undefined });
  await server.stop();
  return {
    copyTo: async (dataDir) => {
      await mkdir(dirname(dataDir), { recursive: true });
      // Files keep their owner: PostgreSQL's are not ours where we are root.
      execFileSync('cp', ['-a', folder, dataDir]);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
