import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { PaymentLink, PaymentLinkStatus } from '../domain/payment-link.js';
import { type PaymentLinkColumns, SELECT_LINKS, toPaymentLink } from './payment-link-columns.js';

/** The filters of a list of payment links. */
export interface PaymentLinkFilter {
  status?: PaymentLinkStatus;
  gateway?: string;
  documentId?: Uuid;
  customerId?: Uuid;
  mandateId?: Uuid;
  currency?: string;
  createdFrom?: Date;
  createdTo?: Date;
}

/** The status as `paymentLinkStatus` derives it; $3 is now. */
const STATUS = `CASE WHEN l.status = 'open' AND l.expires_at <= $3 THEN 'expired' ELSE l.status END`;

const LIST = `${SELECT_LINKS} WHERE l.account_id = $1
    AND ($2::text IS NULL OR ${STATUS} = $2) AND ($4::text IS NULL OR l.gateway = $4)
    AND ($5::uuid IS NULL OR l.document_id = $5)
    AND ($6::uuid IS NULL OR l.document_id IN (SELECT d.document_id FROM documents d
      WHERE d.account_id = $1 AND d.customer_id = $6))
    AND ($7::uuid IS NULL OR c.mandate_id = $7) AND ($8::text IS NULL OR l.currency = $8)
    AND ($9::timestamptz IS NULL OR l.created_at >= $9)
    AND ($10::timestamptz IS NULL OR l.created_at < $10)
    AND ($11::uuid IS NULL OR l.payment_link_id < $11)
  ORDER BY l.payment_link_id DESC LIMIT $12`;

function valuesOf(
  accountId: Uuid,
  filter: PaymentLinkFilter,
  now: Date,
  after: Uuid | null,
  count: number,
) {
  const { status, gateway, documentId, customerId, mandateId, currency } = filter;
  const about = [gateway, documentId, customerId, mandateId, currency];
  const { createdFrom, createdTo } = filter;
  return [accountId, status, now, ...about, createdFrom, createdTo, after, count];
}

/** Payment links for reading: no locks. */
@Injectable()
export class PaymentLinksQuery {
  constructor(private readonly database: Database) {}

  /** Newest first, behind the link `after`. */
  async list(
    accountId: Uuid,
    filter: PaymentLinkFilter,
    now: Date,
    after: Uuid | null,
    count: number,
  ): Promise<PaymentLink[]> {
    const values = valuesOf(accountId, filter, now, after, count);
    return (await this.database.list<PaymentLinkColumns>(LIST, values)).map(toPaymentLink);
  }

  /** How many there are, up to `most`. */
  async count(
    accountId: Uuid,
    filter: PaymentLinkFilter,
    now: Date,
    most: number,
  ): Promise<number> {
    return this.database.countRows(LIST, valuesOf(accountId, filter, now, null, most));
  }
}
