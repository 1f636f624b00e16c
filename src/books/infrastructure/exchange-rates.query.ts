import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { RecordedRate } from '../domain/exchange-rate.js';
import { RATE_COLUMNS, type RateColumns, toRate } from './exchange-rate-columns.js';

export interface RateFilter {
  base?: Currency;
  quote?: Currency;
  /** Both days belong to it. */
  from?: IsoDate;
  to?: IsoDate;
  /** Also those that were replaced. */
  isHistory: boolean;
}

/** The place of a rate in the list. */
export interface RatePlace {
  day: IsoDate;
  id: Uuid;
}

const IS_CURRENT = `NOT EXISTS (SELECT FROM exchange_rates n
  WHERE (n.account_id, n.base, n.quote, n.day) = (r.account_id, r.base, r.quote, r.day)
    AND n.revision > r.revision)`;

const LIST = `SELECT ${RATE_COLUMNS}, ${IS_CURRENT} AS is_current FROM exchange_rates r
  WHERE r.account_id = $1 AND ($2::text IS NULL OR r.base = $2)
    AND ($3::text IS NULL OR r.quote = $3) AND ($4::date IS NULL OR r.day >= $4)
    AND ($5::date IS NULL OR r.day <= $5) AND ($6 OR ${IS_CURRENT})
    AND ($7::date IS NULL OR (r.day, r.rate_id) < ($7, $8::uuid))
  ORDER BY r.day DESC, r.rate_id DESC LIMIT $9`;

/** The table of exchange rates for reading: no locks. */
@Injectable()
export class ExchangeRatesQuery {
  constructor(private readonly database: Database) {}

  /** The first `count` behind a place, newest day first. */
  async list(
    accountId: Uuid,
    filter: RateFilter,
    after: RatePlace | null,
    count: number,
  ): Promise<(RecordedRate & { id: Uuid })[]> {
    const values = valuesOf(accountId, filter, after, count);
    const rows = await this.database.list<RateColumns>(LIST, values);
    return rows.map((row) => ({ id: row.rate_id, ...toRate(row) }));
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: RateFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, valuesOf(accountId, filter, null, most));
  }
}

function valuesOf(
  accountId: Uuid,
  { base, quote, from, to, isHistory }: RateFilter,
  after: RatePlace | null,
  count: number,
): unknown[] {
  return [accountId, base, quote, from, to, isHistory, after?.day, after?.id, count];
}
