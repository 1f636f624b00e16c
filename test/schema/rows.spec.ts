import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { MIGRATED_SCHEMA } from '../../src/platform/database/schema-listing.js';
import { everyNode, parsed, type SourceFile, sourcesOf } from '../support/source.js';

/** The driver's value for a column, by the words of its type. */
const FAMILIES: [RegExp, RegExp][] = [
  [/^bigint/, /^bigint$/],
  [/^(integer|smallint)\[\]/, /^number\[\]$/],
  [/^text\[\]/, /^string\[\]$/],
  [/^(integer|smallint)/, /^number$/],
  [/^boolean/, /^boolean$/],
  [/^timestamp/, /^Date$/],
  [/^bytea/, /^Buffer$/],
  [/^(uuid)/, /^Uuid$/],
  [/^date/, /^IsoDate$/],
  [/^numeric/, /^string$/],
  // Names that are no type of the driver: one of some words, or what is stored as JSON.
  [
    /^(text|public\.ledger_)/,
    /^(?!(Uuid|IsoDate|Date|Buffer|bigint|number|boolean)$)('\w+'|\w+(\['\w+'\])?)$/,
  ],
  [/^jsonb?/, /^(?!(Uuid|IsoDate|Date|Buffer|bigint|number|boolean|string)$)/],
];

/**
 * The mistakes in the interfaces of rows of a file; `seen` gets their names. `@table` names the
 * table. `@derived` is a field that the query makes. `@notNull` says why a query never finds null.
 * `@json` is a part of a column.
 */
function mistakesIn({ tree, path }: SourceFile, seen: string[] = []): string[] {
  const wrong: string[] = [];
  everyNode(tree, (node) => {
    if (!ts.isInterfaceDeclaration(node)) return;
    const name = node.name.text;
    const say = (what: string) => wrong.push(`${path}: ${name}${what}`);
    const table = tagOf(node, 'table');
    const fields = node.members.filter(ts.isPropertySignature);
    const looksLikeRow = fields.some((field) => /_/.test(field.name.getText()));
    if (table === undefined) {
      if (looksLikeRow && tagOf(node, 'json') === undefined) say(' does not say its @table');
      return;
    }
    seen.push(name);
    for (const field of fields) {
      if (tagOf(field, 'derived') !== undefined) continue;
      const column = field.name.getText();
      const listed = MIGRATED_SCHEMA.columns[table]?.[column];
      if (listed === undefined) {
        say(`.${column} is no column of ${table}`);
        continue;
      }
      const stored = `${listed.type}${listed.notNull ? ' NOT NULL' : ''}`;
      const all = field.type && ts.isUnionTypeNode(field.type) ? field.type.types : [field.type];
      const parts = all.map((type) => type?.getText() ?? '');
      const mayBeNull = parts.includes('null');
      const isNull = !listed.notNull && tagOf(field, 'notNull') === undefined;
      if (mayBeNull !== isNull) say(`.${column} is ${stored}`);
      const family = FAMILIES.find(([words]) => words.test(listed.type))?.[1];
      const said = parts.filter((part) => part !== 'null');
      if (!family || !said.every((part) => family.test(part))) {
        say(`.${column}: ${said.join(' | ')} is ${stored}`);
      }
    }
  });
  return wrong;
}

function tagOf(node: ts.Node, name: string): string | undefined {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === name);
  return tag && String(tag.comment ?? '');
}

describe('interfaces of rows', () => {
  const files = sourcesOf('src').filter(({ path }) => path.includes('/infrastructure/'));

  it('are what the migrations make, column by column', () => {
    const seen: string[] = [];
    expect(files.flatMap((file) => mistakesIn(file, seen))).toEqual([]);
    expect(seen.length).toBeGreaterThan(15);
  });

  it.each([
    ['note: string', 'X.note is text'],
    ['amount: number', 'X.amount: number is bigint NOT NULL'],
    ['amount: bigint | null', 'X.amount is bigint NOT NULL'],
    ['paid_at: string', 'X.paid_at: string is timestamptz NOT NULL'],
    ['payment_id: string', 'X.payment_id: string is uuid NOT NULL'],
    ['amounts: bigint', 'X.amounts is no column of payments'],
  ])('are refused for %s', (field, reason) => {
    const text = `/** @table payments */\ninterface X {\n  ${field};\n}`;
    expect(mistakesIn(parsed('src/x.ts', text))).toEqual([`src/x.ts: ${reason}`]);
  });

  it('have to say of which table they are', () => {
    const text = 'interface XColumns {\n  payment_id: Uuid;\n}';
    expect(mistakesIn(parsed('src/x.ts', text))).toEqual([
      'src/x.ts: XColumns does not say its @table',
    ]);
  });
});
