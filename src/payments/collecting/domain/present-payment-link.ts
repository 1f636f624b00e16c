import { publicId } from '../../../kernel/ids.js';
import { paymentLinkStatus, type PaymentLink } from './payment-link.js';

/** The public form of a payment link: in answers and in events. Amounts in minor units. */
export function presentPaymentLink(link: PaymentLink, now: Date) {
  return {
    id: publicId('plink', link.id),
    document_id: publicId('doc', link.documentId),
    gateway: link.gateway,
    amount: link.amount.toMinorNumber(),
    currency: link.amount.currency,
    status: paymentLinkStatus(link, now),
    url: link.url,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    page_expires_at: link.pageExpiresAt?.toISOString() ?? null,
    processing_at: link.processingAt?.toISOString() ?? null,
    paid_at: link.paidAt?.toISOString() ?? null,
    failed_at: link.failedAt?.toISOString() ?? null,
    failure: link.failure,
    canceled_at: link.canceledAt?.toISOString() ?? null,
    mandate_id: link.collection && publicId('mand', link.collection.mandateId),
    charge_on: link.collection?.chargeOn ?? null,
  };
}
