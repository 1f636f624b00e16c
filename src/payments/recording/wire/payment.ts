import { z } from 'zod';
import {
  refundable,
  amountReversed,
  holdingStatus,
  type Holding,
  HOLDING_STATUSES,
} from '../domain/holding.js';
import { presentConversion, ConversionBody, ForeignMoneyRequest, foreignIn } from './conversion.js';
import { MoneyInRequest, onOverpayment, toMoneyIn } from '../../../documents/index.js';
import { publicId } from '../../../kernel/ids.js';
import type { Payment, PaymentTerms } from '../domain/payment.js';
import {
  minorUnits,
  instant,
  day,
  currency,
  publicIdOf,
} from '../../../platform/http/validation/answer-fields.js';
import { answerShape, queryShape, requestShape } from '../../../platform/http/validation/shapes.js';
import { isCurrency } from '../../../kernel/currency.js';
import { nested, oneOf } from '../../../platform/http/validation/fields.js';
import {
  currencyCode,
  matching,
  shortText,
} from '../../../platform/http/validation/text-fields.js';
import { instantText } from '../../../platform/http/validation/date-fields.js';
import { countedPage, listQuery, wholeList } from '../../../platform/http/paging.js';
import { idParameter } from '../../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import type { ForeignMoney } from '../domain/conversion.js';
import { parsePaymentMethod, PAYMENT_METHODS } from '../../../kernel/payment-method.js';
import { PaymentWarningBody } from './payment-warnings.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

nameWords({ PaymentMethod: PAYMENT_METHODS, PaymentStatus: HOLDING_STATUSES });

/** The fields of every payment that is recorded. */
export const PaymentTermsRequest = requestShape('PaymentTermsRequest', {
  ...MoneyInRequest.shape,
  currency: matching(
    {
      refusal: FieldRefusal.unknown_currency,
      test: isCurrency,
      message: 'must be an active ISO 4217 code in capitals, such as EUR',
    },
    { optional: true, description: 'It must be the currency of the document.' },
  ),
  received: nested(() => ForeignMoneyRequest, {
    optional: true,
    description: 'The money that came in, if it was in another currency than the document.',
  }),
});
export type PaymentTermsRequest = z.output<typeof PaymentTermsRequest>;

export function termsIn(body: PaymentTermsRequest): PaymentTerms {
  return { ...toMoneyIn(body), currency: body.currency ?? null, received: receivedIn(body) };
}

function receivedIn({ received, method }: PaymentTermsRequest): ForeignMoney | null {
  if (received == null || parsePaymentMethod(method) !== 'credit_balance') {
    return foreignIn(received, 'received');
  }
  throw PaymentRefusal.conversion_not_possible.at('/received');
}

export const RecordPaymentRequest = requestShape('RecordPaymentRequest', {
  ...PaymentTermsRequest.shape,
  on_overpayment: onOverpayment(),
});
export type RecordPaymentRequest = z.output<typeof RecordPaymentRequest>;

/** `gateway` names who sent the money; it is null if an integration recorded the payment. */
export const PaymentBody = answerShape('PaymentBody', {
  id: publicIdOf('pay'),
  document_id: publicIdOf('doc').nullable().describe('null unless it pays one document.'),
  customer_id: publicIdOf('cus'),
  amount: minorUnits.describe('What came in.'),
  applied: minorUnits.describe('What documents took when it came in.'),
  credited: minorUnits.describe('The rest, which became the customer’s credit.'),
  currency,
  received: ConversionBody.nullable().describe('The money itself, if it came in another currency.'),
  method: z.enum(PAYMENT_METHODS),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  paid_at: instant,
  recorded_at: instant,
  fee: minorUnits.nullable().describe('What the gateway kept of it.'),
  gateway: z.string().nullable(),
  payment_link_id: publicIdOf('plink').nullable(),
});
export type PaymentBody = z.output<typeof PaymentBody>;

const AllocationBody = answerShape('AllocationBody', {
  document_id: publicIdOf('doc'),
  amount: minorUnits.describe('What the payment pays of it.'),
  movable: minorUnits.describe('The part that no refund takes, and no payer disputes.'),
});
type AllocationBody = z.output<typeof AllocationBody>;

