import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CSV_COLUMNS } from '../src/bank/domain/csv-columns.js';
import { MIGRATED_SCHEMA } from '../src/platform/database/schema-listing.js';
import { PROBLEMS } from './support/problems.js';
import { sourcesOf } from './support/source.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SDK = ['sdk/typescript/src', 'sdk/typescript/generate', 'sdk/python/generate'];
const FOLDERS = [
  'src',
  'test',
  'migrations',
  'bench',
  'docker',
  'deploy',
  'docs',
  'examples',
  ...SDK,
];

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const below = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));

const atRoot = readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) =>
  entry.isFile() ? [entry.name] : [],
);
const files = [...atRoot, ...FOLDERS.flatMap(below)];
const fileNames = new Set(files.map((path) => basename(path)));
const pages = files.filter((path) => /^(docs\/.*|[^/]+)\.md$/.test(path));

/** The files in which names of the documentation have to be found. */
const SPEAKS =
  /^((src|migrations|bench|docker|deploy|examples)\/.*\.(tsx?|sql|json)|package\.json|vitest\.config\.mjs|[^/]*compose\.yml|Dockerfile|\.env\.example)$/;
const code = files
  .filter((path) => SPEAKS.test(path))
  .map(read)
  .join('\n');
const words = new Set(code.match(/\w+/g));
const scripts = new Set(
  Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts),
);
const commands = new Set(
  [...code.matchAll(/(?:\.command|new Command)\('([a-z-]+)/g)].map(([, name]) => name ?? ''),
);

/** Headings as GitHub links to them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#+ (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

const withoutCode = (text: string) => text.replaceAll(/^ *```.*?^ *```/gms, '');

const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, one]) => one ?? '');

/** In backticks, outside of blocks of code. */
const quoted = (text: string) => all(withoutCode(text), /`([^`\n]+)`/g);

/** Names in a cell of the glossary: `documents.proforma` are two. */
const namesIn = (cell = '') =>
  all(cell, /`(\w[\w.-]*)(?:\(\))?`/g).flatMap((name) => name.split('.'));

/** Nouns with several meanings: no name is one of them without the word before it. */
const BARE = new Set(
  (
    'statement statements entry entries receipt receipts seal seals group groups link links ' +
    'token report fact owner owners state status answer change check refusal part balance ' +
    'balances origin order capture key counter period place'
  ).split(' '),
);

const moduleOf = (path: string) => /^src\/(\w+)\//.exec(path)?.[1] ?? '';

const isSetting = (name: string) => {
  const [, setting] = /^GATEWAY_[A-Z]+_([A-Z_]+)$/.exec(name) ?? [];
  return words.has((setting ?? name).toLowerCase());
};

/** Each rule gives the names on a page that do not exist. */
const RULES: Record<string, (text: string, page: string) => string[]> = {
  'a link to a file': (text, page) =>
    linksOf(text, page).flatMap(({ target, path }) => (existsSync(join(ROOT, path)) ? [] : target)),

  'a link to a heading': (text, page) =>
    linksOf(text, page).flatMap(({ target, path, anchor }) => {
      if (!anchor || !path.endsWith('.md') || !existsSync(join(ROOT, path))) return [];
      return anchorsOf(path === page ? text : read(path)).has(anchor) ? [] : target;
    }),

  'a path': (text) =>
    all(text, /(?<![\w/.@-])((?:src|test|migrations|bench|docker|docs)\/[\w./-]*[\w/])/g).filter(
      (path) => !existsSync(join(ROOT, path)),
    ),

  // `unit-of-work.ts`; what the service itself writes, such as demo.json, is named in the code.
  'a file': (text) =>
    quoted(text).filter(
      (name) =>
        /^[\w.-]+\.(tsx?|mjs|json|ya?ml|md|sql)$/.test(name) &&
        !fileNames.has(name) &&
        !code.includes(name),
    ),

  'an npm script': (text) =>
    all(text, /npm run (?:--silent )?([\w:-]+)/g).filter((name) => !scripts.has(name)),

  'a command': (text) =>
    [...all(text, /`cli ([a-z][a-z-]+)/g), ...all(text, /cli -- ([a-z][a-z-]+)/g)].filter(
      (name) => !commands.has(name),
    ),

  'a variable': (text) =>
    all(text, /(?<![$\w])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b(?!_?\*)/g).filter(
      (name) => !words.has(name) && !isSetting(name),
    ),

  'a code': (text) =>
    all(text, /\b[45]\d\d `([a-z]+(?:_[a-z]+)*)`/g).filter((name) => !(name in PROBLEMS)),

  // Codes, fields, columns, events and metrics alike; those of PostgreSQL are not ours.
  'a name of the code': (text) =>
    quoted(text).filter((name) => /^(?!pg_)[a-z]+(_[a-z0-9]+)+$/.test(name) && !words.has(name)),
};

