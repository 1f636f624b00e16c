import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Log } from '../../platform/observability/log.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { SealHeadsFile } from './seal-heads-file.js';
import { SealsRepository } from './seals.repository.js';

/** A seal that waits so long is held back by a transaction that somebody left open. */
const LATE_SECONDS = 60;

/** Seals what was written, every few seconds; of several processes whichever comes first. */
@Injectable()
export class Sealer implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;

  constructor(
    private readonly seals: SealsRepository,
    private readonly file: SealHeadsFile,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly log: Log,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.sealSeconds * 1000;
    if (everyMs > 0) this.timer = setInterval(() => this.tick(), everyMs).unref();
  }

  /** A window that was begun is finished first. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** The first window of a large database takes longer than the interval: never two at once. */
  private tick(): void {
    this.running ??= this.seal().finally(() => (this.running = undefined));
  }

  /** One round. */
  async seal(): Promise<void> {
    try {
      const heads = await this.seals.sealNext();
      for (const { accountId, sequence, digest, rows } of heads) {
        this.metrics.countSealed(Number(rows));
        const account = publicId('acc', accountId);
        this.log.info(
          { account, sequence: Number(sequence), digest, rows: Number(rows) },
          'sealed',
        );
      }
      await this.file.keep(heads);
      await this.tellWhatWaits();
    } catch (error) {
      this.log.warn({ error }, 'sealing failed; the next round tries again');
    }
  }

  /** A change of an unsealed row leaves no trace, so it matters how long one stays so. */
  private async tellWhatWaits(): Promise<void> {
    const oldest = await this.seals.oldestUnsealed();
    const now = this.clock.now().getTime();
    const seconds = oldest ? Math.max(0, (now - oldest.getTime()) / 1000) : 0;
    this.metrics.setUnsealed(seconds);
    if (seconds < Math.max(LATE_SECONDS, 3 * this.config.sealSeconds)) return;
    const hint = 'end the transaction that is open the longest; pg_stat_activity shows it';
    this.log.warn({ seconds: Math.round(seconds), hint }, 'sealing is held back');
  }
}
