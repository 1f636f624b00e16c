import { z } from 'zod';
import { type IdPrefix, uuidOf } from '../../../kernel/ids.js';

// Fields that answers and events share. Tools that read the API get their types, and no patterns.

/** 1250 is 12.50 EUR, and 1250 JPY. */
export const minorUnits = z.int().meta({ format: 'int64', minimum: undefined, maximum: undefined });

/** A version, or how often. */
export const count = z.int().meta({ minimum: undefined, maximum: undefined });

/** JSON pointers of fields that differ from before, without what they hold. */
export const changedFields = z
  .array(z.string())
  .meta({ example: ['/name'], description: 'JSON pointers of the fields that changed.' });

/** A time in UTC (RFC 3339). */
export const instant = z.iso.datetime().meta({ format: 'date-time', pattern: undefined });

export const day = z.iso.date().meta({ format: 'date', pattern: undefined });

/** ISO 4217. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ pattern: undefined, example: 'EUR' });

export const publicIdOf = (prefix: IdPrefix) =>
  z
    .string()
    .refine((text) => uuidOf(prefix, text) !== undefined)
    .meta({ example: `${prefix}_01h455vb4pex5vsknk084sn02q` });
