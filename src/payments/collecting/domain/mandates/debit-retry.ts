import { addDays, type IsoDate } from '../../../../kernel/clock.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { Document } from '../../../../documents/index.js';
import type { MandateStatus } from '../../../port/domain/mandates/mandate-status.js';

export const DEBIT_RETRY_STATUSES = ['planned', 'begun', 'dropped'] as const;
export type DebitRetryStatus = (typeof DEBIT_RETRY_STATUSES)[number];

/** Why a debit that failed is not tried again. */
export const GIVEN_UP_REASONS = [
  'plan_used_up',
  'never_works',
  'mandate_not_active',
  'paid_by_client',
  'disputed',
] as const;
export type GivenUpReason = (typeof GIVEN_UP_REASONS)[number];

/** A debit that failed, and is to be tried again. */
export interface DebitRetry {
  accountId: Uuid;
  documentId: Uuid;
  /** Among the tries of its document, from 1. */
  number: number;
  /** The debit that failed before it. */
  failedLinkId: Uuid;
  mandateId: Uuid;
  tryOn: IsoDate;
}

/** The things that decide whether a document is debited once more. */
export interface RetryCircumstances {
  mandateStatus: MandateStatus;
  collectionMethod: Document['state']['collectionMethod'];
  /** Of the account: days after each failure. */
  days: number[];
  /** A payer disputes money of the document, or has got it back that way. */
  isDisputed: boolean;
}

/**
 * Words of providers and of bank schemes (SEPA, ACH) for what another debit cannot mend. GoCardless tells
 * its own; a provider of an installation may tell any of them (decision 273).
 */
const NEVER_WORKS: ReadonlySet<string> = new Set(
  `mandate_cancelled mandate_canceled mandate_expired mandate_failed mandate_is_inactive MD01 R07
    bank_account_closed account_closed AC04 R02 bank_account_transferred
    invalid_bank_details account_not_found AC01 R03 R04
    direct_debit_not_enabled bank_account_disabled account_blocked AC06 AG01 R16
    authorisation_disputed payment_stopped MD06 R08 R10 R29 debtor_deceased MD07 R15
    payment_cancelled customer_approval_denied cancelled canceled`.split(/\s+/),
);

function neverWorks(reason: string | null): boolean {
  return reason !== null && NEVER_WORKS.has(reason);
}

/** Why the try of this number is not made; null: it is. */
export function whyNotTried(
  number: number,
  { mandateStatus, collectionMethod, days, isDisputed }: RetryCircumstances,
): GivenUpReason | null {
  if (mandateStatus !== 'active') return 'mandate_not_active';
  if (collectionMethod === 'send_invoice') return 'paid_by_client';
  if (isDisputed) return 'disputed';
  return number > days.length ? 'plan_used_up' : null;
}

/**
 * A failure of today is followed by another try, or by word that there is none; by nothing (null) where the
 * account has no plan, and nothing was tried before.
 * @param made tries of the document so far
 */
export function afterDebitFailure(
  { reason, today }: { reason: string | null; today: IsoDate },
  made: number,
  circumstances: RetryCircumstances,
): { number: number; tryOn: IsoDate } | { givenUp: GivenUpReason } | null {
  const { days } = circumstances;
  if (days.length === 0 && made === 0) return null;
  if (neverWorks(reason)) return { givenUp: 'never_works' };
  const number = made + 1;
  const givenUp = whyNotTried(number, circumstances);
  const after = days[made];
  if (givenUp !== null || after === undefined) return { givenUp: givenUp ?? 'plan_used_up' };
  return { number, tryOn: addDays(today, after) };
}
