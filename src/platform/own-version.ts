import { readFile } from 'node:fs/promises';

/** The version of this package. */
export async function ownVersion(): Promise<string> {
  // Beside src when run from source, one level further up when built.
  for (const place of ['../../package.json', '../../../package.json']) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => undefined);
    if (text) return (JSON.parse(text) as { version: string }).version;
  }
  return 'unknown';
}
