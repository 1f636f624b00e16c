import {
  type ShortfallAllowance,
  discountTakenBy,
  type Document,
  taxesLeft,
} from '../../../documents/index.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';

/** The agreed reduction that a payment takes, if it came in time and leaves no more. */
export async function discountFor(
  tx: Tx,
  document: Document,
  payment: Money,
  paidAt: Date,
): Promise<ShortfallAllowance | null> {
  const most = discountTakenBy(document.state, payment, paidAt);
  return most && { most, taxes: await taxesLeft(tx, document) };
}
