import { ApiProperty } from '@nestjs/swagger';
import { RateText } from '../../books/index.js';
import { Decimal } from '../../kernel/decimal.js';
import { DomainError } from '../../kernel/domain-error.js';
import { AmountMinor, CurrencyCode, Text } from '../../platform/http/validation/fields.js';
import {
  type CountedAs,
  type ForeignField,
  type ForeignMoney,
  RATE_ORIGINS,
} from '../domain/conversion.js';

/** Money in another currency than that of the amount. */
export class ForeignMoneyRequest {
  @AmountMinor({ description: 'In the minor unit of its own currency.', example: 27200 })
  amount!: number;

  @CurrencyCode({ example: 'USD' })
  currency!: string;

  @RateText({
    optional: true,
    example: '0.9195',
    description:
      'What one unit of it is worth in the currency of the amount. Default: the rate of ' +
      '`/v1/finance/exchange-rates` for that day, at most a week old.',
  })
  exchange_rate?: string | number;

  @Text({ max: 100, optional: true, example: 'Commerzbank', description: 'Who says so.' })
  rate_source?: string;
}

/** The amount that money counts for in another currency than its own. */
export class CountsAsRequest {
  @AmountMinor({ description: 'In the minor unit of the currency that it counts in.' })
  amount!: number;

  @CurrencyCode({ description: 'The currency of the documents.' })
  currency!: string;

  @RateText({
    optional: true,
    example: '0.9195',
    description:
      'What one unit of the money is worth in that currency. Default: the rate of ' +
      '`/v1/finance/exchange-rates` for that day, at most a week old.',
  })
  exchange_rate?: string | number;

  @Text({ max: 100, optional: true, example: 'Commerzbank', description: 'Who says so.' })
  rate_source?: string;
}

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
  return DomainError.invalid('required', `/${field}/exchange_rate`, detail);
}

/** Money in another currency, and what it was worth. */
export class ConversionBody {
  @ApiProperty({ description: 'In the minor unit of its own currency.' }) amount!: number;
  @ApiProperty({ example: 'USD' }) currency!: string;
  @ApiProperty({ example: '0.9195', description: 'What one unit of it was worth.' })
  exchange_rate!: string;
  @ApiProperty({ enum: RATE_ORIGINS, description: 'Whether the rate came with the request.' })
  rate_from!: string;
  @ApiProperty({ type: String, nullable: true }) rate_source!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date' }) rate_date!: string | null;
  @ApiProperty({ description: 'What all of it was worth, in the currency of the payment.' })
  worth!: number;
  @ApiProperty({ description: 'What it brought beyond what it counts for; below zero: a loss.' })
  exchange_gain!: number;
}
