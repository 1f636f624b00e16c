import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAllowed, licencesText, shippedPackages } from '../../release/licences.js';
import { release } from '../../release/release.js';
import { releasedChangelog, withVersion } from '../../release/versions.js';

// The packages, the lists and the kept database of a whole release take minutes: `npm run release`.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- One thing.\n\n## 0.1.0 - 2026-11-20\n\n- First.\n';
const LOCK = {
  name: 'a',
  version: '0.2.0-dev',
  packages: {
    '': { name: 'a', version: '0.2.0-dev' },
    'node_modules/b': { version: '1.0.0', license: 'MIT' },
  },
};

let root: string;
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const write = (file: string, text: string) => writeFileSync(join(root, file), text);
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** A repository as small as one can be. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quittance-release-'));
  mkdirSync(join(root, 'sdk/typescript'), { recursive: true });
  const scripts = { prepack: 'exit 3' };
  write('package.json', json({ name: 'a', version: '0.2.0-dev', scripts }));
  write('sdk/typescript/package.json', json({ name: 'b', version: '0.2.0-dev' }));
  write('package-lock.json', json(LOCK));
  write('CHANGELOG.md', CHANGELOG);
  git('init', '--quiet');
  git('config', 'user.name', 'somebody');
  git('config', 'user.email', 'somebody@acme.example');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
});
afterEach(() => rmSync(root, { recursive: true }));

const released = async (over: object = {}) => {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const folder = join(root, '.git/made');
  await release({ version: '0.2.0', root, folder, day: '2026-11-28', dryRun: true, say, ...over });
  return said;
};

describe('a release', () => {
  it('is told, and not made, by a dry run', async () => {
    expect(await released()).toEqual([
      expect.stringMatching(/^0\.2\.0-dev becomes 0\.2\.0; 1 /),
      expect.any(String),
    ]);
    expect([git('status', '--porcelain'), git('tag', '--list')]).toEqual(['', '']);
  });

  it.each<[string, () => void, object, RegExp]>([
    ['a tree with changes', () => write('new', ''), {}, /not committed/],
    ['a version that there is', () => git('tag', 'v0.2.0'), {}, /v0\.2\.0 exists/],
    ['a version that is not above', () => {}, { version: '0.1.0' }, /not above/],
    ['a version before a release', () => {}, { version: '0.2.0-rc.1' }, /no version to release/],
    ['no version', () => {}, { version: 'next' }, /no version to release/],
  ])('is refused for %s', async (_what, before, over, reason) => {
    before();
    await expect(released(over)).rejects.toThrow(reason);
  });

  it.each<[string, string, string, RegExp]>([
    ['an empty changelog', 'CHANGELOG.md', CHANGELOG.replace('- One thing.\n', ''), /no entry/],
    [
      'a licence that is not allowed',
      'package-lock.json',
      json(LOCK).replace('MIT', 'GPL-3.0-only'),
      /b 1\.0\.0: GPL-3\.0-only/,
    ],
  ])('is refused for %s', async (_what, file, text, reason) => {
    write(file, text);
    git('commit', '--quiet', '--all', '--message', 'second');
    await expect(released()).rejects.toThrow(reason);
  });

  it('leaves everything as it was where a step fails', async () => {
    const head = git('rev-parse', 'HEAD');
    await expect(released({ dryRun: false })).rejects.toThrow(/npm pack/);
    expect([git('status', '--porcelain'), git('tag', '--list'), git('rev-parse', 'HEAD')]).toEqual([
      '',
      '',
      head,
    ]);
    expect(readFileSync(join(root, 'package.json'), 'utf8')).toContain('0.2.0-dev');
  });
});

it('the changelog keeps all, and has an empty place again', () => {
  expect(releasedChangelog(CHANGELOG, '0.2.0', '2026-11-28')).toBe(
    CHANGELOG.replace('## Unreleased', '## Unreleased\n\n## 0.2.0 - 2026-11-28'),
  );
});

it('a version is written where a package says its own, and nowhere else', () => {
  const text = withVersion(json(LOCK), '0.2.0', 2);
  expect(JSON.parse(text)).toEqual({
    ...LOCK,
    version: '0.2.0',
    packages: { ...LOCK.packages, '': { name: 'a', version: '0.2.0' } },
  });
});

describe('licences', () => {
  it.each([
    ['MIT', true],
    ['MIT or MPL-2.0', true],
    ['(ISC AND CC-BY-3.0)', true],
    ['MPL-2.0', false],
    ['Apache-2.0 AND GPL-2.0-only', false],
    ['none', false],
  ])('%s is allowed: %s', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed);
  });

  it('of all that is shipped are allowed, and their words are kept', async () => {
    const shipped = await shippedPackages(ROOT);
    expect(shipped.length).toBeGreaterThan(200);
    const express = shipped.filter(({ name }) => name === 'express');
    expect(await licencesText(ROOT, express)).toMatch(/^=+\nexpress \d.*: MIT\n\n.*MIT License/s);
  });
});
