import { Injectable } from '@nestjs/common';
import { IdGenerator, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { ExchangeRate, RecordedRate } from '../domain/exchange-rate.js';
import { RATE_COLUMNS, type RateColumns, toRate } from './exchange-rate-columns.js';

/** Rates of exchange: they only ever grow. */
@Injectable()
export class ExchangeRatesRepository {
  constructor(private readonly ids: IdGenerator) {}

  /** The rates that stand for the same days and currencies as some others. */
  async ofSameDays(
    tx: Tx,
    accountId: Uuid,
    rates: readonly ExchangeRate[],
  ): Promise<RecordedRate[]> {
    const rows = await tx.read<RateColumns>(
      `SELECT DISTINCT ON (r.base, r.quote, r.day) ${RATE_COLUMNS}, true AS is_current
       FROM unnest($2::date[], $3::text[], $4::text[]) AS w (day, base, quote)
       JOIN exchange_rates r ON r.account_id = $1
         AND (r.base, r.quote, r.day) = (w.base, w.quote, w.day)
       ORDER BY r.base, r.quote, r.day, r.revision DESC`,
      [
        accountId,
        rates.map(({ day }) => day),
        rates.map(({ base }) => base),
        rates.map(({ quote }) => quote),
      ],
    );
    return rows.map(toRate);
  }

  /** Its key lets each revision be said once: of two at a time, one begins anew. */
  insert(tx: Tx, accountId: Uuid, clientId: Uuid, rates: readonly RecordedRate[]): void {
    const [first] = rates;
    if (!first) return;
    tx.insertLists(
      'exchange_rates',
      { account_id: accountId, client_id: clientId, recorded_at: first.recordedAt },
      {
        rate_id: ['uuid', rates.map(() => this.ids.next())],
        day: ['date', rates.map(({ day }) => day)],
        base: ['text', rates.map(({ base }) => base)],
        quote: ['text', rates.map(({ quote }) => quote)],
        revision: ['integer', rates.map(({ revision }) => revision)],
        rate: ['numeric', rates.map(({ rate }) => rate.toString())],
        source: ['text', rates.map(({ source }) => source)],
      },
    );
  }
}
