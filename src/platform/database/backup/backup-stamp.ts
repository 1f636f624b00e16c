const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** An instant, as names of backups bear it: `20261126T050000Z`. */
export function stampOf(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/** Undefined where it is no instant. */
export function instantOf(stamp: string | undefined): Date | undefined {
  const [, year, month, day, hour, minute, second] = STAMP.exec(stamp ?? '') ?? [];
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
