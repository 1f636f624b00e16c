import { Injectable } from '@nestjs/common';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import { minorNumber } from '../../../kernel/money.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';

interface ProviderReceiptColumns extends Omit<
  Row<'provider_receipts'>,
  'capture_reference' | 'event_id' | 'payment_id' | 'payment_link_id' | 'xact'
> {
  /** @notNull Only of what is unmatched. */
  unmatched_reason: string;
}

/** Credit, and what the operator has to look at, for reading: one statement each, ready as JSON. */
@Injectable()
export class PaymentsQuery {
  constructor(private readonly database: Database) {}

  /** Balances by currency; a currency with nothing left is not listed. */
  async creditOf(
    accountId: Uuid,
    customerId: Uuid,
  ): Promise<{ currency: string; amount: number }[]> {
    const rows = await this.database.query<{ currency: string; amount: bigint }>(
      `SELECT currency, credit AS amount FROM customer_balances
       WHERE account_id = $1 AND customer_id = $2 AND credit <> 0 ORDER BY currency`,
      [accountId, customerId],
    );
    return rows.map((row) => ({ currency: row.currency, amount: minorNumber(row.amount) }));
  }

  /**
   * For the operator: receipts of every account and of none that are not settled, newest first, at
   * most 1000.
   */
  async allUnmatched(): Promise<PresentedProviderReceipt[]> {
    const rows = await this.database.query<ProviderReceiptColumns>(
      `SELECT r.*, coalesce(r.account_id, u.account_id) AS account_id,
         coalesce(r.unmatched_reason, u.reason) AS unmatched_reason
       FROM provider_receipts r LEFT JOIN unmatched_receipts u USING (gateway, provider_payment_id)
       WHERE CASE WHEN u.receipt_id IS NULL THEN r.unmatched_reason IS NOT NULL
         ELSE u.settled < u.amount END
       ORDER BY r.received_at DESC LIMIT 1000`,
    );
    return rows.map(presentProviderReceipt);
  }

  /** For the operator: events about money that could not be booked, newest first, at most 1000. */
  async eventsToReview(): Promise<EventToReview[]> {
    return this.database.query(
      `SELECT gateway, event_id, event_type, review, received_at FROM provider_events
       WHERE review IS NOT NULL ORDER BY received_at DESC LIMIT 1000`,
    );
  }
}

interface EventToReview extends Pick<Row<'provider_events'>, 'gateway' | 'event_id' | 'review'> {
  /** @notNull Of those only. */
  review: string;
}

function presentProviderReceipt(row: ProviderReceiptColumns) {
  return {
    account_id: row.account_id && publicId('acc', row.account_id),
    gateway: row.gateway,
    provider_payment_id: row.provider_payment_id,
    amount: minorNumber(row.amount),
    currency: row.currency,
    reason: row.unmatched_reason,
    link_reference: row.link_reference,
    paid_at: row.paid_at.toISOString(),
    received_at: row.received_at.toISOString(),
  };
}

type PresentedProviderReceipt = ReturnType<typeof presentProviderReceipt>;
