import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { NewPayment, Payment } from '../domain/payment.js';
import { insertConversion } from './conversion-columns.js';
import { type PaymentColumns, sourceColumns } from './payment-columns.js';

/** Payments and customer credit for writing; both only ever grow. */
@Injectable()
export class PaymentRepository {
  insert(tx: Tx, made: NewPayment): Payment {
    const payment = { ...made, id: tx.newId() };
    tx.insert('payments', {
      account_id: payment.accountId,
      payment_id: payment.id,
      customer_id: payment.customerId,
      document_id: payment.documentId,
      currency: payment.amount.currency,
      amount: payment.amount.minor,
      applied: payment.documentId === null ? 0n : payment.applied.minor,
      fee: payment.fee?.minor ?? null,
      method: payment.method,
      reference: payment.reference,
      note: payment.note,
      metadata: payment.metadata,
      paid_at: payment.paidAt,
      recorded_at: payment.recordedAt,
      ...sourceColumns(payment),
    } satisfies Omit<PaymentColumns, 'conversion'>);
    const { accountId, id: paymentId, conversion } = payment;
    insertConversion(tx, { accountId, paymentId }, conversion);
    return payment;
  }

  /**
   * The amounts that a payment pays of documents; below zero, if it pays them no longer.
   * @param countsOn the day of a move in the ledger, where that is not the one of `at`
   */
  insertAllocations(
    tx: Tx,
    payment: Pick<Payment, 'accountId' | 'id' | 'amount'>,
    allocations: readonly (Omit<Allocation, 'id'> & { id?: Uuid })[],
    reason: AllocationReason,
    at: Date,
    countsOn: IsoDate | null = null,
  ): void {
    tx.insertLists(
      'allocations',
      {
        account_id: payment.accountId,
        payment_id: payment.id,
        currency: payment.amount.currency,
        reason,
        created_at: at,
        ...(countsOn !== null && { counts_on: countsOn }),
      },
      allocations.map(({ id = tx.newId(), documentId, amount }) => ({
        allocation_id: id,
        document_id: documentId,
        amount: amount.minor,
      })),
    );
  }

  /**
   * Lets no report of a provider's payment pass until the transaction ends: they look for its money
   * before they lock the payment, so this comes before that, too.
   */
  async lockReports(tx: Tx, accountId: Uuid, paymentId: Uuid): Promise<void> {
    await tx.read(
      `SELECT pg_advisory_xact_lock(hashtextextended(gateway || ' ' || provider_payment_id, 0))
       FROM payments WHERE account_id = $1 AND payment_id = $2 AND gateway IS NOT NULL`,
      [accountId, paymentId],
    );
  }

  /** The day of a payment's last move. */
  async lastMovedOn(tx: Tx, accountId: Uuid, paymentId: Uuid): Promise<IsoDate | null> {
    const [row] = await tx.read<{ day: IsoDate | null }>(
      `SELECT max(coalesce(m.counts_on, (m.created_at AT TIME ZONE a.time_zone)::date)) AS day
       FROM allocations m JOIN accounts a USING (account_id)
       WHERE m.account_id = $1 AND m.payment_id = $2 AND m.reason = 'move'`,
      [accountId, paymentId],
    );
    return row?.day ?? null;
  }

  /** Its key lets a payment be reversed once; the update forbids it after any refund. */
  insertReversal(
    tx: Tx,
    { accountId, id, amount }: Payment,
    { reason, clientId, at }: { reason: string | null; clientId: Uuid; at: Date },
  ): void {
    tx.insert('payment_reversals', {
      account_id: accountId,
      payment_id: id,
      reason,
      client_id: clientId,
      reversed_at: at,
    });
    tx.write(
      `UPDATE payments SET returned = returned + $3, is_reversed = true
       WHERE account_id = $1 AND payment_id = $2`,
      [accountId, id, amount.minor],
    );
  }

  /**
   * Adds to a customer's credit, or takes from it where the amount is negative. The balance cannot
   * fall below zero: the database refuses it.
   */
  addCredit(tx: Tx, { accountId, customerId, amount, ...credit }: CustomerCredit): void {
    tx.insert('customer_credits', {
      account_id: accountId,
      credit_id: tx.newId(),
      customer_id: customerId,
      payment_id: credit.paymentId,
      credit_note_id: credit.creditNoteId,
      currency: amount.currency,
      amount: amount.minor,
      created_at: credit.at,
    });
    const balance = [accountId, customerId, amount.currency, amount.minor];
    tx.write(amount.isNegative() ? TAKE_CREDIT : ADD_CREDIT, balance);
  }

  /**
   * The credit that a customer may spend in one currency. Locks it, so that it is spent only once.
   */
  async lockCredit(tx: Tx, accountId: Uuid, customerId: Uuid, currency: string): Promise<Money> {
    const key = [accountId, customerId, currency];
    const [row] = await tx.read<{ credit: bigint }>(`${CREDIT} FOR UPDATE`, key);
    return Money.of(row?.credit ?? 0n, currency);
  }

  /** The same without a lock, where the rows that are locked before it are not locked yet. */
  async spendableCredit(
    tx: Tx,
    { accountId, customerId, amount: { currency } }: Payment,
  ): Promise<Money> {
    const key = [accountId, customerId, currency];
    const [row] = await tx.read<{ credit: bigint }>(CREDIT, key);
    return Money.of(row?.credit ?? 0n, currency);
  }
}

/** The newest payment of the document since `since` that looks the same; read under its lock. */
export async function findSimilarPayment(
  tx: Tx,
  payment: Pick<Payment, 'accountId' | 'documentId' | 'method' | 'reference'> & { minor: bigint },
  since: Date,
): Promise<Uuid | undefined> {
  const { accountId, documentId, minor, method, reference } = payment;
  const [row] = await tx.load<{ payment_id: Uuid }>({
    text: `SELECT payment_id FROM payments
      WHERE account_id = $1 AND document_id = $2 AND recorded_at > $3 AND amount = $4
        AND method = $5 AND reference IS NOT DISTINCT FROM $6
      ORDER BY recorded_at DESC LIMIT 1`,
    types: ['uuid', 'uuid', 'timestamptz', 'bigint', 'text', 'text'],
    values: [accountId, documentId, since, minor, method, reference],
    claims: `payment ${JSON.stringify([documentId, String(minor), method, reference])}`,
  });
  return row?.payment_id;
}

export const ALLOCATION_REASONS = ['receipt', 'move', 'reversal'] as const;
type AllocationReason = (typeof ALLOCATION_REASONS)[number];

/** A part of a payment that one document takes. */
export interface Allocation {
  id: Uuid;
  documentId: Uuid;
  amount: Money;
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

/** The credit of customer $2 of account $1 in currency $3, less what is set aside. */
const CREDIT = `SELECT credit - reserved AS credit FROM customer_balances
  WHERE account_id = $1 AND customer_id = $2 AND currency = $3`;

const ADD_CREDIT = `INSERT INTO customer_balances AS b (account_id, customer_id, currency, credit)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, customer_id, currency) DO UPDATE SET credit = b.credit + $4`;
// A check is judged before a conflict: what is negative must not be inserted.
const TAKE_CREDIT = `UPDATE customer_balances SET credit = credit + $4
  WHERE account_id = $1 AND customer_id = $2 AND currency = $3`;
