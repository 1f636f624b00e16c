import { Injectable } from '@nestjs/common';
import { Commits, EventFeedQuery } from '../../events/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { Jobs } from '../../platform/jobs.js';
import { FeedRefusal } from '../domain/feed-refusals.js';

/** A timer of this process; how often the database is asked is another thing. */
const EVERY_MS = 100;
const MOST_OF_ACCOUNT = 100;
const RETRY_AFTER_SECONDS = 5;

/**
 * Those who wait for the next event, in this process. Nobody looks while nobody waits.
 */
@Injectable()
export class WaitingReaders {
  private readonly waiting = new Map<Uuid, Set<(something: boolean) => void>>();
  private readonly streams = new Map<Uuid, number>();
  /** All before it was looked at for those who wait. */
  private seen = 0n;

  constructor(
    private readonly feed: EventFeedQuery,
    private readonly commits: Commits,
    jobs: Jobs,
  ) {
    jobs.every(EVERY_MS, 'events were not looked for', async () => this.look(), {
      name: 'waiting readers',
      inEachProcess: true,
      onlyReads: true,
      atStop: 'leave',
    });
  }

  /** More of an account would hold connections for nothing. */
  hasPlace(accountId: Uuid): boolean {
    return (this.waiting.get(accountId)?.size ?? 0) < MOST_OF_ACCOUNT;
  }

  /** @returns what ends it @throws DomainError `too_many_streams` */
  beginStream(accountId: Uuid): () => void {
    const open = this.streams.get(accountId) ?? 0;
    if (open >= MOST_OF_ACCOUNT) throw FeedRefusal.too_many_streams.later(RETRY_AFTER_SECONDS);
    this.streams.set(accountId, open + 1);
    return () => {
      const left = (this.streams.get(accountId) ?? 0) - 1;
      if (left > 0) this.streams.set(accountId, left);
      else this.streams.delete(accountId);
    };
  }

  /**
   * @param read the reader has all before it
   * @returns whether something happened to the account behind that, before the time was over
   */
  async next(accountId: Uuid, read: bigint, ms: number, gone: AbortSignal): Promise<boolean> {
    if (this.waiting.size === 0 || read < this.seen) this.seen = read;
    const ofAccount = this.waiting.get(accountId) ?? new Set();
    this.waiting.set(accountId, ofAccount);
    return new Promise((resolve) => {
      const end = (something: boolean) => {
        clearTimeout(patience);
        gone.removeEventListener('abort', leave);
        ofAccount.delete(end);
        if (ofAccount.size === 0) this.waiting.delete(accountId);
        resolve(something);
      };
      const leave = () => end(false);
      const patience = setTimeout(leave, ms);
      gone.addEventListener('abort', leave);
      ofAccount.add(end);
    });
  }

  private async look(): Promise<void> {
    if (this.waiting.size === 0) return;
    const from = this.seen;
    const { ended } = await this.commits.seen(this.commits.areExpected);
    if (ended <= from) return;
    for (const account of await this.feed.accountsBetween(from, ended)) {
      for (const end of this.waiting.get(account) ?? []) end(true);
    }
    // A reader that came meanwhile may have read less.
    if (this.seen === from) this.seen = ended;
  }
}
