import { z } from 'zod';
import { DocumentRefusal } from '../../../documents/index.js';
import { PaymentRefusal, unknownDocument } from '../../port/domain/payment-refusals.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import { uuidOf, type Uuid } from '../../../kernel/ids.js';
import { answerShape, requestShape } from '../../../platform/http/validation/shapes.js';
import { entriesOf } from '../../../platform/http/validation/list-fields.js';
import { amountMinor, field, nestedList, oneOf } from '../../../platform/http/validation/fields.js';
import {
  currencyCode,
  paragraph,
  shortText,
} from '../../../platform/http/validation/text-fields.js';
import { instantText } from '../../../platform/http/validation/date-fields.js';
import { MOST_DOCUMENTS } from '../domain/payment.js';
import { REFUND_MEANINGS } from '../domain/payment-settings.js';
import { PaymentBody, PaymentDetailBody, PaymentTermsRequest } from './payment.js';
import { PaymentWarningBody } from './payment-warnings.js';

export const AllocationRequest = requestShape('AllocationRequest', {
  document_id: shortText({ max: 40, example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  amount: amountMinor({
    optional: true,
    description: 'Default: what is due, as far as the money goes.',
  }),
});
export type AllocationRequest = z.output<typeof AllocationRequest>;

export const RecordReceiptRequest = requestShape('RecordReceiptRequest', {
  ...PaymentTermsRequest.shape,
  customer_id: shortText({
    max: 40,
    optional: true,
    description: 'Default: the customer of the documents.',
  }),
  allocations: nestedList(() => AllocationRequest, {
    max: MOST_DOCUMENTS,
    optional: true,
    description: 'The documents that it pays. The rest becomes the customer’s credit.',
  }),
  allocate: oneOf(['oldest_first', 'none'], {
    optional: true,
    description:
      '`oldest_first` pays the invoices that are due first. Send this or allocations. ' +
      'Default: `none`.',
  }),
});
export type RecordReceiptRequest = z.output<typeof RecordReceiptRequest>;

const PLACE = { description: 'A document’s id, or `credit` for the customer’s credit.', max: 40 };

export const MoveRequest = requestShape('MoveRequest', {
  from: shortText({ ...PLACE, example: 'credit' }),
  to: shortText({ ...PLACE, example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  amount: amountMinor({ optional: true, description: 'Default: all that can be moved.' }),
  moved_at: instantText({
    optional: true,
    description: 'The day that it counts for. Default: now.',
  }),
});
export type MoveRequest = z.output<typeof MoveRequest>;

export const ReverseRequest = requestShape('ReverseRequest', {
  reason: paragraph({ max: 2000, min: 0, optional: true, example: 'Booked twice' }),
  reversed_at: instantText({
    optional: true,
    description: 'The day that it counts for. Default: now.',
  }),
});
export type ReverseRequest = z.output<typeof ReverseRequest>;

export const ChangedPaymentBody = answerShape('ChangedPaymentBody', {
  ...PaymentDetailBody.shape,
  warnings: z.array(PaymentWarningBody).optional(),
});
export type ChangedPaymentBody = z.output<typeof ChangedPaymentBody>;

const PaidDocumentBody = answerShape('PaidDocumentBody', {
  id: z.string(),
  number: z.string().nullable(),
  applied: z.number().describe('What this payment pays of the document.'),
  amount_paid: z.number().describe('All that was paid on the document so far.'),
  amount_due: z.number(),
  status: z.string(),
});
type PaidDocumentBody = z.output<typeof PaidDocumentBody>;

export const RecordedReceiptBody = answerShape('RecordedReceiptBody', {
  success: z.literal(true),
  payment: PaymentBody,
  documents: z.array(PaidDocumentBody),
  credited: z.number().describe('What no document took. It is now credit.'),
  warnings: z.array(PaymentWarningBody).optional(),
});
export type RecordedReceiptBody = z.output<typeof RecordedReceiptBody>;

const ToleranceBody = requestShape('ToleranceBody', {
  currency: currencyCode(),
  amount: amountMinor({ zero: true, description: 'In minor units.', example: 50 }),
});
type ToleranceBody = z.output<typeof ToleranceBody>;

const MOST_RETRIES = 5;
const MOST_RETRY_DAYS = 60;

const isRetryDay = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_RETRY_DAYS;

const debitRetryDays = () =>
  field(
    entriesOf<number[]>({
      refusal: PaymentRefusal.invalid_debit_retry_days,
      test: (value) => Array.isArray(value) && value.length <= MOST_RETRIES,
      message: `must be a list of at most ${MOST_RETRIES} whole numbers of days`,
      entries: { test: isRetryDay, message: `must be a whole number from 1 to ${MOST_RETRY_DAYS}` },
    }),
    [PaymentRefusal.invalid_debit_retry_days],
    {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: MOST_RETRY_DAYS },
      maxItems: MOST_RETRIES,
    },
    {
      optional: true,
      description:
        'Days after which a debit by a mandate that failed is tried again, each counted from the failure before it. An empty list ends that. Default: none.',
      example: [3, 7],
    },
  );

export const PatchPaymentSettingsRequest = requestShape('PatchPaymentSettingsRequest', {
  underpayment_tolerance: nestedList(() => ToleranceBody, {
    min: 0,
    max: 200,
    optional: true,
    description:
      'A document counts as paid if no more than this is missing, and no more than a tenth ' +
      'of its total. The list is replaced as a whole.',
  }),
  refund_meaning: oneOf(REFUND_MEANINGS, {
    optional: true,
    description:
      'What a refund means that does not say it. null: nobody says it, and what went back is due and ' +
      'not asked for.',
  }),
  debit_retry_days: debitRetryDays(),
});
export type PatchPaymentSettingsRequest = z.output<typeof PatchPaymentSettingsRequest>;

export const PaymentSettingsBody = answerShape('PaymentSettingsBody', {
  underpayment_tolerance: z.array(ToleranceBody),
  refund_meaning: z.string().meta({
    enum: REFUND_MEANINGS,
    description: 'What a refund means that does not say it. Default: `owed_again`.',
  }),
  refund_meaning_set: z
    .boolean()
    .describe(
      'Whether you have set it. Until then nobody is asked or reminded for what went back.',
    ),
  debit_retry_days: z.array(z.number().meta({ type: 'integer' })).meta({
    description: 'Days after which debits that failed are tried again; empty: they are not.',
    example: [3, 7],
  }),
  version: z.number(),
});
export type PaymentSettingsBody = z.output<typeof PaymentSettingsBody>;

export function customerIn(text: string): Uuid {
  const id = uuidOf('cus', text);
  if (id) return id;
  throw FieldRefusal.invalid_id.at('/customer_id');
}

export function documentIn(text: string, pointer: string): Uuid {
  const id = uuidOf('doc', text);
  if (!id) throw unknownDocument(pointer);
  return id;
}

/** The codes that refuse allocations. */
export const REFUSED_ALLOCATIONS = [
  PaymentRefusal.unknown_document,
  DocumentRefusal.unknown_customer,
  PaymentRefusal.customer_mismatch,
  PaymentRefusal.currency_mismatch,
  DocumentRefusal.document_not_payable,
  DocumentRefusal.amount_exceeds_due,
  PaymentRefusal.allocations_exceed_amount,
  FieldRefusal.paid_at_in_future,
  FieldRefusal.date_too_early,
  FieldRefusal.said_twice,
] as const;

/** How much each document gets. */
export function allocationsOf(allocations: readonly AllocationRequest[]) {
  const seen = new Set<string>();
  return allocations.map(({ document_id, amount }, index) => {
    const pointer = `/allocations/${index}/document_id`;
    const documentId = documentIn(document_id, pointer);
    if (seen.has(documentId)) {
      throw FieldRefusal.said_twice.at(pointer, 'Name each document once.');
    }
    seen.add(documentId);
    return { documentId, amountMinor: amount == null ? null : BigInt(amount) };
  });
}
