import type { Money } from '../../kernel/money.js';

export const DOCUMENT_KINDS = ['invoice', 'quote'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Stored. Sums are stored beside it; what the public sees is derived from both. */
export type Lifecycle = 'draft' | 'open' | 'accepted' | 'rejected' | 'void';

export const NEXT: Record<Lifecycle, readonly Lifecycle[]> = {
  draft: ['open'],
  open: ['accepted', 'rejected', 'void'],
  accepted: ['void'],
  rejected: ['void'],
  void: [],
};

export const DOCUMENT_STATUSES = [
  'draft',
  'open',
  'partially_paid',
  'paid',
  'accepted',
  'rejected',
  'void',
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** The one place where the public status is derived. */
export function statusOf(
  kind: DocumentKind,
  lifecycle: Lifecycle,
  total: Money,
  amountPaid: Money,
): DocumentStatus {
  if (lifecycle !== 'open' || kind === 'quote') return lifecycle;
  if (amountPaid.compare(total) === 0) return 'paid';
  return amountPaid.isPositive() ? 'partially_paid' : 'open';
}
