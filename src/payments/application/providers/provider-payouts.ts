import { Injectable } from '@nestjs/common';
import type { Gateway } from '../../domain/gateway.js';
import type { ProviderPayout } from '../../domain/provider-report.js';

/** Books a payout, once however often it is told. @returns why it cannot be; null: it is booked */
type BookPayout = (gateway: Gateway, told: ProviderPayout) => Promise<string | null>;

/** Payouts that providers report. The module of payouts stands to the right, and takes them here. */
@Injectable()
export class ProviderPayouts {
  private book: BookPayout | undefined;

  takenBy(book: BookPayout): void {
    this.book = book;
  }

  /**
   * @returns why a person has to look; null: it is in the books
   * @throws DomainError of kind `unavailable`: to be sent again
   */
  async take(gateway: Gateway, told: ProviderPayout): Promise<string | null> {
    if (!this.book) throw new Error('nobody takes payouts');
    return this.book(gateway, told);
  }
}
