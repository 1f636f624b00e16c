import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervised } from './supervised.js';

const PAUSE_MS = 100;

class Refused extends Error {}

/** The demo's client of a service that is killed now and then. */
export class PatientCaller {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  static async of(service: Supervised): Promise<PatientCaller> {
    const { client_id, client_secret } = await service.demo();
    const stranger = new PatientCaller(service.url, '');
    const answer = await stranger.call('POST', '/v1/auth/token', { client_id, client_secret });
    return new PatientCaller(service.url, answer['access_token'] as string);
  }

  /** Sent with one key until it is answered, as a caller should. */
  async call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers = {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      'idempotency-key': randomUUID(),
      ...(this.token && { authorization: `Bearer ${this.token}` }),
    };
    for (;;) {
      try {
        const answer = await fetch(`${this.url}${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        if (answer.ok) return (await answer.json()) as Record<string, unknown>;
        if (answer.status < 500 && answer.status !== 409) throw new Refused(await answer.text());
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      await sleep(PAUSE_MS);
    }
  }
}
