import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../port/domain/gateway.js';
import type { NamedInPayout } from '../../port/domain/payout-line.js';
import type { KeptDelivery, NamedPayout, ReportNames } from '../domain/gateway-delivery.js';
import type { ProviderPayout } from '../../port/domain/provider-report.js';
import { payoutsWaitingFor } from '../infrastructure/awaited-payout.repository.js';
import { ProviderReportRepository } from '../../port/infrastructure/provider-report.repository.js';

/** The module of payouts, as this one sees it. */
interface PayoutBooks {
  /** Books a payout, once however often it is told. @returns why it cannot be; null: it is booked */
  book(gateway: Gateway, told: ProviderPayout): Promise<string | null>;
  /** A payment or refund is in the books that a payout named before. */
  goOn(gateway: Gateway, providerPayoutId: string): Promise<void>;
  /** All that are recorded under these ids of the provider's, those that were wrong among them. */
  find(accountId: Uuid, gateway: string, payoutIds: readonly string[]): Promise<NamedPayout[]>;
}

type NamesOfPayouts = Pick<KeptDelivery, 'accountId' | 'gateway'> & {
  names: readonly Pick<ReportNames, 'payout'>[];
};

/** A transaction has room for so many locks. */
const LOCKS_AT_ONCE = 500;

/** Payouts that providers report. The module of payouts stands to the right, and takes them here. */
@Injectable()
export class ProviderPayouts {
  private books: PayoutBooks | undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: ProviderReportRepository,
  ) {}

  /** @throws Error where somebody takes them already: a payout is booked once */
  takenBy(books: PayoutBooks): void {
    if (this.books) throw new Error('Payouts of providers are taken by another module already.');
    this.books = books;
  }

  /**
   * @returns why a person has to look; null: it is in the books
   * @throws DomainError of kind `unavailable`: to be sent again
   */
  async take(gateway: Gateway, told: ProviderPayout): Promise<string | null> {
    return this.taker().book(gateway, told);
  }

  /** Goes on with payouts that waited for these, which are in the books now. */
  async meet(gateway: Gateway, names: readonly NamedInPayout[]): Promise<void> {
    for (const name of names) {
      const waiting = await this.uow.run(async (tx) => payoutsWaitingFor(tx, gateway.name, name));
      for (const one of waiting) await this.taker().goOn(gateway, one);
    }
  }

  /**
   * Waits for reports of these payments that are being booked. Later ones find what was kept of the
   * payout before this.
   */
  async untilTold(gateway: string, names: readonly NamedInPayout[]): Promise<void> {
    const payments = names.filter(({ kind }) => kind === 'payment');
    const ids = [...new Set(payments.map(({ providerId }) => providerId))].toSorted();
    for (let at = 0; at < ids.length; at += LOCKS_AT_ONCE) {
      await this.uow.run(async (tx) =>
        this.reports.lockAll(tx, gateway, ids.slice(at, at + LOCKS_AT_ONCE)),
      );
    }
  }

  /** Those that a delivery names, also if another one or a person recorded them. */
  async namedIn({ accountId, gateway, names }: NamesOfPayouts): Promise<readonly NamedPayout[]> {
    const ids = new Set(names.flatMap(({ payout }) => payout ?? []));
    return ids.size === 0 ? [] : this.taker().find(accountId, gateway, [...ids]);
  }

  private taker(): PayoutBooks {
    if (!this.books) throw new Error('nobody takes payouts');
    return this.books;
  }
}
