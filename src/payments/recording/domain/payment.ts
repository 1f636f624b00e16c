import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { LedgerAccount } from '../../../books/index.js';
import { type Conversion, type ForeignMoney, settlingAccount } from './conversion.js';
import type { MoneyIn } from '../../../documents/index.js';
import type { PaymentMethod } from '../../../kernel/payment-method.js';

/** Money that came in. Never changed: mistakes are reversed by new facts. */
export interface Payment {
  id: Uuid;
  accountId: Uuid;
  customerId: Uuid;
  /** Null where it pays several documents, or none. */
  documentId: Uuid | null;
  /** The amount that came in; of one in another currency, the amount that it counts for. */
  amount: Money;
  /** The money that came in, where that was in another currency. */
  conversion: Conversion | null;
  /** The part that the documents took; the rest is the customer's credit. */
  applied: Money;
  /** The gateway's fee, if it tells, in the currency of the money. */
  fee: Money | null;
  method: PaymentMethod;
  reference: string | null;
  note: string | null;
  metadata: Record<string, string>;
  /** When it was paid, as told. */
  paidAt: Date;
  /** When we learned of it. */
  recordedAt: Date;
  source: PaymentSource;
}

/** It gets its id with its row. */
export type NewPayment = Omit<Payment, 'id'>;

/** The details that come with a payment when it is recorded. */
export interface PaymentTerms extends MoneyIn {
  /** Of the documents when null. */
  currency: string | null;
  /** The money, if it came in another currency than that of the documents. */
  received: ForeignMoney | null;
}

/** The details of a payment that is recorded now. */
export function saidOf({ method, reference, note, metadata, paidAt }: MoneyIn, now: Date) {
  return { method, reference, note, metadata, paidAt: paidAt ?? now, recordedAt: now, fee: null };
}

/** The source of the report. */
export type PaymentSource =
  | { by: 'client'; clientId: Uuid }
  | { by: 'gateway'; gateway: string; providerPaymentId: string; paymentLinkId: Uuid }
  /** A receipt that had no home, until somebody gave it one. */
  | {
      by: 'receipt';
      clientId: Uuid;
      receiptId: Uuid;
      gateway: string;
      providerPaymentId: string;
    }
  | { by: 'bank'; clientId: Uuid | null; bankEntryId: Uuid };

/** Credit that is spent: no money moves. */
export function isFromCredit({ method, source }: Pick<Payment, 'method' | 'source'>): boolean {
  return method === 'credit_balance' && source.by === 'client';
}

/** The money that came in, in its own currency. */
export function received({ amount, conversion }: Pick<Payment, 'amount' | 'conversion'>): Money {
  return conversion?.money ?? amount;
}

/** The account that pays the documents. */
export function ledgerSource(
  payment: Pick<Payment, 'method' | 'source' | 'conversion'>,
): LedgerAccount {
  return settlingAccount(moneySource(payment), payment.conversion);
}

/** The account that the money comes from. */
export function moneySource(payment: Pick<Payment, 'method' | 'source'>): LedgerAccount {
  switch (payment.source.by) {
    case 'receipt':
      return 'unmatched_receipts';
    case 'gateway':
      return 'gateway_clearing';
    default:
      return isFromCredit(payment) ? 'customer_credit' : 'cash';
  }
}

/** So many documents can take from one payment. The rest becomes the customer's credit. */
export const MOST_DOCUMENTS = 100;
