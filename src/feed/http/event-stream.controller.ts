import { once } from 'node:events';
import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Admissions } from '../../auth/index.js';
import { type FeedPosition, positionIn, positionText } from '../../events/index.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { Readiness } from '../../platform/observability/readiness.js';
import { EventFollowing, type Follower } from '../application/event-following.js';
import { WaitingReaders } from '../application/waiting-readers.js';
import { FeedRefusal } from '../domain/feed-refusals.js';
import { FollowEventsQuery } from '../wire/event.js';
import { eventFilter, goneOf, shownTo } from './asked-events.js';
import { LastEventId } from './last-event-id.js';

const PAGE_SIZE = 100;
/** Proxies close what is silent for half a minute. */
const HEARTBEAT_MS = 10_000;
/** A client that does not read for so long is gone. */
const TAKEN_WITHIN_MS = 20_000;
const RETRY_MS = 1000;

/** The feed as Server-Sent Events. A route of its own: its answer never ends (decision 263). */
@ApiTags('events')
@Controller('v1/events/stream')
export class EventStreamController {
  constructor(
    private readonly following: EventFollowing,
    private readonly readers: WaitingReaders,
    private readonly admissions: Admissions,
    private readonly readiness: Readiness,
  ) {}

  @Get('', 'events:read', {
    summary: 'Follow events as Server-Sent Events',
    description:
      'The id of each is the place to go on from, with `Last-Event-ID`; its data are what `GET /v1/events/{id}` answers. A place without data comes while nothing happens. The stream ends with its access token, and when the process stops: connect anew.',
    answers: { text: ['text/event-stream'] },
    problems: [
      FeedRefusal.history_changed,
      FeedRefusal.invalid_last_event_id,
      FeedRefusal.too_many_streams,
    ],
  })
  async followEvents(
    @CallerOf() caller: Caller,
    @Query({ schema: FollowEventsQuery }) query: FollowEventsQuery,
    @LastEventId() last: string | undefined,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (last !== undefined && !positionIn(last)) throw FeedRefusal.invalid_last_event_id.of();
    const { accountId } = caller;
    const filter = eventFilter(query, caller);
    const place = await this.following.placeOf(accountId, last ?? query.after ?? 'now');
    const end = this.readers.beginStream(accountId);
    try {
      const bearer = request.user!;
      const isOver = () => this.readiness.state === 'stopping' || !this.admissions.admits(bearer);
      begin(response);
      if (request.method !== 'HEAD') {
        // One that breaks off before the first event has a place, too.
        response.write(`retry: ${RETRY_MS}\nid: ${positionText(place)}\n\n`);
        const follower = { accountId, filter, gone: goneOf(request), isOver };
        await this.send(follower, place, caller, response);
      }
      response.end();
    } finally {
      end();
    }
  }

  /** Until its token is over, the process stops, or nobody reads. */
  private async send(
    follower: Follower,
    from: FeedPosition,
    caller: Caller,
    response: Response,
  ): Promise<void> {
    const present = shownTo(caller);
    for (let place = from; !follower.isOver() && !follower.gone.aborted;) {
      const next = await this.following.next(follower, place, PAGE_SIZE, HEARTBEAT_MS);
      const { history } = next.reached;
      const frames = next.events.map((event) => {
        const id = positionText({ history, xact: event.xact, event: event.id });
        return `id: ${id}\ndata: ${JSON.stringify(present(event))}\n\n`;
      });
      // All that was read may have been of no interest: so the place is told, too.
      if (frames.length === 0) frames.push(`id: ${positionText(next.reached)}\n\n`);
      if (!(await taken(response, frames.join(''), follower.gone))) return;
      place = next.reached;
    }
  }
}

function begin(response: Response): void {
  response.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  response.flushHeaders();
}

/** Nothing more is read for a client that is behind. @returns whether it took it */
async function taken(response: Response, text: string, gone: AbortSignal): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(text)) return true;
  const signal = AbortSignal.any([gone, AbortSignal.timeout(TAKEN_WITHIN_MS)]);
  try {
    await once(response, 'drain', { signal });
    return true;
  } catch {
    response.destroy();
    return false;
  }
}
