import { Injectable } from '@nestjs/common';
import { EventFeedQuery, type FeedEnd } from '../infrastructure/event-feed.query.js';
import { EventLog } from './event-log.js';

/** How old a look may be, and how old while events come. */
const IDLE_MS = 500;
const BUSY_MS = 100;
/** After an event, the next is expected soon. */
const SOON_MS = 1000;

/**
 * One look at the database for all in this process who wait for events: those who follow them, and
 * those who send them. They ask it as often as they like (decision 268).
 */
@Injectable()
export class Commits {
  private asked: Promise<FeedEnd> | undefined;
  private askedAt = -Infinity;

  constructor(
    private readonly feed: EventFeedQuery,
    private readonly events: EventLog,
  ) {}

  /** This process wrote an event a moment ago. */
  get areExpected(): boolean {
    return this.events.hasNewSince(SOON_MS);
  }

  /** @param isBusy whoever asks expects something */
  async seen(isBusy: boolean): Promise<FeedEnd> {
    const now = performance.now();
    if (!this.asked || now - this.askedAt >= (isBusy ? BUSY_MS : IDLE_MS)) {
      this.askedAt = now;
      this.asked = this.feed.end();
    }
    return this.asked;
  }
}
