import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Row } from '../../../platform/database/row.js';
import type { PaymentLink, StoredPaymentLinkStatus } from '../domain/payment-link.js';

export interface PaymentLinkColumns extends Omit<
  Row<'payment_links', { status: StoredPaymentLinkStatus }>,
  'opened_xact' | 'xact'
> {
  /** @derived */
  mandate_id: Uuid | null;
  /** @derived */
  charge_on: IsoDate | null;
}

/** Links `l`, with how they are collected. */
export const SELECT_LINKS = `SELECT l.*, c.mandate_id, c.charge_on FROM payment_links l LEFT JOIN collections c
    ON (c.account_id, c.payment_link_id) = (l.account_id, l.payment_link_id)`;

export function toPaymentLink(row: PaymentLinkColumns): PaymentLink {
  return {
    id: row.payment_link_id,
    accountId: row.account_id,
    documentId: row.document_id,
    gateway: row.gateway,
    amount: Money.of(row.amount, row.currency),
    status: row.status,
    url: row.url,
    providerObjectId: row.provider_object_id,
    pageExpiresAt: row.page_expires_at,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    processingAt: row.processing_at,
    paidAt: row.paid_at,
    failedAt: row.failed_at,
    failure: row.failure,
    canceledAt: row.canceled_at,
    collection:
      row.mandate_id === null || row.charge_on === null
        ? null
        : { mandateId: row.mandate_id, chargeOn: row.charge_on },
  };
}
