import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { locatePostgres } from '../../src/platform/database/embedded/postgres-binaries.js';
import {
  DATA_DIR,
  dataArgument,
  LINKS_DIR,
  readPasswords,
  urlsFor,
} from '../../src/platform/database/embedded/postgres-cluster.js';
import { postgresSystemUser } from '../../src/platform/database/embedded/postgres-system-user.js';
import { Postmaster, readPostmasterFile } from '../../src/platform/database/embedded/postmaster.js';
import type { DatabaseUrls } from '../../src/platform/database/roles.js';
import { freePort } from '../../src/testing/service/free-port.js';

/** A server that follows and takes no changes, until it is promoted. */
export interface Standby {
  urls: DatabaseUrls;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface StandbyWish {
  /** The address of the primary's owner; without one it gets nothing from elsewhere. */
  follows?: string;
  settings?: Readonly<Record<string, string>>;
  /** Of its log. */
  onLine?: (line: string) => void;
}

/** @param folder the data folder of a service that ended well */
export async function aStandby(
  folder: string,
  { follows, settings = {}, onLine = () => undefined }: StandbyWish = {},
): Promise<Standby> {
  const data = join(folder, DATA_DIR);
  const account = await postgresSystemUser(data);
  const binaries = await locatePostgres(join(folder, LINKS_DIR), account.owner !== undefined);
  const passwords = await readPasswords(folder);
  if (!passwords) throw new Error(`${folder} has no passwords: no service ended there`);
  await writeFile(join(data, 'standby.signal'), '', { mode: 0o644 });
  const port = await freePort();
  const primary = follows === undefined ? [] : ['-c', `primary_conninfo=${follows}`];
  const others = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', dataArgument({ account, data }), '-c', `port=${port}`, ...primary, ...others];
  const postmaster = Postmaster.spawn({
    command: account.command(binaries.postgres, args),
    env: binaries.env,
    data,
    onLine,
    onExit: () => undefined,
  });
  return {
    urls: urlsFor(port, passwords),
    promote: async () => {
      await writeFile(join(data, 'promote'), '');
      const file = await readPostmasterFile(data);
      if (file) process.kill(file.pid, 'SIGUSR1');
    },
    stop: () => postmaster.stop(),
  };
}
