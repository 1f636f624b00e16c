import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';

export const GUIDES = new URL('../../docs/guides/', import.meta.url);

/** The lines to paste of a guide, block by block. */
export async function blocksOf(name: string): Promise<string[]> {
  const page = await readFile(new URL(name, GUIDES), 'utf8');
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** @throws with all that was printed, when a line fails */
export async function pasted(
  blocks: string[],
  cwd: string,
  env: Record<string, string | undefined> = process.env,
): Promise<string> {
  const script = `exec 2>&1; set -euo pipefail\n${blocks.join('\n')}`;
  const run = promisify(execFile)('bash', ['-c', script], { cwd, env });
  const { stdout } = await run.catch(({ stdout: printed }: { stdout: string }) => {
    throw new Error(`a line failed, after:\n${printed}`);
  });
  return stdout;
}

/** Comments behind calls are parts of the answers, in the order in which they come. */
export function expectAnswers(output: string, blocks: string[]): void {
  const told = blocks.flatMap((block) => [...block.matchAll(/ # (".*)$/gm)].map(([, all]) => all));
  const parts = told.flatMap((all = '') => all.split(/, (?=")/));
  expect(parts.length).toBeGreaterThan(0);
  let from = 0;
  for (const part of parts) {
    const at = output.indexOf(part, from);
    expect(at, `${part} is not in ${output.slice(from)}`).toBeGreaterThanOrEqual(0);
    from = at + part.length;
  }
}
