import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';

/**
 * The age of an amount: days since it was due, or apart because the client rejected the document.
 */
export const AGES = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const;
export const AGING_BUCKETS = [...AGES, 'rejected'] as const;

type AgingBucket = (typeof AGING_BUCKETS)[number];

type Buckets = Record<AgingBucket, bigint>;

/** A debt by its age, and the credit beside it. */
export interface AgedFigures extends Buckets {
  /** Of the ages: the receivables. Rejected claims are not asked for, and stand beside. */
  total: bigint;
  credit: bigint;
}

/** A customer's debt in one currency. */
export interface AgedBalance extends AgedFigures {
  currency: Currency;
}

/** Of a balance, which may have a name beside. */
export function agedFigures(balance: AgedFigures): AgedFigures {
  const { total, credit } = balance;
  const ages = AGING_BUCKETS.map((name): [AgingBucket, bigint] => [name, balance[name]]);
  return { ...(Object.fromEntries(ages) as Buckets), total, credit };
}

export const NOTHING_OWED: AgedFigures = {
  ...(Object.fromEntries(AGING_BUCKETS.map((name) => [name, 0n])) as Buckets),
  total: 0n,
  credit: 0n,
};

export interface AgedCustomer extends AgedBalance {
  /** @notNull Receivables and credit are a customer's. */
  customerId: Uuid;
  customerName: string;
}

export interface AgedDocument {
  /** @notNull Each amount owed belongs to a document. */
  documentId: Uuid;
  /** @notNull It was issued. */
  number: string;
  /** @notNull As of the document. */
  customerId: Uuid;
  customerName: string;
  currency: Currency;
  /** @notNull It was issued. */
  issueDate: IsoDate;
  /** @notNull It was issued. */
  dueDate: IsoDate;
  daysOverdue: number;
  bucket: AgingBucket;
  amount: bigint;
  /** How much of what was paid has gone back by now. */
  refundStatus: 'none' | 'partial' | 'full';
  /** The part of what is due that nobody is asked for by now. */
  undecided: bigint;
}
