/** A check could not be made. */
export class CheckFailed extends Error {
  constructor(
    readonly check: string,
    cause: unknown,
  ) {
    super(`the check "${check}" could not be made`, { cause });
  }
}
