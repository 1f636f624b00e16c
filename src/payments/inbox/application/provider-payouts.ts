import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../port/domain/gateway.js';
import {
  type NamedInPayout,
  namedInLines,
  type StatedPayoutLine,
} from '../../port/domain/payout-line.js';
import type { KeptDelivery, NamedPayout, ReportNames } from '../domain/gateway-delivery.js';
import type { ProviderPayout } from '../../port/domain/provider-report.js';
import {
  keepPayoutWaits,
  keepToldPayout,
  payoutsWaitingFor,
  toldPayouts,
} from '../infrastructure/awaited-payout.repository.js';
import { closePayoutItem } from '../../recording/infrastructure/unmatched-item.repository.js';
import { ProviderReportRepository } from '../../port/infrastructure/provider-report.repository.js';

/** The module of payouts, as this one sees it. */
interface PayoutBooks {
  /** Books a payout, once however often it is told. @returns why it cannot be; null: it is booked */
  book(gateway: Gateway, told: ProviderPayout): Promise<string | null>;
  /** Books the fees of payments and refunds that a payout named before they were in the books. */
  complete(gateway: Gateway, providerPayoutId: string): Promise<void>;
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
      for (const one of waiting) {
        const told = await this.uow.run(async (tx) => toldPayouts(tx, gateway.name, one));
        for (const payout of told) await this.take(gateway, payout);
        await this.taker().complete(gateway, one);
      }
    }
  }

  /** Keeps a payout until all that it names is told, and waits for what is being told. */
  async keep({ name }: Gateway, told: ProviderPayout): Promise<void> {
    await this.uow.run(async (tx) => keepToldPayout(tx, name, told, tx.now()));
    await this.untilTold(name, told.lines ?? []);
  }

  /** Nobody has to see to a payout that is in the books; it waits for what is unknown of it. */
  booked(
    tx: Tx,
    payout: { accountId: Uuid; gateway: string; providerPayoutId: string },
    unknown: readonly StatedPayoutLine[],
    at: Date,
  ): void {
    const names = namedInLines(unknown);
    if (names.length > 0) keepPayoutWaits(tx, payout, names, at);
    closePayoutItem(tx, payout, at);
  }

  /**
   * Waits for reports of these payments that are being booked. Later ones find what was kept of the
   * payout before this.
   */
  async untilTold(gateway: string, lines: readonly StatedPayoutLine[]): Promise<void> {
    const payments = namedInLines(lines).filter(({ kind }) => kind === 'payment');
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
