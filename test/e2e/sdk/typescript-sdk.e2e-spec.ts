import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, prepareDemo } from '../../../src/demo/demo-account.js';
import { openBrowser } from '../portal/browser.js';
import { startTestService, type TestService } from '../../support/service.js';
import { InstalledSdk } from './installed-sdk.js';

// The SDK as its users have it: packed, installed from the tarball into an empty project, compiled under
// `strict`, and run on each Node and in a browser.

const LARGEST_BYTES = 250_000;
/** CI brings the others, as programs with `:` between them. */
const NODES = [process.execPath, ...(process.env['OTHER_NODES'] ?? '').split(':').filter(Boolean)];
const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

const TOUR = {
  paid: 25_000,
  status: 'partially_paid',
  due: 96_043,
  once: true,
  code: 'amount_exceeds_due',
  statusOfRefusal: 422,
  rejected: true,
  pdf: '%PDF-',
  page: 'EUR',
  total: 27_834,
  amountDue: 22_834,
  stale: ['version_mismatch', expect.any(Number)],
  calculated: true,
  credit: [6166],
  statement: true,
  pointers: ['/lines/0/description', '/lines/0/unit_amount', '/customer/name'],
  first: 1,
  customers: 3,
  events: true,
  issued: 'invoice',
  place: true,
  accounts: true,
  differences: [],
};

let sdk: InstalledSdk;
let service: TestService;
beforeAll(async () => {
  [sdk, service] = await Promise.all([InstalledSdk.inNewProject(), startTestService()]);
});
afterAll(async () => {
  await service.close();
  await sdk.remove();
});

/** An account of its own, as the README has it. */
async function aDemo(name: string): Promise<Demo> {
  const running = { app: service.app, url: service.url, stop: async () => undefined };
  return prepareDemo(running, { ...service.config, dataDir: join(sdk.folder, '..', name) });
}

const samplesOf = (page: string) =>
  [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, sample = '']) => sample);

describe('the tarball', () => {
  it('has no dependency, and nothing but what runs and what is read', async () => {
    const file = join(sdk.folder, 'node_modules/@quittance/sdk/package.json');
    const described = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    expect(Object.keys(described).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
    const root = new URL('../../../package.json', import.meta.url);
    const { version } = JSON.parse(await readFile(root, 'utf8')) as { version: string };
    expect(described['version']).toBe(version);
    const { paths, sizeBytes } = sdk.packed;
    console.info(`${paths.length} files, ${sizeBytes} bytes`);
    expect(sizeBytes).toBeLessThan(LARGEST_BYTES);
    expect(paths.filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path))).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
  });
});

describe('a project with it', () => {
  it('compiles under strict: the tour, each sample of the documentation, and CommonJS', async () => {
    const readme = await readFile(
      new URL('../../../sdk/typescript/README.md', import.meta.url),
      'utf8',
    );
    const samples = samplesOf(readme);
    expect(samples.length).toBeGreaterThan(5);
    for (const [index, sample] of samples.entries()) {
      const head = sample.includes('new Quittance(') ? '' : GIVEN;
      await sdk.write(`sample${index}.ts`, `${head}${sample}\nexport {};\n`);
    }
    await sdk.write('common.cts', COMMON);
    expect(await sdk.compile()).toBe('');
  });

  it('is told by the compiler of a wrong field and a code that does not exist', async () => {
    await sdk.write('wrong.ts', WRONG);
    const said = await sdk.compile();
    await sdk.write('wrong.ts', '');
    const wrong = [...said.matchAll(/^wrong\.ts\((\d+),\d+\): error (TS\d+)/gm)];
    expect(wrong.map(([, line, code]) => `${line} ${code}`)).toEqual([
      '3 TS2353',
      '5 TS2367',
      '7 TS2322',
      '11 TS2339',
      '12 TS2339',
      '13 TS2322',
    ]);
  });

  it.each(NODES)('takes the tour of the README on %s', async (node) => {
    console.info(`on Node ${versionOf(node)}`);
    await sdk.compile();
    await sdk.write('run.mjs', RUN);
    const demo = await aDemo(`demo-${versionOf(node)}`);
    expect(await sdk.run(node, 'run.mjs', JSON.stringify(demo))).toEqual(TOUR);
    expect(await sdk.run(node, 'made/common.cjs')).toBe('function');
  });

  it('takes it in a browser, from one bundle', async () => {
    await sdk.compile();
    const bundle = await rolldown({ input: join(sdk.folder, 'made/tour.js') });
    const { output } = await bundle.generate({ format: 'iife', name: 'sdk', minify: true });
    const [{ code }] = output;
    console.info(`${code.length} characters in the bundle`);
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      // The tour is a page's own script, on the address of the service.
      await page.setBypassCSP(true);
      await page.goto(`${service.url}/livez`);
      await page.addScriptTag({ content: `${code}; globalThis.sdk = sdk;` });
      const toured = await page.evaluate(
        `sdk.tour(${JSON.stringify(await aDemo('demo-browser'))})`,
      );
      expect(toured).toEqual(TOUR);
    } finally {
      await browser.close();
    }
  });
});

/** Samples go on with the client of the first one. */
const GIVEN = `import { Quittance, QuittanceError, QuittanceConnectionError, webhooks } from '@quittance/sdk';
declare const q: Quittance; declare const id: string; declare const request: Request;
declare const secret: string; declare const place: string; declare const file: Blob;
declare function save(...what: unknown[]): Promise<void>;
`;

const COMMON = `const { Quittance } = require('@quittance/sdk') as typeof import('@quittance/sdk');
declare function require(name: string): unknown;
declare const console: { log(text: string): void };
console.log(JSON.stringify(typeof Quittance));
`;

const WRONG = `import { Quittance, QuittanceError } from '@quittance/sdk';
const q = new Quittance({ baseUrl: 'https://billing.example.com' });
const document = await q.documents.create({ lines: [], nonsense: 1 });
export const isKnown = (error: unknown) =>
  error instanceof QuittanceError && error.code === 'no_such_code';
for await (const event of q.events.follow())
  if (event.type === 'payment.recorded') { const data: number = event.data; }
export { document };
const { data: [row] } = await q.documents.list({ fields: ['number', 'customer.name'] });
export const told: (string | null | undefined)[] = [row?.id, row?.number, row?.customer.name];
export const due = row?.amount_due;
export const country = row?.customer.country;
await q.documents.list({ fields: ['nothing'] });
`;

const RUN = `import { tour } from './made/tour.js';
console.log(JSON.stringify(await tour(JSON.parse(process.argv[2]))));
`;
