import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from './provider-api.js';

/** Objects that are looked up now, or were a moment ago. */
const MOST_OBJECTS = 64;
const BETWEEN_MS = 1000;

interface Turn<Found> {
  /** Kept when its look-up has ended, and some time is over. */
  free: Promise<void>;
  /** The look-up after this one, shared by all who asked since this one began. */
  next?: Promise<Found>;
}

/**
 * Keeps look-ups few although anybody may ask for them. An object has one at a time, and a pause
 * after it. All who ask meanwhile share the next one. They do not share the one under way: it may
 * have read the object before that happened which they were told of (decision 153).
 */
export class ObjectLookUps<Found> {
  private readonly turns = new Map<string, Turn<Found>>();

  constructor(
    private readonly provider: string,
    private readonly lookUp: (id: string) => Promise<Found>,
    private readonly betweenMs = BETWEEN_MS,
  ) {}

  /** @throws DomainError `unavailable` / `gateway_unavailable` when too many are looked up already */
  async of(id: string): Promise<Found> {
    const turn = this.turns.get(id);
    if (turn) return (turn.next ??= turn.free.then(async () => this.start(id)));
    if (this.turns.size >= MOST_OBJECTS) throw unavailable(this.provider);
    return this.start(id);
  }

  private async start(id: string): Promise<Found> {
    const found = this.lookUp(id);
    const turn: Turn<Found> = { free: this.pause(id, found) };
    this.turns.set(id, turn);
    return found;
  }

  private async pause(id: string, found: Promise<Found>): Promise<void> {
    await Promise.allSettled([found]);
    if (this.betweenMs > 0) await sleep(this.betweenMs, undefined, { ref: false });
    if (!this.turns.get(id)?.next) this.turns.delete(id);
  }
}
