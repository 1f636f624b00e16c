import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';

export const STORED_LINK_STATUSES = ['open', 'paid', 'canceled'] as const;
export type StoredPaymentLinkStatus = (typeof STORED_LINK_STATUSES)[number];

/** `expired` is derived from the clock, so that no job has to be on time. */
export const PAYMENT_LINK_STATUSES = [...STORED_LINK_STATUSES, 'expired'] as const;
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number];

/** A provider's word that money moved wins over our cancelling: a canceled link can be paid. */
const NEXT_LINK_STATUS: Record<StoredPaymentLinkStatus, readonly StoredPaymentLinkStatus[]> = {
  open: ['paid', 'canceled'],
  canceled: ['paid'],
  paid: [],
};

/** A place at a provider where a document can be paid. */
export interface PaymentLink {
  id: Uuid;
  accountId: Uuid;
  documentId: Uuid;
  gateway: string;
  amount: Money;
  status: StoredPaymentLinkStatus;
  /** The provider's pay page; null when the gateway has no API key. */
  url: string | null;
  providerObjectId: string | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
  canceledAt: Date | null;
}

export function paymentLinkStatus(link: PaymentLink, now: Date): PaymentLinkStatus {
  return link.status === 'open' && link.expiresAt <= now ? 'expired' : link.status;
}

export function canBecome(link: PaymentLink, next: StoredPaymentLinkStatus): boolean {
  return NEXT_LINK_STATUS[link.status].includes(next);
}

export function assertCancelable(link: PaymentLink, now: Date): void {
  if (canBecome(link, 'canceled')) return;
  throw DomainError.conflict(
    'payment_link_not_open',
    `Only an open payment link can be canceled; this one is ${paymentLinkStatus(link, now)}.`,
    { payment_link_status: paymentLinkStatus(link, now) },
  );
}

export function paymentLinkNotFound(): DomainError {
  return DomainError.notFound('payment_link_not_found', 'There is no such payment link.');
}
