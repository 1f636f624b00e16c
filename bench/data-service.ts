import pg from 'pg';
import type { Uuid } from '../src/kernel/ids.js';
import { serviceEnvironment, startService } from './contestants.js';
import { type DataSize, openData } from './data-store.js';
import type { Server } from './processes.js';
import { accessToken } from './seed.js';

/** A service on a filled database, as the large account sees it. */
export interface DataService {
  server: Server;
  database: pg.Client;
  accountId: Uuid;
  headers: Record<string, string>;
}

/** The database is filled first where it is not there; all ends with the work. */
export async function onData<Result>(
  size: DataSize,
  say: (line: string) => void,
  work: (service: DataService) => Promise<Result>,
): Promise<Result> {
  const data = await openData(size, say);
  // A check of a million documents beside the calls would be measured with them.
  const env = { ...serviceEnvironment(data.folder), QUITTANCE_ROLES: 'api' };
  const server = await startService(data.folder, { ...env, DATABASE_URL: data.databaseUrl });
  const database = new pg.Client(data.databaseUrl);
  await database.connect();
  try {
    const [large] = data.accounts;
    const { accountId, clientId: client_id, clientSecret: client_secret } = large!;
    const token = await accessToken(server, { client_id, client_secret });
    return await work({
      server,
      database,
      accountId,
      headers: { Authorization: `Bearer ${token}` },
    });
  } finally {
    await database.end();
    await server.stop();
    await data.stop();
  }
}
