import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareDemo } from '../../src/demo/demo-account.js';
import { startTestService, type TestService } from '../support/service.js';

// Each guide is pasted into a shell, and answers what its comments say.

const GUIDES = new URL('../../docs/guides/', import.meta.url);
const PREAMBLE = 'first-invoice.md';
const names = (await readdir(GUIDES)).filter((name) => name !== 'README.md' && name !== PREAMBLE);

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-guides-'));
  service = await startTestService({ dataDir: join(folder, '.quittance') });
  const running = { app: service.app, url: service.url, stop: async () => undefined };
  await prepareDemo(running, service.config);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function blocksOf(name: string): Promise<string[]> {
  const page = await readFile(new URL(name, GUIDES), 'utf8');
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

async function pasted(blocks: string[]): Promise<string> {
  // All that it printed is shown when a line fails.
  const script = `exec 2>&1; set -euo pipefail\n${blocks.join('\n')}`;
  const run = promisify(execFile)('bash', ['-c', script], { cwd: folder });
  const { stdout } = await run.catch(({ stdout: printed }: { stdout: string }) => {
    throw new Error(`a line failed, after:\n${printed}`);
  });
  return stdout;
}

/** Comments behind calls are parts of the answers, in the order in which they come. */
function expectAnswers(output: string, blocks: string[]): void {
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

it(`${PREAMBLE} does what it says`, async () => {
  const blocks = await blocksOf(PREAMBLE);
  expectAnswers(await pasted(blocks), blocks);
  expect((await readFile(join(folder, 'invoice.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
});

describe.each(names)('%s', (name) => {
  it('does what it says', async () => {
    const [preamble = ''] = await blocksOf(PREAMBLE);
    const blocks = await blocksOf(name);
    expectAnswers(await pasted([preamble, ...blocks]), blocks);
  });

  it('is listed', async () => {
    expect(await readFile(new URL('README.md', GUIDES), 'utf8')).toContain(`(${name})`);
  });
});
