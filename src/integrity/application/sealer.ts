import { Injectable } from '@nestjs/common';
import { Jobs } from '../../platform/jobs.js';
import { Log } from '../../platform/observability/log.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { publicId } from '../../kernel/ids.js';
import { LossWatch } from './loss-watch.js';
import { SealBacklog } from './seal-backlog.js';
import { SealHeadsFile } from '../infrastructure/heads-file.repository.js';
import { SealsRepository } from '../infrastructure/seals.repository.js';

/** As one statement: its window is several. */
const SEALING = { 'db.system.name': 'postgresql', 'db.operation.name': 'INSERT' };

/** Seals what was written, every few seconds; of several processes whichever comes first. */
@Injectable()
export class Sealer {
  constructor(
    private readonly seals: SealsRepository,
    private readonly file: SealHeadsFile,
    private readonly backlog: SealBacklog,
    private readonly losses: LossWatch,
    private readonly metrics: Metrics,
    private readonly log: Log,
    jobs: Jobs,
  ) {
    const failure = 'sealing failed; the next round tries again';
    jobs.every(
      ({ sealSeconds }) => sealSeconds * 1000,
      failure,
      () => this.seal(),
      { name: 'seals' },
    );
  }

  /** One round. */
  async seal(): Promise<void> {
    if (await this.losses.isHeld()) return this.backlog.tell();
    const heads = await tracing.span('INSERT seals', SEALING, async (span) => {
      const sealed = await this.seals.sealNext();
      span.set({ 'db.response.rows': sealed.length });
      return sealed;
    });
    for (const { accountId, sequence, digest, rows } of heads) {
      this.metrics.countSealed(Number(rows));
      const account = publicId('acc', accountId);
      this.log.info({ account, sequence: Number(sequence), digest, rows: Number(rows) }, 'sealed');
    }
    await this.file.keep(heads);
    await this.backlog.tell();
  }
}
