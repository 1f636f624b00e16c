import { Injectable } from '@nestjs/common';
import {
  EventFeedQuery,
  type FeedFilter,
  type FeedPosition,
  NO_EVENT,
  type PastEvent,
  positionIn,
} from '../../events/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { FeedRefusal } from '../domain/feed-refusals.js';
import { WaitingReaders } from './waiting-readers.js';

/** A stop, and a token that is over, are seen within it. */
const LOOKS_UP_EACH_MS = 1000;

/** A program that reads events in their order. */
export interface Follower {
  accountId: Uuid;
  filter: FeedFilter;
  /** Its client has hung up. */
  gone: AbortSignal;
  /** Nobody may or will read on. */
  isOver(): boolean;
}

/** Events behind a place, and the place to go on from. */
export interface FollowedEvents {
  events: PastEvent[];
  reached: FeedPosition;
}

/** Reads events in the order of their commits, and waits for the next. */
@Injectable()
export class EventFollowing {
  constructor(
    private readonly feed: EventFeedQuery,
    private readonly readers: WaitingReaders,
  ) {}

  /**
   * @param after `beginning`, `now`, or a place as it was given out
   * @throws DomainError `history_changed` for a place that this database never had
   */
  async placeOf(accountId: Uuid, after: string): Promise<FeedPosition> {
    const { history, ended } = await this.feed.end();
    if (after === 'beginning') return { history, xact: 0n, event: NO_EVENT };
    if (after === 'now') return { history, xact: ended, event: NO_EVENT };
    const position = positionIn(after);
    const isOfThis =
      position?.history === history &&
      (position.event === NO_EVENT
        ? position.xact <= ended
        : (await this.feed.find(accountId, position.event))?.xact === position.xact);
    if (!isOfThis) throw FeedRefusal.history_changed.of();
    return position;
  }

  /** @param ms how long to wait, if there is no event */
  async next(
    follower: Follower,
    place: FeedPosition,
    most: number,
    ms: number,
  ): Promise<FollowedEvents> {
    const { accountId, filter } = follower;
    const until = performance.now() + ms;
    for (let from = place; ;) {
      const end = await this.feed.end();
      const read = await this.feed.inOrder(accountId, filter, from, end, most);
      const { events, reached } = read;
      if (events.length > 0 || !(await this.happens(follower, reached.xact, until))) return read;
      from = reached;
    }
  }

  /** Waits for something behind what was read. A stop of the service is not held up by it. */
  private async happens(follower: Follower, read: bigint, until: number): Promise<boolean> {
    const { accountId, gone } = follower;
    for (;;) {
      const left = Math.min(until - performance.now(), LOOKS_UP_EACH_MS);
      if (left <= 0 || gone.aborted || follower.isOver()) return false;
      if (await this.readers.next(accountId, read, left, gone)) return true;
    }
  }
}
