import { chownSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf, NETWORK_RANGE } from './machines.js';
import { shell } from './shell.js';

const SOURCE = fileURLToPath(new URL('../../../deploy/high-availability/', import.meta.url));

/** No secret: nobody but this machine reaches what the run starts. */
export const PASSWORDS = {
  SUPERUSER: 'superuser-of-the-run',
  REPLICATOR: 'replicator-of-the-run',
  REWINDER: 'rewinder-of-the-run',
  APPLICATION: 'app-of-the-run',
};

const SHARED = {
  ...PASSWORDS,
  ONE: addressOf('one'),
  TWO: addressOf('two'),
  THREE: addressOf('three'),
  NETWORK: NETWORK_RANGE,
};

/**
 * Writes a file of deploy/high-availability with what stands for its placeholders.
 * @returns where
 */
export async function configured(
  name: string,
  folder: string,
  values: Record<string, string> = {},
): Promise<string> {
  const text = await readFile(join(SOURCE, name), 'utf8');
  const all: Record<string, string> = { ...SHARED, FOLDER: folder, ...values };
  const filled = text.replaceAll(/<([A-Z]+)>/g, (_, key: string) => {
    const value = all[key];
    if (value === undefined) throw new Error(`${name}: nothing stands for <${key}>`);
    return value;
  });
  const path = join(folder, name);
  await writeFile(path, filled, { mode: 0o600 });
  await handOver(path);
  return path;
}

export async function folderOfPostgres(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await handOver(path);
  return path;
}

let ids: [number, number] | undefined;

async function handOver(path: string): Promise<void> {
  ids ??= [
    Number(await shell('id', '-u', 'postgres')),
    Number(await shell('id', '-g', 'postgres')),
  ];
  chownSync(path, ...ids);
}
