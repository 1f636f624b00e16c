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

/** Our own package, as extensions import it. */
const OWN = new Map([['quittance', new URL('../../src/index.ts', import.meta.url).href]]);

registerHooks({ resolve, load });

/** Each of our files is imported by many: it is looked for once. */
const found = new Map();

function resolve(specifier, context, next) {
  // Only our own sources: packages have their .js files.
  if (!context.parentURL || context.parentURL.includes('/node_modules/')) {
    return next(specifier, context);
  }
  const isRelative = /^\.{1,2}\//.test(specifier);
  const name = isRelative ? new URL(specifier, context.parentURL).href : specifier;
  // `require` may find another file of a package than `import` does.
  const key = `${context.conditions.join()} ${name}`;
  const known = found.get(key) ?? lookUp(name, specifier, context, next);
  found.set(key, known);
  return known;
}

function lookUp(name, specifier, context, next) {
  const isOurs = /^file:.*\.js$/.test(name);
  const source =
    OWN.get(specifier) ??
    ['.ts', '.tsx']
      .map((ending) => name.replace(/\.js$/, ending))
      .find((file) => isOurs && existsSync(new URL(file)));
  if (source) return { url: source, format: 'module', shortCircuit: true };
  return { ...next(specifier, context), shortCircuit: true };
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
