import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CSV_COLUMNS } from '../src/bank/domain/csv-columns.js';
import { MIGRATED_SCHEMA } from '../src/platform/database/migrated-schema.js';
import { PROBLEMS } from '../src/platform/http/problem-catalog.js';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the documentation', () => {
  it('lists exactly the problems of the catalog, with status and example', async () => {
    const rows = [...(await read('docs/errors.md')).matchAll(/^\| (\d+) \| `(\w+)` \| (.+) \|$/gm)];
    expect(rows.map(([, status, code, example]) => [code, [Number(status), example]])).toEqual(
      Object.entries(PROBLEMS),
    );
  });

  it('lists every variable of the configuration in the README', async () => {
    const config = await read('src/platform/config/config.ts');
    const names = [...config.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(20);
    const readme = await read('README.md');
    const missing = names.filter((name) => name !== 'NODE_ENV' && !readme.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it('lists every header by which a column of a CSV statement is found', async () => {
    const page = await read('docs/bank-statements.md');
    const [, csv = ''] = /^## CSV$(.*?)^## /ms.exec(page) ?? [];
    const rows = [...csv.matchAll(/^\| `(\w+)` \| [^|]* \| ([^|]+) \|$/gm)];
    const listed = rows.map(([, column, headers = '']) => [column, headers.split(', ')]);
    expect(listed).toEqual(Object.entries(CSV_COLUMNS));
  });

  it('says of every table what bounds it', async () => {
    const page = await read('docs/operations.md');
    const [, growth = ''] = /^## Growth$(.*?)^## /ms.exec(page) ?? [];
    const told = [...growth.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(
      ([, name]) => name,
    );
    const tables = Object.keys(MIGRATED_SCHEMA).flatMap((name) => name.split('table ')[1] ?? []);
    expect(told.toSorted()).toEqual(tables.toSorted());
  });

  it('links only to files that exist', async () => {
    for (const page of ['README.md', 'docs/documents.md', 'docs/gateways.md', 'docs/security.md']) {
      const folder = page.includes('/') ? 'docs/' : '';
      for (const [, target] of (await read(page)).matchAll(/\]\(([^)#]+)\)/g)) {
        await expect(read(`${folder}${target}`)).resolves.not.toBe('');
      }
    }
  });
});
