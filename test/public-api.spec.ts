import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HEAP } from '../src/cli/service-process.js';
import { publicApi, publicEntries } from './support/public-api.js';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** For whoever reads a failure: what changed is public. */
const REMEDY = 'others build on this: write the change down, and run `npm run api`';

describe('the package', () => {
  it('shows others exactly what docs/api says', () => {
    const { entries, declarations } = publicApi();
    expect(entries).toHaveLength(publicEntries().length);
    for (const { file, report } of entries) {
      expect(report, `docs/api/${file}: ${REMEDY}`).toBe(read(`docs/api/${file}`));
    }
    const declared = declarations.get('declared.d.ts') ?? '';
    expect(declared).toContain('export declare abstract class Gateway {');
    expect(declared).not.toMatch(/from '\.|import\(/);
  });

  it('has its main entry, with types that are packed', () => {
    const { types } = JSON.parse(read('package.json')) as { types: string };
    expect(publicEntries()[0]).toEqual({ types, default: './dist/src/index.js' });
  });
});

describe('the heap', () => {
  it.each([
    ['package.json', HEAP.join(' ')],
    ['Dockerfile', HEAP.map((option) => `"${option}"`).join(', ')],
  ])('is the same in %s as of `quittance start`', (file, options) => {
    expect(read(file)).toContain(options);
  });
});
