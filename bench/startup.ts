import { join } from 'node:path';
import { startService, type Stage } from './contestants.js';

/** Milliseconds from spawning the process to the first 200 of `/readyz`. */
export interface StartUp {
  givenDatabase: number[];
  embeddedExisting: number[];
  /** Creates the database's folder: once. */
  embeddedNew: number[];
}

export async function measureStartUp(stage: Stage, starts: number): Promise<StartUp> {
  const embeddedEnv = {
    ...stage.serviceEnv,
    QUITTANCE_DATA_DIR: join(stage.folder, 'embedded'),
    DATABASE_URL: '',
  };
  const givenDatabase: number[] = [];
  const embeddedExisting: number[] = [];
  const embeddedNew = [await startOnce(stage.folder, embeddedEnv)];
  for (let start = 0; start < starts; start += 1) {
    givenDatabase.push(await startOnce(stage.folder, stage.serviceEnv));
    embeddedExisting.push(await startOnce(stage.folder, embeddedEnv));
  }
  return { givenDatabase, embeddedExisting, embeddedNew };
}

async function startOnce(folder: string, env: Record<string, string>): Promise<number> {
  const server = await startService(folder, env);
  await server.stop();
  return server.readyMs;
}
