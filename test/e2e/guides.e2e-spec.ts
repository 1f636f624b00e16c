import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareDemo } from '../../src/demo/demo-account.js';
import { blocksOf, expectAnswers, GUIDES, pasted } from '../support/guides.js';
import { startTestService, type TestService } from '../support/service.js';

// Each guide is pasted into a shell, and answers what its comments say.

const PREAMBLE = 'first-invoice.md';
// Those that run the service themselves: test/startup/guides.e2e-spec.ts.
const OF_OPERATORS = ['going-to-production.md', 'upgrade-and-backup.md'];
const pages = (await readdir(GUIDES)).filter((name) => name !== 'README.md');
const names = pages.filter((name) => ![PREAMBLE, ...OF_OPERATORS].includes(name));

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

it(`${PREAMBLE} does what it says`, async () => {
  const blocks = await blocksOf(PREAMBLE);
  expectAnswers(await pasted(blocks, folder), blocks);
  expect((await readFile(join(folder, 'invoice.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
});

describe.each(names)('%s', (name) => {
  it('does what it says', async () => {
    const [preamble = ''] = await blocksOf(PREAMBLE);
    const blocks = await blocksOf(name);
    expectAnswers(await pasted([preamble, ...blocks], folder), blocks);
  });
});

it.each(pages)('%s is listed', async (name) => {
  expect(await readFile(new URL('README.md', GUIDES), 'utf8')).toContain(`(${name})`);
});
