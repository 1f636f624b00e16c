import { transform } from '@swc/core';
import { defineConfig } from 'vitest/config';
import { optionsFor } from './test/support/swc-options.mjs';

/** `*.spec.ts` needs neither a database nor Chromium; `*.e2e-spec.ts` and the proof have both. */
const UNIT = 'test/**/*.spec.ts';
const SERVICE = 'test/**/*.e2e-spec.ts';
const PROOF = 'test/proof/**/*.spec.ts';

export default defineConfig({
  test: {
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
    test: {
      name,
      ...files,
      pool: 'forks',
      isolate: false,
      testTimeout: 30_000,
      hookTimeout: 30_000,
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
