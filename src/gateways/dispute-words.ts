import { Money } from '../kernel/money.js';
import type { DisputeReport, ProviderReport } from '../payments/index.js';

/** The one who has the disputed money. `unsaid`: the provider does not say. */
type Holder = 'seller' | 'provider' | 'unsaid';
type Status = DisputeReport['status'];

/** A provider's own words on a dispute, and the page that tells of them. */
interface ProviderWords {
  page: string;
  words: Readonly<Record<string, readonly [status: Status, holder: Holder]>>;
}

/**
 * The holder of disputed money, by provider and by its word on the dispute. It counts where an event
 * says nothing of the money itself. docs/gateways.md shows the same table, and a test compares them.
 */
export const DISPUTE_WORDS = {
  stripe: {
    page: 'docs.stripe.com/disputes/how-disputes-work',
    words: {
      warning_needs_response: ['inquiry', 'seller'],
      warning_under_review: ['inquiry', 'seller'],
      warning_closed: ['closed', 'seller'],
      prevented: ['closed', 'seller'],
      needs_response: ['open', 'provider'],
      under_review: ['open', 'provider'],
      won: ['won', 'seller'],
      lost: ['lost', 'provider'],
    },
  },
  // A claim that the seller accepts is paid by a refund, which is told for itself.
  paypal: {
    page: 'developer.paypal.com/docs/disputes/disputes-reference',
    words: {
      INQUIRY: ['inquiry', 'seller'],
      CHARGEBACK: ['open', 'provider'],
      PRE_ARBITRATION: ['open', 'provider'],
      ARBITRATION: ['open', 'provider'],
      RESOLVED_BUYER_FAVOUR: ['lost', 'provider'],
      RESOLVED_SELLER_FAVOUR: ['won', 'seller'],
      RESOLVED_WITH_PAYOUT: ['won', 'seller'],
      CANCELED_BY_BUYER: ['won', 'seller'],
      DENIED: ['won', 'seller'],
      ACCEPTED: ['closed', 'seller'],
    },
  },
  mollie: {
    page: 'docs.mollie.com/reference/chargebacks-api',
    words: { received: ['lost', 'provider'], reversed: ['won', 'seller'] },
  },
  gocardless: {
    page: 'developer.gocardless.com/api-reference',
    words: {
      charged_back: ['lost', 'provider'],
      chargeback_settled: ['lost', 'provider'],
      chargeback_cancelled: ['won', 'seller'],
    },
  },
  // In the order of a dispute's life: of several in one second the later step counts.
  adyen: {
    page: 'docs.adyen.com/risk-management/disputes-api/dispute-notifications',
    words: {
      REQUEST_FOR_INFORMATION: ['inquiry', 'seller'],
      NOTIFICATION_OF_CHARGEBACK: ['open', 'seller'],
      CHARGEBACK: ['lost', 'provider'],
      CHARGEBACK_REVERSED: ['won', 'seller'],
      PREARBITRATION_OPEN: ['open', 'unsaid'],
      SECOND_CHARGEBACK: ['lost', 'provider'],
      PREARBITRATION_LOST: ['lost', 'provider'],
      PREARBITRATION_WON: ['won', 'seller'],
    },
  },
  razorpay: {
    page: 'razorpay.com/docs/api/disputes/entity',
    words: {
      fraud: ['inquiry', 'seller'],
      retrieval: ['inquiry', 'seller'],
      open: ['open', 'seller'],
      under_review: ['open', 'seller'],
      action_required: ['open', 'seller'],
      won: ['won', 'seller'],
      lost: ['lost', 'provider'],
      closed: ['closed', 'seller'],
    },
  },
  'standard-webhooks': {
    page: 'providers/standard-webhooks.md',
    words: {
      'dispute.inquiry': ['inquiry', 'seller'],
      'dispute.opened': ['open', 'provider'],
      'dispute.won': ['won', 'seller'],
      'dispute.lost': ['lost', 'provider'],
      'dispute.closed': ['closed', 'seller'],
    },
  },
  sandbox: {
    page: 'providers/sandbox.md',
    words: {
      'dispute.inquiry': ['inquiry', 'seller'],
      'dispute.opened': ['open', 'provider'],
      'dispute.updated': ['open', 'provider'],
      'dispute.won': ['won', 'seller'],
      'dispute.lost': ['lost', 'provider'],
      'dispute.closed': ['closed', 'seller'],
    },
  },
} as const satisfies Readonly<Record<string, ProviderWords>>;

/** A word on a dispute in our words; undefined for one that the provider does not have. */
export interface DisputeWord {
  status: Status;
  /** The amount that the provider holds, by this word alone; null: it does not say. */
  withdrawnOf(amount: Money): Money | null;
}

export function disputeWord(
  provider: keyof typeof DISPUTE_WORDS,
  word: string,
): DisputeWord | undefined {
  const { words }: ProviderWords = DISPUTE_WORDS[provider];
  const [status, holder] = (Object.hasOwn(words, word) && words[word]) || [];
  if (!status) return undefined;
  const withdrawnOf = (amount: Money) => {
    if (holder === 'unsaid') return null;
    return holder === 'provider' ? amount : Money.zero(amount.currency);
  };
  return { status, withdrawnOf };
}

/** A dispute in the shape of ours, as the sandbox and Standard Webhooks tell it, but its amount. */
export function disputeTold(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  { status, withdrawnOf }: DisputeWord,
  { amount, at, review }: Pick<DisputeReport, 'amount' | 'at' | 'review'>,
  told: {
    dispute_id: string;
    payment_id: string;
    withdrawn?: number;
    fee?: number;
    reason?: string;
    evidence_due_by?: string;
  },
): DisputeReport {
  const part = (minor: number | undefined) =>
    minor === undefined ? null : Money.of(BigInt(minor), amount.currency);
  return {
    ...reported,
    kind: 'dispute',
    disputeId: told.dispute_id,
    providerPaymentId: told.payment_id,
    status,
    amount,
    withdrawn: part(told.withdrawn) ?? withdrawnOf(amount),
    fee: part(told.fee),
    reason: told.reason ?? 'general',
    evidenceDueBy: told.evidence_due_by === undefined ? null : new Date(told.evidence_due_by),
    at,
    review,
  };
}

/** The words of a provider on disputes, in their order. */
export function disputeWordsOf(provider: keyof typeof DISPUTE_WORDS): readonly string[] {
  return Object.keys(DISPUTE_WORDS[provider].words);
}
