import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { PROBLEM_FACTS } from '../src/platform/http/openapi/problem-facts.js';
import { REFUSALS } from '../src/refusals.js';
import { everyNode, sourcesOf } from './support/source.js';

// A refusal is one object: it has one code, somebody gives it, and nobody gives another.

const sources = sourcesOf('src');
const codes = REFUSALS.all.map(({ code }) => code);

/** It tells of refusals, and gives none. */
const DESCRIBES = 'src/platform/http/openapi/operations.ts';

/** Errors made anew of others, whose code they keep. */
const MADE_ANEW = new Set([
  'src/auth/http/oauth-errors.ts',
  'src/bank/domain/mappings/bank-file-mapping.ts',
  'src/bank/infrastructure/bank-statement-threads.ts',
  'src/payments/returning/application/refunds/refund-meanings.ts',
  'src/payments/http/amount-example.filter.ts',
  'src/webhooks/http/webhooks.controller.ts',
  // Warnings have codes, too.
  'src/documents/domain/document-warnings.ts',
]);

const isMaker = (path: string) =>
  /^src\/(kernel\/(domain-refusal|domain-error|field-refusals)|platform\/http\/problem)\.ts$/.test(
    path,
  );

describe('a refusal', () => {
  it('has a code of its own', () => {
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
    expect(codes.length).toBeGreaterThan(250);
  });

  it('is given by somebody, and not only listed', () => {
    const given = new Set<string>();
    for (const { path, tree } of sources) {
      if (path !== DESCRIBES) everyNode(tree, (node) => given.add(givenAt(node)));
    }
    expect(codes.filter((code) => !given.has(code))).toEqual([]);
  });

  it('is the only way to an error that a caller sees', () => {
    const others = sources.flatMap(({ path, tree }) => {
      const found: string[] = [];
      everyNode(tree, (node) => {
        if (isMadeOfWords(node)) found.push(`${path}: ${node.getText().slice(0, 60)}`);
      });
      return isMaker(path) || MADE_ANEW.has(path) ? [] : found;
    });
    expect(others).toEqual([]);
  });
});

/** The place of the facts of a refusal among what its makers take. */
const FACTS_AT: Readonly<Record<string, number>> = { of: 1, with: 0, at: 2 };

/** Of all words, these name what has an external id. */
const NOUNS = ['customer', 'document', 'item'];

it('says in the API which facts may stand beside its sentence', () => {
  const given = new Set(['amount_due', ...NOUNS.map((noun) => `${noun}_id`)]);
  for (const { path, tree } of sources) {
    if (!path.startsWith('src/platform/'))
      everyNode(tree, (node) => factsOf(node).forEach((one) => given.add(one)));
  }
  given.add('version');
  given.delete('retry_after');
  expect(Object.keys(PROBLEM_FACTS)).toEqual([...given].sort());
});

function factsOf(node: ts.Node): string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression, name } = node.expression;
  const facts = node.arguments[FACTS_AT[name.text] ?? -1];
  if (!/Refusal\b/.test(expression.getText()) || !facts || !ts.isObjectLiteralExpression(facts))
    return [];
  return facts.properties.flatMap(({ name: key }) =>
    key && ts.isIdentifier(key) ? [key.text] : [],
  );
}

/** The code of an object that is used; empty where it is only named in a list, as by routes. */
function givenAt(node: ts.Node): string {
  if (ts.isBindingElement(node)) return (node.propertyName ?? node.name).getText();
  if (!ts.isPropertyAccessExpression(node) || ts.isArrayLiteralExpression(node.parent)) return '';
  return node.name.text;
}

const isMadeOfWords = (node: ts.Node) =>
  (ts.isNewExpression(node) && /^(DomainError|HttpProblem)$/.test(node.expression.getText())) ||
  (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'DomainError') ||
  (ts.isPropertyAssignment(node) &&
    node.name.getText() === 'pointer' &&
    ts.isObjectLiteralExpression(node.parent) &&
    node.parent.properties.some(
      (one) =>
        ts.isPropertyAssignment(one) &&
        one.name.getText() === 'code' &&
        ts.isStringLiteralLike(one.initializer) &&
        codes.includes(one.initializer.text),
    ));
