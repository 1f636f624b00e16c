import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOpenApi30 } from '../../../src/platform/http/openapi/version-30.js';
import { type Demo, prepareDemo } from '../../../src/demo/demo-account.js';
import { startTestService, type TestService } from '../../support/service.js';

// A client that is generated from the OpenAPI document compiles, and does what the README does.

const TOUR = fileURLToPath(new URL('../../fixtures/client-tour.txt', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  outDir: 'made',
};

let folder: string;
let service: TestService;
let demo: Demo;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-client-'));
  service = await startTestService({ dataDir: folder });
  const running = { app: service.app, url: service.url, stop: async () => undefined };
  demo = await prepareDemo(running, service.config);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

interface Described {
  paths: Record<string, Record<string, { 'x-codeSamples': { source: string }[] }>>;
}

/** The sample of each operation, as a module of its own. */
async function writeSamples({ paths }: Described): Promise<void> {
  await mkdir(join(folder, 'samples'));
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const [index, { 'x-codeSamples': samples }] of operations.entries()) {
    const { source } = samples[0]!;
    const module = source.replace(`'./client'`, `'../client/index.js'`);
    // A file that is sent is the reader's own.
    const text = `${module}\ndeclare const bytes: Uint8Array<ArrayBuffer>;\n`;
    await writeFile(join(folder, 'samples', `${index}.ts`), text);
  }
}

it('compiles under strict, its samples too, and runs the tour of the README', async () => {
  const { body: document } = await service.call('/v1/openapi.json');
  await createClient({
    input: document,
    output: { path: join(folder, 'client'), module: { extension: '.js' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent' },
  });
  await copyFile(TOUR, join(folder, 'tour.ts'));
  await writeSamples(document as unknown as Described);
  await symlink(MODULES, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const settings = { compilerOptions: STRICT, include: ['tour.ts', 'client', 'samples'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(MODULES, 'typescript-native/bin/tsc');
  const compiled = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');

  const made = pathToFileURL(join(folder, 'made/tour.js')).href;
  const { tour } = (await import(/* @vite-ignore */ made)) as {
    tour: (demo: Demo) => Promise<object>;
  };
  expect(await tour(demo)).toEqual({
    seconds: 1800,
    paid: 25_000,
    status: 'partially_paid',
    due: 96_043,
    code: 'amount_exceeds_due',
    rejected: true,
    pdf: '%PDF-',
    own: expect.any(Number),
    forged: 'invalid_signature',
    total: 25_436,
    currency: 'EUR',
    listed: [true],
    hasMore: true,
    accounts: expect.any(Number),
    differences: [],
  });
});

it('can be made of OpenAPI 3.0, which is served beside', async () => {
  const [now, older] = await Promise.all(
    ['/v1/openapi.json', '/v1/openapi-3.0.json'].map((path) => service.call(path)),
  );
  const head = (answer = now) => [answer?.status, answer?.headers.get('content-type')];
  expect(head(older)).toEqual(head());
  expect(older?.body).toEqual(asOpenApi30(now?.body as never));
});
