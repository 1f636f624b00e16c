import ts from 'typescript';

/** Values of parameters, where a function is called with texts. */
type Known = ReadonlyMap<ts.Symbol, string>;

/**
 * The text that an expression has before the program runs: of literals, templates, constants,
 * functions that make it of those, and lists that are joined. Of two ways the first is taken. A
 * value known only at run time is NULL in a template: a value or a condition, which changes no
 * column.
 */
export class ConstantText {
  constructor(private readonly checker: ts.TypeChecker) {}

  of(node: ts.Expression, known: Known = new Map()): string | undefined {
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) {
      return this.of(node.expression, known);
    }
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(
        ({ expression, literal }) => (this.of(expression, known) ?? 'NULL') + literal.text,
      );
      const text = [node.head.text, ...spans].join('');
      // `$${values.push(value)}`; and a constant to order by would have to be a number.
      return text.replaceAll('$NULL', 'NULL').replaceAll('ORDER BY NULL', 'ORDER BY NULL::text');
    }
    if (ts.isConditionalExpression(node)) return this.of(node.whenTrue, known);
    if (ts.isObjectLiteralExpression(node)) return this.ofStatement(node, known);
    if (ts.isCallExpression(node)) return this.ofCall(node, known);
    return this.ofName(node, known);
  }

  /** `{ text, values }`. */
  private ofStatement(node: ts.ObjectLiteralExpression, known: Known): string | undefined {
    const text = node.properties.find(
      (one) => ts.isPropertyAssignment(one) && one.name.getText() === 'text',
    );
    return text && ts.isPropertyAssignment(text) ? this.of(text.initializer, known) : undefined;
  }

  private ofName(node: ts.Expression, known: Known): string | undefined {
    const symbol = this.symbolOf(node);
    if (symbol && known.has(symbol)) return known.get(symbol);
    const value = symbol && this.valueOf(symbol);
    return value && this.of(value, known);
  }

  /** Of a constant, of one of `const [a, b] = ...`, or of what a local function is called with. */
  private valueOf({ valueDeclaration: declared }: ts.Symbol): ts.Expression | undefined {
    if (!declared) return undefined;
    if (ts.isPropertyAssignment(declared)) return declared.initializer;
    if (ts.isVariableDeclaration(declared)) {
      return declared.parent.flags & ts.NodeFlags.Const ? declared.initializer : undefined;
    }
    if (ts.isParameter(declared)) return this.argumentOf(declared);
    const { parent } = declared;
    if (!ts.isBindingElement(declared) || !ts.isArrayBindingPattern(parent)) return undefined;
    const { initializer: whole } = parent.parent;
    const list = whole && ts.isConditionalExpression(whole) ? whole.whenTrue : whole;
    if (!list || !ts.isArrayLiteralExpression(list)) return undefined;
    return list.elements[parent.elements.indexOf(declared)];
  }

  /** `const read = (from) => ...` gets that of its first call. */
  private argumentOf(parameter: ts.ParameterDeclaration): ts.Expression | undefined {
    const { parent: fn } = parameter;
    const { parent: named } = fn;
    if (!ts.isArrowFunction(fn) || !ts.isVariableDeclaration(named)) return undefined;
    const symbol = this.checker.getSymbolAtLocation(named.name);
    let found: ts.Expression | undefined;
    const see = (node: ts.Node) => {
      const isCall = ts.isCallExpression(node) && this.symbolOf(node.expression) === symbol;
      if (isCall) found ??= node.arguments[fn.parameters.indexOf(parameter)];
      ts.forEachChild(node, see);
    };
    see(named.parent.parent.parent);
    return found;
  }

  private ofCall(node: ts.CallExpression, known: Known): string | undefined {
    const { expression, arguments: given } = node;
    if (ts.isPropertyAccessExpression(expression) && expression.name.text === 'join') {
      const separator = given[0] ? this.of(given[0], known) : ',';
      return this.listOf(expression.expression, known)?.join(separator);
    }
    // `toQuery({ text, values })` and its neighbours.
    if (given[0] && ts.isObjectLiteralExpression(given[0])) return this.of(given[0], known);
    const declared = this.checker.getResolvedSignature(node)?.getDeclaration();
    const result = declared && resultOf(declared);
    if (!declared || !result) return undefined;
    const inner = new Map(known);
    for (const [index, { name, initializer }] of declared.parameters.entries()) {
      const symbol = this.checker.getSymbolAtLocation(name);
      const value = given[index] ?? initializer;
      const text = value && this.of(value, known);
      if (symbol && text !== undefined) inner.set(symbol, text);
    }
    return this.of(result, inner);
  }

  private listOf(node: ts.Expression, known: Known): string[] | undefined {
    if (ts.isAsExpression(node)) return this.listOf(node.expression, known);
    if (ts.isArrayLiteralExpression(node)) {
      return node.elements
        .filter((one) => !ts.isSpreadElement(one))
        .map((one) => this.of(one, known) ?? 'NULL');
    }
    if (ts.isCallExpression(node)) return this.mapped(node, known);
    const symbol = this.symbolOf(node);
    const value = symbol && this.valueOf(symbol);
    return value && this.listOf(value, known);
  }

  /** `NAMES.map((name) => ...)`. */
  private mapped(node: ts.CallExpression, known: Known): string[] | undefined {
    const { expression } = node;
    const [each] = node.arguments;
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'map')
      return undefined;
    const items = this.listOf(expression.expression, known);
    if (!items || !each || !ts.isArrowFunction(each)) return undefined;
    const [parameter] = each.parameters;
    const symbol = parameter && this.checker.getSymbolAtLocation(parameter.name);
    const result = resultOf(each);
    return items.map((item) => {
      const inner = symbol ? new Map(known).set(symbol, item) : known;
      return (result && this.of(result, inner)) ?? 'NULL';
    });
  }

  private symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    const isAlias = symbol && symbol.flags & ts.SymbolFlags.Alias;
    return isAlias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }
}

/** The value that a function returns at its end. */
function resultOf(declared: ts.Node): ts.Expression | undefined {
  const { body } = declared as ts.FunctionLikeDeclaration & { body?: ts.ConciseBody };
  if (!body || !ts.isBlock(body)) return body;
  const last = body.statements.at(-1);
  return last && ts.isReturnStatement(last) ? last.expression : undefined;
}
