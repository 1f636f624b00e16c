import { Controller, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  EventFeedQuery,
  type EventType,
  type FeedEnd,
  type FeedFilter,
  type FeedPosition,
  NO_EVENT,
  type PastEvent,
  positionIn,
  positionText,
} from '../../events/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { insufficientScope } from '../../platform/http/access.js';
import { DEFAULT_PAGE_SIZE, idPage } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import { Readiness } from '../../platform/observability/readiness.js';
import { WaitingReaders } from '../application/waiting-readers.js';
import { FeedRefusal } from '../domain/feed-refusals.js';
import { EventBody, EventPage, ListEventsQuery, presentEvent } from '../wire/event.js';
import { scopeOf, typesAskedFor } from '../wire/event-types.js';

const STOPS_WITHIN_MS = 1000;

@ApiTags('events')
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly feed: EventFeedQuery,
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
    const filter = filterOf(query, caller);
    if (after !== undefined) return this.inOrder(caller, filter, { ...query, after }, request);
    return idPage({ list: 'events', filter }, query, {
      rows: async (before, count) => this.feed.newestFirst(caller.accountId, filter, before, count),
      present: presentFor(caller),
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
    return presentFor(caller)(event);
  }

  private async inOrder(
    caller: Caller,
    filter: FeedFilter,
    { limit = DEFAULT_PAGE_SIZE, after, wait = 0 }: ListEventsQuery & { after: string },
    request: ApiRequest,
  ): Promise<EventPage> {
    const { accountId } = caller;
    const until = performance.now() + wait * 1000;
    const gone = goneOf(request);
    let end = await this.feed.end();
    let from = await this.positionOf(accountId, after, end);
    for (;;) {
      const { events, reached } = await this.feed.inOrder(accountId, filter, from, end, limit);
      if (events.length > 0 || !(await this.happens(accountId, reached.xact, until, gone))) {
        return {
          data: events.map(presentFor(caller)),
          has_more: events.length === limit,
          next_cursor: positionText(reached),
        };
      }
      from = reached;
      end = await this.feed.end();
    }
  }

  /** Waits for something behind what was read. A stop of the service is not held up by it. */
  private async happens(
    accountId: Uuid,
    read: bigint,
    until: number,
    gone: AbortSignal,
  ): Promise<boolean> {
    if (!this.readers.hasPlace(accountId)) return false;
    for (;;) {
      const left = Math.min(until - performance.now(), STOPS_WITHIN_MS);
      if (left <= 0 || gone.aborted || this.readiness.state === 'stopping') return false;
      if (await this.readers.next(accountId, read, left, gone)) return true;
    }
  }

  /** @throws DomainError `history_changed` for a place that this database never had */
  private async positionOf(
    accountId: Uuid,
    after: string,
    { history, ended }: FeedEnd,
  ): Promise<FeedPosition> {
    if (after === 'beginning') return { history, xact: 0n, event: NO_EVENT };
    if (after === 'now') return { history, xact: ended, event: NO_EVENT };
    const position = positionIn(after)!;
    const { event, xact } = position;
    const isOfThis =
      position.history === history &&
      (event === NO_EVENT
        ? xact <= ended
        : (await this.feed.find(accountId, event))?.xact === xact);
    if (!isOfThis) throw FeedRefusal.history_changed.of();
    return position;
  }
}

function assertOneOrder({ after, cursor, wait }: ListEventsQuery): void {
  if (after === undefined && wait !== undefined) throw FeedRefusal.wait_without_after.at('/wait');
  if (after !== undefined && cursor !== undefined) throw FeedRefusal.cursor_and_after.at('/cursor');
}

function filterOf(query: ListEventsQuery, caller: Caller): FeedFilter {
  const asked = typesAskedFor(query.types);
  // A type that is named and not for the caller is no empty list.
  if (query.types) assertReads(caller, asked);
  return {
    types: asked.filter((type) => reads(caller, type)),
    documentId: idIn('doc', query.document),
    document: query.document,
    customer: query.customer,
    payment: query.payment,
    from: instantIn(query.from),
    to: instantIn(query.to),
  };
}

const reads = ({ scopes }: Caller, type: string) => {
  const scope = scopeOf(type);
  return scope !== undefined && scopes.includes(scope);
};

/** @throws HttpProblem 403 with the scope that it lacks */
function assertReads(caller: Caller, types: readonly EventType[]): void {
  for (const type of types) {
    const scope = scopeOf(type);
    if (scope && !caller.scopes.includes(scope)) throw insufficientScope(scope, `Reading ${type}`);
  }
}

const presentFor = (caller: Caller) => (event: PastEvent) =>
  presentEvent(event, caller.scopes.includes('documents:read'));

/** Nobody waits for a client that has hung up. */
function goneOf(request: ApiRequest): AbortSignal {
  const controller = new AbortController();
  request.res?.once('close', () => controller.abort());
  return controller.signal;
}
