import { ApiProperty } from '@nestjs/swagger';
import type { BaseRate } from '../domain/base-currency.js';

/** The rate of figures in the base currency. */
export class BaseRateBody {
  @ApiProperty({ example: '0.9195', description: 'What one unit is worth in the base currency.' })
  rate!: string;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day that the rate is of; null for the base currency itself.',
  })
  rate_day!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'ECB' }) rate_source!: string | null;
}

/** Sums in the base currency. */
export class BaseSumsBody {
  @ApiProperty({ example: 'EUR' }) currency!: string;
  @ApiProperty({
    type: [String],
    example: ['JPY'],
    description: 'Currencies that have no rate. Their figures are in no sum here.',
  })
  without_rate!: string[];
}

export const presentBaseRate = ({ rate, day, source }: BaseRate): BaseRateBody => ({
  rate: rate.toString(),
  rate_day: day,
  rate_source: source,
});

/** How a line says its figures in the base currency. */
export const IN_BASE = 'The same in the base currency; null where no rate is known.';
