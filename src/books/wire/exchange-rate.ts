import { z } from 'zod';
import {
  type Field,
  type FieldOptions,
  decimalText,
  nestedList,
} from '../../platform/http/validation/fields.js';
import { answerShape, queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { Decimal } from '../../kernel/decimal.js';
import { currencyCode, shortText } from '../../platform/http/validation/text-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { countedPage, listQuery, wholeList } from '../../platform/http/paging.js';
import { flagParameter } from '../../platform/http/validation/standard-fields.js';
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
export const rateText = <const Options extends FieldOptions>(options: Options) =>
  decimalText({
    ...options,
    min: SMALLEST_RATE,
    max: LARGEST_RATE,
    places: RATE_PLACES,
  }) as Field<string | number, Options>;

const ExchangeRateRequest = requestShape('ExchangeRateRequest', {
  day: dateText({ example: '2026-11-20' }),
  base: currencyCode({ example: 'EUR' }),
  quote: currencyCode({ example: 'USD' }),
  rate: rateText({ example: '1.0875', description: 'What one unit of `base` costs in `quote`.' }),
  source: shortText({ max: 100, example: 'ECB', description: 'Who says so.' }),
});
type ExchangeRateRequest = z.output<typeof ExchangeRateRequest>;

export const PutExchangeRatesRequest = requestShape('PutExchangeRatesRequest', {
  rates: nestedList(() => ExchangeRateRequest, { max: MOST_RATES }),
});
export type PutExchangeRatesRequest = z.output<typeof PutExchangeRatesRequest>;

export const ListExchangeRatesQuery = queryShape({
  ...listQuery(() => ExchangeRateBody).shape,
  base: currencyCode({ optional: true }),
  quote: currencyCode({ optional: true }),
  from: dateText({ optional: true, description: 'The first day.' }),
  to: dateText({ optional: true, description: 'The last day.' }),
  history: flagParameter({ optional: true, description: 'Also rates that were replaced.' }),
});
export type ListExchangeRatesQuery = z.output<typeof ListExchangeRatesQuery>;

const ExchangeRateBody = answerShape('ExchangeRateBody', {
  day: z.string().meta({ format: 'date' }),
  base: z.string().meta({ example: 'EUR' }),
  quote: z.string().meta({ example: 'USD' }),
  rate: z
    .string()
    .meta({ example: '1.0875', description: 'What one unit of `base` costs in `quote`.' }),
  source: z.string().meta({ example: 'ECB' }),
  revision: z.number().meta({ type: 'integer', description: 'Counts what was said of this day.' }),
  is_current: z.boolean().describe('Whether nothing was said of this day later.'),
  recorded_at: z.string().meta({ format: 'date-time' }),
});
type ExchangeRateBody = z.output<typeof ExchangeRateBody>;

export const ExchangeRateList = wholeList('ExchangeRateList', ExchangeRateBody);
export type ExchangeRateList = z.output<typeof ExchangeRateList>;

export const ExchangeRatePage = countedPage('ExchangeRatePage', ExchangeRateBody);
export type ExchangeRatePage = z.output<typeof ExchangeRatePage>;

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
