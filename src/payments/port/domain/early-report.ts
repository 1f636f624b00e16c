import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { UnmatchedReason } from './webhook-outcome.js';
import type { FailedReport } from './provider-report.js';
import type { ToldRefund } from './told-refund.js';
import type { ToldDispute } from './told-dispute.js';
/** A provider's word on a payment that it told before the payment itself. */
export type EarlyReport =
  | ProviderFailure
  | (ToldDispute & { kind: 'dispute' })
  | (ToldRefund & { kind: 'refund' });

/** A provider's word on money that it took back, or that never came. */
export type ProviderFailure = Pick<
  FailedReport,
  'kind' | 'providerPaymentId' | 'amount' | 'reference' | 'reason' | 'at'
>;

/** A payment as its provider told of it first. */
export interface ToldPayment {
  unmatched: UnmatchedReason | null;
  amount: Money;
  paymentLinkId: Uuid | null;
  captureReference: string | null;
}
