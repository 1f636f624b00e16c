import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Log } from '../../platform/observability/log.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { publicId } from '../../kernel/ids.js';
import { SealHeadsFile } from './seal-heads-file.js';
import { SealsRepository } from './seals.repository.js';

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
    } catch (error) {
      this.log.warn({ error }, 'sealing failed; the next round tries again');
    }
  }
}
