import ts from 'typescript';
import { expect, it } from 'vitest';
import { everyNode, type SourceFile, parsed, sourcesOf } from '../../support/source.js';

// Every call of the service goes through src/platform/http/outgoing, which judges it (decision 258).

const THE_WAY = /^src\/platform\/http\/outgoing\//;
/**
 * A page's script in a browser; what listens; the tests of others; DNS records of mail, to which
 * nobody connects.
 */
const NOT_OURS =
  /^src\/(platform\/http\/(docs\/reference-script|answers\/json-adapter)|testing\/.*|mail\/infrastructure\/mail-examination)\.ts$/;
const CALLING =
  /^node:(http|https|http2|net|tls|dns|dgram)(\/promises)?$|^(undici|axios|got|ws|node-fetch)$/;
/** To listen, and to look at. */
const HARMLESS =
  /^(createServer|isIP|isIPv6|BlockList|STATUS_CODES|Server|ServerResponse|IncomingMessage|Socket|rootCertificates)$/;

/** Everything by which a file could call somebody without that room. */
function waysOut({ path, tree }: SourceFile): string[] {
  if (THE_WAY.test(path) || NOT_OURS.test(path)) return [];
  const found: string[] = [];
  everyNode(tree, (node) => {
    if (
      ts.isIdentifier(node) &&
      node.text === 'globalThis' &&
      /^globalThis\.fetch\b/.test(node.parent.getText()) &&
      !isType(node)
    )
      found.push('globalThis.fetch');
    if (ts.isCallExpression(node) && node.expression.getText() === 'fetch' && !isGiven(node))
      found.push('fetch');
    if (
      !ts.isImportDeclaration(node) ||
      !CALLING.test((node.moduleSpecifier as ts.StringLiteral).text)
    )
      return;
    for (const name of importedBy(node)) if (!HARMLESS.test(name)) found.push(name);
  });
  return found.map((name) => `${path}: ${name}`);
}

const isType = (node: ts.Node): boolean =>
  ts.isTypeQueryNode(node.parent) || ts.isTypeQueryNode(node.parent.parent);

/** Whether a parameter or a variable around the call has that name. */
function isGiven(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    const parameters = ts.isFunctionLike(at) ? at.parameters.map(({ name }) => name.getText()) : [];
    if (parameters.some((name) => /\bfetch\b/.test(name))) return true;
  }
  return false;
}

function importedBy({ importClause }: ts.ImportDeclaration): string[] {
  if (!importClause || importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const { name, namedBindings } = importClause;
  const names = name ? ['default'] : [];
  if (!namedBindings) return names;
  if (ts.isNamespaceImport(namedBindings)) return [...names, '*'];
  const named = namedBindings.elements.filter(({ isTypeOnly }) => !isTypeOnly);
  return [...names, ...named.map((one) => (one.propertyName ?? one.name).text)];
}

it('is the only one', () => {
  const files = sourcesOf('src');
  expect(files.filter(({ path }) => THE_WAY.test(path)).length).toBeGreaterThan(3);
  expect(files.flatMap(waysOut)).toEqual([]);
});

it.each([
  `const a = fetch('https://a.example')`,
  `const a = globalThis.fetch`,
  `new Vies(globalThis.fetch, url)`,
  `import { request } from 'node:https'`,
  `import { get as look } from 'node:http'`,
  `import * as net from 'node:net'`,
  `import { connect } from 'node:tls'`,
  `import { lookup } from 'node:dns/promises'`,
  `import axios from 'axios'`,
  `import { fetch } from 'undici'`,
])('is missed by %s', (text) => {
  expect(waysOut(parsed('src/documents/infrastructure/x.ts', text))).toHaveLength(1);
});

it.each([
  `async function a(fetch: typeof globalThis.fetch) { return fetch('https://a.example') }`,
  `class A { constructor(private readonly fetch: typeof globalThis.fetch) {} b() { this.fetch('') } }`,
  `import { createServer } from 'node:http'`,
  `import type { Agent } from 'node:http'`,
  `import { type Socket } from 'node:net'`,
])('is kept by %s', (text) => {
  expect(waysOut(parsed('src/documents/infrastructure/x.ts', text))).toEqual([]);
});
