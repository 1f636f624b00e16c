// As the loader of test/platform, for the whole service: decorators with metadata, and TSX.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

if (isMainThread) register(import.meta.url);

const JSC = {
  target: 'es2023',
  parser: { syntax: 'typescript', tsx: true, decorators: true },
  transform: {
    legacyDecorator: true,
    decoratorMetadata: true,
    react: { runtime: 'automatic', importSource: 'preact' },
  },
  experimental: { keepImportAttributes: true },
};

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!/^\.{1,2}\/.*\.js$/.test(specifier)) throw error;
    const path = specifier.slice(0, -3);
    return next(`${path}.ts`, context).catch(() => next(`${path}.tsx`, context));
  }
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = await transform(source, { jsc: JSC, module: { type: 'nodenext' } });
  return { format: 'module', source: code, shortCircuit: true };
}
