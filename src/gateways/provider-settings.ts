import { z } from 'zod';
import { withoutEndSlashes } from '../kernel/trim-end.js';

/**
 * One secret, or two separated by a comma while they are rotated. An empty one is refused, because
 * an HMAC accepts an empty key and would then verify anybody's signature.
 */
export const Secrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((secrets) => secrets.every((secret) => secret !== ''), 'holds an empty secret')
  .refine((secrets) => secrets.length <= 2, 'holds more than two secrets');

/** The root of a provider's API, without a trailing slash. */
export const ApiBase = z
  .url({ protocol: /^https?$/, error: 'is not an http(s) URL' })
  .transform(withoutEndSlashes);
