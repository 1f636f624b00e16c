import type { z } from 'zod';

/** By its name when an event is written, in a sentence, and what its data are. */
type Definitions = Record<string, { when: string; data: z.ZodObject }>;

/** The data of events, derived from their definitions. */
export type DataOf<Events extends Definitions> = {
  [Type in keyof Events]: z.infer<Events[Type]['data']>;
};
