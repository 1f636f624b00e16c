import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { DocumentContent } from '../domain/document-view.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** The worth of one unit of a currency in another on a day, as a decimal; null: nobody knows. */
type RateOfDay = (
  tx: Tx,
  accountId: Uuid,
  pair: { from: Currency; to: Currency },
  day: IsoDate,
) => Promise<string | null>;

/** Freezes the rate at which an issued document says its tax in another currency. */
@Injectable()
export class TaxCurrencies {
  private rateOfDay: RateOfDay = () => Promise.resolve(null);

  /** The books, which know rates, stand to the right of documents. */
  askFor(rateOfDay: RateOfDay): void {
    this.rateOfDay = rateOfDay;
  }

  /** @throws DomainError `exchange_rate_missing` */
  async frozen(
    tx: Tx,
    accountId: Uuid,
    content: DocumentContent,
    day: IsoDate,
  ): Promise<DocumentContent> {
    const { tax_currency: other } = content.details;
    if (other === undefined || other.exchange_rate !== undefined) return content;
    const pair = { from: content.total.currency, to: other.currency };
    const rate = await this.rateOfDay(tx, accountId, pair, day);
    if (rate === null) {
      throw DocumentRefusal.exchange_rate_missing.at(
        '/tax_currency/exchange_rate',
        `No rate from ${pair.from} to ${pair.to} is known for ${day}; send exchange_rate, or PUT /v1/finance/exchange-rates.`,
      );
    }
    const tax_currency = { ...other, exchange_rate: rate };
    return { ...content, details: { ...content.details, tax_currency } };
  }
}
