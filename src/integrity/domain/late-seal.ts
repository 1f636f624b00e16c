/** A seal that waits so long is held back by a transaction that somebody left open. */
const LATE_SECONDS = 60;

export const lateSealSeconds = ({ sealSeconds }: { sealSeconds: number }) =>
  Math.max(LATE_SECONDS, 3 * sealSeconds);
