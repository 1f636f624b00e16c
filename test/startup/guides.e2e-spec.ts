import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, it } from 'vitest';
import { freePort } from '../../src/testing/service/free-port.js';
import { blocksOf, expectAnswers, pasted } from '../support/guides.js';
import { OWN_ENVIRONMENT, SOURCE_LOADER } from './program.js';

// The guides for operators, pasted one after the other into the shell of an empty folder.

const run = (source: string) =>
  `exec ${process.execPath} --no-warnings --import ${SOURCE_LOADER} ` +
  fileURLToPath(new URL(`../../src/${source}.ts`, import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-operator-'));
  const scripts = { start: run('main'), cli: run('cli') };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

it('bring a service into production, save it, restore it and go on with a new version', async () => {
  const blocks = [
    ...(await blocksOf('going-to-production.md')),
    ...(await blocksOf('upgrade-and-backup.md')),
  ];
  const stop =
    'trap \'if [ -n "${SERVICE:-}" ]; then kill $SERVICE; wait $SERVICE || true; fi\' EXIT';
  const output = await pasted([stop, ...blocks], folder, {
    ...OWN_ENVIRONMENT,
    PORT: String(await freePort()),
  });
  expectAnswers(output, blocks);
});
