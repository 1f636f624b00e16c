import semver from 'semver';

const UNRELEASED = '## Unreleased';

/**
 * The changelog with what is unreleased under a version, and an empty place for what comes next.
 * @throws Error where nothing is there to be released
 */
export function releasedChangelog(text: string, version: string, day: string): string {
  const from = text.indexOf(`${UNRELEASED}\n`);
  if (from < 0) throw new Error(`CHANGELOG.md has no "${UNRELEASED}"`);
  const behind = from + UNRELEASED.length;
  const next = text.indexOf('\n## ', behind);
  const entries = text.slice(behind, next < 0 ? undefined : next).trim();
  if (!/^- /m.test(entries)) throw new Error(`CHANGELOG.md has no entry under "${UNRELEASED}"`);
  const rest = next < 0 ? '' : text.slice(next);
  const head = `${text.slice(0, behind)}\n\n## ${version} - ${day}\n\n`;
  return `${head}${entries}\n${rest}`;
}

/**
 * A text of JSON with another version in its first places.
 * @param times how often a package says its own version there
 */
export function withVersion(text: string, version: string, times = 1): string {
  let left = times;
  const changed = text.replaceAll(/^( {2,6}"version": )"[^"]+"/gm, (whole, key: string) => {
    left -= 1;
    return left < 0 ? whole : `${key}"${version}"`;
  });
  if (left > 0) throw new Error('there is no "version"');
  return changed;
}

/** @throws Error for what is no version, or not above the present one */
export function assertNext(version: string, present: string): void {
  if (semver.valid(version) !== version || semver.prerelease(version)) {
    throw new Error(`${version} is no version to release; write it as 0.2.0`);
  }
  if (!semver.gt(version, present)) throw new Error(`${version} is not above ${present}`);
}
