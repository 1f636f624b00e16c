import { z } from 'zod';

// The end of a pay page, as providers write it. An end that cannot be read counts as none, since
// the page is made already.

/** In seconds; zero says that there is none. */
export const UnixTime = z
  .int()
  .min(1)
  .max(253_402_300_799)
  .transform((seconds) => new Date(seconds * 1000))
  .nullish()
  .catch(null)
  .transform((end) => end ?? null);

export const IsoTime = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .nullish()
  .catch(null)
  .transform((end) => end ?? null);
