import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { HeldWork } from '../../../../platform/held-work.js';
import { Figures } from '../../../../platform/observability/figures.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';

/** Refunds that no provider is known to have, and that are not sent again since a restore. */
@Injectable()
export class HeldRefunds {
  constructor(
    private readonly work: HeldWork,
    private readonly refunds: RefundRepository,
    private readonly clock: Clock,
    figures: Figures,
  ) {
    figures.measureHeld(
      {
        name: 'refunds_held',
        help: 'Refunds that wait for `cli release --refunds` since the database was restored.',
        says: 'Refunds are held since a restore',
      },
      async () => {
        const { held, count } = await this.survey();
        return held ? count : 0;
      },
    );
  }

  /** @returns whether they wait, how many, and since when the oldest is asked for */
  async survey(): Promise<{ held: boolean; count: number; oldest: Date | null }> {
    return { held: await this.work.isHeld('refunds'), ...(await this.refunds.unplaced()) };
  }

  /** Those that their provider does not have are sent, under the key of then. */
  async release(): Promise<void> {
    await this.work.release('refunds');
    await this.refunds.lookAtUnplaced(this.clock.serverNow());
  }
}
