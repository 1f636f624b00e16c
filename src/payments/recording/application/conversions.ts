import { Injectable } from '@nestjs/common';
import { ExchangeRatesRepository } from '../../../books/index.js';
import type { Currency } from '../../../kernel/currency.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import {
  assertForeign,
  type Conversion,
  conversionAt,
  type ForeignMoney,
} from '../domain/conversion.js';

/** Finds what money in another currency is worth. It writes nothing. */
@Injectable()
export class Conversions {
  constructor(private readonly rates: ExchangeRatesRepository) {}

  /**
   * At the rate that the caller states, else at that of the account's table for the day of `at`.
   */
  async convert(
    tx: Tx,
    accountId: Uuid,
    foreign: ForeignMoney,
    into: Currency,
    at: Date,
  ): Promise<Conversion> {
    assertForeign(foreign, into);
    const found =
      foreign.rate === null
        ? await this.rates.findBetween(tx, accountId, foreign.currency, into, at)
        : null;
    return conversionAt(foreign, found, into);
  }
}
