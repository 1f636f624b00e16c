import { Injectable } from '@nestjs/common';
import { ProviderPayouts } from '../../../payments/index.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { completedLines, type Payout } from '../../domain/payouts/payout.js';
import { PayoutRepository } from '../../infrastructure/payout.repository.js';
import { PayoutWriter } from './payout-writer.js';

/** Lines of payouts whose payment or refund is told after them. */
@Injectable()
export class LatePayoutLines {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: PayoutRepository,
    private readonly writer: PayoutWriter,
    private readonly reports: ProviderPayouts,
  ) {}

  /** A payment that is being booked at the same time did not see that the payout waits for it. */
  async afterRecording(payout: Payout): Promise<void> {
    const { unknown } = await this.uow.run(async (tx) => this.repository.unknownLines(tx, payout));
    if (unknown.length === 0) return;
    await this.reports.untilTold(payout.gateway, unknown);
    await this.complete(payout);
  }

  /** Books the fees of what is known by now; what is reversed has none. */
  async complete({ accountId, id }: Pick<Payout, 'accountId' | 'id'>): Promise<void> {
    await this.uow.run(async (tx) => {
      const payout = await this.repository.getForUpdate(tx, accountId, id);
      if (payout.status === 'reversed') return;
      const { unknown, count } = await this.repository.unknownLines(tx, payout);
      const names = unknown.flatMap(({ providerId }) => providerId ?? []);
      const known = await this.repository.known(tx, accountId, payout.gateway, names);
      this.writer.complete(tx, payout, completedLines(unknown, known, count));
    });
  }

  /** The same for all that are recorded of what a provider reports. */
  async completeReported(gateway: string, providerPayoutId: string): Promise<void> {
    const key = { gateway, providerPayoutId };
    const recorded = await this.uow.run(async (tx) => this.repository.recordedAs(tx, key));
    for (const one of recorded) await this.complete(one);
  }
}
