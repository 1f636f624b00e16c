import { z } from 'zod';
import { type IdPrefix, uuidOf } from '../../kernel/ids.js';

/** By its name when an event is written, in a sentence, and what its data are. */
type Definitions = Record<string, { when: string; data: z.ZodObject }>;

/** The data of events, derived from their definitions. */
export type DataOf<Events extends Definitions> = {
  [Type in keyof Events]: z.infer<Events[Type]['data']>;
};

// Parts that the data of many events share.
export const minorUnits = z
  .int()
  .meta({ id: 'MinorUnits', description: '1250 is 12.50 EUR, and 1250 JPY.' });
export const instant = z.iso.datetime();
export const currency = z.string().regex(/^[A-Z]{3}$/);
export const publicIdOf = (prefix: IdPrefix) =>
  z
    .string()
    .refine((text) => uuidOf(prefix, text) !== undefined)
    .meta({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` });