function linksOf(text: string, page: string) {
  return all(withoutCode(text), /\]\(([^)\s]+)\)/g)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { target, anchor, path: file ? normalize(join(dirname(page), file)) : page };
    });
}

describe('each page', () => {
  it('is looked at', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/books.md']));
    expect(pages.length).toBeGreaterThan(15);
  });

  it.each(Object.entries(RULES))('names what is there: %s', (_, rule) => {
    expect(pages.flatMap((page) => rule(read(page), page).map((it) => `${page}: ${it}`))).toEqual(
      [],
    );
  });

  it.each([
    ['a link to a file', '[roles](docs/operation.md#roles)'],
    ['a link to a file', '![a picture](docs/images/none.png)'],
    ['a link to a heading', '[roles](docs/operations.md#rolls)'],
    ['a link to a heading', '# Here\n[there](#there)'],
    ['a path', 'see src/payments/gateways/stripe.gateway.ts.'],
    ['a path', '`test/access.spec.ts`'],
    ['a path', '```sh\nnpm test -- test/e2e/none.e2e-spec.ts\n```'],
    ['a file', 'in `unit-of-works.ts`'],
    ['an npm script', '`npm run --silent tests`'],
    ['a command', '`cli integrities`'],
    ['a command', 'npm run --silent cli -- receipt'],
    ['a variable', 'set QUITTANCE_SECRETS'],
    ['a variable', 'set `GATEWAY_SHOP_WEBHOOK_SECRETS`'],
    ['a code', '409 `document_is_busy`'],
    ['a name of the code', '`document_is_busy`'],
  ])('is refused for %s: %j', (rule, text) => {
    expect(RULES[rule]?.(text, 'README.md')).toHaveLength(1);
  });

  it.each([
    'docs/[books](docs/books.md#sealing-what-it-proves-and-what-it-does-not)',
    'dist/src/main.js, `demo.json`, `unit-of-work.ts`, `cli bank-statements import FILE`',
    'GATEWAY_SHOP_ACCOUNTS, `CLIENT_ID`, GATEWAY_A_*, 409 `document_busy`',
  ])('is not refused for %j', (text) => {
    expect(Object.values(RULES).flatMap((rule) => rule(text, 'README.md'))).toEqual([]);
  });
});

