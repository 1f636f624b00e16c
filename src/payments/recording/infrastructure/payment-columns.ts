import { Money } from '../../../kernel/money.js';
import type { Payment, PaymentSource } from '../domain/payment.js';
import { conversionOf, type ConversionJson, toConversion } from './conversion-columns.js';
import type { PaymentMethod } from '../../../kernel/payment-method.js';
import type { Row } from '../../../platform/database/row.js';

export interface PaymentColumns extends Omit<
  Row<'payments', { method: PaymentMethod; metadata: Record<string, string> }>,
  'booked_on' | 'is_reversed' | 'returned' | 'xact'
> {
  /** @derived */
  conversion: ConversionJson | null;
}

/** Of `payments p`. The applied part of a payment over several documents stands beside it. */
export const PAYMENT_COLUMNS = `p.account_id, p.payment_id, p.customer_id, p.document_id,
  p.currency, p.amount,
  CASE WHEN p.document_id IS NULL THEN (
    SELECT coalesce(sum(a.amount), 0)::bigint FROM allocations a
    WHERE a.account_id = p.account_id AND a.payment_id = p.payment_id AND a.reason = 'receipt')
    ELSE p.applied END AS applied,
  p.fee, p.method, p.reference, p.note, p.metadata, p.paid_at, p.recorded_at, p.client_id,
  p.gateway, p.provider_payment_id, p.payment_link_id, p.receipt_id, p.bank_entry_id,
  ${conversionOf('p.account_id', 'p.payment_id')} AS conversion`;

export function toPayment(row: PaymentColumns): Payment {
  return {
    id: row.payment_id,
    accountId: row.account_id,
    customerId: row.customer_id,
    documentId: row.document_id,
    amount: Money.of(row.amount, row.currency),
    applied: Money.of(row.applied, row.currency),
    conversion: toConversion(row.conversion),
    fee: row.fee === null ? null : Money.of(row.fee, row.conversion?.currency ?? row.currency),
    method: row.method,
    reference: row.reference,
    note: row.note,
    metadata: row.metadata,
    paidAt: row.paid_at,
    recordedAt: row.recorded_at,
    source: toSource(row),
  };
}

function toSource(row: PaymentColumns): PaymentSource {
  const { gateway, client_id, bank_entry_id: bankEntryId, receipt_id: receiptId } = row;
  const providerPaymentId = row.provider_payment_id ?? '';
  const clientId = client_id ?? '';
  if (gateway !== null && receiptId !== null) {
    return { by: 'receipt', clientId, receiptId, gateway, providerPaymentId };
  }
  if (gateway !== null) {
    return { by: 'gateway', gateway, providerPaymentId, paymentLinkId: row.payment_link_id ?? '' };
  }
  return bankEntryId === null
    ? { by: 'client', clientId }
    : { by: 'bank', clientId: client_id, bankEntryId };
}

/** The columns that say where a payment came from. */
export function sourceColumns({ source }: Payment) {
  const { by } = source;
  return {
    client_id: by === 'gateway' ? null : source.clientId,
    gateway: by === 'gateway' || by === 'receipt' ? source.gateway : null,
    provider_payment_id: by === 'gateway' || by === 'receipt' ? source.providerPaymentId : null,
    payment_link_id: by === 'gateway' ? source.paymentLinkId : null,
    receipt_id: by === 'receipt' ? source.receiptId : null,
    bank_entry_id: by === 'bank' ? source.bankEntryId : null,
  };
}
