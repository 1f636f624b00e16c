import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DeliveryQueueRepository } from '../infrastructure/delivery-queue.repository.js';
import { HeldDeliveriesRepository } from '../infrastructure/held-deliveries.repository.js';
import { DeliveryMaker } from './delivery-maker.js';

/** Deliveries that wait for the operator's word, since a backup was restored. */
@Injectable()
export class HeldDeliveries {
  constructor(
    private readonly repository: HeldDeliveriesRepository,
    private readonly queues: DeliveryQueueRepository,
    private readonly maker: DeliveryMaker,
    private readonly clock: Clock,
  ) {}

  async survey(): Promise<{ held: number; oldest: Date | null }> {
    await this.notice();
    return this.repository.survey();
  }

  /** They leave now; those that left before the backup was restored have the same ids. */
  async release(): Promise<number> {
    await this.notice();
    return this.repository.release(this.clock.serverNow());
  }

  /** They never leave, unless somebody asks for one of them. */
  async drop(): Promise<number> {
    await this.notice();
    return this.repository.drop();
  }

  /** A command may come before the first round of those who send. */
  private async notice(): Promise<void> {
    const { isOtherHistory } = await this.queues.look(this.clock.serverNow());
    if (isOtherHistory) await this.maker.hold();
  }
}
