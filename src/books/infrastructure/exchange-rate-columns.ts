import type { Currency } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import type { Row } from '../../platform/database/row.js';
import type { RecordedRate } from '../domain/exchange-rate.js';

export interface RateColumns extends Omit<
  Row<'exchange_rates', { base: Currency; quote: Currency }>,
  'account_id' | 'client_id' | 'rate' | 'xact'
> {
  /** @derived */
  price: string;
  /** @derived */
  is_current: boolean;
}

/** Of `exchange_rates r`. */
export const RATE_COLUMNS = `r.rate_id, r.day, r.base, r.quote, r.revision, trim_scale(r.rate)::text AS price,
  r.source, r.recorded_at`;

export function toRate(row: RateColumns): RecordedRate {
  return {
    day: row.day,
    base: row.base,
    quote: row.quote,
    revision: row.revision,
    rate: Decimal.parse(row.price),
    source: row.source,
    isCurrent: row.is_current,
    recordedAt: row.recorded_at,
  };
}
