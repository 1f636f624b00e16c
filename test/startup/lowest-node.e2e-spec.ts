import { execFile, spawn } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toWindows1252 } from '../../src/platform/http/windows-1252.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { aPlace, NO_CHROMIUM, OWN_ENVIRONMENT, type Place, untilReady } from './program.js';

// The built service on the lowest Node that package.json names: CI brings it as LOWEST_NODE. Elsewhere it
// is the Node of npm, which is the one that an operator may start the service with.
const NODE = process.env['LOWEST_NODE'] ?? process.env['npm_node_execpath'] ?? process.execPath;
const HERE = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

let place: Place;
let database: TestDatabase;
beforeAll(async () => {
  [place, database] = await Promise.all([aPlace(), aDatabase()]);
  const compiler = join(HERE, 'node_modules/typescript-native/bin/tsc');
  const out = join(place.folder, 'dist');
  await run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', out], {
    cwd: HERE,
  });
  await cp(join(HERE, 'migrations/baseline'), join(out, 'migrations/baseline'), {
    recursive: true,
  });
  for (const shared of ['node_modules', 'package.json']) {
    await symlink(join(HERE, shared), join(place.folder, shared));
  }
});
afterAll(async () => {
  await place.remove();
  await database.drop();
});

const built = (path: string) => join(place.folder, 'dist/src', path);

it('gets ready, and stops', async () => {
  const port = await freePort();
  const child = spawn(NODE, [built('cli.js'), 'start'], {
    cwd: place.folder,
    env: { ...OWN_ENVIRONMENT, ...NO_CHROMIUM, DATABASE_URL: database.url, PORT: String(port) },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilReady({ url, hasEnded: false, output: '', errors: '' });
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
});

it('reads and writes Windows-1252', async () => {
  const text = '€–„“’ Müller';
  const code = `
    const { toWindows1252 } = await import('${built('platform/http/windows-1252.js')}');
    const { tableText } = await import('${built('bank/infrastructure/bank-text.js')}');
    const bytes = toWindows1252('${text}');
    console.log(JSON.stringify({ bytes: bytes.toString('hex'), text: tableText(bytes) }));`;
  const { stdout } = await run(NODE, ['--input-type=module', '--eval', code]);
  expect(JSON.parse(stdout)).toEqual({ bytes: toWindows1252(text).toString('hex'), text });
  expect(toWindows1252(text).toString('hex')).toBe('8096849392204dfc6c6c6572');
});

it('is the lowest that package.json names, where CI brings one', async () => {
  const { stdout } = await run(NODE, ['--print', 'process.versions.node']);
  const { default: own } = (await import('../../package.json', { with: { type: 'json' } })) as {
    default: { engines: { node: string } };
  };
  const lowest = /\d+\.\d+\.\d+/.exec(own.engines.node)?.[0] ?? '';
  const order = stdout.trim().localeCompare(lowest, 'en', { numeric: true });
  expect(order).toBeGreaterThanOrEqual(0);
  if (process.env['LOWEST_NODE'] !== undefined) expect(order).toBe(0);
});
