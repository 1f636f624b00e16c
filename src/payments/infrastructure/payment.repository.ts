import { Injectable } from '@nestjs/common';
import { IdGenerator, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { Payment } from '../domain/payment.js';

/** Payments and customer credit for writing; both only ever grow. */
@Injectable()
export class PaymentRepository {
  constructor(private readonly ids: IdGenerator) {}

  insert(tx: Tx, payment: Payment): void {
    const { source } = payment;
    const fromGateway = source.by === 'gateway' ? source : null;
    tx.write(
      `INSERT INTO payments (account_id, payment_id, document_id, currency, amount, applied, method,
         reference, note, metadata, paid_at, recorded_at, client_id, gateway, provider_payment_id,
         payment_link_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
      [
        payment.accountId,
        payment.id,
        payment.documentId,
        payment.amount.currency,
        payment.amount.minor,
        payment.applied.minor,
        payment.method,
        payment.reference,
        payment.note,
        payment.metadata,
        payment.paidAt,
        payment.recordedAt,
        source.by === 'client' ? source.clientId : null,
        fromGateway?.gateway ?? null,
        fromGateway?.providerPaymentId ?? null,
        fromGateway?.paymentLinkId ?? null,
      ],
    );
  }

  /**
   * Adds to a customer's credit, or takes from it where the amount is negative. The balance cannot
   * fall below zero: the database refuses it.
   */
  addCredit(tx: Tx, { accountId, customerId, amount, ...credit }: CustomerCredit): void {
    tx.write(
      `INSERT INTO customer_credits (account_id, credit_id, customer_id, payment_id, credit_note_id,
         currency, amount, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        accountId,
        this.ids.next(),
        customerId,
        credit.paymentId,
        credit.creditNoteId,
        amount.currency,
        amount.minor,
        credit.at,
      ],
    );
    const balance = [accountId, customerId, amount.currency, amount.minor];
    tx.write(amount.isNegative() ? TAKE_CREDIT : ADD_CREDIT, balance);
  }

  /** A customer's credit in one currency. Locks it, so that it is spent only once. */
  async lockCredit(tx: Tx, accountId: Uuid, customerId: Uuid, currency: string): Promise<Money> {
    const [row] = await tx.read<{ credit: bigint }>(
      `SELECT credit FROM customer_balances
       WHERE account_id = $1 AND customer_id = $2 AND currency = $3 FOR UPDATE`,
      [accountId, customerId, currency],
    );
    return Money.of(row?.credit ?? 0n, currency);
  }

  /** The newest payment of the document since `since` that looks the same; read under its lock. */
  async findSimilar(
    tx: Tx,
    payment: Pick<Payment, 'accountId' | 'documentId' | 'method' | 'reference'> & { minor: bigint },
    since: Date,
  ): Promise<Uuid | undefined> {
    const [row] = await tx.read<{ payment_id: Uuid }>(
      `SELECT payment_id FROM payments
       WHERE account_id = $1 AND document_id = $2 AND recorded_at > $3 AND amount = $4
         AND method = $5 AND reference IS NOT DISTINCT FROM $6
       ORDER BY recorded_at DESC LIMIT 1`,
      [
        payment.accountId,
        payment.documentId,
        since,
        payment.minor,
        payment.method,
        payment.reference,
      ],
    );
    return row?.payment_id;
  }
}

/** One change of a customer's credit, and what led to it. */
export interface CustomerCredit {
  accountId: Uuid;
  customerId: Uuid;
  amount: Money;
  paymentId: Uuid | null;
  creditNoteId: Uuid | null;
  at: Date;
}

const ADD_CREDIT = `INSERT INTO customer_balances AS b (account_id, customer_id, currency, credit)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, customer_id, currency) DO UPDATE SET credit = b.credit + $4`;
// A check is judged before a conflict: what is negative must not be inserted.
const TAKE_CREDIT = `UPDATE customer_balances SET credit = credit + $4
  WHERE account_id = $1 AND customer_id = $2 AND currency = $3`;
