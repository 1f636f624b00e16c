import { readFile } from 'node:fs/promises';

const PAGE = new URL('../../docs/production-on-debian.md', import.meta.url);

/** The blocks of the page for operators; the first has the values that each of them has to change. */
export async function operatorsBlocks(): Promise<{ values: string; blocks: string[] }> {
  const page = await readFile(PAGE, 'utf8');
  const [values = '', ...blocks] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block = '']) => block,
  );
  return { values, blocks };
}

/** The same names with other values. */
export function withValues(values: string, own: Record<string, string>): string {
  const names = namesIn(values);
  const missing = names.filter((name) => !(name in own));
  if (missing.length > 0) throw new Error(`the page wants ${missing.join(', ')}, too`);
  return names.map((name) => `${name}='${own[name]}'\n`).join('');
}

export function namesIn(values: string): string[] {
  return [...values.matchAll(/(?:^|\s)([A-Z]+)=/g)].map(([, name = '']) => name);
}

/** Each block begins by saying so on a line of its own, in one shell that ends with the first failure. */
export function oneShell(blocks: string[], mark: string): string {
  const parts = blocks.map((block, index) => `echo "${mark} ${index}"\n${block}`);
  return `set -euo pipefail\n${parts.join('\n')}\necho "${mark} end"\n`;
}
