import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ConstantText } from './constant-text.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A call that reads rows: `tx.read<Row>(sql)`, `database.query<Row>(sql)`, and what hands on to them. */
export interface Read {
  /** `src/x.ts: PaymentColumns`. */
  place: string;
  /** Undefined where it is only known at run time. */
  text: string | undefined;
  fields: ReadField[];
}

export interface ReadField {
  name: string;
  /** As TypeScript resolves it, without null; all texts are `string`. */
  type: string;
  /** As it is written: `Uuid | null`. */
  written: string;
  mayBeNull: boolean;
  /** `name?`: not all queries ask for it. */
  mayBeMissing: boolean;
  /** By the tag `@notNull`, which says why. */
  isNeverNull: boolean;
}

/** All reads of `src` whose rows somebody looks into; and of `more`, files that only the test has. */
export function readsOf(more: Record<string, string> = {}): Read[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...config, include: ['src'] },
    ts.sys,
    ROOT,
  );
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => more[path.slice(ROOT.length)] ?? readFile(path);
  host.fileExists = (path) => path.slice(ROOT.length) in more || fileExists(path);
  const names = [...fileNames, ...Object.keys(more).map((path) => ROOT + path)];
  const program = ts.createProgram(names, options, host);
  const checker = program.getTypeChecker();
  const ours = program.getSourceFiles().filter(({ fileName }) => names.includes(fileName));
  return ours.flatMap((file) => readsIn(file, checker));
}

function readsIn(file: ts.SourceFile, checker: ts.TypeChecker): Read[] {
  const texts = new ConstantText(checker);
  const found: Read[] = [];
  const see = (node: ts.Node) => {
    ts.forEachChild(node, see);
    const row = ts.isCallExpression(node) ? rowOf(node, checker) : undefined;
    if (!row || !ts.isCallExpression(node)) return;
    const fields = checker.getPropertiesOfType(row).map((one) => fieldOf(one, node, checker));
    const isUnnamed = checker.getIndexInfosOfType(row).length > 0;
    if (fields.length === 0 && !isUnnamed) return;
    const named = checker.typeToString(
      row,
      node,
      ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
    );
    found.push({
      place: `${file.fileName.slice(ROOT.length)}: ${named}`,
      text: node.arguments.map((one) => texts.of(one)).find((text) => text !== undefined),
      fields,
    });
  };
  see(file);
  return found;
}

/**
 * The row of a call. The calls are those of a type parameter `Row`, and all named `query`. The
 * driver's own give `any`, and the cast around them says what they read.
 */
function rowOf(call: ts.CallExpression, checker: ts.TypeChecker): ts.Type | undefined {
  const signature = checker.getResolvedSignature(call);
  const parameters = signature?.getDeclaration()?.typeParameters ?? [];
  const isQuery = /\bquery$/.test(call.expression.getText());
  if (!signature || (!isQuery && !parameters.some(({ name }) => name.text === 'Row')))
    return undefined;
  const answer = checker.getAwaitedType(signature.getReturnType());
  const rows = answer?.getProperty('rows');
  const listed = rows ? checker.getTypeOfSymbol(rows) : answer;
  const row = listed && elementOf(listed, checker);
  return row && !isAny(row) ? row : castOf(call, checker);
}

const isAny = (type: ts.Type) => (type.flags & ts.TypeFlags.Any) !== 0;

function elementOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  return isAny(type) ? type : checker.getIndexTypeOfType(type, ts.IndexKind.Number);
}

/** `(await client.query(sql)).rows as Row[]`. */
function castOf(call: ts.CallExpression, checker: ts.TypeChecker): ts.Type | undefined {
  let outer: ts.Node = call.parent;
  while (
    ts.isAwaitExpression(outer) ||
    ts.isParenthesizedExpression(outer) ||
    ts.isPropertyAccessExpression(outer)
  ) {
    outer = outer.parent;
  }
  return ts.isAsExpression(outer)
    ? elementOf(checker.getTypeFromTypeNode(outer.type), checker)
    : undefined;
}

function fieldOf(field: ts.Symbol, at: ts.Node, checker: ts.TypeChecker): ReadField {
  const type = checker.getTypeOfSymbolAtLocation(field, at);
  const plain = checker.getNonNullableType(type);
  const parts = plain.isUnion() ? plain.types : [plain];
  const isText = parts.every(({ flags }) => flags & ts.TypeFlags.StringLike);
  const isUnknown = (type.flags & ts.TypeFlags.Unknown) !== 0;
  const declared = field.declarations?.filter(ts.isPropertySignature) ?? [];
  return {
    name: field.name,
    type: isText ? 'string' : checker.typeToString(isUnknown ? type : plain),
    written: declared.map((one) => one.type?.getText() ?? '').join(' & '),
    mayBeNull: plain !== type,
    mayBeMissing: (field.flags & ts.SymbolFlags.Optional) !== 0,
    isNeverNull: field.getJsDocTags(checker).some(({ name }) => name === 'notNull'),
  };
}
