import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Row } from '../../src/platform/database/row.js';
import { MIGRATED_SCHEMA } from '../../src/platform/database/schema-listing.js';
import { rowTypes } from '../support/row-types.js';
import { everyNode, parsed, type SourceFile, sourcesOf } from '../support/source.js';

/**
 * Columns that an interface says by hand; `seen` gets the names of all of rows. `@derived` is a
 * field that the query makes. `@notNull` says why a query never finds null. `@json` is a part of a
 * column.
 */
function byHandIn({ tree, path }: SourceFile, seen: string[] = []): string[] {
  const wrong: string[] = [];
  everyNode(tree, (node) => {
    if (!ts.isInterfaceDeclaration(node) || hasTag(node, 'json')) return;
    const fields = node.members.filter(ts.isPropertySignature);
    const isOfTable = node.heritageClauses?.some((one) => /\bRow</.test(one.getText())) ?? false;
    if (!isOfTable && !fields.some((field) => field.name.getText().includes('_'))) return;
    seen.push(node.name.text);
    for (const field of fields) {
      if (hasTag(field, 'derived') || hasTag(field, 'notNull')) continue;
      wrong.push(`${path}: ${node.name.text}.${field.name.getText()} is not taken from Row`);
    }
  });
  return wrong;
}

const hasTag = (node: ts.Node, name: string) =>
  ts.getJSDocTags(node).some(({ tagName }) => tagName.text === name);

describe('interfaces of rows', () => {
  const files = sourcesOf('src').filter(({ path }) => path.includes('/infrastructure/'));

  it('take their columns from the table', () => {
    const seen: string[] = [];
    expect(files.flatMap((file) => byHandIn(file, seen))).toEqual([]);
    expect(seen.length).toBeGreaterThan(15);
  });

  it.each([
    ['interface X {\n  payment_id: Uuid;\n}', 'X.payment_id'],
    [`interface X extends Omit<Row<'payments'>, 'note'> {\n  amount: bigint;\n}`, 'X.amount'],
  ])('are refused for %j', (text, field) => {
    expect(byHandIn(parsed('src/x.ts', text))).toEqual([
      `src/x.ts: ${field} is not taken from Row`,
    ]);
  });

  it.each([
    `interface X extends Row<'payments'> {\n  /** @derived */\n  sum: bigint;\n}`,
    `interface X extends Row<'payments'> {\n  /** @notNull Asked for. */\n  note: string;\n}`,
    '/** @json */\ninterface X {\n  payment_id: Uuid;\n}',
    'interface X {\n  paymentId: Uuid;\n}',
  ])('are taken for %j', (text) => {
    expect(byHandIn(parsed('src/x.ts', text))).toEqual([]);
  });
});

describe('a row', () => {
  it('has what the migrations make; `npm run schema` writes it', () => {
    const url = new URL('../../src/platform/database/tables.ts', import.meta.url);
    expect(readFileSync(url, 'utf8')).toBe(rowTypes(MIGRATED_SCHEMA));
  });

  it('is not made of a type that nobody has told', () => {
    const columns = { payments: { at: { type: 'point' } } };
    expect(() => rowTypes({ columns, definitions: {} })).toThrow('payments.at');
  });

  // The type check judges these.
  it('has the meanings that it is given, and null where the table has it', () => {
    type Payment = Row<'payments', { method: 'cash'; note: 'paid'; metadata: { a: string } }>;
    expectTypeOf<Payment['payment_id']>().toEqualTypeOf<Uuid>();
    expectTypeOf<Payment['fee']>().toEqualTypeOf<bigint | null>();
    expectTypeOf<Payment['method']>().toEqualTypeOf<'cash'>();
    expectTypeOf<Payment['note']>().toEqualTypeOf<'paid' | null>();
    expectTypeOf<Payment['metadata']>().toEqualTypeOf<{ a: string }>();
    // @ts-expect-error an amount is no text
    expectTypeOf<Row<'payments', { amount: string }>>().not.toBeAny();
    // @ts-expect-error there is no such column
    expectTypeOf<Payment['amounts']>().not.toBeAny();
  });
});
