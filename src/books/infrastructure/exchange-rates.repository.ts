import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  type ExchangeRate,
  type FoundRate,
  RATE_HOLDS_DAYS,
  rateBetween,
  type RecordedRate,
} from '../domain/exchange-rate.js';
import { RATE_COLUMNS, type RateColumns, toRate } from './exchange-rate-columns.js';

/** Rates of exchange: they only ever grow. */
@Injectable()
export class ExchangeRatesRepository {
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

  /** The rate that holds on a day, or that of an instant, also by way of the base currency. */
  async findBetween(
    tx: Tx,
    accountId: Uuid,
    from: Currency,
    to: Currency,
    at: Date | IsoDate,
  ): Promise<FoundRate | null> {
    const day =
      at instanceof Date ? '($4::timestamptz AT TIME ZONE a.time_zone)::date' : '$4::date';
    const rows = await tx.read<RateColumns & { base_currency: Currency }>(
      `SELECT DISTINCT ON (r.base, r.quote) ${RATE_COLUMNS}, true AS is_current, a.base_currency
       FROM accounts a JOIN exchange_rates r USING (account_id)
       WHERE a.account_id = $1 AND r.base IN ($2, $3, a.base_currency)
         AND r.quote IN ($2, $3, a.base_currency)
         AND r.day <= ${day} AND r.day > ${day} - $5::integer
       ORDER BY r.base, r.quote, r.day DESC, r.revision DESC`,
      [accountId, from, to, at, RATE_HOLDS_DAYS],
    );
    return rateBetween(rows.map(toRate), from, to, rows[0]?.base_currency ?? from);
  }

  /** The account must be locked: its key lets each revision be said once. */
  insert(tx: Tx, accountId: Uuid, clientId: Uuid, rates: readonly RecordedRate[]): void {
    const [first] = rates;
    if (!first) return;
    tx.insertLists(
      'exchange_rates',
      { account_id: accountId, client_id: clientId, recorded_at: first.recordedAt },
      rates.map(({ day, base, quote, revision, rate, source }) => ({
        rate_id: tx.newId(),
        day,
        base,
        quote,
        revision,
        rate: rate.toString(),
        source,
      })),
    );
  }
}
