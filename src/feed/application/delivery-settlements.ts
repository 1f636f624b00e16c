import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import { tracing } from '../../platform/tracing/tracing.js';
import {
  DeliveryQueueRepository,
  type DeliveryStep,
} from '../infrastructure/delivery-queue.repository.js';

interface Waiting {
  step: DeliveryStep;
  resolve(): void;
  reject(error: unknown): void;
}

/** Writes what became of calls: those that end while one statement is under way go with the next. */
@Injectable()
export class DeliverySettlements {
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(
    private readonly queues: DeliveryQueueRepository,
    private readonly metrics: Metrics,
  ) {}

  /** @returns when it is stored */
  async add(step: DeliveryStep): Promise<void> {
    const stored = async (): Promise<void> =>
      new Promise((resolve, reject) => {
        this.waiting.push({ step, resolve, reject });
        if (!this.isWriting) void tracing.detached(async () => this.write());
      });
    return tracing.span('settle', {}, stored);
  }

  private async write(): Promise<void> {
    this.isWriting = true;
    // Calls that end in this turn go together.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      try {
        await this.queues.settle(group.map(({ step }) => step));
        for (const { step, resolve } of group) {
          this.metrics.countDelivery(step.made.failure ?? 'delivered');
          if (step.status === 'failed') this.metrics.countGivenUpDelivery();
          resolve();
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.isWriting = false;
  }
}
