import { readFile } from 'node:fs/promises';

/** The version of this package. */
export async function ownVersion(): Promise<string> {
  const text = await ofPackage('package.json');
  return text ? (JSON.parse(text) as { version: string }).version : 'unknown';
}

/** The day on which a version was released, `2026-11-20`; null: it is not in the changelog. */
export async function releasedOn(version: string): Promise<string | null> {
  const text = (await ofPackage('CHANGELOG.md')) ?? '';
  const head = text.split('\n').find((line) => line.startsWith(`## ${version} - `));
  return head?.slice(-'2026-11-20'.length) ?? null;
}

async function ofPackage(file: string): Promise<string | undefined> {
  // Beside src when run from source, one level further up when built.
  for (const above of ['../..', '../../..']) {
    const url = new URL(`${above}/${file}`, import.meta.url);
    const text = await readFile(url, 'utf8').catch(() => undefined);
    if (text) return text;
  }
  return undefined;
}
