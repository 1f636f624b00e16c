import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';

/** Where an amount stands: by the days since it was due, or apart because its client rejected it. */
export const AGING_BUCKETS = [
  'not_due',
  'days_1_30',
  'days_31_60',
  'days_61_90',
  'days_over_90',
  'rejected',
] as const;

export type AgingBucket = (typeof AGING_BUCKETS)[number];

type Buckets = Record<AgingBucket, bigint>;

/** What a customer owes in one currency, and what they have paid too much beside it. */
export interface AgedBalance extends Buckets {
  currency: Currency;
  /** Of the buckets: the receivables. */
  total: bigint;
  credit: bigint;
}

export interface AgedCustomer extends AgedBalance {
  /** @notNull Receivables and credit are a customer's. */
  customerId: Uuid;
  customerName: string;
}

export interface AgedDocument {
  /** @notNull What is owed is owed for a document. */
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
}
