import { z } from 'zod';
import { publicId } from '../../../kernel/ids.js';
import type { Dispute } from '../domain/dispute.js';
import { idParameter } from '../../../platform/http/validation/standard-fields.js';
import { shortText } from '../../../platform/http/validation/text-fields.js';
import { oneOf } from '../../../platform/http/validation/fields.js';
import { listQuery, countedPage } from '../../../platform/http/paging.js';
import { queryShape, answerShape } from '../../../platform/http/validation/shapes.js';
import {
  minorUnits,
  instant,
  day,
  currency,
  publicIdOf,
} from '../../../platform/http/validation/answer-fields.js';
import { DISPUTE_STATUSES } from '../../port/domain/told-dispute.js';
import { nameWords } from '../../../platform/http/openapi/words.js';

nameWords({ DisputeStatus: DISPUTE_STATUSES });

export const DisputeBody = answerShape('DisputeBody', {
  id: publicIdOf('dsp'),
  status: z.enum(DISPUTE_STATUSES).meta({
    description: '`inquiry`: asked without money; `closed`: an inquiry that came to nothing.',
  }),
  payment_id: publicIdOf('pay').nullable(),
  receipt_id: publicIdOf('rcpt')
    .nullable()
    .describe('The unmatched receipt, where the money found no document.'),
  gateway: z.string(),
  provider_dispute_id: z.string(),
  provider_payment_id: z.string(),
  amount: minorUnits.describe('What the payer disputes.'),
  amount_held: minorUnits.describe('What the provider holds until it is decided.'),
  amount_reversed: minorUnits.describe('What was taken off documents, credit or the receipt.'),
  amount_lost: minorUnits.describe('The part of that which nobody can be asked for.'),
  fee: minorUnits.describe('What the provider charged for it, less what it returned.'),
  currency,
  reason: z.string().describe('Why, as the provider says.'),
  evidence_due_by: instant
    .nullable()
    .meta({ description: 'Until when the provider takes evidence.' }),
  opened_at: instant,
  updated_at: instant.meta({ description: 'When the provider said this.' }),
  recorded_at: instant,
  booked_later: z.boolean().describe('A day on which the provider said it was in a closed month.'),
  booked_on: day.nullable().meta({
    description: 'The first open day, on which the books have that; null for the day it was said.',
  }),
});
export type DisputeBody = z.output<typeof DisputeBody>;

export const DisputePage = countedPage('DisputePage', DisputeBody);
export type DisputePage = z.output<typeof DisputePage>;

export const ListDisputesQuery = queryShape({
  ...listQuery(() => DisputeBody).shape,
  status: oneOf(DISPUTE_STATUSES, { optional: true }),
  gateway: shortText({ max: 60, optional: true }),
  payment_id: idParameter('pay'),
  document_id: idParameter('doc', { description: 'Disputes of money that paid this one.' }),
});
export type ListDisputesQuery = z.output<typeof ListDisputesQuery>;

/** The public form of a dispute: in events, and part of answers. Amounts in minor units. */
export function presentDispute(dispute: Dispute) {
  const { of } = dispute;
  return {
    id: publicId('dsp', dispute.id),
    status: dispute.status,
    payment_id: 'paymentId' in of ? publicId('pay', of.paymentId) : null,
    receipt_id: 'receiptId' in of ? publicId('rcpt', of.receiptId) : null,
    gateway: dispute.gateway,
    provider_dispute_id: dispute.providerDisputeId,
    provider_payment_id: dispute.providerPaymentId,
    amount: dispute.amount.toMinorNumber(),
    amount_held: dispute.withdrawn.minus(dispute.taken).toMinorNumber(),
    amount_reversed: dispute.taken.toMinorNumber(),
    amount_lost: dispute.lost.toMinorNumber(),
    fee: dispute.fee.toMinorNumber(),
    currency: dispute.amount.currency,
    reason: dispute.reason,
    evidence_due_by: dispute.evidenceDueBy?.toISOString() ?? null,
    opened_at: dispute.openedAt.toISOString(),
    updated_at: dispute.saidAt.toISOString(),
    recorded_at: dispute.recordedAt.toISOString(),
  };
}

/** The same with the day on which the books have it, if that which was told was closed. */
export function presentBookedDispute(dispute: Dispute): DisputeBody {
  const { bookedOn } = dispute;
  return { ...presentDispute(dispute), booked_later: bookedOn !== null, booked_on: bookedOn };
}
