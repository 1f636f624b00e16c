import { Injectable } from '@nestjs/common';
import { NO_ACCOUNT } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Figures } from '../../platform/observability/figures.js';
import { SealsRepository } from './seals.repository.js';
import { lateSealSeconds } from './seal-backlog.js';

const HOUR_SECONDS = 3600;

const LAST_CHECK = `SELECT finished_at AS at, differences::float8 AS differences
  FROM integrity_runs WHERE account_id = $1 ORDER BY started_at DESC LIMIT 1`;

interface LastCheck {
  at: Date;
  differences: number;
}

/** Tells those who watch the service how seals and checks of the books stand. */
@Injectable()
export class BooksFigures {
  constructor(
    private readonly database: Database,
    private readonly seals: SealsRepository,
    private readonly figures: Figures,
    private readonly config: Config,
  ) {
    this.tellSeals();
    this.tellChecks();
  }

  private tellSeals(): void {
    const { figures, seals } = this;
    figures.measureAge(
      {
        name: 'books_unsealed_seconds',
        help: 'Age of the oldest transfer that no seal covers; 0: there is none.',
        signs: [
          {
            state: 'behind',
            above: lateSealSeconds(this.config),
            says: 'Transfers wait for their seal',
            next: 'end the transaction that is open the longest (pg_stat_activity); docs/runbook.md#seals-held-back',
          },
        ],
      },
      () => seals.oldestUnsealed(),
    );
    figures.measureAge(
      {
        name: 'books_last_seal_seconds',
        help: 'Age of the newest seal; 0: there is none yet. Nothing is sealed while nothing is written.',
      },
      () => seals.newest(),
    );
  }

  private tellChecks(): void {
    const { figures, config } = this;
    figures.measure(
      {
        name: 'books_differences',
        help: 'Differences that the last integrity check of all books found; -1 before the first.',
        signs: [
          {
            state: 'failed',
            says: 'Differences that the last check of the books found',
            next: 'cli integrity names them; docs/runbook.md#books-differ',
          },
        ],
      },
      async () => ({ count: (await this.lastCheck())?.differences ?? -1 }),
    );
    const signs =
      config.integrityHours === 0
        ? []
        : [
            {
              state: 'behind' as const,
              above: 2 * config.integrityHours * HOUR_SECONDS,
              says: 'Age of the last check of the books',
              next: 'cli integrity checks now; docs/runbook.md#books-not-checked',
            },
          ];
    figures.measureAge(
      {
        name: 'books_last_check_seconds',
        help: 'Age of the last integrity check of all books; 0: there was none yet.',
        signs,
      },
      async () => (await this.lastCheck())?.at,
    );
  }

  private async lastCheck(): Promise<LastCheck | undefined> {
    const [row] = await this.database.query<LastCheck>(LAST_CHECK, [NO_ACCOUNT]);
    return row;
  }
}
