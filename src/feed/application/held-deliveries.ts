import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { HeldDeliveriesRepository } from '../infrastructure/held-deliveries.repository.js';

/** Deliveries that wait for the operator's word, since a backup was restored. */
@Injectable()
export class HeldDeliveries {
  constructor(
    private readonly repository: HeldDeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  async count(): Promise<number> {
    return this.repository.count();
  }

  /** They leave now; those that left before the backup was restored have the same ids. */
  async release(): Promise<number> {
    return this.repository.release(this.clock.serverNow());
  }

  /** They never leave, unless somebody asks for one of them. */
  async drop(): Promise<number> {
    return this.repository.drop();
  }
}