/** A payment with what became of it. */
export const PaymentDetailBody = answerShape('PaymentDetailBody', {
  ...PaymentBody.shape,
  booked_later: z.boolean().describe('The day of paid_at was in a closed month.'),
  booked_on: day.nullable().meta({
    description: 'The first open day, on which the books have it; null for the day of paid_at.',
  }),
  status: z.enum(HOLDING_STATUSES),
  amount_refunded: minorUnits.describe('What went back, or is on its way back.'),
  amount_reversed: minorUnits.describe(
    'What was reversed, by hand or because the provider took it back.',
  ),
  amount_disputed: minorUnits.describe('What the payer disputes at the provider.'),
  amount_refundable: minorUnits.describe('What can still be refunded.'),
  allocations: z.array(AllocationBody).describe('Where the money of the payment is now.'),
});
export type PaymentDetailBody = z.output<typeof PaymentDetailBody>;

export const RecordedPaymentBody = answerShape('RecordedPaymentBody', {
  success: z.literal(true),
  amount_paid: z
    .number()
    .meta({ description: 'All that was paid on the document so far.', example: 25000 }),
  amount_due: z.number().meta({ description: 'What is still due.', example: 94000 }),
  status: z.string().meta({ example: 'partially_paid' }),
  payment: PaymentBody,
  warnings: z.array(PaymentWarningBody).optional(),
});
export type RecordedPaymentBody = z.output<typeof RecordedPaymentBody>;

export const PaymentList = wholeList('PaymentList', PaymentDetailBody);
export type PaymentList = z.output<typeof PaymentList>;

export const PaymentPage = countedPage('PaymentPage', PaymentDetailBody);
export type PaymentPage = z.output<typeof PaymentPage>;

export const ListPaymentsQuery = queryShape({
  ...listQuery(() => PaymentDetailBody).shape,
  customer_id: idParameter('cus'),
  document_id: idParameter('doc', { description: 'Payments that were ever for this one.' }),
  method: oneOf(PAYMENT_METHODS, { optional: true }),
  currency: currencyCode({ optional: true }),
  gateway: shortText({ max: 60, optional: true }),
  paid_from: instantText({ optional: true }),
  paid_to: instantText({ optional: true, description: 'Only payments before this instant.' }),
});
export type ListPaymentsQuery = z.output<typeof ListPaymentsQuery>;

const CreditBody = answerShape('CreditBody', {
  currency: z.string(),
  amount: z.number().describe('Minor units that the customer may still use.'),
});
type CreditBody = z.output<typeof CreditBody>;

export const CreditList = wholeList('CreditList', CreditBody);
export type CreditList = z.output<typeof CreditList>;

/** The public form of a payment: in answers and in events. Amounts in minor units. */
export function presentPayment(payment: Payment): PaymentBody {
  const { source } = payment;
  return {
    id: publicId('pay', payment.id),
    document_id: payment.documentId && publicId('doc', payment.documentId),
    customer_id: publicId('cus', payment.customerId),
    amount: payment.amount.toMinorNumber(),
    applied: payment.applied.toMinorNumber(),
    credited: payment.amount.minus(payment.applied).toMinorNumber(),
    currency: payment.amount.currency,
    received: presentConversion(payment.conversion, (worth) => worth.minus(payment.amount)),
    method: payment.method,
    reference: payment.reference,
    note: payment.note,
    metadata: payment.metadata,
    paid_at: payment.paidAt.toISOString(),
    recorded_at: payment.recordedAt.toISOString(),
    fee: payment.fee?.toMinorNumber() ?? null,
    gateway: 'gateway' in source ? source.gateway : null,
    payment_link_id: source.by === 'gateway' ? publicId('plink', source.paymentLinkId) : null,
  };
}

/** A payment with what became of it. Amounts in minor units. */
export function presentHolding(holding: Holding): PaymentDetailBody {
  return {
    ...presentPayment(holding.payment),
    booked_later: holding.bookedOn !== null,
    booked_on: holding.bookedOn,
    status: holdingStatus(holding),
    amount_refunded: holding.returned.minus(holding.takenBack).toMinorNumber(),
    amount_reversed: amountReversed(holding).toMinorNumber(),
    amount_disputed: holding.disputed.toMinorNumber(),
    amount_refundable: refundable(holding).toMinorNumber(),
    allocations: holding.allocations.map(({ documentId, amount, free }) => ({
      document_id: publicId('doc', documentId),
      amount: amount.toMinorNumber(),
      movable: free.toMinorNumber(),
    })),
  };
}
