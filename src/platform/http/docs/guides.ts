import { readFile } from 'node:fs/promises';

// Of this package, run from its sources or built.
const PLACES = ['../../../../docs/guides/', '../../../../../docs/guides/'];
const LISTED = /\]\(([a-z-]+\.md)\)/g;

/** All guides in their order, as one text of Markdown; empty where they were not installed. */
export async function allGuides(): Promise<string> {
  const list = await guide('README.md');
  const names = [...list.matchAll(LISTED)].map(([, name = '']) => name);
  const texts = await Promise.all(names.map((name) => guide(name)));
  return texts.map((text) => withoutLinks(text)).join('\n');
}

async function guide(name: string): Promise<string> {
  for (const place of PLACES) {
    const file = new URL(`${place}${name}`, import.meta.url);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return '';
}

/** Pages beside the guides are not served: their names stay. */
function withoutLinks(text: string): string {
  return text
    .replaceAll(/\[([^[\]]+)\]\(\.\.\/([\w/-]+\.md)[^()]*\)/g, '$1 (`docs/$2`)')
    .replaceAll(/\[([^[\]]+)\]\([a-z-]+\.md\)/g, '*$1*');
}
