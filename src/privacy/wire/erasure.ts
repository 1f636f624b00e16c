import { z } from 'zod';
import { publicId } from '../../kernel/ids.js';
import { day, instant, publicIdOf } from '../../platform/http/validation/answer-fields.js';
import { answerShape } from '../../platform/http/validation/shapes.js';
import type { Erasure } from '../application/erasures.service.js';

const KeptBody = answerShape('KeptBody', {
  what: z.enum(['documents', 'bookings', 'history', 'stored_answers']),
  why: z.string(),
  until: day.nullable().meta({
    description:
      'The end of the tenth year after the last document or movement of money; null: no day is known.',
  }),
});

export const ErasureBody = answerShape('ErasureBody', {
  customer_id: publicIdOf('cus'),
  erased_at: instant,
  kept: z.array(KeptBody).meta({ description: 'What is left, and restricted (Art. 18 GDPR).' }),
});
export type ErasureBody = z.output<typeof ErasureBody>;

export function presentErasure({ customerId, erasedAt, kept }: Erasure): ErasureBody {
  return {
    customer_id: publicId('cus', customerId),
    erased_at: erasedAt.toISOString(),
    kept,
  };
}
