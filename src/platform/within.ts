/** For a caller that tells it from what `work` failed with. */
export class TooLate extends Error {}

/** @throws when `work`, which goes on, has not ended by then */
export async function within<Result>(
  milliseconds: number,
  what: string,
  work: Promise<Result>,
  Late: new (message: string) => Error = Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const late = () => reject(new Late(`${what} did not end within ${milliseconds} ms`));
    timer = setTimeout(late, milliseconds);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
