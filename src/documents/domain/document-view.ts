import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { type PublicId, publicId, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { type DocumentAction, DOCUMENT_ACTIONS, type ActionRefusal } from './available-actions.js';
import type { LineNames } from './calculation/calculation-request.js';
import type { TaxShare } from './calculation/tax-part.js';
import { type CashDiscountView, cashDiscountViews } from './cash-discount.js';
import type { CollectionMethod } from './collection-method.js';
import type { Document } from './document.js';
import type { DocumentDetails, LineDetails } from './document-details.js';
import type { OriginRelation } from './document-state.js';
import type { DocumentWarning } from './document-warnings.js';
import type { DocumentRefundStatus } from './refunded-money.js';
import type { DocumentKind, DocumentStatus } from './lifecycle.js';
import type { Buyer, Seller } from './parties/party.js';
import { taxIn } from './tax-currency.js';
import { type LossView, lossView } from './tax-relief.js';
import { ALL_PARTS, type ViewParts } from './view-parts.js';

/** A discount or charge. `amount` is meant as prices are: with tax where they include it. */
export interface AdjustmentView {
  /** Decimal string; null where an amount was given. */
  percent: string | null;
  amount: Money;
  reason: string | null;
  /** UNTDID 5189 of a discount (BT-98, BT-140), 7161 of a charge (BT-105, BT-145). */
  reasonCode?: string;
}

/** On a line (EN 16931 BG-27, BG-28). */
export interface LineAdjustmentView extends AdjustmentView {
  /** Without tax (BT-136, BT-141). */
  net: Money;
}

/** On the whole document (EN 16931 BG-20, BG-21): each tax group bears a share. */
export interface DocumentAdjustmentView extends AdjustmentView {
  /** One with a tax of its own is not spread over all groups. */
  ownTax: { category: string; rate: string } | null;
  shares: { category: string; rate: string; amount: Money; net: Money }[];
}

export interface LineView extends LineNames {
  position: number;
  description: string;
  /** Decimal string. */
  quantity: string;
  /** UNECE Recommendation 20. */
  unit: string;
  /** Price of one unit in minor units, up to 12 decimal places: `1250`, `0.0125`. */
  unitAmountDecimal: string;
  /** Percent. */
  taxRate: string;
  /** UNCL5305. */
  taxCategory: string;
  exemptionReason: string | null;
  details: LineDetails;
  /** Quantity times price, rounded. */
  subtotal: Money;
  discounts: LineAdjustmentView[];
  charges: LineAdjustmentView[];
  /** The subtotal less discounts and plus charges; with tax where prices include it. */
  amount: Money;
  /** The same without tax (EN 16931 BT-131). */
  net: Money;
}

/** EN 16931 BG-23: one (category, rate) pair of a document. */
export interface TaxGroupView {
  category: string;
  rate: string;
  base: Money;
  tax: Money;
  /** VATEX. */
  exemptionCode: string | null;
  exemptionReason: string | null;
}

/** Every figure of a document. */
export interface DocumentFigures {
  lines: LineView[];
  discounts: DocumentAdjustmentView[];
  charges: DocumentAdjustmentView[];
  taxGroups: TaxGroupView[];
  /** Sum of the lines' nets (BT-106). */
  subtotal: Money;
  /** BT-107. */
  discountTotal: Money;
  /** BT-108. */
  chargeTotal: Money;
  /** BT-109. */
  netTotal: Money;
  /** BT-110. */
  taxTotal: Money;
  /** To the smallest coin (BT-114); may be negative. */
  rounding: Money;
  /** The amount to pay: net, tax and rounding. */
  total: Money;
}

/** The part of a document that is frozen when it is issued. */
export interface DocumentContent extends DocumentFigures {
  seller: Seller;
  customer: Buyer;
  /** BCP 47. */
  language: string | null;
  pricesIncludeTax: boolean;
  /** The smallest coin, in minor units. */
  cashRounding: bigint | null;
  purchaseOrder: string | null;
  details: DocumentDetails;
  /** Of an issued invoice: ISO 11649, not grouped. */
  paymentReference: string | null;
  notes: string | null;
  metadata: Record<string, string>;
}

/**
 * One document as everybody sees it: API, PDF and portal page print this and compute nothing, so
 * they cannot disagree.
 */
export interface DocumentView extends DocumentContent {
  id: PublicId;
  kind: DocumentKind;
  proforma: boolean;
  status: DocumentStatus;
  number: string | null;
  series: string | null;
  externalId: string | null;
  version: number;
  /** 1 for the first; what the version before it was is in `origin`. */
  revision: number;
  currency: Currency;
  customerId: PublicId;
  issueDate: IsoDate | null;
  dueDate: IsoDate | null;
  /** Null: as the mandate of its customer says. */
  collectionMethod: CollectionMethod | null;
  cashDiscounts: CashDiscountView[];
  isOverdue: boolean;
  amountPaid: Money;
  /** Of an invoice: what came in before its issue. No later step changes it (BT-113). */
  amountPrepaid: Money;
  /** How much of what was paid went back. */
  refundStatus: DocumentRefundStatus;
  amountRefunded: Money;
  /** The part of what is due that went back, and that nobody is asked for: see `RefundedMoney`. */
  amountUndecided: Money;
  amountWaived: Money;
  amountDisputed: Money;
  /** On its way at providers, and not paid yet. */
  amountProcessing: Money;
  amountCredited: Money;
  /** The amount that credit notes may still take; zero where there may be none. */
  amountCreditable: Money;
  /** The amount that is asked for: zero for what is void, rejected, written off or no invoice. */
  amountDue: Money;
  /** The amount that was given up, and may still be paid. */
  amountWrittenOff: Money;
  loss: LossView | null;
  creditNotes: CreditNotesView;
  /** Of a credit note: what reduced its invoice; the rest became customer credit. */
  amountApplied: Money;
  /** The part of `amountApplied` for money that had gone back to the payer. */
  amountGivenBack: Money;
  /** Of a credit note: the part that became the customer's credit. */
  amountToCredit: Money;
  origin: RelatedDocument | null;
  /** Revisions, the invoice of a quote, credit notes. */
  followUps: RelatedDocument[];
  /** The name that the client gave. */
  acceptedBy: string | null;
  rejection: { reason: string; at: Date; version: number } | null;
  createdAt: Date;
  updatedAt: Date;
  /** BT-111: the tax in the currency that the details name; null without one. */
  taxInTaxCurrency: Money | null;
  /** When each step was taken; null for what has not happened. */
  transitions: Record<Transition, Date | null>;
  availableActions: AvailableAction[];
  /** Of the step that was just taken; empty when the document is read later. */
  warnings: DocumentWarning[];
}

/**
 * The amount that a client may be shown to pay, also of what was written off. Money that went back is
 * left out as long as nobody has said that it is owed again.
 */
export function payableOf(
  view: Pick<DocumentView, 'amountDue' | 'amountWrittenOff' | 'amountUndecided'>,
): Money {
  return view.amountDue.plus(view.amountWrittenOff).minus(view.amountUndecided);
}

/** The part of what is due that nobody has sent yet: a client is asked for it. */
export function askedOf(
  view: Pick<
    DocumentView,
    'amountDue' | 'amountWrittenOff' | 'amountUndecided' | 'amountProcessing'
  >,
): Money {
  const payable = payableOf(view);
  return payable.minus(payable.min(view.amountProcessing));
}

/** The amount that the document itself asks for, on paper and as an e-invoice (BT-115). */
export function dueAtIssue({
  total,
  amountPrepaid,
}: Pick<DocumentView, 'total' | 'amountPrepaid'>): Money {
  return total.minus(amountPrepaid);
}

/** All credit notes of an invoice, with what became customer credit. */
interface CreditNotesView {
  total: Money;
  /** The taxes that they took back. */
  taxes: readonly TaxShare[];
}

interface RelatedDocument {
  relation: OriginRelation;
  id: PublicId;
  number: string | null;
}

type Transition =
  | 'issued'
  | 'accepted'
  | 'rejected'
  | 'expired'
  | 'converted'
  | 'paid'
  | 'written_off'
  | 'voided';

/** Whether an action is allowed now; if not, why, and the way out. */
interface AvailableAction {
  action: DocumentAction;
  refusal: ActionRefusal | null;
}

/** The document's origin and the documents made from it, read from the database. */
export interface DocumentRelations {
  origin: string | null;
  followUps: [relation: OriginRelation, id: Uuid, number: string | null][];
  /** The taxes that credit notes took back. */
  creditedTaxes: TaxShare[];
  /** Of a credit note: the part that it took off for money that had gone back. Minor units. */
  givenBack: bigint;
}

export const NO_RELATIONS: DocumentRelations = {
  origin: null,
  followUps: [],
  creditedTaxes: [],
  givenBack: 0n,
};

/** One document as everybody sees it, or some parts of that. */
export function documentView(
  document: Document,
  content: DocumentContent,
  relations: DocumentRelations,
  parts: ViewParts = ALL_PARTS,
): DocumentView {
  const { state, status } = document;
  const isNote = state.kind === 'credit_note' && state.lifecycle === 'open';
  const zero = Money.zero(state.currency);
  return {
    ...content,
    id: publicId('doc', state.id),
    kind: state.kind,
    proforma: state.proforma,
    status,
    number: state.number,
    series: state.series,
    externalId: state.externalId,
    version: state.version,
    revision: state.revision,
    currency: state.currency,
    customerId: publicId('cus', state.customerId),
    issueDate: state.issueDate,
    dueDate: state.dueDate,
    collectionMethod: state.collectionMethod,
    cashDiscounts: cashDiscountViews(state, document.amountDue, document.now),
    isOverdue: document.isOverdue,
    amountPaid: state.amountPaid,
    amountPrepaid: state.amountPrepaid,
    refundStatus: document.refunded.status,
    amountRefunded: state.amountRefunded,
    amountUndecided: document.refunded.undecided,
    amountWaived: state.amountWaived,
    amountDisputed: state.amountDisputed,
    amountProcessing: state.amountProcessing,
    amountCredited: state.amountCredited,
    amountCreditable: document.amountCreditable,
    amountDue: document.amountDue,
    amountWrittenOff: state.lifecycle === 'uncollectible' ? document.amountPayable : zero,
    loss: lossView(state, content.taxGroups, relations.creditedTaxes),
    creditNotes: { total: state.creditNotesTotal, taxes: relations.creditedTaxes },
    amountApplied: state.amountApplied,
    amountGivenBack: isNote ? Money.of(relations.givenBack, state.currency) : zero,
    amountToCredit: isNote ? state.total.minus(state.amountApplied) : zero,
    origin: state.origin && {
      relation: state.origin.relation,
      id: publicId('doc', state.origin.documentId),
      number: relations.origin,
    },
    followUps: relations.followUps.map(([relation, id, number]): RelatedDocument => ({
      relation,
      id: publicId('doc', id),
      number,
    })),
    taxInTaxCurrency: taxIn(content.details.tax_currency, content.taxTotal),
    acceptedBy: state.acceptedBy,
    rejection: state.rejection,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    transitions: {
      issued: state.issuedAt,
      accepted: state.acceptedAt,
      rejected: state.rejection?.at ?? null,
      expired: status === 'expired' ? state.lapsesAt : null,
      converted: state.convertedAt,
      paid: state.settledAt,
      written_off: state.writtenOffAt,
      voided: state.voidedAt,
    },
    availableActions: parts.has('availableActions')
      ? DOCUMENT_ACTIONS.map((action) => ({ action, refusal: document.refusalOf(action) }))
      : [],
    warnings: [...document.warnings],
  };
}
