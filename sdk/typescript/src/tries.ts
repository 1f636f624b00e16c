import { QuittanceConnectionError } from './failures.js';
import { askedPauseMs, growingPauseMs, pause, within } from './pauses.js';

/** A request that can be sent again: its body is in memory. */
export interface Sendable {
  url: string;
  method: string;
  headers: Headers;
  body: ArrayBuffer | undefined;
}

/** How often and how long one request is tried. */
export interface Tries {
  fetch: typeof globalThis.fetch;
  /** Doing it twice does it once. */
  repeats: boolean;
  retries: number;
  /** Of each try. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The answer is read as it comes, by the caller. */
  streams?: boolean;
}

/** They say that the service, or the way to it, is not there now. */
const AWAY = new Set([502, 503, 504]);
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Sends it until there is an answer that another try would not better.
 * @throws QuittanceConnectionError after the last try; the reason of the signal
 */
export async function sendUntilAnswered(sendable: Sendable, tries: Tries): Promise<Response> {
  for (let failures = 0; ; failures += 1) {
    const outcome = await sentOnce(sendable, tries);
    const isLast = failures >= tries.retries;
    const pauseMs = isLast ? undefined : pauseAfter(outcome, tries.repeats, failures);
    if (pauseMs === undefined) {
      if (outcome instanceof Response) return outcome;
      throw outcome;
    }
    await pause(pauseMs, tries.signal);
  }
}

async function sentOnce(
  { url, method, headers, body }: Sendable,
  { fetch, timeoutMs, signal, streams }: Tries,
): Promise<Response | QuittanceConnectionError> {
  try {
    return await within(timeoutMs, signal, async (stop) => {
      // A redirect would make a GET of a POST.
      const init = { method, headers, redirect: 'manual' as const, signal: stop };
      const answer = await fetch(url, body === undefined ? init : { ...init, body });
      return streams && answer.ok ? answer : await read(answer);
    });
  } catch (error) {
    signal?.throwIfAborted();
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const why = isLate ? `did not answer within ${timeoutMs / 1000} s` : 'could not be reached';
    const text = `${method} ${new URL(url).origin} ${why}`;
    return new QuittanceConnectionError(text, undefined, { cause: error });
  }
}

/** A connection that is lost in the midst of an answer is lost, too. */
async function read(answer: Response): Promise<Response> {
  const { status, statusText, headers, type } = answer;
  if (type === 'opaqueredirect') return answer;
  const bytes = await answer.arrayBuffer();
  return new Response(WITHOUT_BODY.has(status) ? null : bytes, { status, statusText, headers });
}

/** @returns undefined if another try is of no use, or might do it twice */
function pauseAfter(
  outcome: Response | QuittanceConnectionError,
  repeats: boolean,
  failures: number,
): number | undefined {
  if (!(outcome instanceof Response)) return repeats ? growingPauseMs(failures) : undefined;
  const retryAfter = outcome.headers.get('Retry-After');
  // Something else uses the object at this moment: nothing was done.
  const isBusy = outcome.status === 409 && retryAfter !== null;
  const mayHelp = outcome.status === 429 || isBusy || (repeats && AWAY.has(outcome.status));
  return mayHelp ? askedPauseMs(retryAfter, failures) : undefined;
}
