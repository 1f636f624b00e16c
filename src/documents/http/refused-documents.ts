import { RULE_CODES } from '../domain/legal/invoice-rule.js';

/** The codes that refuse the date of a document that is issued. */
export const REFUSED_ISSUE_DATES = [
  'date_in_future',
  'date_too_early',
  'period_closed',
  'date_outside_series',
  'date_before_last_issued',
] as const;

/** The codes that refuse to issue what lacks particulars, where the account is strict. */
export const REFUSED_PARTICULARS = [...RULE_CODES, 'validation_failed'] as const;

/** The codes of terms that a document cannot have. */
export const REFUSED_TERMS = [
  'validation_failed',
  'unknown_field',
  'unknown_customer',
  'unknown_series',
  'said_twice',
  'due_before_issue',
  'period_ends_before_start',
  'cash_discounts_out_of_order',
  'cash_discount_after_due',
  'collection_method_of_credit_note',
  'customer_archived',
  'one_price_required',
  'unknown_item',
  'item_archived',
  'item_price_missing',
  'unknown_tax_rate',
  'tax_rate_archived',
  'tax_rate_differs',
  'tax_rate_required',
  'tax_rate_not_allowed',
  'one_value_required',
  'exemption_not_allowed',
  'tax_category_alone',
  'exemptions_differ',
  'discount_too_large',
  'tax_group_below_zero',
  'unknown_line',
  'total_too_large',
  'external_id_taken',
] as const;

/** The refusals of a new document, which may be issued at once. */
export const REFUSED_NEW_DOCUMENTS = [
  ...REFUSED_TERMS,
  'proforma_is_a_quote',
  'number_needs_issue',
  'number_belongs_to_series',
  'number_taken',
  ...REFUSED_ISSUE_DATES,
  ...REFUSED_PARTICULARS,
] as const;
