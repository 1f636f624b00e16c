import type { IsoDate } from '../../../kernel/clock.js';
import type { FieldError } from '../../../kernel/domain-error.js';
import { Decimal, magnitudeOf } from '../../../kernel/decimal.js';
import { FieldRefusal, invalidFields } from '../../../kernel/field-refusals.js';
import type { Currency } from '../../../kernel/currency.js';
import type { Uuid } from '../../../kernel/ids.js';
import {
  type AdjustmentRequest,
  type CalculationRequest,
  type LineRequest,
  takesBack,
} from '../calculation/calculation-request.js';
import { type CashDiscountTerm, orderErrors } from '../cash-discount.js';
import { type CollectionMethod, methodErrors } from '../collection-method.js';
import { isCreditNoteType, isInvoiceType } from '../codes/code-lists.js';
import { periodErrors, type SaidDetails } from '../document-details.js';
import type { DocumentState } from '../document-state.js';
import { taxGroupKey } from '../calculation/tax-group.js';
import type {
  AdjustmentView,
  DocumentAdjustmentView,
  DocumentContent,
  DocumentFigures,
  DocumentView,
} from '../document-view.js';
import type { DocumentKind } from '../lifecycle.js';
import type { Prepayment } from '../prepayment.js';
import { DocumentRefusal } from '../refusals.js';
import type { Buyer } from '../parties/party.js';

/** The caller's wish for a document. An undefined field gets its default; null is empty. */
export interface DraftRequest {
  kind: DocumentKind;
  proforma: boolean;
  currency?: Currency;
  /** Either makes a customer, or names one. */
  customer?: Buyer;
  customerId?: Uuid;
  lines: LineRequest[];
  discounts: AdjustmentRequest[];
  charges: AdjustmentRequest[];
  pricesIncludeTax: boolean;
  cashRounding: bigint | null;
  /** Given instead of one to a coin (BT-114). */
  roundingMinor?: bigint | null;
  issueDate: IsoDate | null;
  dueDate: IsoDate | null;
  paymentTermsDays?: number | null;
  cashDiscounts?: readonly CashDiscountTerm[];
  collectionMethod: CollectionMethod | null;
  purchaseOrder: string | null;
  /** Without those that get their default. */
  details: SaidDetails;
  notes?: string | null;
  language?: string | null;
  metadata: Record<string, string>;
  externalId: string | null;
  series: string | null;
}

export interface NewDocument extends DraftRequest {
  issue: boolean;
  /** For a document that was issued elsewhere, with its number there. */
  number: string | null;
  prepayments?: readonly Prepayment[];
}

/** A change of a draft: of the details, those that are given. */
export type DraftChange = Omit<Partial<DraftRequest>, 'details'> & {
  details?: SaidDetails;
};

/** The request that a document came from, rebuilt from its state. */
export function requestOf(state: DocumentState, content: DocumentContent): DraftRequest {
  const { currency: _, taxes: _frozen, roundingMinor, ...figures } = figuresRequest(content);
  return {
    ...figures,
    ...(roundingMinor && { roundingMinor }),
    kind: state.kind,
    proforma: state.proforma,
    currency: state.currency,
    customerId: state.customerId,
    issueDate: state.issueDate,
    dueDate: state.dueDate,
    paymentTermsDays: state.paymentTermsDays,
    cashDiscounts: state.cashDiscounts,
    collectionMethod: state.collectionMethod,
    purchaseOrder: content.purchaseOrder,
    details: content.details,
    notes: content.notes,
    language: content.language,
    metadata: content.metadata,
    externalId: state.externalId,
    series: state.series,
  };
}

/** The request that calculates to these figures again. */
export function figuresRequest(
  content: DocumentFigures &
    Pick<DocumentContent, 'pricesIncludeTax' | 'cashRounding'> &
    Partial<Pick<DocumentView, 'origin' | 'details'>>,
): CalculationRequest {
  return {
    currency: content.total.currency,
    pricesIncludeTax: content.pricesIncludeTax,
    cashRounding: content.cashRounding,
    ...((content.origin?.relation === 'credit' || content.details?.issued_taxes) && {
      taxes: new Map(content.taxGroups.map((group) => [taxGroupKey(group), group.tax.minor])),
    }),
    ...(content.cashRounding === null && { roundingMinor: content.rounding.minor }),
    lines: content.lines.map((line) => ({
      id: line.id,
      externalId: line.externalId,
      sku: line.sku,
      metadata: line.metadata,
      itemId: line.itemId,
      taxRateId: line.taxRateId,
      creditedLineId: line.creditedLineId,
      description: line.description,
      quantity: line.quantity,
      unit: line.unit,
      unitAmountDecimal: line.unitAmountDecimal,
      taxRate: line.taxRate,
      taxCategory: line.taxCategory,
      details: line.details,
      ...(line.exemptionReason !== null && { exemptionReason: line.exemptionReason }),
      discounts: line.discounts.map(adjustmentRequest),
      charges: line.charges.map(adjustmentRequest),
    })),
    discounts: content.discounts.map(documentAdjustmentRequest),
    charges: content.charges.map(documentAdjustmentRequest),
  };
}

