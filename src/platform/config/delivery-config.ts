import { z } from 'zod';

/** As Standard Webhooks proposes them: 5 s, 5 min, 30 min, 2, 5, 10, 14, 20, 24 h. */
const AS_PROPOSED = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Waits after each try of a delivery that failed. */
export const deliveryRetrySeconds = z
  .string()
  .regex(/^\d{1,6}(,\d{1,6}){0,19}$/, 'must be 1 to 20 whole numbers of seconds, with commas')
  .transform((text) => text.split(',').map(Number))
  .default(AS_PROPOSED);
