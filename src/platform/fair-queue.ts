interface FairQueueOptions {
  /** How many may be inside at once. */
  places: number;
  /** How many may wait. */
  waiting: number;
  /** How many places one owner may have; all of them if absent. */
  each?: number;
  /** The longest wait for a place; without it, for ever. */
  waitMs?: number;
  /** The answer to those who get no place. */
  refusal: () => Error;
}

/** How a queue stands, and what was waited for since the process began. */
export interface QueueStanding {
  inside: number;
  waiting: number;
  /** Those who waited and got a place, and how long all of them did. */
  waits: number;
  waitedSeconds: number;
  refused: number;
}

interface Waiter {
  enter(): void;
  refuse(): void;
}

/**
 * Shares places: a free one goes to the owner who holds the fewest. So one who wants many has all
 * while nobody else wants any. If the queue is full, the newest of the owner with the most in it
 * gives way to an owner with fewer (decision 43).
 */
export class FairQueue {
  private readonly held = new Map<string, number>();
  /** By owner; whoever was served last is at the end. */
  private readonly queues = new Map<string, Waiter[]>();
  private inside = 0;
  private waitingNow = 0;
  private waits = 0;
  private waitedMs = 0;
  private refused = 0;

  constructor(private readonly options: FairQueueOptions) {}

  get waitingCount(): number {
    return this.waitingNow;
  }

  get standing(): QueueStanding {
    const { inside, waitingNow: waiting, waits, waitedMs, refused } = this;
    return { inside, waiting, waits, waitedSeconds: waitedMs / 1000, refused };
  }

  /** Undefined: there was a place at once. Each `enter` that succeeds wants one `leave`. */
  enter(owner: string): Promise<void> | undefined {
    if (this.inside < this.options.places && this.mayHaveMore(owner)) {
      this.take(owner);
      return undefined;
    }
    if (!this.hasRoomFor(owner)) {
      this.refused += 1;
      return Promise.reject(this.options.refusal());
    }
    return this.wait(owner);
  }

  leave(owner: string): void {
    const left = this.heldBy(owner) - 1;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    this.inside -= 1;
    const next = this.nextOwner();
    if (next !== undefined) this.queues.get(next)?.[0]?.enter();
  }

  /** Nobody waits any longer. */
  refuseAll(): void {
    for (const queue of this.queues.values()) while (queue.length > 0) queue[0]?.refuse();
  }

  private async wait(owner: string): Promise<void> {
    const begunAt = performance.now();
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(owner) ?? [];
      this.queues.set(owner, queue);
      const leaveQueue = () => {
        clearTimeout(timer);
        queue.splice(queue.indexOf(waiter), 1);
        this.waitingNow -= 1;
        if (queue.length === 0) this.queues.delete(owner);
      };
      const waiter: Waiter = {
        enter: () => {
          leaveQueue();
          this.waits += 1;
          this.waitedMs += performance.now() - begunAt;
          this.moveToTheEnd(owner);
          this.take(owner);
          resolve();
        },
        refuse: () => {
          leaveQueue();
          this.refused += 1;
          reject(this.options.refusal());
        },
      };
      const { waitMs } = this.options;
      const timer = waitMs === undefined ? undefined : setTimeout(() => waiter.refuse(), waitMs);
      queue.push(waiter);
      this.waitingNow += 1;
    });
  }

  private hasRoomFor(owner: string): boolean {
    if (this.waitingNow < this.options.waiting) return true;
    let longest: Waiter[] = [];
    for (const queue of this.queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= (this.queues.get(owner)?.length ?? 0) + 1) return false;
    longest.at(-1)?.refuse();
    return true;
  }

  private nextOwner(): string | undefined {
    let next: string | undefined;
    let fewest = this.options.each ?? Infinity;
    for (const owner of this.queues.keys()) {
      const held = this.heldBy(owner);
      if (held < fewest) [next, fewest] = [owner, held];
    }
    return next;
  }

  private moveToTheEnd(owner: string): void {
    const queue = this.queues.get(owner);
    if (!queue) return;
    this.queues.delete(owner);
    this.queues.set(owner, queue);
  }

  private take(owner: string): void {
    this.held.set(owner, this.heldBy(owner) + 1);
    this.inside += 1;
  }

  private heldBy(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  private mayHaveMore(owner: string): boolean {
    return this.heldBy(owner) < (this.options.each ?? Infinity);
  }
}
