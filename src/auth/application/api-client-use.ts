import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Jobs } from '../../platform/jobs.js';
import { writeApiClientUse } from '../infrastructure/api-client-use.repository.js';

const EVERY_MS = 60_000;

/** When each client was last seen, written once a minute, beside the requests. */
@Injectable()
export class ApiClientUse {
  private seen = new Map<Uuid, Date>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    jobs: Jobs,
  ) {
    const failure = 'the last use of clients could not be written';
    const options = { name: 'use of clients', inEachProcess: true, atStop: 'once more' } as const;
    jobs.every(EVERY_MS, failure, () => this.write(), options);
  }

  note(clientId: Uuid): void {
    if (!this.config.readOnly) this.seen.set(clientId, this.clock.serverNow());
  }

  async write(): Promise<void> {
    if (this.seen.size === 0) return;
    const { seen } = this;
    this.seen = new Map();
    await writeApiClientUse(this.database, seen);
  }
}
