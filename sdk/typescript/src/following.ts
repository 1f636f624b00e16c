import { QuittanceConnectionError, RefusedCall } from './failures.js';
import { growingPauseMs, pause } from './pauses.js';
import { framesOf } from './frames.js';

/** The service sends something every ten seconds; a connection this silent is dead. */
const SILENT_MS = 35_000;

/** Opens the stream at a place. */
export type OpenStream = (after: string) => Promise<ReadableStream<Uint8Array>>;

/** Events as they happen, for ever: a connection that ends is opened anew, and no event is passed over. */
export class Following<Event> implements AsyncIterable<Event> {
  private behind: string;

  constructor(
    private readonly open: OpenStream,
    after: string,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.behind = after;
  }

  /**
   * The place behind the event that came last. Keep it with your own work, and begin there the next
   * time: `follow({ after: place })`.
   */
  get place(): string {
    return this.behind;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    for (let failures = 0; ; failures += 1) {
      const stream = await this.open(this.behind).catch(passing);
      if (stream) {
        for await (const { id, data } of framesOf(stream, SILENT_MS, this.signal)) {
          failures = 0;
          if (id !== undefined) this.behind = id;
          if (data !== undefined) yield JSON.parse(data) as Event;
        }
      }
      this.signal?.throwIfAborted();
      await pause(growingPauseMs(failures), this.signal);
    }
  }
}

/** @throws an error that stays the same however often it is tried */
function passing(error: unknown): undefined {
  const isPassing =
    error instanceof QuittanceConnectionError ||
    (error instanceof RefusedCall && (error.status === 429 || error.status >= 500));
  if (!isPassing) throw error;
}
