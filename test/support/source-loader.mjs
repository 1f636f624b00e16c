// Lets a plain `node --import` process run the TypeScript sources: decorators with metadata, TSX,
// and a cache by content, because the tests start dozens of processes.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { SWC_OPTIONS } from './swc-options.mjs';

if (isMainThread) register(import.meta.url);

const CACHE = new URL('../../node_modules/.cache/quittance/sources/', import.meta.url);

export async function resolve(specifier, context, next) {
  const names = /^\.{1,2}\/.*\.js$/.test(specifier)
    ? ['.ts', '.tsx', '.js'].map((ending) => specifier.replace(/\.js$/, ending))
    : [specifier];
  for (const name of names.slice(0, -1)) {
    const path = new URL(name, context.parentURL);
    // Only our own sources: packages have their .js files.
    if (existsSync(path)) return next(name, context);
  }
  return next(names.at(-1), context);
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([optionsFor(url), source]))
    .digest('hex');
  const cached = new URL(`${key}.mjs`, CACHE);
  const known = await readFile(cached, 'utf8').catch(() => undefined);
  return {
    format: 'module',
    source: known ?? (await made(url, source, cached)),
    shortCircuit: true,
  };
}

/** `<Type>(` begins a function in one language and an element in the other. */
function optionsFor(url) {
  const { jsc, ...options } = SWC_OPTIONS;
  return { ...options, jsc: { ...jsc, parser: { ...jsc.parser, tsx: url.endsWith('x') } } };
}

async function made(url, source, cached) {
  const { transform } = await import('@swc/core');
  const { code } = await transform(source, optionsFor(url));
  await mkdir(CACHE, { recursive: true });
  // Several processes at once: each writes its own draft.
  const draft = new URL(`${cached.href}.${process.pid}`);
  await writeFile(draft, code);
  await rename(draft, cached);
  return code;
}