function documentAdjustmentRequest(view: DocumentAdjustmentView): AdjustmentRequest {
  const { ownTax } = view;
  return {
    ...adjustmentRequest(view),
    ...(ownTax && { taxCategory: ownTax.category, taxRate: ownTax.rate }),
  };
}

function adjustmentRequest({
  percent,
  amount,
  reason,
  reasonCode,
}: AdjustmentView): AdjustmentRequest {
  return {
    // A line that takes back has the amounts of its discounts below zero.
    ...(percent === null ? { amountMinor: magnitudeOf(amount.minor) } : { percent }),
    ...(reason !== null && { reason }),
    ...(reasonCode !== undefined && { reasonCode }),
  };
}

/** A line for another document: priced anew, without its days, and taking back as it does. */
export function lineToRepeat(line: LineRequest): LineRequest {
  const { units, scale } = Decimal.parse(line.quantity);
  const isTurned = units < 0n !== takesBack(line);
  return {
    ...line,
    ...(isTurned && { quantity: Decimal.of(-units, scale).toString() }),
    details: { ...line.details, service_period: null, issued_net_amount_decimal: null },
  };
}

/** @throws DomainError `unknown_line`, `said_twice`, with every wrong line */
export function assertLinesOf(
  before: Pick<DocumentContent, 'lines'>,
  lines: readonly LineRequest[],
): void {
  const known = new Set(before.lines.map(({ id }) => id));
  const left = new Set(known);
  const errors = lines.flatMap(({ id }, index): FieldError[] => {
    if (id == null || left.delete(id)) return [];
    const pointer = `/lines/${index}/id`;
    return known.has(id)
      ? [FieldRefusal.said_twice.field(pointer, 'Name each line once.')]
      : [DocumentRefusal.unknown_line.field(pointer, 'The draft has no such line; leave id out.')];
  });
  if (errors.length > 0) throw invalidFields(errors);
}

/** @param request with the currency that it will have */
export function assertTerms(request: DraftRequest): void {
  const { lines, cashDiscounts } = request;
  const errors = [
    ...methodErrors(request.kind, request.collectionMethod),
    ...orderErrors(cashDiscounts ?? []),
    ...detailErrors(request),
    ...lines.flatMap((line, at) => periodErrors(line.details?.service_period, `/lines/${at}`)),
  ];
  if (errors.length > 0) throw invalidFields(errors);
}

function detailErrors({ kind, currency, details: said }: DraftRequest): FieldError[] {
  const errors = periodErrors(said.service_period, '');
  const { type_code: code, tax_point_date: day, tax_point: point } = said;
  if (code != null && !isTypeOf(kind, code)) {
    const message = `${code} is no type of a document of kind ${kind}; leave type_code out.`;
    errors.push(DocumentRefusal.unknown_type_code.field('/type_code', message));
  }
  if (said.tax_currency && said.tax_currency.currency === currency) {
    const message = `The document is in ${currency} already; leave tax_currency out.`;
    errors.push(DocumentRefusal.tax_currency_is_own.field('/tax_currency/currency', message));
  }
  if (day != null && point != null) {
    const message = 'Send either tax_point_date or tax_point.';
    errors.push(FieldRefusal.said_twice.field('/tax_point', message));
  }
  return errors;
}

function isTypeOf(kind: DocumentKind, code: string): boolean {
  if (kind === 'invoice') return isInvoiceType(code);
  return kind === 'credit_note' && isCreditNoteType(code);
}

/** @throws DomainError `issued_amount_needs_number`, with all that has an amount of elsewhere */
export function assertIssuedAmounts(
  {
    lines,
    pricesIncludeTax,
    details: { issued_taxes: taxes },
  }: Pick<DraftRequest, 'lines' | 'pricesIncludeTax' | 'details'>,
  number: string | null | undefined,
): void {
  if (number != null && !pricesIncludeTax) return;
  const errors = lines.flatMap(({ details }, at): FieldError[] => {
    if (details?.issued_net_amount_decimal == null) return [];
    const message = pricesIncludeTax
      ? 'Prices include tax; leave issued_net_amount_decimal out.'
      : DocumentRefusal.issued_amount_needs_number.example;
    const pointer = `/lines/${at}/issued_net_amount_decimal`;
    return [DocumentRefusal.issued_amount_needs_number.field(pointer, message)];
  });
  if (taxes?.length) {
    errors.push(DocumentRefusal.issued_amount_needs_number.field('/issued_taxes'));
  }
  if (errors.length > 0) throw invalidFields(errors);
}

/** A number from elsewhere, and money that came before, are for an issue. */
export function assertOfIssue(request: NewDocument): void {
  assertNumbered(request);
  assertPrepaidAtIssue(request);
}

export function assertPrepaidAtIssue({
  issue,
  prepayments = [],
}: Pick<NewDocument, 'issue' | 'prepayments'>): void {
  if (prepayments.length === 0 || issue) return;
  throw DocumentRefusal.prepayments_need_issue.at('/prepayments');
}

/** A number from elsewhere belongs to a document that was issued there. */
function assertNumbered({ number, issue, issueDate }: NewDocument): void {
  if (number === null) return;
  if (issue && issueDate) return;
  throw DocumentRefusal.number_needs_issue.at(
    '/number',
    'Send number only for a document that was issued elsewhere, with issue true and its issue_date.',
  );
}
