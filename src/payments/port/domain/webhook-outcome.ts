/**
 * The answer to a verified webhook. `ok`: applied, now or before. `no_link_id`: about a payment
 * that names no link of ours. `ignored`: of no effect.
 */
export const WEBHOOK_OUTCOMES = ['ok', 'ignored', 'no_link_id'] as const;
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/** Why a provider's money found no document when it came. */
export const PROVIDER_RECEIPT_REASONS = [
  'unknown_link',
  'currency_mismatch',
  'document_not_payable',
  'amount_too_large',
  /** Its signature does not cover it, and the provider could not be asked. */
  'unconfirmed',
  /** It came by a gateway that is not of the link's account. */
  'foreign_gateway',
] as const;

/** Why it has none now. */
export const UNMATCHED_REASONS = [
  ...PROVIDER_RECEIPT_REASONS,
  /** It had paid another document than it should, and somebody took that back. */
  'payment_reversed',
] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];
