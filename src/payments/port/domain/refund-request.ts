import type { Money } from '../../../kernel/money.js';

/** A request to a provider to give money back, or to tell what became of it. */
export interface RefundRequest {
  /**
   * Our public refund id, `rfnd_...`. It is the provider's idempotency key, and kept with the
   * refund there, so that it is found again when the answer was lost.
   */
  refundId: string;
  /** The provider's id of the payment that is given back, whole or in part. */
  providerPaymentId: string;
  amount: Money;
  /** The provider's id of the refund, once it has told us. */
  providerRefundId: string | null;
  /** False: made in the provider's dashboard, without our id; it is looked up, and never sent. */
  isOurs: boolean;
}

/**
 * The provider's answer about a refund. An answer that did not come is no outcome: it is thrown.
 */
export type RefundOutcome =
  | { status: 'succeeded'; providerRefundId: string }
  /** Accepted, and on its way: some banks take days. */
  | { status: 'pending'; providerRefundId: string | null }
  /** Refused, or given up: no money moves. `reason` is the provider's short code. */
  | { status: 'failed'; reason: string };

/** `not_found`: the provider lists the payment's refunds, and ours is not among them. */
export type RefundFound = RefundOutcome | { status: 'not_found' };
