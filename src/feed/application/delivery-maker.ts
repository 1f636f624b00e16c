import { Injectable } from '@nestjs/common';
import { EventMarks } from '../../events/index.js';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveryQueueRepository } from '../infrastructure/delivery-queue.repository.js';
import { TYPES_BY_SCOPE } from '../wire/event-types.js';

/** Makes deliveries of events, in the order in which those were committed. */
@Injectable()
export class DeliveryMaker {
  constructor(
    private readonly marks: EventMarks,
    private readonly uow: UnitOfWork,
    private readonly queues: DeliveryQueueRepository,
    private readonly clock: Clock,
  ) {}

  /** From now on a restore is noticed. */
  async begin(): Promise<void> {
    await this.uow.run(async (tx) => this.marks.keepHistory(tx, 'deliveries'));
  }

  /** @returns whether there may be more */
  async make(): Promise<boolean> {
    return this.makeAs('pending');
  }

  /**
   * After a restore: those on their way, and those that would be now, may have left before. They
   * wait for the operator's word.
   */
  async hold(): Promise<void> {
    while (await this.makeAs('held'));
    await this.uow.run(async (tx) => {
      this.queues.hold(tx);
      this.marks.keepHistory(tx, 'deliveries');
    });
  }

  private async makeAs(status: 'pending' | 'held'): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const wantedFrom = await this.queues.wantedFrom(tx);
      if (wantedFrom !== undefined) await this.marks.passOver(tx, 'deliveries', wantedFrom);
      const window = await this.marks.next(tx, 'deliveries');
      if (!window) return false;
      await this.queues.make(tx, window, TYPES_BY_SCOPE, status, this.clock.serverNow());
      this.marks.finish(tx, window, true);
      return window.hasMore;
    });
  }
}
