import type { IsoDate } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

export const STORED_LINK_STATUSES = [
  ...(['open', 'processing', 'paid', 'failed', 'canceled'] as const),
  'unmatched',
] as const;
export type StoredPaymentLinkStatus = (typeof STORED_LINK_STATUSES)[number];

/** `expired` is derived from the clock, so that no job has to be on time. */
export const PAYMENT_LINK_STATUSES = [...STORED_LINK_STATUSES, 'expired'] as const;
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number];

/**
 * A provider's word that money moves wins over our cancelling: a canceled link can be paid. A paid
 * one may fail days later, and be paid again. That a page of a canceled link failed is no news. Money
 * that the document cannot take ends a link as unmatched: it waits for none any more.
 */
const NEXT_LINK_STATUS: Record<StoredPaymentLinkStatus, readonly StoredPaymentLinkStatus[]> = {
  open: ['processing', 'paid', 'failed', 'canceled', 'unmatched'],
  processing: ['paid', 'failed', 'unmatched'],
  paid: ['failed'],
  failed: ['processing', 'paid', 'unmatched'],
  canceled: ['processing', 'paid', 'unmatched'],
  unmatched: ['paid'],
};

/** How a link is collected by a mandate, instead of paid at a page. */
export interface Collection {
  mandateId: Uuid;
  chargeOn: IsoDate;
}

/** A place at a provider where a document can be paid, or a debit that pays it. */
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
  /** When the page ends, as the provider said when it made it; null if it did not. */
  pageExpiresAt: Date | null;
  createdAt: Date;
  expiresAt: Date;
  /** Since when the provider has money on its way. */
  processingAt: Date | null;
  /** When it was paid last; it stays where the money was taken back, or is unmatched. */
  paidAt: Date | null;
  /** When the money did not come, or was taken back, at the last time. */
  failedAt: Date | null;
  /** Why it did not: the provider's short code. */
  failure: string | null;
  canceledAt: Date | null;
  /** Null where the payer goes to a page. */
  collection: Collection | null;
}

/** A link of which nothing has come yet. */
export function openedLink(
  made: Pick<
    PaymentLink,
    | 'id'
    | 'accountId'
    | 'documentId'
    | 'gateway'
    | 'amount'
    | 'createdAt'
    | 'expiresAt'
    | 'collection'
  >,
): PaymentLink {
  return {
    ...made,
    status: 'open',
    url: null,
    providerObjectId: null,
    pageExpiresAt: null,
    processingAt: null,
    paidAt: null,
    failedAt: null,
    failure: null,
    canceledAt: null,
  };
}

/** The link with money on its way; null where a later word of the provider stands already. */
export function processingLink(link: PaymentLink, at: Date): PaymentLink | null {
  const isOld = [link.paidAt, link.failedAt].some((later) => later !== null && later >= at);
  if (isOld || !canBecome(link, 'processing')) return null;
  return { ...link, status: 'processing', processingAt: at, canceledAt: null };
}

/** The link after its money did not come; null where that changes nothing. */
export function failedLink(link: PaymentLink, at: Date, failure: string): PaymentLink | null {
  if (!canBecome(link, 'failed')) return null;
  return { ...link, status: 'failed', failedAt: at, failure, canceledAt: null };
}

/** The link after a payment came through it; null where another one did before. */
export function paidLink(link: PaymentLink, paidAt: Date): PaymentLink | null {
  if (!canBecome(link, 'paid')) return null;
  return { ...link, status: 'paid', paidAt, canceledAt: null };
}

/** The link after its money found no document that could take it; null where that changes nothing. */
export function unmatchedLink(link: PaymentLink, paidAt: Date): PaymentLink | null {
  if (!canBecome(link, 'unmatched')) return null;
  return { ...link, status: 'unmatched', paidAt, canceledAt: null };
}

/** By how much less, or more, is on its way after a link has become another one. */
export function processingChange(before: PaymentLink, after: PaymentLink): Money {
  const onItsWay = ({ status, amount }: PaymentLink) =>
    status === 'processing' ? amount : Money.zero(amount.currency);
  return onItsWay(after).minus(onItsWay(before));
}

export function paymentLinkStatus(link: PaymentLink, now: Date): PaymentLinkStatus {
  return link.status === 'open' && link.expiresAt <= now ? 'expired' : link.status;
}

/** Some minutes to pay in: a page that ends sooner is not offered any more. */
const LEAST_PAGE_MS = 5 * 60_000;
/** Pages are given up a little earlier, so that none stays open unseen. */
const GIVEN_UP_MS = LEAST_PAGE_MS + 60_000;

/** A page that ends before this instant is not offered. */
export function earliestPageEnd(now: Date): Date {
  return new Date(now.getTime() + LEAST_PAGE_MS);
}

/** A page that ends before this instant is closed before another one is made. */
export function givenUpPageEnd(now: Date): Date {
  return new Date(now.getTime() + GIVEN_UP_MS);
}

/** The address to which a payer may be sent; null if there is none that lasts. */
export function offeredUrl(link: PaymentLink, now: Date): string | null {
  const { url, pageExpiresAt: end } = link;
  const lasts = end === null || end > earliestPageEnd(now);
  return lasts && paymentLinkStatus(link, now) === 'open' ? url : null;
}

export function canBecome(link: PaymentLink, next: StoredPaymentLinkStatus): boolean {
  return NEXT_LINK_STATUS[link.status].includes(next);
}

export function assertCancelable(link: PaymentLink, now: Date): void {
  if (canBecome(link, 'canceled')) return;
  throw PaymentRefusal.payment_link_not_open.of(
    `Only an open payment link can be canceled; this one is ${paymentLinkStatus(link, now)}.`,
    { payment_link_status: paymentLinkStatus(link, now) },
  );
}

export function collectionUnderWay(linkId: Uuid): DomainError {
  return PaymentRefusal.collection_under_way.with({
    payment_link_id: publicId('plink', linkId),
  });
}
