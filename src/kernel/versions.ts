import { CommonRefusal } from './common-refusals.js';

/** The versions of a thing on which a caller decided; null where any version will do. */
export type ExpectedVersions = readonly number[] | null;

/** Call it with the row locked. */
export function assertVersion(expected: ExpectedVersions, version: number): void {
  if (expected === null || expected.includes(version)) return;
  throw CommonRefusal.version_mismatch.of(
    `It was changed meanwhile and has version ${version}; read it again and decide anew.`,
    { version },
  );
}
