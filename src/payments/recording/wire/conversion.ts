import { z } from 'zod';
import { Money } from '../../../kernel/money.js';
import {
  type Conversion,
  type CountedAs,
  type ForeignField,
  type ForeignMoney,
  RATE_ORIGINS,
} from '../domain/conversion.js';
import { minorUnits, day, currency } from '../../../platform/http/validation/answer-fields.js';
import { answerShape, requestShape } from '../../../platform/http/validation/shapes.js';
import { rateText } from '../../../books/index.js';
import { Decimal } from '../../../kernel/decimal.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { amountMinor } from '../../../platform/http/validation/fields.js';
import { currencyCode, shortText } from '../../../platform/http/validation/text-fields.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

/** Money in another currency than that of the amount. */
export const ForeignMoneyRequest = requestShape('ForeignMoneyRequest', {
  amount: amountMinor({ description: 'In the minor unit of its own currency.', example: 27200 }),
  currency: currencyCode({ example: 'USD' }),
  exchange_rate: rateText({
    optional: true,
    example: '0.9195',
    description:
      'What one unit of it is worth in the currency of the amount. Default: the rate of ' +
      '`/v1/finance/exchange-rates` for that day, at most a week old.',
  }),
  rate_source: shortText({
    max: 100,
    optional: true,
    example: 'Commerzbank',
    description: 'Who says so.',
  }),
});
export type ForeignMoneyRequest = z.output<typeof ForeignMoneyRequest>;

/** The amount that money counts for in another currency than its own. */
export const CountsAsRequest = requestShape('CountsAsRequest', {
  amount: amountMinor({ description: 'In the minor unit of the currency that it counts in.' }),
  currency: currencyCode({ description: 'The currency of the documents.' }),
  exchange_rate: rateText({
    optional: true,
    example: '0.9195',
    description:
      'What one unit of the money is worth in that currency. Default: the rate of ' +
      '`/v1/finance/exchange-rates` for that day, at most a week old.',
  }),
  rate_source: shortText({
    max: 100,
    optional: true,
    example: 'Commerzbank',
    description: 'Who says so.',
  }),
});
export type CountsAsRequest = z.output<typeof CountsAsRequest>;

/** @throws DomainError `required` where a source has no rate */
export function countedIn(body: CountsAsRequest | null | undefined): CountedAs | null {
  return foreignIn(body, 'counts_as');
}

/** @throws DomainError `required` where a source has no rate */
export function foreignIn(
  body: ForeignMoneyRequest | null | undefined,
  field: ForeignField,
): ForeignMoney | null {
  if (body == null) return null;
  const { amount, currency, exchange_rate: rate, rate_source: source } = body;
  if (rate == null && source != null) throw rateWithoutNumber(field);
  return {
    amountMinor: BigInt(amount),
    currency,
    rate: rate == null ? null : Decimal.parse(String(rate)),
    rateSource: source ?? null,
    field,
  };
}

function rateWithoutNumber(field: ForeignField): DomainError {
  const detail = `${field}.exchange_rate is required with rate_source; the table has its own sources.`;
  return FieldRefusal.required.at(`/${field}/exchange_rate`, detail);
}

/** Money in another currency, and what it was worth. */
export const ConversionBody = answerShape('ConversionBody', {
  amount: minorUnits.describe('In the minor unit of its own currency.'),
  currency: currency.meta({ example: 'USD' }),
  exchange_rate: z
    .string()
    .meta({ example: '0.9195', description: 'What one unit of it was worth.' }),
  rate_from: z.enum(RATE_ORIGINS).meta({ description: 'Whether the rate came with the request.' }),
  rate_source: z.string().nullable(),
  rate_date: day.nullable(),
  worth: minorUnits.describe('What all of it was worth, in the currency of the payment.'),
  exchange_gain: minorUnits.describe(
    'What it brought beyond what it counts for; below zero: a loss.',
  ),
});
export type ConversionBody = z.output<typeof ConversionBody>;

/** The public form. Amounts in minor units. @param gain below zero: a loss */
export function presentConversion(
  conversion: Conversion | null,
  gain: (worth: Money) => Money,
): ConversionBody | null {
  if (!conversion) return null;
  const { money, rate, worth, rateFrom, rateSource, rateDay } = conversion;
  return {
    amount: money.toMinorNumber(),
    currency: money.currency,
    exchange_rate: rate.toString(),
    rate_from: rateFrom,
    rate_source: rateSource,
    rate_date: rateDay,
    worth: worth.toMinorNumber(),
    exchange_gain: gain(worth).toMinorNumber(),
  };
}
