import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '../remote/followed-events.js';
import { RemoteRefused, type RemoteService } from '../remote/remote-service.js';

const MOST_TRIES = 6;
const PAGE = 100;
/** They are about the client, not about the row. */
const OF_THE_CLIENT = new Set([401, 403]);

interface ServicePage<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** The service that is migrated to. It is asked again as long as that may help, and books nothing twice. */
export class PatientService {
  constructor(private readonly service: RemoteService) {}

  /** @throws RemoteRefused, RemoteSilent after several tries */
  async ask<Body>(method: string, path: string, body?: object, name?: string): Promise<Body> {
    const key = name === undefined ? undefined : keyOf(name);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.service.send<Body>(method, path, body, key);
      } catch (error) {
        const pauseMs = pauseAfter(error, tries - 1);
        if (tries === MOST_TRIES) throw error;
        await sleep(pauseMs);
      }
    }
  }

  /** Null: there is none. */
  async find<Body>(path: string): Promise<Body | null> {
    try {
      return await this.ask<Body>('GET', path);
    } catch (error) {
      if (error instanceof RemoteRefused && error.status === 404) return null;
      throw error;
    }
  }

  /** All pages of a list. */
  async *all<Row>(path: string, query: Record<string, string>): AsyncGenerator<Row> {
    let cursor: string | null = null;
    do {
      const asked = { ...query, limit: String(PAGE), ...(cursor !== null && { cursor }) };
      const page: ServicePage<Row> = await this.ask('GET', `${path}?${new URLSearchParams(asked)}`);
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
}

/** Header fields take no letters but ASCII, and ids of other systems have any. */
const keyOf = (name: string) => `migration-${createHash('sha256').update(name).digest('hex')}`;

/** Why the service does not take a row; null where the failure is about no row. */
export function rowRefusal(error: unknown): string | null {
  if (!(error instanceof RemoteRefused)) return null;
  if (OF_THE_CLIENT.has(error.status) || error.status === 429 || error.status >= 500) return null;
  const fields = error.errors.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);
  return fields.length > 0 ? fields.join('; ') : error.message;
}
