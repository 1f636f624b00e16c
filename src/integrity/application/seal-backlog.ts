import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Config } from '../../platform/config/config.js';
import { Log } from '../../platform/observability/log.js';
import { secondsSince } from '../../platform/observability/figures.js';
import { lateSealSeconds } from '../domain/late-seal.js';
import { SealsRepository } from '../infrastructure/seals.repository.js';

/** Tells the log what waits for its seal. */
@Injectable()
export class SealBacklog {
  constructor(
    private readonly seals: SealsRepository,
    private readonly config: Config,
    private readonly log: Log,
    private readonly clock: Clock,
  ) {}

  /** A change of an unsealed row leaves no trace, so it matters how long one stays so. */
  async tell(): Promise<void> {
    const oldest = await this.seals.oldestUnsealed();
    const seconds = secondsSince(oldest, this.clock.serverNow());
    if (seconds < lateSealSeconds(this.config)) return;
    const hint = 'end the transaction that is open the longest; pg_stat_activity shows it';
    this.log.warn({ seconds: Math.round(seconds), hint }, 'sealing is held back');
  }
}
