import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript-native/bin/tsc');
/** Both entries name things of one file, or a class of one would be another class in the other. */
const DECLARED = 'declared.d.ts';

const OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};

/** As package.json has it. */
interface PublicEntry {
  types: string;
  default: string;
}

/** One entry of the package: `quittance`, or `quittance/testing`. */
interface EntryApi {
  /** Of its report, below `docs/api/`. */
  file: string;
  /** All that it exports, without the remarks, for whoever reads a change of it. */
  report: string;
}

/** The face of the package: reports of its entries, and the declarations that are packed. */
export interface PublicApi {
  entries: EntryApi[];
  /** By file names below `dist/`. */
  declarations: Map<string, string>;
}

/** @throws with the compiler's words, when a type cannot be named */
export function publicApi(): PublicApi {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-api-'));
  try {
    copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    emit(folder);
    return readFrom(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The entries that have a source. */
export function publicEntries(): PublicEntry[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, PublicEntry>;
  };
  return Object.values(exports).filter((entry) => existsSync(join(ROOT, sourceOf(entry))));
}

function sourceOf({ default: built }: PublicEntry): string {
  return built.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts');
}

function emit(folder: string): void {
  const args = [COMPILER, '-p', 'tsconfig.types.json', '--outDir', folder];
  try {
    execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
}

function readFrom(folder: string): PublicApi {
  const entries = publicEntries();
  const declarations = new Map<string, string>();
  const all: string[] = [];
  const reports = entries.map((entry) => {
    const declared = sourceOf(entry).replace(/\.ts$/, '.d.ts');
    const names = exportedNames(join(folder, declared));
    const types = basename(entry.types);
    declarations.set(types, `export { ${names.join(', ')} } from './${jsOf(DECLARED)}';\n`);
    all.push(`export * from './${jsOf(declared)}';\n`);
    const file = types.replace(/\.d\.ts$/, '.api.md');
    return { file, report: extracted(folder, declared, file) };
  });
  writeFileSync(join(folder, 'all.d.ts'), all.join(''));
  declarations.set(DECLARED, extracted(folder, 'all.d.ts', DECLARED));
  return { entries: reports, declarations };
}

const jsOf = (declaration: string) => declaration.replace(/\.d\.ts$/, '.js');

/** @throws for `export *`: a name gets public by being written down */
function exportedNames(file: string): string[] {
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return tree.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return reExported(statement);
    const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExport);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    }
    const { name } = statement as ts.DeclarationStatement;
    if (!name) throw new Error(`${basename(file)}: ${statement.getText()}`);
    return [name.getText()];
  });
}

const isExport = ({ kind }: ts.ModifierLike) => kind === ts.SyntaxKind.ExportKeyword;

function reExported({ exportClause: clause, isTypeOnly }: ts.ExportDeclaration): string[] {
  if (!clause) throw new Error('an entry of the package exports by name, and never `export *`');
  if (!ts.isNamedExports(clause)) return [clause.name.text];
  return clause.elements.map((element) =>
    isTypeOnly || element.isTypeOnly ? `type ${element.name.text}` : element.name.text,
  );
}

/** The report, or the declarations of all in one file, by the name of what is wanted. */
function extracted(folder: string, entry: string, wanted: string): string {
  const isReport = wanted.endsWith('.md');
  const made = join(folder, wanted);
  const configObject = {
    projectFolder: folder,
    mainEntryPointFilePath: join(folder, entry),
    compiler: { overrideTsconfig: { compilerOptions: OPTIONS, files: [join(folder, entry)] } },
    apiReport: {
      enabled: isReport,
      reportFolder: folder,
      reportTempFolder: join(folder, 'temp'),
      reportFileName: basename(wanted, '.api.md'),
      includeForgottenExports: true,
    },
    dtsRollup: { enabled: !isReport, untrimmedFilePath: made },
    docModel: { enabled: false },
    tsdocMetadata: { enabled: false },
    newlineKind: 'lf' as const,
    messages: {
      extractorMessageReporting: {
        default: { logLevel: ExtractorLogLevel.None },
        'ae-wrong-input-file-type': { logLevel: ExtractorLogLevel.Error },
      },
      tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
    },
  };
  const packageJsonFullPath = join(folder, 'package.json');
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath,
  });
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = message.logLevel !== ExtractorLogLevel.Error;
    },
  });
  if (!succeeded) throw new Error(`the declarations of ${entry} cannot be read`);
  return readFileSync(made, 'utf8');
}
