import { publicId } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { CashDiscountView } from '../domain/cash-discount.js';
import type {
  AdjustmentView,
  DocumentAdjustmentView,
  DocumentFigures,
  LineAdjustmentView,
  DocumentView,
} from '../domain/document-view.js';
import { SETTLED_AMOUNTS, SETTLED_NAMES, type SettledAmount } from '../domain/settled-amounts.js';
import { printedLanguage } from '../domain/texts/languages.js';
import type { LossView } from '../domain/tax-relief.js';
import type {
  AdjustmentBody,
  CashDiscountBody,
  DocumentAdjustmentBody,
  DocumentBody,
  FiguresBody,
  LossBody,
} from './document-body.js';

/** The JSON of a document. Amounts fit a JSON number: none is above 10^13. */
export function presentDocument(view: DocumentView): DocumentBody {
  const { transitions } = view;
  return {
    id: view.id,
    kind: view.kind,
    proforma: view.proforma,
    status: view.status,
    refund_status: view.refundStatus,
    number: view.number,
    series_id: view.series,
    external_id: view.externalId,
    version: view.version,
    revision: view.revision,
    currency: view.currency,
    customer_id: view.customerId,
    customer: view.customer,
    seller: view.seller,
    issue_date: view.issueDate,
    due_date: view.dueDate,
    collection_method: view.collectionMethod,
    cash_discounts: view.cashDiscounts.map(presentCashDiscount),
    is_overdue: view.isOverdue,
    language: view.language,
    printed_language: printedLanguage(view.language),
    purchase_order: view.purchaseOrder,
    ...view.details,
    payment_reference: view.paymentReference,
    notes: view.notes,
    prices_include_tax: view.pricesIncludeTax,
    cash_rounding: view.cashRounding === null ? null : Number(view.cashRounding),
    ...presentFigures(view),
    ...presentSettled((name) => view[name]),
    loss: view.loss && presentLoss(view.loss),
    ...(view.taxInTaxCurrency && {
      tax_total_in_tax_currency: view.taxInTaxCurrency.toMinorNumber(),
    }),
    origin: view.origin,
    follow_ups: view.followUps,
    accepted_by: view.acceptedBy,
    rejection: view.rejection && {
      reason: view.rejection.reason,
      version: view.rejection.version,
    },
    metadata: view.metadata,
    created_at: view.createdAt.toISOString(),
    updated_at: view.updatedAt.toISOString(),
    status_transitions: {
      issued_at: at(transitions.issued),
      accepted_at: at(transitions.accepted),
      rejected_at: at(transitions.rejected),
      expired_at: at(transitions.expired),
      converted_at: at(transitions.converted),
      paid_at: at(transitions.paid),
      written_off_at: at(transitions.written_off),
      voided_at: at(transitions.voided),
    },
    available_actions: view.availableActions.map(({ action, refusal }) => ({
      action,
      available: refusal === null,
      code: refusal?.refusal.code ?? null,
      reason: refusal?.reason ?? null,
      way_out: refusal?.wayOut ?? null,
    })),
    ...(view.warnings.length > 0 && { warnings: view.warnings }),
  };
}

type SettledField = (typeof SETTLED_AMOUNTS)[SettledAmount]['field'];

export function presentSettled(
  amountOf: (name: SettledAmount) => Money,
): Record<SettledField, number> {
  const amounts = SETTLED_NAMES.map((name) => [
    SETTLED_AMOUNTS[name].field,
    amountOf(name).toMinorNumber(),
  ]);
  return Object.fromEntries(amounts) as Record<SettledField, number>;
}

export function presentLoss({ amount, taxRelief, taxes, untaxed }: LossView): LossBody {
  return {
    amount: amount.toMinorNumber(),
    tax_relief: taxRelief,
    taxes: taxes.map(({ category, rate, base, tax }) => ({
      tax_category: category,
      tax_rate: rate,
      taxable_amount: base.toMinorNumber(),
      tax_amount: tax.toMinorNumber(),
    })),
    untaxed_amount: untaxed.toMinorNumber(),
  };
}

export function presentCashDiscount(discount: CashDiscountView): CashDiscountBody {
  const { percent, days, until, amount, total, amountDue } = discount;
  return {
    percent,
    days,
    until,
    amount: amount.toMinorNumber(),
    total: total.toMinorNumber(),
    amount_due: amountDue?.toMinorNumber() ?? null,
  };
}

function at(instant: Date | null): string | null {
  return instant?.toISOString() ?? null;
}

export function presentFigures(figures: DocumentFigures): FiguresBody {
  return {
    lines: figures.lines.map((line) => ({
      id: line.id && publicId('line', line.id),
      position: line.position,
      external_id: line.externalId,
      sku: line.sku,
      metadata: line.metadata,
      item_id: line.itemId && publicId('prod', line.itemId),
      tax_rate_id: line.taxRateId && publicId('txr', line.taxRateId),
      credited_line_id: line.creditedLineId && publicId('line', line.creditedLineId),
      description: line.description,
      quantity: line.quantity,
      unit: line.unit,
      unit_amount_decimal: line.unitAmountDecimal,
      tax_rate: line.taxRate,
      tax_category: line.taxCategory,
      tax_exemption_reason: line.exemptionReason,
      ...line.details,
      subtotal: line.subtotal.toMinorNumber(),
      discounts: line.discounts.map(presentLineAdjustment),
      charges: line.charges.map(presentLineAdjustment),
      amount: line.amount.toMinorNumber(),
      net_amount: line.net.toMinorNumber(),
    })),
    discounts: figures.discounts.map(presentDocumentAdjustment),
    charges: figures.charges.map(presentDocumentAdjustment),
    tax_groups: figures.taxGroups.map((group) => ({
      tax_category: group.category,
      tax_rate: group.rate,
      taxable_amount: group.base.toMinorNumber(),
      tax_amount: group.tax.toMinorNumber(),
      exemption_code: group.exemptionCode,
      exemption_reason: group.exemptionReason,
    })),
    subtotal: figures.subtotal.toMinorNumber(),
    discount_total: figures.discountTotal.toMinorNumber(),
    charge_total: figures.chargeTotal.toMinorNumber(),
    net_total: figures.netTotal.toMinorNumber(),
    tax_total: figures.taxTotal.toMinorNumber(),
    rounding_amount: figures.rounding.toMinorNumber(),
    total: figures.total.toMinorNumber(),
  };
}

function presentLineAdjustment(view: LineAdjustmentView): AdjustmentBody {
  return { ...presentAdjustment(view), net_amount: view.net.toMinorNumber() };
}

function presentAdjustment({ percent, amount, reason, reasonCode }: AdjustmentView) {
  const said = { percent, amount: amount.toMinorNumber(), reason };
  return reasonCode === undefined ? said : { ...said, reason_code: reasonCode };
}

function presentDocumentAdjustment(view: DocumentAdjustmentView): DocumentAdjustmentBody {
  return {
    ...presentAdjustment(view),
    tax_category: view.ownTax?.category ?? null,
    tax_rate: view.ownTax?.rate ?? null,
    shares: view.shares.map(({ category, rate, amount, net }) => ({
      tax_category: category,
      tax_rate: rate,
      amount: amount.toMinorNumber(),
      net_amount: net.toMinorNumber(),
    })),
  };
}
