import { Controller, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EventFeedQuery, type FeedFilter, positionText } from '../../events/index.js';
import { uuidOf } from '../../kernel/ids.js';
import { DEFAULT_PAGE_SIZE, idPage } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { Readiness } from '../../platform/observability/readiness.js';
import { EventFollowing } from '../application/event-following.js';
import { WaitingReaders } from '../application/waiting-readers.js';
import { FeedRefusal } from '../domain/feed-refusals.js';
import { EventBody, EventPage, ListEventsQuery } from '../wire/event.js';
import { assertReads, eventFilter, goneOf, shownTo } from './asked-events.js';

@ApiTags('events')
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly feed: EventFeedQuery,
    private readonly following: EventFollowing,
    private readonly readers: WaitingReaders,
    private readonly readiness: Readiness,
  ) {}

  @Get('', 'events:read', {
    summary: 'List events, newest first, or in order for programs',
    description:
      'A program sends `after`, keeps `next_cursor`, and misses no event and sees none twice. An event needs the scope that reads its object, too: documents:read, payments:read for money, reports:read for months. Others are left out; a type that is named without it is refused.',
    answers: EventPage,
    problems: [
      FeedRefusal.history_changed,
      FeedRefusal.cursor_and_after,
      FeedRefusal.wait_without_after,
    ],
  })
  async listEvents(
    @CallerOf() caller: Caller,
    @Query({ schema: ListEventsQuery }) query: ListEventsQuery,
    @Req() request: ApiRequest,
  ): Promise<EventPage> {
    assertOneOrder(query);
    const { after } = query;
    const filter = eventFilter(query, caller);
    if (after !== undefined) return this.inOrder(caller, filter, { ...query, after }, request);
    return idPage({ list: 'events', filter }, query, {
      rows: async (before, count) => this.feed.newestFirst(caller.accountId, filter, before, count),
      present: shownTo(caller),
    });
  }

  @Get(':id', 'events:read', {
    summary: 'Read an event',
    description: 'As the list shows it. It needs the scope that reads its object, too.',
    answers: EventBody,
    problems: [FeedRefusal.event_not_found],
  })
  async getEvent(@CallerOf() caller: Caller, @Param('id') id: string): Promise<EventBody> {
    const uuid = uuidOf('evt', id);
    const event = uuid && (await this.feed.find(caller.accountId, uuid));
    if (!event) throw FeedRefusal.event_not_found.of();
    assertReads(caller, [event.type]);
    return shownTo(caller)(event);
  }

  private async inOrder(
    caller: Caller,
    filter: FeedFilter,
    { limit = DEFAULT_PAGE_SIZE, after, wait = 0 }: ListEventsQuery & { after: string },
    request: ApiRequest,
  ): Promise<EventPage> {
    const { accountId } = caller;
    const isOver = () => this.readiness.state === 'stopping';
    const follower = { accountId, filter, gone: goneOf(request), isOver };
    const place = await this.following.placeOf(accountId, after);
    const ms = this.readers.hasPlace(accountId) ? wait * 1000 : 0;
    const { events, reached } = await this.following.next(follower, place, limit, ms);
    return {
      data: events.map(shownTo(caller)),
      has_more: events.length === limit,
      next_cursor: positionText(reached),
    };
  }
}

function assertOneOrder({ after, cursor, wait }: ListEventsQuery): void {
  if (after === undefined && wait !== undefined) throw FeedRefusal.wait_without_after.at('/wait');
  if (after !== undefined && cursor !== undefined) throw FeedRefusal.cursor_and_after.at('/cursor');
}
