import { z } from 'zod';
import { answerShape } from '../../../platform/http/validation/shapes.js';
import { wholeList } from '../../../platform/http/paging.js';

export const ChangeBody = answerShape('ChangeBody', {
  field: z.string().meta({ example: '/lines/0/quantity', description: 'A JSON pointer.' }),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type ChangeBody = z.output<typeof ChangeBody>;

export const ChangesBody = wholeList('ChangesBody', ChangeBody);
export type ChangesBody = z.output<typeof ChangesBody>;
