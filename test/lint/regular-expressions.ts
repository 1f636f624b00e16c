import { analyse } from 'scslre';
import ts from 'typescript';

/** A pattern that may take more than time linear in the text, or that nobody can say of. */
export interface Finding {
  line: number;
  pattern: string;
  why: string;
}

/** Methods of strings that make a regular expression of text. */
const COMPILING = new Set(['match', 'matchAll', 'search']);

/**
 * Every regular expression of a source: literals, `new RegExp`, and texts where patterns are meant.
 * One that is put together from what is no constant of the same file is a finding, too.
 */
export function findingsIn(name: string, source: string): Finding[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const found: Finding[] = [];

  const judge = (node: ts.Node, pattern: string, flags: string) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const why = verdict(pattern, flags);
    if (why) found.push({ line, pattern, why });
  };
  const judgeText = (node: ts.Node, pattern: ts.Expression | undefined, flags: string) => {
    if (!pattern || ts.isRegularExpressionLiteral(pattern)) return;
    const text = textOf(pattern, constants);
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (text !== undefined) judge(node, text, flags);
    else found.push({ line, pattern: pattern.getText(), why: 'is made at run time' });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      constants.set(node.name.text, node.initializer);
    }
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      judge(node, node.text.slice(1, end), node.text.slice(end + 1));
    }
    const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
    const [first, second] = isCall ? (node.arguments ?? []) : [];
    if (isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      judgeText(node, first, (second && textOf(second, constants)) ?? '');
    }
    const method = isCall && ts.isPropertyAccessExpression(node.expression) && node.expression.name;
    if (method && COMPILING.has(method.text) && first && ts.isStringLiteralLike(first)) {
      judgeText(node, first, 'g');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function verdict(source: string, flags: string): string | undefined {
  // Without a suffix that must not match: what is written is all of the pattern.
  const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false });
  if (reports.length === 0) return undefined;
  const isExponential = reports.some(({ exponential }) => exponential);
  return `may take ${isExponential ? 'exponential' : 'more than linear'} time`;
}

function textOf(
  node: ts.Expression,
  constants: ReadonlyMap<string, ts.Expression>,
): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text);
    return value && textOf(value, new Map([...constants].filter(([name]) => name !== node.text)));
  }
  return undefined;
}
