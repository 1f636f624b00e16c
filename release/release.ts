import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { run } from '../sdk/run-program.js';
import { licencesText, shippedPackages } from './licences.js';
import { assertNext, releasedChangelog, withVersion } from './versions.js';

/** Files that say the version, and how often. */
const SAYING = { 'package.json': 1, 'package-lock.json': 2, 'sdk/typescript/package.json': 1 };
const CHANGELOG = 'CHANGELOG.md';

export interface ReleaseWish {
  version: string;
  /** The repository, absolute. */
  root: string;
  /** Files go there; absolute. */
  folder: string;
  /** `2026-11-28` */
  day: string;
  dryRun: boolean;
  say: (line: string) => void;
}

/**
 * Makes a release in the repository: versions, changelog, packages, lists, a kept database, a commit
 * and a tag. Where a step fails, nothing is committed, and the files are as they were.
 * @throws Error for what has to be set right first
 */
export async function release({
  version,
  root,
  folder,
  day,
  dryRun,
  say,
}: ReleaseWish): Promise<void> {
  const { version: present } = JSON.parse(await text(root, 'package.json')) as { version: string };
  assertNext(version, present);
  if ((await run('git', ['status', '--porcelain'], root)).trim() !== '')
    throw new Error('the tree has changes that are not committed');
  const tag = `v${version}`;
  if ((await run('git', ['tag', '--list', tag], root)).trim() !== '')
    throw new Error(`${tag} exists`);
  const changelog = releasedChangelog(await text(root, CHANGELOG), version, day);
  const shipped = await shippedPackages(root);
  say(`${present} becomes ${version}; ${shipped.length} packages, all by allowed licences`);
  if (dryRun) return say('a dry run: nothing was made');

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    for (const [file, times] of Object.entries(SAYING)) {
      await writeFile(join(root, file), withVersion(await text(root, file), version, times));
    }
    await writeFile(join(root, CHANGELOG), changelog);
    say(`packed ${(await packages(root, folder)).join(' and ')}`);
    await writeFile(
      join(folder, 'sbom.cdx.json'),
      await run('npm', ['run', '--silent', 'sbom'], root),
    );
    await writeFile(join(folder, 'LICENCES.txt'), await licencesText(root, shipped));
    say(await image(root, folder, version));
    say(await keptDatabase(root, version));
    await writeFile(join(folder, 'SHA256SUMS'), await sums(folder));
    await run('git', ['add', '--all'], root);
    await run(
      'git',
      [
        'commit',
        '--quiet',
        '-m',
        `Quittance ${version}`,
        '-m',
        `What it brings is in ${CHANGELOG}.`,
      ],
      root,
    );
  } catch (error) {
    await run('git', ['reset', '--quiet', '--hard'], root);
    await run('git', ['clean', '--quiet', '--force', 'test/fixtures/releases'], root);
    throw error;
  }
  await run('git', ['tag', '--annotate', tag, '-m', `Quittance ${version}`], root);
  say(`committed, and tagged ${tag}; files are in ${folder}`);
}

const text = async (root: string, file: string) => readFile(join(root, file), 'utf8');

/** That of the service, and that of the SDK; their names. */
async function packages(root: string, folder: string): Promise<string[]> {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], root);
  await run('npm', ['run', '--silent', 'sdk'], root);
  const made = join(root, 'sdk/typescript/dist');
  const sdk = (await readdir(made)).find((name) => name.endsWith('.tgz'));
  if (sdk) await copyFile(join(made, sdk), join(folder, sdk));
  return (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
}

/** A file that `podman load` and `docker load` read, where a program makes one. */
async function image(root: string, folder: string, version: string): Promise<string> {
  const name = `quittance-${version}.oci.tar`;
  const tagged = `quittance:${version}`;
  const program = await run('podman', ['--version'], root).catch(() => null);
  if (program === null) return 'no image: podman is not installed';
  await run('podman', ['build', '--tag', tagged, root], root);
  const part = join(folder, `${name}.part`);
  await run('podman', ['save', '--format', 'oci-archive', '--output', part, tagged], root);
  await rename(part, join(folder, name));
  return `packed ${name}`;
}

/** Filled by the release itself, in a process of its own: later ones are tried on it. */
async function keptDatabase(root: string, version: string): Promise<string> {
  const file = `test/fixtures/releases/${version}.json.gz`;
  const script = 'test/support/keep-release.ts';
  const loader = ['--no-warnings', '--import', './test/support/source-loader.mjs'];
  await run(process.execPath, [...loader, script, version, file], root);
  return `kept a database in ${file}`;
}

async function sums(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const digest = createHash('sha256').update(await readFile(join(folder, name)));
    lines.push(`${digest.digest('hex')}  ${basename(name)}\n`);
  }
  return lines.join('');
}
