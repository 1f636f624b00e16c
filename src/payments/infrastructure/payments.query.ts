import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { Database } from '../../platform/database/database.js';
import type { Payment } from '../domain/payment.js';
import type { PaymentMethod } from '../domain/payment-method.js';
import { type PaymentView, presentPayment } from '../domain/present-payment.js';

interface PaymentColumns {
  account_id: Uuid;
  client_id: Uuid | null;
  provider_payment_id: string | null;
  payment_id: Uuid;
  document_id: Uuid;
  currency: string;
  amount: bigint;
  applied: bigint;
  method: PaymentMethod;
  reference: string | null;
  note: string | null;
  metadata: Record<string, string>;
  paid_at: Date;
  recorded_at: Date;
  gateway: string | null;
  payment_link_id: Uuid | null;
}

interface ReceiptColumns {
  gateway: string;
  provider_payment_id: string;
  amount: bigint;
  currency: string;
  unmatched_reason: string;
  link_reference: string | null;
  paid_at: Date;
  received_at: Date;
}

/** Payments, credit and unmatched receipts for reading: one statement each, ready as JSON. */
@Injectable()
export class PaymentsQuery {
  constructor(private readonly database: Database) {}

  async ofDocument(accountId: Uuid, documentId: Uuid): Promise<PaymentView[]> {
    const rows = await this.database.query<PaymentColumns>(
      `SELECT * FROM payments WHERE account_id = $1 AND document_id = $2 ORDER BY payment_id`,
      [accountId, documentId],
    );
    return rows.map((row) => presentPayment(toPayment(row)));
  }

  async find(accountId: Uuid, paymentId: Uuid): Promise<PaymentView | undefined> {
    const [row] = await this.database.query<PaymentColumns>(
      'SELECT * FROM payments WHERE account_id = $1 AND payment_id = $2',
      [accountId, paymentId],
    );
    return row && presentPayment(toPayment(row));
  }

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
    return rows.map((row) => ({ currency: row.currency, amount: Number(row.amount) }));
  }

  /** Provider money that found no document, newest first, at most 100. */
  async unmatched(accountId: Uuid): Promise<UnmatchedReceipt[]> {
    const rows = await this.database.query<ReceiptColumns>(
      `SELECT * FROM provider_receipts
       WHERE account_id = $1 AND unmatched_reason IS NOT NULL
       ORDER BY received_at DESC LIMIT 100`,
      [accountId],
    );
    return rows.map(presentReceipt);
  }

  /** For the operator: receipts of every account and of none, newest first, at most 1000. */
  async allUnmatched(): Promise<UnmatchedReceipt[]> {
    const rows = await this.database.query<ReceiptColumns>(
      `SELECT * FROM provider_receipts WHERE unmatched_reason IS NOT NULL
       ORDER BY received_at DESC LIMIT 1000`,
    );
    return rows.map(presentReceipt);
  }

  /** For the operator: events about money that could not be booked, newest first, at most 1000. */
  async eventsToReview(): Promise<{ gateway: string; event_id: string; review: string }[]> {
    return this.database.query(
      `SELECT gateway, event_id, event_type, review, received_at FROM provider_events
       WHERE review IS NOT NULL ORDER BY received_at DESC LIMIT 1000`,
    );
  }
}

function presentReceipt(row: ReceiptColumns) {
  return {
    gateway: row.gateway,
    provider_payment_id: row.provider_payment_id,
    amount: Number(row.amount),
    currency: row.currency,
    reason: row.unmatched_reason,
    link_reference: row.link_reference,
    paid_at: row.paid_at.toISOString(),
    received_at: row.received_at.toISOString(),
  };
}

export type UnmatchedReceipt = ReturnType<typeof presentReceipt>;

function toPayment(row: PaymentColumns): Payment {
  return {
    id: row.payment_id,
    accountId: row.account_id,
    documentId: row.document_id,
    amount: Money.of(row.amount, row.currency),
    applied: Money.of(row.applied, row.currency),
    method: row.method,
    reference: row.reference,
    note: row.note,
    metadata: row.metadata,
    paidAt: row.paid_at,
    recordedAt: row.recorded_at,
    source:
      row.gateway !== null && row.provider_payment_id !== null && row.payment_link_id !== null
        ? {
            by: 'gateway',
            gateway: row.gateway,
            providerPaymentId: row.provider_payment_id,
            paymentLinkId: row.payment_link_id,
          }
        : { by: 'client', clientId: row.client_id ?? '' },
  };
}
