import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ProviderPayouts } from '../../../payments/index.js';
import { PayoutsQuery } from '../../infrastructure/payouts.query.js';
import { LatePayoutLines } from './late-payout-lines.js';
import { ReportedPayoutBooking } from './reported-payout-booking.js';

/**
 * Takes what providers report of payouts. It does not matter whether the report, a file of the provider
 * or a person comes first.
 */
@Injectable()
export class ReportedPayouts implements OnModuleInit {
  constructor(
    private readonly reports: ProviderPayouts,
    private readonly booking: ReportedPayoutBooking,
    private readonly late: LatePayoutLines,
    private readonly query: PayoutsQuery,
  ) {}

  onModuleInit(): void {
    this.reports.takenBy({
      book: async (gateway, told) => this.booking.book(gateway, told),
      complete: async ({ name }, payoutId) => this.late.completeReported(name, payoutId),
      find: async (accountId, gateway, ids) => this.query.named(accountId, gateway, ids),
    });
  }
}
