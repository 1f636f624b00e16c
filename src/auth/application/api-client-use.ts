import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/observability/log.js';
import { writeApiClientUse } from '../infrastructure/api-client-use.repository.js';

const EVERY_MS = 60_000;

/** When each client was last seen, written once a minute, beside the requests. */
@Injectable()
export class ApiClientUse implements OnApplicationBootstrap, OnModuleDestroy {
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

  async write(): Promise<void> {
    if (this.seen.size === 0) return;
    const { seen } = this;
    this.seen = new Map();
    try {
      await writeApiClientUse(this.database, seen);
    } catch (error) {
      this.log.warn({ error }, 'the last use of clients could not be written');
    }
  }
}
