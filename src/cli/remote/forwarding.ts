import { setTimeout as sleep } from 'node:timers/promises';
import { standardWebhookHeaders } from '../../kernel/standard-webhook.js';
import { fetchAt } from '../../platform/http/outgoing/outgoing-client.js';
import type { FollowedEvent } from './followed-events.js';

const ANSWER_MS = 30_000;
const LONGEST_PAUSE_MS = 30_000;

/** @param text `localhost:4242`, `localhost:4242/hooks` or a whole URL */
export function forwardTarget(text: string): URL {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const isUrl = URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol);
  const target = isUrl ? new URL(whole) : undefined;
  if (!target || target.username !== '' || target.password !== '') {
    throw new Error('--forward-to: must be a host with a port, such as localhost:4242/webhooks.');
  }
  return target;
}

/** Posts events to the one place that somebody named, as an endpoint of ours gets them. */
export class Forwarding {
  private readonly fetch: typeof globalThis.fetch;

  constructor(
    private readonly target: URL,
    private readonly secret: string,
    private readonly tell: (line: string) => void,
  ) {
    // No redirect leads elsewhere.
    this.fetch = fetchAt(target.href);
  }

  /**
   * The status of the answer. While nobody listens there, it is tried again, so that the order stays.
   */
  async forward(event: FollowedEvent): Promise<number> {
    const body = JSON.stringify(event);
    for (let failures = 0; ; failures += 1) {
      try {
        const status = await this.post(event.id, body);
        if (failures > 0) this.tell(`${this.target.host} answers again`);
        return status;
      } catch {
        const pauseMs = Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS);
        this.tell(
          `${event.type} ${event.id}: ${this.target.host} does not answer; again in ${pauseMs / 1000} s`,
        );
        await sleep(pauseMs);
      }
    }
  }

  private async post(id: string, body: string): Promise<number> {
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = standardWebhookHeaders({ id, timestamp, body, secrets: [this.secret] });
    const answer = await this.fetch(this.target.href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.arrayBuffer();
    return answer.status;
  }
}
