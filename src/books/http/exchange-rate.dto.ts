import { ApiProperty } from '@nestjs/swagger';
import { Decimal } from '../../kernel/decimal.js';
import {
  CurrencyCode,
  DateText,
  DecimalText,
  NestedList,
  Text,
} from '../../platform/http/validation/fields.js';
import { CountedEnds, CountedQuery, PageEnds } from '../../platform/http/paging.js';
import { FlagParameter } from '../../platform/http/validation/standard-fields.js';
import {
  type ExchangeRate,
  LARGEST_RATE,
  RATE_PLACES,
  type RecordedRate,
} from '../domain/exchange-rate.js';

const SMALLEST_RATE = `0.${'1'.padStart(RATE_PLACES, '0')}`;
/** All currencies of a central bank, for some days. */
const MOST_RATES = 500;

/** The price of one unit of a currency in another. */
export const RateText = (options: { optional?: boolean; example?: string; description: string }) =>
  DecimalText({ min: SMALLEST_RATE, max: LARGEST_RATE, places: RATE_PLACES, ...options });

class ExchangeRateRequest {
  @DateText({ example: '2026-11-20' })
  day!: string;

  @CurrencyCode({ example: 'EUR' })
  base!: string;

  @CurrencyCode({ example: 'USD' })
  quote!: string;

  @RateText({ example: '1.0875', description: 'What one unit of `base` costs in `quote`.' })
  rate!: string | number;

  @Text({ max: 100, example: 'ECB', description: 'Who says so.' })
  source!: string;
}

export class PutExchangeRatesRequest {
  @NestedList(() => ExchangeRateRequest, { max: MOST_RATES })
  rates!: ExchangeRateRequest[];
}

export class ListExchangeRatesQuery extends CountedQuery {
  @CurrencyCode({ optional: true })
  base?: string;

  @CurrencyCode({ optional: true })
  quote?: string;

  @DateText({ optional: true, description: 'The first day.' })
  from?: string;

  @DateText({ optional: true, description: 'The last day.' })
  to?: string;

  @FlagParameter({ optional: true, description: 'Also rates that were replaced.' })
  history?: boolean;
}

class ExchangeRateBody {
  @ApiProperty({ format: 'date' }) day!: string;
  @ApiProperty({ example: 'EUR' }) base!: string;
  @ApiProperty({ example: 'USD' }) quote!: string;
  @ApiProperty({ example: '1.0875', description: 'What one unit of `base` costs in `quote`.' })
  rate!: string;
  @ApiProperty({ example: 'ECB' }) source!: string;
  @ApiProperty({ type: 'integer', description: 'Counts what was said of this day.' })
  revision!: number;
  @ApiProperty({ description: 'Whether nothing was said of this day later.' }) is_current!: boolean;
  @ApiProperty({ format: 'date-time' }) recorded_at!: string;
}

export class ExchangeRateList extends PageEnds {
  @ApiProperty({ type: [ExchangeRateBody] }) data!: ExchangeRateBody[];
}

export class ExchangeRatePage extends CountedEnds {
  @ApiProperty({ type: [ExchangeRateBody] }) data!: ExchangeRateBody[];
}

export function ratesIn({ rates }: PutExchangeRatesRequest): ExchangeRate[] {
  return rates.map(({ rate, ...told }) => ({ ...told, rate: Decimal.parse(String(rate)) }));
}

export function presentRate(rate: RecordedRate): ExchangeRateBody {
  return {
    day: rate.day,
    base: rate.base,
    quote: rate.quote,
    rate: rate.rate.toString(),
    source: rate.source,
    revision: rate.revision,
    is_current: rate.isCurrent,
    recorded_at: rate.recordedAt.toISOString(),
  };
}
