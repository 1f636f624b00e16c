import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { Database } from '../../../platform/database/database.js';
import type { PaymentMethod } from '../../../kernel/payment-method.js';
import { HoldingsQuery } from './holdings.query.js';
import { IS_UNDONE } from './undone-refunds.js';

/** Money that settles a document, as its client may know it. */
export interface Settlement {
  /** The part of a payment that the document has. */
  amount: Money;
  method: PaymentMethod;
  paidAt: Date;
}

export interface SettledBack {
  amount: Money;
  at: Date;
}

/** More of them would be a page that nobody reads. */
const MOST = 100;

/** Payments and refunds of a document for its client: no ids, no notes, and nothing of others. */
@Injectable()
export class SettlementsQuery {
  constructor(
    private readonly database: Database,
    private readonly holdings: HoldingsQuery,
  ) {}

  /** The newest hundred, oldest first. */
  async paymentsOf(accountId: Uuid, documentId: Uuid): Promise<Settlement[]> {
    const found = await this.holdings.ofDocuments(accountId, [documentId], MOST);
    const parts = (found.get(documentId) ?? []).flatMap(({ payment, allocations }) =>
      allocations
        .filter((one) => one.documentId === documentId && one.amount.isPositive())
        .map(({ amount }) => ({ amount, method: payment.method, paidAt: payment.paidAt })),
    );
    return parts.sort((one, other) => one.paidAt.getTime() - other.paidAt.getTime());
  }

  /** Those that have arrived, oldest first. */
  async refundsOf(accountId: Uuid, documentId: Uuid): Promise<SettledBack[]> {
    const rows = await this.database.query<{ amount: bigint; currency: string; at: Date }>(
      `SELECT t.amount, d.currency, coalesce(r.settled_at, r.requested_at) AS at
       FROM refund_parts t
       JOIN refunds r USING (account_id, refund_id)
       JOIN documents d ON (d.account_id, d.document_id) = (t.account_id, t.document_id)
       WHERE t.account_id = $1 AND t.document_id = $2
         AND r.status = 'succeeded' AND NOT ${IS_UNDONE}
       ORDER BY at DESC LIMIT ${MOST}`,
      [accountId, documentId],
    );
    return rows
      .map(({ amount, currency, at }) => ({ amount: Money.of(amount, currency), at }))
      .toReversed();
  }
}
