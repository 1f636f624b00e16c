import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** One import, re-export or dynamic import of a source file. */
interface Import {
  /** As written. */
  specifier: string;
  /** Path from the repository's root for a relative one, else undefined. */
  path: string | undefined;
  /** Gone at run time: `import type`, or every name marked `type`. */
  typeOnly: boolean;
}

/** One source file, parsed. `path` is relative to the repository's root: `src/main.ts`. */
export interface SourceFile {
  path: string;
  text: string;
  imports: Import[];
  /** Names that it uses as values: `Number`, `Math.round`, `process.env`. */
  names: Set<string>;
  tree: ts.SourceFile;
}

export function sourcesOf(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|[cm]?jsx?)$/.test(name))
      .map((name) => posix.join(folder, name))
      .sort()
      .map((path) => parsedOnce(path, readFileSync(join(ROOT, path), 'utf8'))),
  );
}

/** Several test files of a worker read all sources, and parsing them takes a second. */
const parsedBefore = new Map<string, SourceFile>();

function parsedOnce(path: string, text: string): SourceFile {
  const known = parsedBefore.get(path);
  if (known?.text === text) return known;
  const file = parsed(path, text);
  parsedBefore.set(path, file);
  return file;
}

export function parsed(path: string, text: string): SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const file: SourceFile = { path, text, imports: [], names: new Set(), tree };
  everyNode(tree, (node) => {
    const found = importAt(node);
    if (found) file.imports.push({ ...found, path: resolved(path, found.specifier) });
    const name = nameAt(node);
    if (name) file.names.add(name);
  });
  return file;
}

export function everyNode(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => everyNode(child, see));
}

function importAt(node: ts.Node): Omit<Import, 'path'> | undefined {
  if (ts.isImportDeclaration(node)) {
    return { specifier: textOf(node.moduleSpecifier), typeOnly: isTypeOnly(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { specifier: textOf(node.moduleSpecifier), typeOnly: node.isTypeOnly };
  }
  if (ts.isImportTypeNode(node)) {
    const { argument } = node;
    const literal = ts.isLiteralTypeNode(argument) ? argument.literal : undefined;
    return { specifier: textOf(literal), typeOnly: true };
  }
  if (!ts.isCallExpression(node)) return undefined;
  const called = node.expression;
  return called.kind === ts.SyntaxKind.ImportKeyword
    ? { specifier: textOf(node.arguments[0]), typeOnly: false }
    : undefined;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.every((element) => element.isTypeOnly);
}

/** A specifier that is computed cannot be checked: it is refused under the name `?`. */
function textOf(node: ts.Node | undefined): string {
  return node && ts.isStringLiteralLike(node) ? node.text : '?';
}

function resolved(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : undefined;
}

function nameAt(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return `${node.expression.getText()}.${node.name.text}`;
  if (ts.isElementAccessExpression(node)) {
    return `${node.expression.getText()}.${textOf(node.argumentExpression)}`;
  }
  if (ts.isBindingElement(node) && ts.isVariableDeclaration(node.parent.parent)) {
    const { initializer } = node.parent.parent;
    return `${initializer?.getText()}.${(node.propertyName ?? node.name).getText()}`;
  }
  // `Number(x)` and `map(Number)`, but neither `Number.isInteger` nor the type.
  const isValue = ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node.parent);
  return isValue && !ts.isTypeReferenceNode(node.parent) ? node.text : undefined;
}
