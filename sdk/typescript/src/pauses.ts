const FIRST_MS = 250;
const LONGEST_MS = 8000;
/** A call that is asked to wait for longer fails at once. */
const LONGEST_ASKED_MS = 60_000;

/** Twice as long after each failure; a random part keeps many clients apart. */
export function growingPauseMs(failures: number): number {
  const whole = Math.min(FIRST_MS * 2 ** failures, LONGEST_MS);
  return whole * (0.5 + Math.random() / 2);
}

/** `Retry-After`: seconds, or a date. @returns undefined if it asks for more than is waited for */
export function askedPauseMs(retryAfter: string | null, failures: number): number | undefined {
  const growing = growingPauseMs(failures);
  if (retryAfter === null) return growing;
  const seconds = Number(retryAfter);
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
  if (Number.isNaN(asked)) return growing;
  // All who were told the same second shall not come at once.
  return asked > LONGEST_ASKED_MS ? undefined : Math.max(asked, 0) + growing / 2;
}

/** @throws the reason of the signal */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await within(undefined, signal, async (stop) => {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      const end = () => {
        clearTimeout(timer);
        reject(stop.reason as Error);
      };
      if (stop.aborted) end();
      else stop.addEventListener('abort', end, { once: true });
    });
  });
}

/** Gives the work a signal that stops it when its time is over, or the caller's signal says so. */
export async function within<Result>(
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const late = () => controller.abort(new DOMException('It took too long.', 'TimeoutError'));
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  // `AbortSignal.any` would keep each call for as long as a signal lives that many share.
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
