const CLAIMED = Symbol.for('quittance.only-copy');

/**
 * Two copies of a class are two classes: a signature that one of them refuses would be a fault to the
 * other.
 * @throws when the process has loaded another copy of the package
 */
export function claimOnlyCopy(): void {
  const claimed = globalThis as { [CLAIMED]?: string };
  const folder = new URL('../../', import.meta.url).pathname;
  claimed[CLAIMED] ??= folder;
  if (claimed[CLAIMED] === folder) return;
  throw new Error(
    `quittance is here twice, in ${claimed[CLAIMED]} and in ${folder}; install it once, where the ` +
      'service starts',
  );
}
