import type { CustomerKind } from '../../documents/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { DatedRate } from './late-payment-law.js';

/** One letter for each document, or one for all that a customer owes in a currency. */
export const LETTERS_BY = ['document', 'customer'] as const;
/** Fees and interest are billed by an invoice of their own, or on the next one. */
export const CHARGES_ON = ['own_document', 'next_document'] as const;

/** Words of the seller in one language, in the place of ours. */
export interface DunningWords {
  /** BCP 47. */
  language: string;
  subject: string | null;
  text: string | null;
}

export interface DunningStep {
  /** After the due date; below zero, before it. */
  days: number;
  /** The letter names a day so many days after its own. */
  pay_within_days: number;
  /** Of the documents of each currency, in minor units. */
  fees: { currency: Currency; amount: number }[];
  /** Statutory interest since the due date. */
  interest: boolean;
  /** The 40 EUR of a business that pays late, once for a document. */
  lump_sum: boolean;
  words: DunningWords[];
}

/** How an account asks for what is due, as the API has it. */
export interface DunningTerms {
  letters_by: (typeof LETTERS_BY)[number];
  charges_on: (typeof CHARGES_ON)[number];
  /** ISO 3166-1; null: that of the seller. */
  law: string | null;
  /** Those that are not known here, or wrong. */
  base_rates: DatedRate[];
  business_steps: DunningStep[];
  consumer_steps: DunningStep[];
  /** Documents that were due before it are left alone. */
  due_from: IsoDate | null;
}

export interface DunningPlan {
  terms: DunningTerms;
  version: number;
}

export const NO_PLAN: DunningPlan = {
  terms: {
    letters_by: 'document',
    charges_on: 'own_document',
    law: null,
    base_rates: [],
    business_steps: [],
    consumer_steps: [],
    due_from: null,
  },
  version: 1,
};

export const hasSteps = ({ business_steps, consumer_steps }: DunningTerms): boolean =>
  business_steps.length + consumer_steps.length > 0;

/** Of a customer that nobody calls a business, the law may be that of consumers. */
export const kindOf = (kind: CustomerKind | null): CustomerKind => kind ?? 'consumer';

export const stepsFor = (terms: DunningTerms, kind: CustomerKind): DunningStep[] =>
  kind === 'business' ? terms.business_steps : terms.consumer_steps;
