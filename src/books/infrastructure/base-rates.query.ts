import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Snapshots } from '../../platform/database/snapshots.js';
import { BaseRates, type RateWish } from '../domain/base-currency.js';
import { type ExchangeRate, RATE_HOLDS_DAYS, rateBetween } from '../domain/exchange-rate.js';
import { closedAt } from '../domain/period.js';
import { RATE_COLUMNS, type RateColumns, toRate } from './exchange-rate-columns.js';
import { closingsIn } from './period-closings.repository.js';

type WishedRate = RateColumns & { wished_day: IsoDate; wished_currency: Currency };

/** The rates at which reports say figures in the base currency: no locks. */
@Injectable()
export class BaseRatesQuery {
  constructor(private readonly snapshots: Snapshots) {}

  /** For a day in a closed month only those count that were told before it was closed. */
  async forReport(accountId: Uuid, wishes: readonly RateWish[]): Promise<BaseRates> {
    return this.snapshots.run(async (read) => {
      const [account] = await read<{ base_currency: Currency; books_open_from: IsoDate }>(
        'SELECT base_currency, books_open_from FROM accounts WHERE account_id = $1',
        [accountId],
      );
      const base = account?.base_currency ?? '';
      const foreign = new Map(
        wishes.filter(({ currency }) => currency !== base).map((wish) => [keyOf(wish), wish]),
      );
      if (!account || foreign.size === 0) return new BaseRates(base, () => null);
      const closings = await closingsIn(read, accountId);
      const wanted = [...foreign.values()];
      // The unique key of revisions finds each rate by itself, however many there are.
      const rows = await read<WishedRate>(
        `SELECT w.day AS wished_day, w.currency AS wished_currency, ${RATE_COLUMNS},
           true AS is_current
         FROM unnest($2::date[], $3::text[], $4::timestamptz[]) AS w (day, currency, closed_at)
         CROSS JOIN LATERAL (VALUES (w.currency, $5), ($5, w.currency)) AS p (base, quote)
         CROSS JOIN LATERAL (
           SELECT * FROM exchange_rates x
           WHERE x.account_id = $1 AND x.base = p.base AND x.quote = p.quote
             AND x.day <= w.day AND x.day > w.day - $6::integer
             AND (w.closed_at IS NULL OR x.recorded_at < w.closed_at)
           ORDER BY x.day DESC, x.revision DESC LIMIT 1) r`,
        [
          accountId,
          wanted.map(({ day }) => day),
          wanted.map(({ currency }) => currency),
          wanted.map(({ day }) => closedAt(day, account.books_open_from, closings)),
          base,
          RATE_HOLDS_DAYS,
        ],
      );
      const known = new Map<string, ExchangeRate[]>();
      for (const row of rows) {
        const key = keyOf({ currency: row.wished_currency, day: row.wished_day });
        known.set(key, [...(known.get(key) ?? []), toRate(row)]);
      }
      return new BaseRates(base, (wish) =>
        rateBetween(known.get(keyOf(wish)) ?? [], wish.currency, base, base),
      );
    });
  }
}

function keyOf({ currency, day }: RateWish): string {
  return `${currency} ${day}`;
}
