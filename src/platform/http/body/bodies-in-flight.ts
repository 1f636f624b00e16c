import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { RequestRefusal } from '../request-refusals.js';

/** The bytes that one request holds until its answer is out. */
export interface Hold {
  take(bytes: number): void;
  release(): void;
}

/**
 * Limits the bytes of bodies that this process holds at once. One client or unknown address has a
 * quarter. All unknown callers together have half, so that known ones can always send something.
 */
@Injectable()
export class BodiesInFlight {
  private readonly bySender = new Map<string, number>();
  private readonly held = { all: 0, ofStrangers: 0 };
  private readonly most: { all: number; ofStrangers: number; ofOne: number };

  constructor({ bodiesInFlightBytes: all, ...limits }: Config) {
    const largest = Math.max(
      limits.documentBodyLimitBytes,
      limits.bankFileLimitBytes,
      limits.webhookBodyLimitBytes,
    );
    this.most = { all, ofStrangers: all / 2, ofOne: Math.max(all / 4, Math.min(largest, all / 2)) };
  }

  get bytes(): number {
    return this.held.all;
  }

  hold(sender: string, isKnown: boolean): Hold {
    let own = 0;
    return {
      take: (bytes) => {
        this.refuseAbove(this.held.all + bytes, this.most.all);
        this.refuseAbove((this.bySender.get(sender) ?? 0) + bytes, this.most.ofOne);
        if (!isKnown) this.refuseAbove(this.held.ofStrangers + bytes, this.most.ofStrangers);
        own += bytes;
        this.change(sender, isKnown, bytes);
      },
      release: () => {
        this.change(sender, isKnown, -own);
        own = 0;
      },
    };
  }

  private change(sender: string, isKnown: boolean, bytes: number): void {
    this.held.all += bytes;
    if (!isKnown) this.held.ofStrangers += bytes;
    const left = (this.bySender.get(sender) ?? 0) + bytes;
    if (left > 0) this.bySender.set(sender, left);
    else this.bySender.delete(sender);
  }

  private refuseAbove(bytes: number, most: number): void {
    if (bytes <= most) return;
    throw RequestRefusal.too_many_bodies.with({
      'Retry-After': '1',
    });
  }
}
