import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../../src/demo/demo-account.js';
import type { Supervised } from './supervised.js';

const PAUSE_MS = 100;

class Refused extends Error {}

/** The demo's client of a service that is killed now and then. */
export class PatientCaller {
  private token = '';

  private constructor(
    private readonly url: string,
    private readonly secret: Pick<Demo, 'client_id' | 'client_secret'>,
  ) {}

  static async of(service: Supervised): Promise<PatientCaller> {
    const { client_id, client_secret } = await service.demo();
    const caller = new PatientCaller(service.url, { client_id, client_secret });
    await caller.authenticate();
    return caller;
  }

  /** Sent with one key until it is answered, as a caller should. */
  async call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    return this.repeat(method, path, body, () => this.token);
  }

  private async repeat(
    method: string,
    path: string,
    body: object | undefined,
    token: () => string,
  ): Promise<Record<string, unknown>> {
    const key = randomUUID();
    const headers = () => ({
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      'idempotency-key': key,
      ...(token() && { authorization: `Bearer ${token()}` }),
    });
    for (;;) {
      try {
        const answer = await fetch(`${this.url}${path}`, {
          method,
          headers: headers(),
          ...(body && { body: JSON.stringify(body) }),
        });
        if (answer.ok) return (await answer.json()) as Record<string, unknown>;
        // A run lasts longer than a token.
        if (answer.status === 401 && token()) await this.authenticate();
        else if (answer.status < 500 && answer.status !== 409)
          throw new Refused(await answer.text());
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      await sleep(PAUSE_MS);
    }
  }

  private async authenticate(): Promise<void> {
    const answer = await this.repeat('POST', '/v1/auth/token', this.secret, () => '');
    this.token = answer['access_token'] as string;
  }
}
