import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Written aside, so that nobody reads half of it. @returns its path */
export async function writtenAside(folder: string, content: unknown): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `draft-${randomBytes(8).toString('hex')}`);
  await writeFile(draft, JSON.stringify(content, null, 2), { mode: 0o600 });
  return draft;
}

/** Takes the place of one of that name. */
export async function writeWhole(folder: string, file: string, content: unknown): Promise<void> {
  await rename(await writtenAside(folder, content), join(folder, file));
}

export async function fileText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => orAbsent(error, undefined));
}

/** @throws the error, unless it says that nothing is there */
export function orAbsent<Nothing>(error: unknown, nothing: Nothing): Nothing {
  if (errnoOf(error) === 'ENOENT') return nothing;
  throw error;
}

export function errnoOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
