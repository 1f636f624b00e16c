import { cp, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HEAP } from '../../src/cli/service-process.js';
import { ownVersion } from '../../src/platform/own-version.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { publicEntries } from '../support/public-api.js';
import { Outsider } from './outsider.js';
import { OWN_ENVIRONMENT } from './program.js';

const LARGEST_BYTES = 2_000_000;

let outsider: Outsider;
let database: TestDatabase;
beforeAll(async () => {
  [outsider, database] = await Promise.all([Outsider.withPackage(), aDatabase()]);
  const provider = new URL('../fixtures/package/provider.ts.txt', import.meta.url);
  await outsider.write('src/acme.ts', await readFile(provider, 'utf8'));
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    moduleResolution: 'nodenext',
    target: 'es2023',
    types: ['node'],
    rootDir: 'src',
    outDir: 'built',
  };
  await outsider.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
});
afterAll(async () => {
  await outsider.remove();
  await database.drop();
});

const at = (path: string) => join(outsider.folder, path);
const compile = async () => outsider.compile('.');
const settings = () => ({
  ...OWN_ENVIRONMENT,
  PATH: outsider.environment['PATH'] ?? '',
  DATABASE_URL: database.url,
});
const doctor = async (providers: string) =>
  outsider.run('quittance', ['doctor'], { ...settings(), QUITTANCE_PROVIDERS: providers });

describe('the tarball', () => {
  it('holds what runs and what is to be read, and no test', () => {
    const { paths, sizeBytes } = outsider.packed;
    console.info(`${paths.length} files, ${sizeBytes} bytes`);
    expect(sizeBytes).toBeLessThan(LARGEST_BYTES);
    const kinds = new Set(paths.map((path) => path.split('/').slice(0, 2).join('/')));
    expect(paths.filter((path) => /(^|\/)(test|bench)\/|spec|\.map$/.test(path))).toEqual([]);
    const types = publicEntries().map((entry) => entry.types.replace('./', ''));
    const built = ['dist/declared.d.ts', 'dist/migrations', 'dist/src', ...types];
    const told = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    expect([...kinds].filter((kind) => !kind.startsWith('docs/')).toSorted()).toEqual(
      [...built, ...told].toSorted(),
    );
  });
});

describe('a project with the package', () => {
  it('compiles a provider in strict mode, with the declarations of all packages', async () => {
    expect(await compile()).toMatchObject({ output: '', code: 0 });
  });

  it('is told by the compiler of a report that is wrong', async () => {
    const source = await readFile(at('src/acme.ts'), 'utf8');
    await outsider.write('src/wrong.ts', source.replace("kind: 'paid'", "kind: 'PAID'"));
    const { code, output } = await compile();
    await outsider.write('src/wrong.ts', '');
    expect(code).toBe(2);
    expect(output).toMatch(/^src\/wrong\.ts\(\d+,\d+\): error TS2322: Type '"PAID"' is not/);
  });

  it('imports the entries, and nothing below them', async () => {
    await outsider.write(
      'imports.mjs',
      `for (const name of process.argv.slice(2))
        console.log(await import(name).then(({ Gateway }) => typeof Gateway, ({ code }) => code));`,
    );
    const names = ['quittance', 'quittance/dist/src/kernel/money.js', 'quittance/package.json'];
    const { output } = await outsider.run('node', ['imports.mjs', ...names]);
    expect(output.split('\n')).toEqual([
      'function',
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
      '',
    ]);
    await outsider.write('src/wrong.ts', `import 'quittance/dist/src/index.js';`);
    const { output: refused } = await compile();
    await outsider.write('src/wrong.ts', '');
    expect(refused).toContain('error TS2882');
  });

  it('has the command', async () => {
    const { code, output } = await outsider.run('npx', ['--no-install', 'quittance', '--help']);
    expect(code).toBe(0);
    expect(output).toContain('Usage: quittance [options] [command]');
  });

  it('adds its provider, of the same classes', async () => {
    await compile();
    const { output, errors } = await doctor('./built/acme.js');
    expect(errors).toBe('');
    expect(output).toMatch(/^ok {3}gateways: .*acme \(acme\)/m);
  });

  it('is refused when its provider has another copy of the package', async () => {
    const other = join(dirname(outsider.folder), 'other');
    await cp(at('node_modules/quittance'), join(other, 'node_modules/quittance'), {
      recursive: true,
    });
    await symlink(at('node_modules'), join(other, 'node_modules/quittance/node_modules'));
    await cp(at('built/acme.js'), join(other, 'acme.mjs'));
    const { code, errors } = await doctor('../other/acme.mjs');
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^doctor runs without what could not be read: QUITTANCE_PROVIDERS: \.\.\/other\/acme\.mjs cannot be loaded: quittance is here twice, in \S+project\S+ and in \S+other\S+; /,
    );
  });
});

describe('npm exec in an empty folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await outsider.emptyFolder();
  });

  it('tells its version', async () => {
    const { code, output } = await outsider.execute(folder, ['--version']);
    expect([code, output]).toEqual([0, `${await ownVersion()}\n`]);
  });

  it('tells its commands', async () => {
    const { code, output } = await outsider.execute(folder, ['--help']);
    expect(code).toBe(0);
    expect(output).toContain('Usage: quittance [options] [command]');
    expect(output).toMatch(/^ {2}completion <shell> /m);
  });

  it('looks at a database that it makes there', async () => {
    const { output } = await outsider.execute(folder, ['doctor', '--json']);
    const { findings } = JSON.parse(output) as { findings: { check: string; ok: boolean }[] };
    const wrong = findings.filter(({ ok }) => !ok).map(({ check }) => check);
    // Nobody has migrated it.
    expect(wrong).toEqual(['database']);
    expect(findings.length).toBeGreaterThan(10);
    expect(await readdir(folder)).toContain('.quittance');
  });
});

describe('quittance start', () => {
  it('becomes the service, prints with fonts of its own, and stops', async () => {
    const program = await outsider.service('quittance', ['start'], {
      QUITTANCE_PROVIDERS: './built/acme.js',
    });
    const { url } = program;
    try {
      const line = (await readFile(`/proc/${program.pid}/cmdline`, 'utf8')).split('\0');
      expect(line.slice(1, -1)).toEqual([...HEAP, at('node_modules/quittance/dist/src/main.js')]);
      const demo = JSON.parse(await readFile(at('.quittance/demo.json'), 'utf8')) as {
        invoice_portal_token: string;
      };
      const pdf = await fetch(`${url}/v1/portal/documents/${demo.invoice_portal_token}/pdf`);
      expect(
        Buffer.from(await pdf.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      const sent = await outsider.run('quittance', ['demo-webhook', 'acme'], {
        ...OWN_ENVIRONMENT,
        PATH: settings().PATH,
        QUITTANCE_PROVIDERS: './built/acme.js',
      });
      expect(sent.output).toMatch(/\n200 \{"status":"ok"\}\n$/);
      expect(program.output).toContain('npx quittance demo-webhook acme\n');
    } finally {
      program.signal('SIGTERM');
    }
    expect((await program.ended).code).toBe(0);
  });
});
