import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import type { Gateway } from '../../domain/gateway.js';
import type { KeptDelivery, NamedPayout, ReportNames } from '../../domain/gateway-delivery.js';
import type { ProviderPayout } from '../../domain/provider-report.js';

/** The module of payouts, as this one sees it. */
interface PayoutBooks {
  /** Books a payout, once however often it is told. @returns why it cannot be; null: it is booked */
  book(gateway: Gateway, told: ProviderPayout): Promise<string | null>;
  /** All that are recorded under these ids of the provider's, those that were wrong among them. */
  find(accountId: Uuid, gateway: string, payoutIds: readonly string[]): Promise<NamedPayout[]>;
}

type NamesOfPayouts = Pick<KeptDelivery, 'accountId' | 'gateway'> & {
  names: readonly Pick<ReportNames, 'payout'>[];
};

/** Payouts that providers report. The module of payouts stands to the right, and takes them here. */
@Injectable()
export class ProviderPayouts {
  private books: PayoutBooks | undefined;

  takenBy(books: PayoutBooks): void {
    this.books = books;
  }

  /**
   * @returns why a person has to look; null: it is in the books
   * @throws DomainError of kind `unavailable`: to be sent again
   */
  async take(gateway: Gateway, told: ProviderPayout): Promise<string | null> {
    return this.taker().book(gateway, told);
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
