import http from 'node:http';
import type { EventBody } from '../../src/feed/wire/event.js';
import type { TestClient } from '../support/client.js';

/** A stream sends events, and places alone. */
export interface Frame {
  id: string;
  event: EventBody | null;
}

/** A stream of Server-Sent Events, read as the standard says (WHATWG HTML 9.2). */
export class EventStream {
  readonly frames: Frame[] = [];
  /** Milliseconds after which a client connects anew. */
  retryMs = 0;
  /** Once nothing more comes. */
  readonly ended: Promise<void>;
  private text = '';
  private readonly watchers = new Set<() => void>();

  private constructor(private readonly answer: http.IncomingMessage) {
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => this.take(chunk));
    this.ended = new Promise((resolve) => answer.once('close', () => resolve()));
    answer.on('error', () => undefined);
  }

  /** @throws with status and body where it is no stream */
  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(url, { headers, agent: false }, resolve).on('error', reject);
    });
    const { statusCode, headers: told } = answer;
    if (statusCode === 200 && told['content-type']?.startsWith('text/event-stream')) {
      return new EventStream(answer);
    }
    const chunks = await answer.toArray();
    throw new Error(`${statusCode}: ${Buffer.concat(chunks as Buffer[]).toString()}`);
  }

  /** @param last the place to go on from, as the header has it */
  static async of(
    { url }: { url: string },
    by: TestClient,
    { query = '', last }: { query?: string; last?: string | undefined } = {},
  ): Promise<EventStream> {
    const headers = {
      authorization: `Bearer ${await by.bearer()}`,
      ...(last !== undefined && { 'last-event-id': last }),
    };
    return EventStream.open(`${url}/v1/events/stream?${query}`, headers);
  }

  get events(): EventBody[] {
    return this.frames.flatMap(({ event }) => event ?? []);
  }

  /** The place of the last frame, as a client sends it back. */
  get last(): string | undefined {
    return this.frames.at(-1)?.id;
  }

  /** Until something holds of what came. */
  async until(holds: (stream: this) => boolean): Promise<this> {
    if (holds(this)) return this;
    return new Promise((resolve) => {
      const look = () => {
        if (!holds(this)) return;
        this.watchers.delete(look);
        resolve(this);
      };
      this.watchers.add(look);
    });
  }

  close(): void {
    this.answer.destroy();
  }

  private take(chunk: string): void {
    const frames = `${this.text}${chunk}`.split('\n\n');
    this.text = frames.pop() ?? '';
    for (const frame of frames) {
      const fields = new Map(
        frame.split('\n').map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
        }),
      );
      const data = fields.get('data');
      if (fields.has('retry')) this.retryMs = Number(fields.get('retry'));
      const id = fields.get('id');
      if (id !== undefined) {
        this.frames.push({
          id,
          event: data === undefined ? null : (JSON.parse(data) as EventBody),
        });
      }
    }
    for (const look of this.watchers) look();
  }
}
