import { publicId } from '../../../kernel/ids.js';
import { presentConversion } from './conversion.js';
import type { Payment } from './payment.js';

/** The public form of a payment: in answers and in events. Amounts in minor units. */
export function presentPayment(payment: Payment) {
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
