import { z } from 'zod';
import { answerShape } from '../../platform/http/validation/shapes.js';
import type { BaseRate } from '../domain/base-currency.js';

/** The rate of figures in the base currency. */
export const BaseRateBody = answerShape('BaseRateBody', {
  rate: z
    .string()
    .meta({ example: '0.9195', description: 'What one unit is worth in the base currency.' }),
  rate_day: z.string().nullable().meta({
    format: 'date',
    description: 'The day that the rate is of; null for the base currency itself.',
  }),
  rate_source: z.string().nullable().meta({ example: 'ECB' }),
});
export type BaseRateBody = z.output<typeof BaseRateBody>;

/** Sums in the base currency. */
export const BaseSumsBody = answerShape('BaseSumsBody', {
  currency: z.string().meta({ example: 'EUR' }),
  without_rate: z.array(z.string()).meta({
    example: ['JPY'],
    description: 'Currencies that have no rate. Their figures are in no sum here.',
  }),
});
export type BaseSumsBody = z.output<typeof BaseSumsBody>;

export const presentBaseRate = ({ rate, day, source }: BaseRate): BaseRateBody => ({
  rate: rate.toString(),
  rate_day: day,
  rate_source: source,
});

/** How a line says its figures in the base currency. */
export const IN_BASE = 'The same in the base currency; null where no rate is known.';
