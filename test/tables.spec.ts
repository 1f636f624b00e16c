import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { MIGRATED_SCHEMA } from '../src/platform/database/schema-listing.js';
import { rankOf } from './support/modules.js';
import { everyNode, parsed, type SourceFile, sourcesOf } from './support/source.js';

// SQL reaches every table, and the import test cannot see it. Each table belongs to the module that
// docs/architecture.md says. Modules to the right of it may read it, and nobody else writes it.

const PAGE = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
const BASELINE = new URL('../migrations/baseline/', import.meta.url);

/** Table to module: rows such as "| bank | `bank_statements`, `bank_entries` |". */
const OWNERS = new Map(
  [...PAGE.matchAll(/^\| (\w+) \| ((?:`\w+`(?:, )?)+) \|$/gm)].flatMap(
    ([, module = '', tables = '']) =>
      [...tables.matchAll(/\w+/g)].map(([table]) => [table, module] as const),
  ),
);

/** Known to be wrong, with the reason; each has to be needed. */
const EXCEPTIONS = new Map([
  [
    'src/platform/database/operator-entry.ts: writes audit_entries of auth',
    'migrate and backup record themselves before there is an application',
  ],
  [
    'src/books/infrastructure/customer-statement.query.ts: reads payments of payments',
    'the reference that a payment was made with stands on the statement of a customer',
  ],
  [
    'src/books/infrastructure/customer-statement.query.ts: reads refunds of payments',
    'the same of a refund',
  ],
  [
    'src/books/infrastructure/journal.query.ts: reads bank_entries of bank',
    'the bank account that money moved on has a number in the journal',
  ],
  [
    'src/books/infrastructure/journal.query.ts: reads payments of payments',
    'the method of money by hand has one, too, and a payment knows the entry that made it',
  ],
  ['src/books/infrastructure/journal.query.ts: reads refunds of payments', 'the same of a refund'],
]);

const WRITES = /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE)\s+(?:ONLY\s+)?(\w+)/g;
/** Also the second of `FROM documents d, payments p WHERE`. */
const READS =
  /(?<!\bDELETE\s)\b(?:FROM|JOIN|USING)\s+(?:ONLY\s+)?(\w+)|,\s*(\w+)\s+(?:AS\s+)?[a-z]\w?\b(?=\s*(?:WHERE|,|JOIN|LEFT|\)|$))/g;

/** Text of strings and templates, the holes of these as `?`; and the table of `tx.insert('...')`, which is written. */
function sqlOf({ tree }: SourceFile): string[] {
  const found: string[] = [];
  everyNode(tree, (node) => {
    if (
      ts.isCallExpression(node) &&
      /\btx\.(insert|insertLists|update)$|^(insertInto|insertLists|updateOf)$/.test(
        node.expression.getText(),
      )
    ) {
      const [table] = node.arguments;
      if (table && ts.isStringLiteralLike(table)) found.push(`INSERT INTO ${table.text}`);
    }
    if (ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent)) found.push(node.text);
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(({ literal }) => `?${literal.text}`);
      found.push([node.head.text, ...spans].join(''));
    }
  });
  return found;
}

/** Tables that a text names in this way. */
const named = (texts: string[], pattern: RegExp) =>
  new Set(
    texts.flatMap((text) =>
      [...text.matchAll(pattern)]
        .map((match) => match[1] ?? match[2] ?? '')
        .filter((name) => OWNERS.has(name)),
    ),
  );

const moduleOf = (path: string) => {
  const [, module = ''] = path.split('/');
  return rankOf(module) < 0 ? 'app' : module;
};

function refusalsOf(file: SourceFile): string[] {
  const [texts, module] = [sqlOf(file), moduleOf(file.path)];
  const written = [...named(texts, WRITES)].filter((table) => OWNERS.get(table) !== module);
  const read = [...named(texts, READS)].filter(
    (table) => rankOf(OWNERS.get(table) ?? '') > rankOf(module),
  );
  return [
    ...written.map((table) => `${file.path}: writes ${table} of ${OWNERS.get(table)}`),
    ...read.map((table) => `${file.path}: reads ${table} of ${OWNERS.get(table)}`),
  ];
}

