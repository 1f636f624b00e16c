import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { type Job, Jobs } from '../../../../platform/jobs.js';
import type { Gateway } from '../../../port/domain/gateway.js';
import { Gateways } from '../../../port/domain/gateways.js';
import { PaymentListReadRepository } from '../../infrastructure/payment-list-read.repository.js';
import { ProviderPayments } from '../provider-payments.service.js';

const LOOK_EVERY_MS = 600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** A list may take many calls. */
const LEASE_MS = 30 * MINUTE_MS;
/** The newest are left to their events, and to the look-ups of their pages. */
const NEWEST_MS = 10 * MINUTE_MS;
/** Read once more: a payment is listed under the time at which its page was made. */
const OVERLAP_MS = 2 * DAY_MS;

/**
 * Reads the providers' own lists of payments and payouts, once a day. It finds money whose link is
 * unknown here, such as after a backup was restored, and payouts of which no event tells. Money in the
 * books is not booked twice.
 */
@Injectable()
export class PaymentListReads {
  private readonly job: Job;

  constructor(
    private readonly reads: PaymentListReadRepository,
    private readonly gateways: Gateways,
    private readonly payments: ProviderPayments,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    const failure = 'lists of payments could not be read';
    this.job = jobs.every(LOOK_EVERY_MS, failure, () => this.run(), { name: 'payment lists' });
  }

  /** A round now. */
  async begin(): Promise<void> {
    await this.job.begin();
  }

  async run(): Promise<void> {
    for (const gateway of await this.gateways.everywhere()) {
      if (this.job.isStopping) return;
      try {
        await this.read(gateway);
      } catch (error) {
        this.job.failed(error, { gateway: gateway.name });
      }
    }
  }

  /** A list that was not read to its end is read again from where the last whole one ended. */
  private async read(gateway: Gateway): Promise<void> {
    const now = this.clock.serverNow();
    const to = before(now, NEWEST_MS);
    const hasList = gateway.paymentsBetween(to, to) ?? gateway.payoutsBetween(to, to);
    if (!hasList) return;
    const again = before(now, -LEASE_MS);
    const readTo = await this.reads.take(gateway.name, before(now, DAY_MS), now, again);
    if (!readTo) return;
    const from = before(readTo, OVERLAP_MS);
    // Payments first: their fees are booked with the payout only if they are known.
    for (const pages of [gateway.paymentsBetween(from, to), gateway.payoutsBetween(from, to)]) {
      for await (const reports of pages ?? []) {
        if (this.job.isStopping) return;
        await this.payments.receiveAll(gateway, reports);
      }
    }
    await this.reads.plan(gateway.name, to, before(now, -DAY_MS));
  }
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
