/**
 * The answer to a verified webhook. `ok`: applied, now or before. `no_link_id`: about a payment
 * that names no link of ours. `ignored`: of no effect.
 */
export type WebhookOutcome = 'ok' | 'ignored' | 'no_link_id';

/** Why a provider's money found no document. */
export type UnmatchedReason =
  'unknown_link' | 'currency_mismatch' | 'document_not_payable' | 'amount_too_large';