const STATEMENT = /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;

/** Statements in a service: they belong into its repositories and queries. */
const statementsIn = (file: SourceFile) =>
  sqlOf(file).filter((text) => STATEMENT.test(text) && !/^INSERT INTO \w+$/.test(text));

const files = sourcesOf('src');

describe('tables', () => {
  it('belong to a module of the house', () => {
    const made = Object.keys(MIGRATED_SCHEMA.columns);
    expect([...OWNERS.keys()].sort()).toEqual(made.sort());
    expect([...OWNERS.values()].filter((module) => rankOf(module) < 0)).toEqual([]);
  });

  it('are made by the baseline in the place of their module', () => {
    const made = globSync('**/*.sql', { cwd: BASELINE }).flatMap((file) => {
      const text = readFileSync(new URL(file, BASELINE), 'utf8');
      const [module = ''] = file.split(/[./]/);
      const tables = [...text.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name);
      return tables.map((table) => [table, module]);
    });
    expect(made.length).toBeGreaterThan(70);
    expect(made.map(([table = '']) => [table, OWNERS.get(table)])).toEqual(made);
  });

  it('are written by their own module, and read by none to its left', () => {
    expect(files.flatMap(refusalsOf).sort()).toEqual([...EXCEPTIONS.keys()].sort());
  });

  it('are not named by a service: no SQL in application/', () => {
    const services = files.filter(({ path }) => path.includes('/application/'));
    expect(services.length).toBeGreaterThan(30);
    expect(services.flatMap((file) => statementsIn(file).map((sql) => [file.path, sql]))).toEqual(
      [],
    );
  });
});

describe('the rules', () => {
  it.each([
    ['src/documents/infrastructure/x.ts', 'q(`SELECT * FROM payments p`)', 'reads payments'],
    [
      'src/documents/infrastructure/x.ts',
      'q(`SELECT 1 FROM documents d JOIN ${x} JOIN refunds r`)',
      'reads refunds',
    ],
    ['src/platform/database/x.ts', `q('SELECT max(rows) FROM seals')`, 'reads seals'],
    [
      'src/books/infrastructure/x.ts',
      'q(`SELECT 1 FROM documents d, payments p WHERE d.a = p.a`)',
      'reads payments',
    ],
    [
      'src/bank/infrastructure/x.ts',
      'q(`WITH a AS (UPDATE payments SET fee = 1)`)',
      'writes payments',
    ],
    ['src/books/infrastructure/x.ts', `tx.insert('events', {})`, 'writes events'],
    ['src/books/infrastructure/x.ts', `insertLists('events', {}, {})`, 'writes events'],
    ['src/portal/http/x.ts', 'q(`DELETE FROM portal_tokens WHERE ${x}`)', 'writes portal_tokens'],
    ['src/boot.ts', `q('INSERT INTO accounts (name) VALUES ($1)')`, 'writes accounts'],
  ])('refuse in %s: %s', (path, text, refused) => {
    expect(refusalsOf(parsed(path, text))).toEqual([expect.stringContaining(refused)]);
  });

  it.each([
    [
      'src/payments/infrastructure/x.ts',
      'q(`SELECT 1 FROM documents d JOIN payments p USING (a)`)',
    ],
    ['src/payments/infrastructure/x.ts', 'q(`UPDATE payments p SET a = 1 FROM documents d`)'],
    ['src/documents/domain/x.ts', `'This comes from payments' // FROM payments`],
  ])('allow in %s: %s', (path, text) => {
    expect(refusalsOf(parsed(path, text))).toEqual([]);
  });

  it('find a statement in a service', () => {
    const path = 'src/payments/application/x.ts';
    expect(statementsIn(parsed(path, 'q(`\n  SELECT 1 FROM payments`)'))).toHaveLength(1);
    expect(statementsIn(parsed(path, `q('With regards'); tx.insert('payments', {})`))).toEqual([]);
  });
});
