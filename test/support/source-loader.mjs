// Lets a plain `node --import` process run the TypeScript sources, with decorators' metadata and
// TSX. It has a cache by content, because the tests start dozens of processes. Each of their
// threads runs this file, too, and hooks itself.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { optionsFor } from './swc-options.mjs';

const CACHE = new URL('../../node_modules/.cache/quittance/sources/', import.meta.url);

registerHooks({ resolve, load });

function resolve(specifier, context, next) {
  const names = /^\.{1,2}\/.*\.js$/.test(specifier)
    ? ['.ts', '.tsx', '.js'].map((ending) => specifier.replace(/\.js$/, ending))
    : [specifier];
  for (const name of names.slice(0, -1)) {
    // Only our own sources: packages have their .js files.
    const isOurs = context.parentURL && !context.parentURL.includes('/node_modules/');
    if (isOurs && existsSync(new URL(name, context.parentURL))) return next(name, context);
  }
  return next(names.at(-1), context);
}

function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([optionsFor(url), source]))
    .digest('hex');
  const cached = new URL(`${key}.mjs`, CACHE);
  const known = existsSync(cached) ? readFileSync(cached, 'utf8') : undefined;
  return { format: 'module', source: known ?? made(url, source, cached), shortCircuit: true };
}

function made(url, source, cached) {
  const { transformSync } = createRequire(import.meta.url)('@swc/core');
  const { code } = transformSync(source, optionsFor(url));
  mkdirSync(CACHE, { recursive: true });
  // Several processes and threads at once: each writes its own draft.
  const draft = new URL(`${cached.href}.${process.pid}.${threadId}`);
  writeFileSync(draft, code);
  renameSync(draft, cached);
  return code;
}
