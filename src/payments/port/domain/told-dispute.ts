import { Money } from '../../../kernel/money.js';
/** `inquiry`: asked without money; `closed`: an inquiry that came to nothing. */
export const DISPUTE_STATUSES = ['inquiry', 'open', 'won', 'lost', 'closed'] as const;

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** A provider's word on a dispute, as it stood when that was said. */
export interface ToldDispute {
  /** The provider's id of the dispute. */
  disputeId: string;
  providerPaymentId: string;
  status: DisputeStatus;
  /** The amount that the payer disputes. */
  amount: Money;
  /** The amount that the provider has taken out of its balance for it; null: it does not say. */
  withdrawn: Money | null;
  /** The fee that it has charged for it, less what it returned; null: it does not say. */
  fee: Money | null;
  /** The provider's short code. */
  reason: string;
  evidenceDueBy: Date | null;
  at: Date;
}
