import { Money } from '../../kernel/money.js';
import { amountKept, amountOwed, type DocumentSums } from './document-sums.js';

export const DOCUMENT_KINDS = ['invoice', 'quote', 'credit_note'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Stored. Sums and dates are stored beside it; what the public sees is derived from all three. */
export type Lifecycle =
  | 'draft'
  | 'open'
  | 'accepted'
  | 'rejected'
  | 'converted'
  | 'uncollectible'
  | 'void';

/** Every step that a document may take. The trigger `documents_lifecycle` knows the same ones. */
export const NEXT: Record<DocumentKind, Record<Lifecycle, readonly Lifecycle[]>> = {
  invoice: {
    draft: ['open'],
    open: ['rejected', 'uncollectible', 'void'],
    accepted: [],
    rejected: ['void'],
    converted: [],
    uncollectible: ['open', 'void'],
    void: [],
  },
  quote: {
    draft: ['open'],
    open: ['accepted', 'rejected', 'converted', 'void'],
    accepted: ['converted', 'void'],
    rejected: ['void'],
    // Back again when the draft invoice that was made of it is deleted.
    converted: ['open', 'accepted'],
    uncollectible: [],
    void: [],
  },
  credit_note: {
    draft: ['open'],
    open: ['void'],
    accepted: [],
    rejected: [],
    converted: [],
    uncollectible: [],
    void: [],
  },
};

export const DOCUMENT_STATUSES = [
  'draft',
  'open',
  'partially_paid',
  'paid',
  'accepted',
  'rejected',
  'expired',
  'converted',
  'uncollectible',
  'applied',
  'void',
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** The inputs of the public status. */
export interface StatusSource extends DocumentSums {
  kind: DocumentKind;
  lifecycle: Lifecycle;
  /** The first instant after the due date, or after the last day of a quote. */
  lapsesAt: Date | null;
  /** Of a credit note: the amount that reduced its invoice. */
  amountApplied: Money;
}

/** The part of an invoice that is not settled; of anything else nothing is owed. */
export function amountPayable(source: Pick<StatusSource, 'kind'> & DocumentSums): Money {
  return source.kind === 'invoice' ? amountOwed(source) : Money.zero(source.total.currency);
}

type Stored = Pick<StatusSource, 'kind' | 'lifecycle'>;

/** States of an invoice that takes payments: also when nobody asks for them any more. */
export const PAYABLE: readonly Lifecycle[] = ['open', 'uncollectible'];

export const isPayable = ({ kind, lifecycle }: Stored): boolean =>
  kind === 'invoice' && PAYABLE.includes(lifecycle);

/** Whether its money is asked for. */
export const isCollected = ({ kind, lifecycle }: Stored): boolean =>
  kind === 'invoice' && lifecycle === 'open';

/** Whether it is asked for after its due date. */
export const isLate = (source: Stored & Pick<StatusSource, 'lapsesAt'>, now: Date): boolean =>
  isCollected(source) && hasLapsed(source.lapsesAt, now);

/** The one place where the public status is derived; `status-sql.ts` asks the database the same. */
export function statusOf(source: StatusSource, now: Date): DocumentStatus {
  const { kind, lifecycle } = source;
  if (isPayable(source)) {
    if (amountOwed(source).isZero()) return 'paid';
    if (lifecycle === 'uncollectible') return 'uncollectible';
    return amountKept(source).isPositive() ? 'partially_paid' : 'open';
  }
  if (lifecycle !== 'open') return lifecycle;
  if (kind === 'credit_note') {
    return source.amountApplied.compare(source.total) === 0 ? 'applied' : 'open';
  }
  return hasLapsed(source.lapsesAt, now) ? 'expired' : 'open';
}

function hasLapsed(lapsesAt: Date | null, now: Date): boolean {
  return lapsesAt !== null && lapsesAt <= now;
}
