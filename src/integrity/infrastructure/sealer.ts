import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Jobs } from '../../platform/jobs.js';
import { Log } from '../../platform/observability/log.js';
import { Metrics, secondsSince } from '../../platform/observability/metrics.js';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { SealHeadsFile } from './seal-heads-file.js';
import { SealsRepository } from './seals.repository.js';

/** A seal that waits so long is held back by a transaction that somebody left open. */
const LATE_SECONDS = 60;

/** Seals what was written, every few seconds; of several processes whichever comes first. */
@Injectable()
export class Sealer {
  constructor(
    private readonly seals: SealsRepository,
    private readonly file: SealHeadsFile,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly log: Log,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    const failure = 'sealing failed; the next round tries again';
    jobs.every(config.sealSeconds * 1000, failure, () => this.seal());
  }

  /** One round. */
  async seal(): Promise<void> {
    const heads = await this.seals.sealNext();
    for (const { accountId, sequence, digest, rows } of heads) {
      this.metrics.countSealed(Number(rows));
      const account = publicId('acc', accountId);
      this.log.info({ account, sequence: Number(sequence), digest, rows: Number(rows) }, 'sealed');
    }
    await this.file.keep(heads);
    await this.tellWhatWaits();
  }

  /** A change of an unsealed row leaves no trace, so it matters how long one stays so. */
  private async tellWhatWaits(): Promise<void> {
    const oldest = await this.seals.oldestUnsealed();
    const seconds = secondsSince(oldest, this.clock.serverNow());
    this.metrics.setUnsealed(seconds);
    if (seconds < Math.max(LATE_SECONDS, 3 * this.config.sealSeconds)) return;
    const hint = 'end the transaction that is open the longest; pg_stat_activity shows it';
    this.log.warn({ seconds: Math.round(seconds), hint }, 'sealing is held back');
  }
}
