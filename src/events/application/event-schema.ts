import type { z } from 'zod';

/**
 * By its name when an event is written, in a sentence, and what its data are. Of its example the
 * parts that the schema does not say.
 */
export type EventDefinitions = Record<string, { when: string; data: z.ZodObject; example: object }>;

/** The data of events, derived from their definitions. */
export type DataOf<Events extends EventDefinitions> = {
  [Type in keyof Events]: z.infer<Events[Type]['data']>;
};
