import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** veraPDF, which is the standards' own reference, comes in the archive of another tool. */
const ARCHIVE = join(dirname(require.resolve('@opendataloader/pdf')), '../lib');
const PROGRAM = join(import.meta.dirname, 'ValidatePdf.java');

/** Its profiles of PDF/A-3a and PDF/UA-1. */
const PROFILES = ['PDFA-3A', 'PDFUA-1'];

export interface Verdicts {
  /** Name of the file, profile and rule, with what it wants. */
  broken: string[];
  /** How many files were held against how many profiles. */
  compliant: number;
  /** Of single conditions. */
  checks: number;
}

/** Whether Java is there to run it, and why not. */
export async function canValidate(): Promise<string | null> {
  return run('java', ['-version']).then(
    () => null,
    () => 'no Java runs here, so that no PDF is held against veraPDF',
  );
}

export async function validate(files: Record<string, Buffer>): Promise<Verdicts> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pdf-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const paths = await Promise.all(
    Object.entries(files).map(async ([name, pdf]) => {
      const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.pdf`);
      await writeFile(path, pdf);
      return path;
    }),
  );
  const archive = join(ARCHIVE, 'opendataloader-pdf-cli.jar');
  const { stdout } = await run(
    'java',
    ['-Xmx1g', '-cp', archive, PROGRAM, PROFILES.join(','), ...paths],
    { maxBuffer: 64 << 20 },
  );
  const verdicts: Verdicts = { broken: [], compliant: 0, checks: 0 };
  let of = '';
  for (const line of stdout.trim().split('\n')) {
    const [verdict, ...told] = line.split('\t');
    if (verdict === 'failed') {
      verdicts.broken.push([of, ...told].join(' '));
      continue;
    }
    const [profile = '', path = '', checks = '0'] = told;
    of = `${path.slice(folder.length + 1)} ${profile}`;
    verdicts.checks += Number(checks);
    if (verdict === 'compliant') verdicts.compliant += 1;
    else verdicts.broken.push(of);
  }
  return verdicts;
}
