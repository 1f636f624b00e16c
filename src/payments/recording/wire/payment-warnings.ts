import { z } from 'zod';
import { answerShape } from '../../../platform/http/validation/shapes.js';
import type { Document } from '../../../documents/index.js';
import type { IsoDate } from '../../../kernel/clock.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';

export const PaymentWarningBody = answerShape('PaymentWarningBody', {
  code: z.string().meta({
    enum: [
      'similar_payment',
      'booked_later',
      'payment_processing',
      'refund_meaning_assumed',
      'refund_undecided',
      'credit_note_stands',
    ],
  }),
  message: z.string(),
  payment_id: z.string().optional().describe('The earlier payment.'),
  booked_on: z.string().optional().meta({ format: 'date', description: 'The first open day.' }),
  meaning: z.string().optional().describe('What the refund means.'),
  other_meaning: z.string().optional().describe('What it could mean instead.'),
});
export type PaymentWarningBody = z.output<typeof PaymentWarningBody>;

/**
 * Absent where there is nothing to say.
 * @param documents that were paid
 */
export function paymentWarnings(
  bookedOn: IsoDate | null,
  similar: Uuid | null = null,
  documents: readonly Document[] = [],
): { warnings?: PaymentWarningBody[] } {
  const warnings: PaymentWarningBody[] = [];
  for (const { state, amountPayable } of documents) {
    const { id, amountProcessing } = state;
    if (amountProcessing.compare(amountPayable) <= 0) continue;
    const message =
      `A provider has ${amountProcessing} for ${publicId('doc', id)} on its way, and ` +
      `${amountPayable} is due; the rest becomes the customer’s credit when it comes.`;
    warnings.push({ code: 'payment_processing', message });
  }
  if (similar !== null) {
    const message =
      'A payment with the same amount, method and reference was recorded in the last day; ' +
      'send an Idempotency-Key to make repeats safe.';
    warnings.push({ code: 'similar_payment', message, payment_id: publicId('pay', similar) });
  }
  if (bookedOn !== null) {
    const message = `The month of that day is closed, so the books have it on ${bookedOn}.`;
    warnings.push({ code: 'booked_later', message, booked_on: bookedOn });
  }
  return warnings.length > 0 ? { warnings } : {};
}
