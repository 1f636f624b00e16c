import { z } from 'zod';
import { answerShape } from '../../platform/http/validation/shapes.js';
import { PageEnds } from '../../platform/http/paging.js';

export const ChangeBody = answerShape('ChangeBody', {
  field: z.string().meta({ example: '/lines/0/quantity', description: 'A JSON pointer.' }),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type ChangeBody = z.output<typeof ChangeBody>;

export const ChangesBody = answerShape('ChangesBody', {
  ...PageEnds.shape,
  data: z.array(ChangeBody),
});
export type ChangesBody = z.output<typeof ChangesBody>;
