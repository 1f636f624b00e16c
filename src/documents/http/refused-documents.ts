import { RULE_REFUSALS } from '../domain/legal/invoice-rule.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** The codes that refuse the date of a document that is issued, what is of that date, and its number. */
export const REFUSED_ISSUES = [
  FieldRefusal.date_in_future,
  FieldRefusal.date_too_early,
  DocumentRefusal.period_closed,
  DocumentRefusal.date_outside_series,
  DocumentRefusal.date_before_last_issued,
  DocumentRefusal.exchange_rate_missing,
  DocumentRefusal.numbers_held,
] as const;

/** The codes that refuse to issue what lacks particulars that it needs. */
export const REFUSED_PARTICULARS = [
  ...RULE_REFUSALS,
  DocumentRefusal.e_invoice_rule_broken,
  DocumentRefusal.unknown_payment_account,
  FieldRefusal.validation_failed,
] as const;

/** The codes of terms that a document cannot have. */
export const REFUSED_TERMS = [
  FieldRefusal.validation_failed,
  FieldRefusal.unknown_field,
  DocumentRefusal.unknown_customer,
  DocumentRefusal.unknown_series,
  DocumentRefusal.unknown_payment_account,
  FieldRefusal.said_twice,
  DocumentRefusal.due_before_issue,
  DocumentRefusal.period_ends_before_start,
  DocumentRefusal.cash_discounts_out_of_order,
  DocumentRefusal.cash_discount_after_due,
  DocumentRefusal.collection_method_of_credit_note,
  DocumentRefusal.customer_archived,
  DocumentRefusal.customer_erased,
  DocumentRefusal.one_price_required,
  DocumentRefusal.unknown_item,
  DocumentRefusal.item_archived,
  DocumentRefusal.item_price_missing,
  DocumentRefusal.unknown_tax_rate,
  DocumentRefusal.tax_rate_archived,
  DocumentRefusal.tax_rate_differs,
  DocumentRefusal.tax_rate_required,
  DocumentRefusal.tax_rate_not_allowed,
  FieldRefusal.one_value_required,
  DocumentRefusal.exemption_not_allowed,
  DocumentRefusal.tax_category_alone,
  DocumentRefusal.exemptions_differ,
  DocumentRefusal.discount_too_large,
  DocumentRefusal.discount_without_lines,
  DocumentRefusal.rounding_too_large,
  DocumentRefusal.price_above_gross,
  DocumentRefusal.issued_amount_needs_number,
  DocumentRefusal.issued_amount_not_possible,
  DocumentRefusal.issued_tax_not_possible,
  DocumentRefusal.unknown_reason_code,
  DocumentRefusal.tax_currency_is_own,
  DocumentRefusal.total_below_zero,
  DocumentRefusal.unknown_line,
  DocumentRefusal.total_too_large,
  DocumentRefusal.external_id_taken,
] as const;

/** The codes of money that came before an issue. */
export const REFUSED_PREPAYMENTS = [
  DocumentRefusal.prepayments_need_issue,
  DocumentRefusal.amount_exceeds_due,
  FieldRefusal.insufficient_credit,
  FieldRefusal.unknown_method,
  FieldRefusal.paid_at_in_future,
  FieldRefusal.date_too_early,
] as const;

/** The refusals of a new document, which may be issued at once. */
export const REFUSED_NEW_DOCUMENTS = [
  ...REFUSED_TERMS,
  DocumentRefusal.proforma_is_a_quote,
  DocumentRefusal.number_needs_issue,
  DocumentRefusal.number_belongs_to_series,
  DocumentRefusal.number_taken,
  DocumentRefusal.due_date_passed,
  ...REFUSED_ISSUES,
  ...REFUSED_PARTICULARS,
  ...REFUSED_PREPAYMENTS,
] as const;
