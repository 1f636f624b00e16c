import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/observability/log.js';

const EVERY_MS = 60_000;

/** When each client was last seen, written once a minute, beside the requests. */
@Injectable()
export class ClientUse implements OnApplicationBootstrap, OnModuleDestroy {
  private seen = new Map<Uuid, Date>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  note(clientId: Uuid): void {
    this.seen.set(clientId, this.clock.now());
  }

  /** Waits for nobody: of a client that is being changed, the next minute tells. */
  async write(): Promise<void> {
    if (this.seen.size === 0) return;
    const { seen } = this;
    this.seen = new Map();
    try {
      await this.database.query(
        `WITH free AS (SELECT client_id FROM api_clients WHERE client_id = ANY ($1)
           FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE api_clients c SET last_used_at = greatest(c.last_used_at, seen.at)
         FROM free JOIN unnest($1::uuid[], $2::timestamptz[]) AS seen (client_id, at)
           USING (client_id) WHERE c.client_id = free.client_id`,
        [[...seen.keys()], [...seen.values()]],
      );
    } catch (error) {
      this.log.warn({ error }, 'the last use of clients could not be written');
    }
  }
}
