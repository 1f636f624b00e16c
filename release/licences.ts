import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Licences by which what is shipped may be passed on, and used by others for anything. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  // Of data, with its names kept.
  'CC-BY-3.0',
  'CC0-1.0',
  'ISC',
  // A library of its own, which others may exchange: libvips.
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);
/** Those that say it in their readme alone, as it was read there. */
const READ_BY_HAND: Readonly<Record<string, string>> = { 'pause 0.0.1': 'MIT' };
const TEXT = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
}

export interface ShippedPackage {
  /** `node_modules/pg` */
  path: string;
  name: string;
  version: string;
  licence: string;
}

/**
 * All packages that an installation may have, by the lock file, with their licences.
 * @throws Error that names those whose licence is not allowed
 */
export async function shippedPackages(root: string): Promise<ShippedPackage[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const shipped: ShippedPackage[] = [];
  for (const [path, { version = '?', license, dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const ofHand = READ_BY_HAND[`${name} ${version}`];
    const licence = license ?? ofHand ?? (await olderForm(join(root, path)));
    shipped.push({ path, name, version, licence });
  }
  const refused = shipped.filter(({ licence }) => !isAllowed(licence));
  if (refused.length === 0) return shipped;
  const told = refused.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  throw new Error(`these licences are not allowed: ${told.join(', ')}`);
}

/** An expression of SPDX: of those joined by OR one is enough, of those by AND all are needed. */
export function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(/ or /i)
    .some((choice) => choice.split(/ and /i).every((one) => ALLOWED.has(one.trim())));
}

/** Packages of long ago have a list of objects. */
async function olderForm(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { license, licenses } = JSON.parse(text) as {
    license?: string;
    licenses?: { type: string }[];
  };
  return license ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'none';
}

/** One text for all: each package with its licence, and the words that it asks to be kept. */
export async function licencesText(
  root: string,
  shipped: readonly ShippedPackage[],
): Promise<string> {
  const parts: string[] = [];
  for (const { path, name, version, licence } of shipped) {
    const files = await readdir(join(root, path)).catch(() => [] as string[]);
    const own = files.filter((file) => TEXT.test(file));
    const asked = own.length > 0 ? own : files.filter((file) => /^readme/i.test(file));
    const texts = await Promise.all(
      asked.map(async (file) => readFile(join(root, path, file), 'utf8').catch(() => '')),
    );
    parts.push(`${'='.repeat(80)}\n${name} ${version}: ${licence}\n\n${texts.join('\n').trim()}`);
  }
  return `${parts.join('\n\n')}\n`;
}
