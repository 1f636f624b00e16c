import { z } from 'zod';
import { flagParameter, languageTag } from '../../platform/http/validation/standard-fields.js';
import { queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { shortText } from '../../platform/http/validation/text-fields.js';

/** The one field that programs of mail send (RFC 8058). */
export const StopRemindersRequest = requestShape('StopRemindersRequest', {
  'List-Unsubscribe': shortText({
    max: 50,
    optional: true,
    description: '`One-Click`, from a program of mail.',
  }),
});
export type StopRemindersRequest = z.output<typeof StopRemindersRequest>;

export const StopRemindersQuery = queryShape({
  language: languageTag({
    optional: true,
    description: 'Of the page; else one that the browser asks for.',
  }),
  stopped: flagParameter({
    optional: true,
    description: 'They were stopped just now; the page says so.',
  }),
});
export type StopRemindersQuery = z.output<typeof StopRemindersQuery>;
