import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run } from '../../run-program.js';

const TOUR = fileURLToPath(new URL('../tour.py', import.meta.url));
const NEEDED = ['urllib3', 'six', 'dateutil', 'certifi'];
const PACKAGE = 'quittance_client';

/** Constructors are stricter in the types: names alone, and the required ones. Words are types of their own. */
const STRICTER = `${PACKAGE}\\..*\\.__init__\n${PACKAGE}\\.words\\.\\w+\n`;

/** The Python of this machine that can take the tour, and reasons for what it cannot do. */
export class Python {
  private constructor(
    readonly program: string | undefined,
    readonly hasMypy: boolean,
    readonly missing: string[],
  ) {}

  static async found(): Promise<Python> {
    // Debian's packages are of Debian's Python, which need not be the first one of the path.
    for (const program of ['/usr/bin/python3', 'python3']) {
      if (!(await works(program, ['-c', `import ${NEEDED.join()}`]))) continue;
      const hasMypy = await works(program, ['-m', 'mypy', '--version']);
      return new Python(program, hasMypy, hasMypy ? [] : [`${program} has no mypy`]);
    }
    return new Python(undefined, false, [`no python3 that has ${NEEDED.join(', ')}`]);
  }
}

/** Java makes the client. */
export const hasJava = () => works('java', ['-version']);

async function works(file: string, args: string[]): Promise<boolean> {
  try {
    await promisify(execFile)(file, args);
    return true;
  } catch {
    return false;
  }
}

const NAMES = ['--concise', '--ignore-missing-stub', '--allowlist', 'stricter'];
/** Of the generator's own code, which has no types: it lets one variable be two things, and asks no match. */
const LOOSE = ['assignment', 'union-attr', 'var-annotated'].flatMap((code) => [
  '--disable-error-code',
  code,
]);
/** Python 2 had it; both places stand behind a look at the version. */
const OF_PYTHON_2 = 'Name "long" is not defined';

/**
 * Checks the types three ways: a program under `--strict`, the generator's own code, and whether both name
 * the same.
 * @returns whether all is well
 */
export async function judgeTypes(
  python: string,
  client: string,
  say: (line: string) => void,
): Promise<boolean> {
  const place = await mkdtemp(join(tmpdir(), 'quittance-python-'));
  try {
    const typed = join(place, 'typed');
    const bare = join(place, 'bare');
    const made = join(client, PACKAGE);
    await cp(made, join(typed, PACKAGE), { recursive: true });
    await cp(TOUR, join(typed, 'tour.py'));
    await writeFile(join(typed, 'stricter'), STRICTER);
    await cp(made, join(bare, PACKAGE), { recursive: true, filter: isCode });

    const mypy = async (module: string, args: string[], cwd: string) =>
      asked(python, ['-m', module, ...args], cwd, say);
    const wrong = [
      ...(await mypy('mypy', ['--strict', 'tour.py'], typed)),
      ...(await mypy('mypy', ['--check-untyped-defs', ...LOOSE, '-p', PACKAGE], bare)),
      ...(await mypy('mypy.stubtest', [...NAMES, PACKAGE], typed)),
    ];
    return wrong.filter((line) => !line.includes(OF_PYTHON_2)).length === 0;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const isCode = (path: string) => !path.endsWith('.pyi');

/** @returns the errors */
async function asked(
  file: string,
  args: string[],
  cwd: string,
  say: (line: string) => void,
): Promise<string[]> {
  const told = await promisify(execFile)(file, args, { cwd, maxBuffer: 1e8 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const lines = `${told.stdout}${told.stderr}`.split('\n').filter(Boolean);
  const errors = lines.filter((line) => !/^(Found|Success)\b|: note: /.test(line));
  const [sum = told instanceof Error ? 'failed' : 'no error'] = lines.slice(-1);
  say([`$ ${file} ${args.join(' ')}`, ...new Set([...errors, sum])].join('\n'));
  return told instanceof Error && errors.length === 0 ? [sum] : errors;
}

/** Takes the tour with a running service. @returns the JSON that it prints */
export async function takeTour(
  python: string,
  client: string,
  demo: object,
): Promise<Record<string, unknown>> {
  const place = await mkdtemp(join(tmpdir(), 'quittance-tour-'));
  try {
    const file = join(place, 'demo.json');
    await writeFile(file, JSON.stringify(demo));
    await cp(join(client, PACKAGE), join(place, PACKAGE), { recursive: true });
    await cp(TOUR, join(place, 'tour.py'));
    const told = await run(python, ['-B', 'tour.py', file], place);
    return JSON.parse(told) as Record<string, unknown>;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
