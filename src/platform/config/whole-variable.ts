import { z } from 'zod';

/** A variable that is a whole number, with its bounds. */
export const wholeVariable = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback);
