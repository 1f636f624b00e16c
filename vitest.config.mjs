import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { optionsFor } from './test/support/swc-options.mjs';

// Workers load packages a second quicker each. The runner itself is not started anew for it.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/quittance/compiled', import.meta.url),
);

// Test databases are thousands of files, made and removed: in memory that is a seventh of the whole time.
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4e9;
if (process.env.TMPDIR === undefined && freeBytes(MEMORY) > NEEDED_BYTES) {
  const folder = mkdtempSync(`${MEMORY}/quittance-`);
  // PostgreSQL is another user there.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

// Every worker draws the same shares (test/support/share.ts).
process.env.TEST_SEED ??= String(Date.now() % 2 ** 31);

/** 0 where there is no such folder. */
function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

const OWN = fileURLToPath(new URL('src/index.ts', import.meta.url));

/** `*.spec.ts` needs neither a database nor Chromium; `*.e2e-spec.ts` and the proof have both. */
const UNIT = 'test/**/*.spec.ts';
const SERVICE = 'test/**/*.e2e-spec.ts';
const PROOF = 'test/proof/**/*.spec.ts';

/** Begun last, one of these leaves the other workers idle at the end. Sizes, the usual order, hide it. */
const LONG = [
  '/test/proof/',
  '/test/hostile/',
  '/test/startup/',
  '/test/platform/embedded-',
  '/test/schema/reads.',
  '/test/e2e/integrity/',
  '/test/e2e/platform/database-states.',
  '/test/e2e/platform/silent-database.',
  '/test/e2e/documents/document-races.',
];

class LongFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

function isLong({ moduleId }) {
  return LONG.some((part) => moduleId.includes(part));
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // Files share the modules of their worker: loading them again took half of the time.
    isolate: false,
    // One more than cores of the smallest machine that runs this: many tests wait for something.
    maxWorkers: 3,
    projects: [
      project('unit', { include: [UNIT], exclude: [PROOF] }),
      project('service', { include: [SERVICE], globalSetup: './test/support/global-setup.mjs' }),
      project('proof', { include: [PROOF], globalSetup: './test/support/global-setup.mjs' }),
    ],
  },
});

function project(name, files) {
  return {
    // Types at run time, which our decorators need, are not what Vite's own transformer gives.
    oxc: false,
    plugins: [{ name: 'swc', enforce: 'pre', transform: compiled }],
    // Our own package, as extensions import it.
    resolve: { alias: [{ find: /^quittance$/, replacement: OWN }] },
    test: {
      name,
      ...files,
      pool: 'forks',
      isolate: false,
      // They only end what hangs: no machine is so busy.
      testTimeout: 1_800_000,
      hookTimeout: 1_800_000,
      expect: { poll: { timeout: 180_000 } },
      // Threads of the service read our sources, too.
      execArgv: [
        '--no-warnings',
        '--import',
        import.meta.resolve('./test/support/source-loader.mjs'),
      ],
    },
  };
}

async function compiled(source, id) {
  const [filename = ''] = id.split('?');
  if (!/\.tsx?$/.test(filename)) return undefined;
  return transform(source, { ...optionsFor(filename), filename, sourceMaps: true });
}
