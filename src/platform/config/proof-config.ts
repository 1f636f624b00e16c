import { resolve } from 'node:path';

/**
 * How often books are sealed and checked, and where heads of seals are kept.
 * @param variables each of which was found to be of its form
 */
export function proofConfig(
  variables: {
    QUITTANCE_SEAL_SECONDS: number;
    QUITTANCE_SEAL_HEADS_FILE?: string | undefined;
    QUITTANCE_INTEGRITY_HOURS: number;
    QUITTANCE_INTEGRITY_SHARES: number;
  },
  cwd: string,
) {
  const file = variables.QUITTANCE_SEAL_HEADS_FILE;
  return {
    sealSeconds: variables.QUITTANCE_SEAL_SECONDS,
    sealHeadsFile: file === undefined ? null : resolve(cwd, file),
    integrityHours: variables.QUITTANCE_INTEGRITY_HOURS,
    integrityShares: variables.QUITTANCE_INTEGRITY_SHARES,
  };
}
