import { Injectable } from '@nestjs/common';
import { NO_ACCOUNT } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Figures, secondsSince } from '../../platform/observability/figures.js';
import { LossesRepository } from './losses.repository.js';
import { lateSealSeconds } from '../domain/late-seal.js';
import { SealsRepository } from './seals.repository.js';

const HOUR_SECONDS = 3600;

const LAST_CHECK = `SELECT finished_at AS at, differences::float8 AS differences
  FROM integrity_runs WHERE account_id = $1 AND status = 'finished' ORDER BY finished_at DESC LIMIT 1`;

const DIFFERENCES = {
  name: 'books_differences',
  help: 'Differences that the last integrity check of all books found; -1 before the first.',
  signs: [
    {
      state: 'failed',
      says: 'Differences that the last check of the books found',
      next: 'cli integrity names them; docs/runbook.md#books-differ',
    },
  ],
} as const;

const CHECK_AGE = {
  name: 'books_last_check_seconds',
  help: 'Age of the last integrity check of all books; 0: there was none yet.',
} as const;

const OLD_CHECK = {
  state: 'behind',
  says: 'Age of the last check of the books',
  next: 'cli integrity checks now; docs/runbook.md#books-not-checked',
} as const;

const LOSSES = {
  name: 'history_losses',
  help: 'Losses of a server or a restore that nobody has accepted; nothing is sealed meanwhile.',
  signs: [
    {
      state: 'failed',
      says: 'Losses of history that nobody has accepted',
      next: 'cli integrity --accept-loss, after docs/runbook.md#history-lost',
    },
  ],
} as const;

interface LastCheck {
  /** @notNull One that is finished has it. */
  at: Date;
  differences: number;
}

/** Tells those who watch the service how seals and checks of the books stand. */
@Injectable()
export class BooksFigures {
  constructor(
    private readonly database: Database,
    private readonly seals: SealsRepository,
    losses: LossesRepository,
    private readonly figures: Figures,
    private readonly config: Config,
  ) {
    this.tellSeals();
    this.tellChecks();
    figures.measure(LOSSES, async () => ({ count: (await losses.open()).length }));
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
    const { database, figures, config } = this;
    const signs =
      config.integrityHours === 0
        ? []
        : [{ ...OLD_CHECK, above: 2 * config.integrityHours * HOUR_SECONDS }];
    figures.measureTogether([DIFFERENCES, { ...CHECK_AGE, signs }], async (now) => {
      const [last] = await database.query<LastCheck>(LAST_CHECK, [NO_ACCOUNT]);
      return {
        [DIFFERENCES.name]: { count: last?.differences ?? -1 },
        [CHECK_AGE.name]: { seconds: secondsSince(last?.at, now) },
      };
    });
  }
}