describe('the documentation', () => {
  it('lists exactly the problems of the catalog, with status and example', () => {
    const rows = [...read('docs/errors.md').matchAll(/^\| (\d+) \| `(\w+)` \| (.+) \|$/gm)];
    const listed = rows.map(([, status, name, example]) => [name, [Number(status), example]]);
    expect(listed.toSorted()).toEqual(Object.entries(PROBLEMS).toSorted());
  });

  it('lists exactly the variables of the configuration', () => {
    const names = all(
      [
        'config',
        'backup-store-config',
        'body-limits',
        'file-store-config',
        'folders',
        'installed-module',
      ]
        .map((name) => read(`src/platform/config/${name}.ts`))
        .join(''),
      /(?:^ {2}|\[')([A-Z][A-Z0-9_]+)(?::|'\])/gm,
    );
    names.push(...all(read('src/platform/config/tracing-config.ts'), /'(OTEL_[A-Z_]+)'/g));
    expect(names.length).toBeGreaterThan(20);
    const listed = all(read('docs/configuration.md'), /^\| ([^|]+) \|/gm)
      .flatMap((cell) => all(cell, /`([A-Z][A-Z0-9_]+)`/g))
      .filter((name) => !name.startsWith('GATEWAY'));
    expect(listed.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('lists every header by which a column of a CSV statement is found', () => {
    const [, csv = ''] = /^## CSV$(.*?)^## /ms.exec(read('docs/bank-statements.md')) ?? [];
    const rows = [...csv.matchAll(/^\| `(\w+)` \| [^|]* \| ([^|]+) \|$/gm)];
    const listed = rows.map(([, column, headers = '']) => [column, headers.split(', ')]);
    expect(listed).toEqual(Object.entries(CSV_COLUMNS));
  });

  it('says of every table what bounds it, and where it belongs', () => {
    const tables = Object.keys(MIGRATED_SCHEMA.columns);
    const [, growth = ''] = /^## Growth$(.*?)^## /ms.exec(read('docs/operations.md')) ?? [];
    expect(all(growth, /^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm).toSorted()).toEqual(
      tables.toSorted(),
    );
    const [, owners = ''] =
      /^## Where each table belongs$(.*?)^## /ms.exec(read('docs/architecture.md')) ?? [];
    const owned = all(owners, /^\| \w+ \| (`.+`) \|$/gm).flatMap((cell) => all(cell, /`(\w+)`/g));
    expect(owned.toSorted()).toEqual(tables.toSorted());
  });

  it('draws exactly the arrows that modules have', () => {
    const [, picture = ''] = /flowchart RL\n(.*?)```/s.exec(read('docs/architecture.md')) ?? [];
    const drawn = all(picture, /^ {2}(\w+ --> .+)$/gm).flatMap((line) => {
      const [from, to = ''] = line.split(' --> ');
      return to.split(' & ').map((one) => `${from} --> ${one}`);
    });
    const modules = new Set(all(picture, /(\w+)/g));
    const arrows = sourcesOf('src').flatMap(({ path, imports }) =>
      imports.map((one) => [moduleOf(path), moduleOf(one.path ?? '')] as const),
    );
    const had = arrows
      .filter(([from, to]) => from !== to && modules.has(from) && modules.has(to))
      .map(([from, to]) => `${from} --> ${to}`);
    expect(drawn.toSorted()).toEqual([...new Set(had)].toSorted());
  });

  it('gives each exported name to one thing, and no bare noun that has several meanings', () => {
    const exported = sourcesOf('src').flatMap(({ path }) =>
      all(
        read(path),
        /^export (?:abstract )?(?:async )?(?:class|interface|type|const|function\*?) (\w+)/gm,
      ).map((name) => ({ name, path })),
    );
    expect(exported.length).toBeGreaterThan(1000);
    const isTwice = ({ name, path }: (typeof exported)[number]) =>
      exported.some((other) => other.name === name && other.path !== path);
    const several = exported.filter(isTwice);
    const bare = exported.filter(({ name }) => BARE.has(name.toLowerCase()));
    expect([...several, ...bare].map(({ name, path }) => `${name} in ${path}`)).toEqual([]);
  });

  it('has a glossary of names that the code and the database have', () => {
    const rows = [...read('docs/glossary.md').matchAll(/^\|.*\| ([^|]*) \| ([^|]*) \|$/gm)].slice(
      1,
    );
    expect(rows.length).toBeGreaterThan(30);
    const { columns, definitions } = MIGRATED_SCHEMA;
    const names = [...Object.values(columns), definitions].flatMap(Object.keys);
    const inDatabase = new Set(names.join(' ').match(/\w+/g));
    expect(rows.flatMap(([, names]) => namesIn(names)).filter((name) => !words.has(name))).toEqual(
      [],
    );
    expect(
      rows.flatMap(([, , names]) => namesIn(names)).filter((name) => !inDatabase.has(name)),
    ).toEqual([]);
  });
});
