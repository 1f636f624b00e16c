import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { TaxShare } from './calculation/tax-part.js';
import type { CashDiscount } from './cash-discount.js';
import type { CollectionMethod } from './collection-method.js';
import type { DocumentKind, Lifecycle } from './lifecycle.js';

/** How a document came from another one. */
export const ORIGIN_RELATIONS = ['revision', 'conversion', 'duplicate', 'credit'] as const;
export type OriginRelation = (typeof ORIGIN_RELATIONS)[number];

/** State and sums of one document; lines and parties are `DocumentContent`. */
export interface DocumentState {
  accountId: Uuid;
  id: Uuid;
  kind: DocumentKind;
  /** A quote that is titled as an invoice to be. */
  proforma: boolean;
  lifecycle: Lifecycle;
  /** The number series that was asked for, then the one that was used; null: the kind's default. */
  series: string | null;
  number: string | null;
  /** The number's place in its series; null for a number that was given elsewhere. */
  numbered: { period: string; sequence: bigint } | null;
  /** The document with the number before, in the same count; known only during issue. */
  numberBefore: NumberBefore | null;
  externalId: string | null;
  currency: Currency;
  customerId: Uuid;
  issueDate: IsoDate | null;
  dueDate: IsoDate | null;
  paymentTermsDays: number | null;
  /** Null: as the mandate of its customer says. */
  collectionMethod: CollectionMethod | null;
  /** The one that ends first is first, and takes off most. */
  cashDiscounts: readonly CashDiscount[];
  /** The first instant after the due date, in the account's time zone. */
  lapsesAt: Date | null;
  netTotal: Money;
  taxTotal: Money;
  rounding: Money;
  total: Money;
  /** All that was ever paid, without what was moved away or reversed. */
  amountPaid: Money;
  /** Of an invoice: what came in before its issue, and stays on its paper (BT-113). */
  amountPrepaid: Money;
  /** The part of amountPaid that went back to the payer. */
  amountRefunded: Money;
  /** Of that, the part of which nobody has said whether it is owed again. */
  amountUndecided: Money;
  /** The shortfall that was let pass within the account's tolerance. */
  amountWaived: Money;
  /** The part of what was paid that payers dispute at providers. */
  amountDisputed: Money;
  /** The amount that providers have on its way, by its payment links: nothing of it is paid yet. */
  amountProcessing: Money;
  /** The amount that credit notes took off. */
  amountCredited: Money;
  /** All of the credit notes, with what became customer credit. */
  creditNotesTotal: Money;
  /** Of a credit note: the amount that reduced its invoice. */
  amountApplied: Money;
  /** The part of that which came after its issue: below zero, where some came off again. */
  amountMoved: Money;
  /** While the tax of what was let go is claimed back: the taxes that credit notes left. */
  taxRelief: readonly TaxShare[] | null;
  origin: { relation: OriginRelation; documentId: Uuid } | null;
  /** 1 for the first version. */
  revision: number;
  acceptedAt: Date | null;
  /** The name that the client gave. */
  acceptedBy: string | null;
  rejection: { reason: string; at: Date; version: number } | null;
  convertedAt: Date | null;
  writtenOffAt: Date | null;
  /** Since when nothing is due. */
  settledAt: Date | null;
  version: number;
  eventSequence: number;
  createdAt: Date;
  /** When the last event happened to it. */
  updatedAt: Date;
  issuedAt: Date | null;
  voidedAt: Date | null;
}

/** The fields that may change as long as a document is a draft. */
export type DraftTerms = Pick<
  DocumentState,
  | 'proforma'
  | 'series'
  | 'externalId'
  | 'currency'
  | 'customerId'
  | 'issueDate'
  | 'dueDate'
  | 'paymentTermsDays'
  | 'collectionMethod'
  | 'cashDiscounts'
  | 'netTotal'
  | 'taxTotal'
  | 'rounding'
  | 'total'
>;

/** The fields of a new draft; everything else starts empty. */
export type NewDraft = DraftTerms &
  Pick<DocumentState, 'accountId' | 'id' | 'kind' | 'origin' | 'revision'>;

/** The number of an issued document, and its series. */
export type IssuedNumber = Pick<DocumentState, 'series' | 'numbered' | 'numberBefore'> & {
  number: string;
};

/** The document that was issued last before, in the same period of the same series. */
export interface NumberBefore {
  documentId: Uuid;
  /** @notNull It was issued. */
  number: string;
  /** @notNull It was issued. */
  issueDate: IsoDate;
}
