import { setTimeout as sleep } from 'node:timers/promises';
import { type RemoteService, RemoteRefused, RemoteSilent } from './remote-service.js';

/** An event, as far as commands look into it. */
export interface FollowedEvent {
  id: string;
  type: string;
  occurred_at: string;
  document_id?: string | null;
  [field: string]: unknown;
}

interface FeedPage {
  data: FollowedEvent[];
  next_cursor: string;
}

const WAIT_SECONDS = 25;
const PAGE = 100;
const LONGEST_PAUSE_MS = 30_000;

/** The place in the feed behind all that has happened. */
export async function presentPlace(service: RemoteService): Promise<string> {
  const { next_cursor } = await service.get<FeedPage>('/v1/events?after=now&limit=1');
  return next_cursor;
}

/**
 * All events from a place on, for ever. A service that does not answer is asked again, and no event is
 * passed over.
 * @param tell gets a line for each time that it does not, and one when it does again
 * @throws RemoteRefused
 */
export async function* followedEvents(
  service: RemoteService,
  { after, types }: { after: string; types?: string | undefined },
  tell: (line: string) => void,
): AsyncGenerator<FollowedEvent> {
  let place = after;
  let failures = 0;
  for (;;) {
    const query = new URLSearchParams({
      after: place,
      wait: String(WAIT_SECONDS),
      limit: String(PAGE),
      ...(types !== undefined && { types }),
    });
    let page: FeedPage;
    try {
      page = await service.get<FeedPage>(`/v1/events?${query}`);
    } catch (error) {
      const pauseMs = pauseAfter(error, failures);
      failures += 1;
      tell(`${(error as Error).message}; asking again in ${pauseMs / 1000} s`);
      await sleep(pauseMs);
      continue;
    }
    if (failures > 0) tell('the service answers again');
    failures = 0;
    yield* page.data;
    place = page.next_cursor;
  }
}

/** Twice as long after each. @throws the error, where asking again is of no use */
export function pauseAfter(error: unknown, failures: number): number {
  const growing = Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS);
  if (error instanceof RemoteSilent) return growing;
  if (!(error instanceof RemoteRefused)) throw error;
  if (error.status !== 429 && error.status < 500) throw error;
  return Math.max(growing, error.retryAfterSeconds * 1000);
}
