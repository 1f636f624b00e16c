import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Holding } from '../domain/holding.js';
import {
  FIND_HOLDING,
  type HoldingColumns,
  HOLDINGS_ON_DOCUMENTS,
  toHolding,
} from './holding-columns.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

/**
 * For those who are about to move the money of a payment. Locks the payment, then reads what became of
 * it; its documents are locked after it.
 */
export async function getHoldingForUpdate(
  tx: Tx,
  accountId: Uuid,
  paymentId: Uuid,
): Promise<Holding> {
  const key = [accountId, paymentId];
  await tx.read(
    'SELECT 1 FROM payments WHERE account_id = $1 AND payment_id = $2 FOR NO KEY UPDATE',
    key,
    [paymentId],
  );
  const [row] = await tx.read<HoldingColumns>(FIND_HOLDING, key);
  if (!row) throw PaymentRefusal.payment_not_found.of();
  return toHolding(row);
}

/** All that were ever for one of these documents, read under the documents' locks. */
export async function holdingsOfDocuments(
  tx: Tx,
  accountId: Uuid,
  documentIds: readonly Uuid[],
): Promise<Holding[]> {
  const rows = await tx.read<HoldingColumns>(HOLDINGS_ON_DOCUMENTS, [accountId, documentIds]);
  return rows.map(toHolding);
}
