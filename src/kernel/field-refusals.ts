import { DomainError, type ErrorContext, type FieldError } from './domain-error.js';
import { domainRefusals } from './domain-refusal.js';

/** Of fields of any request, whichever module judges them. */
export const FieldRefusal = domainRefusals({
  invalid: {
    validation_failed: '3 fields are wrong; errors lists each of them.',
    unknown_field: 'total is not a field of this request; leave it out.',
    required: 'amount is required.',
    invalid_text: 'reason must be text of 1 to 2000 characters.',
    invalid_text_list: 'address must be a list of at most 6 texts.',
    invalid_list: 'lines must be a list.',
    too_few_items: 'lines must have at least 1 item.',
    too_many_items: 'lines must have at most 10000 items.',
    invalid_object: 'customer must be an object.',
    invalid_boolean: 'issue must be true or false.',
    invalid_integer: 'payment_terms_days must be a whole number from 0 to 3650.',
    invalid_decimal: 'tax_rate must be a decimal from 0 to 100 with at most 4 decimal places.',
    invalid_date: 'due_date must be a date that exists, as YYYY-MM-DD.',
    invalid_instant: 'paid_at must be an instant with its offset.',
    invalid_email: 'email must be an e-mail address.',
    invalid_language: 'language must be a BCP 47 language tag such as de or pt-BR.',
    invalid_url: 'return_url must be an http or https URL of at most 2000 characters.',
    invalid_network: 'address must be an IP address or a network such as 192.0.2.0/24.',
    invalid_digest: 'digest must be 64 hexadecimal digits, as sealed.digest has them.',
    invalid_id: 'customer_id must be a customer id, cus_...',
    invalid_metadata: 'metadata must be an object of at most 50 text values.',
    not_in_list: 'kind must be one of invoice, quote.',
    unknown_currency: 'currency must be an active ISO 4217 code in capitals, such as EUR.',
    unknown_method: 'method must be one of bank_transfer, card, cash, ...',
    unknown_time_zone: 'Mars/Olympus is not an IANA time zone.',
    amount_not_integer: 'amount must be a whole number in minor units: send 1250 for 12.50 EUR.',
    amount_out_of_range: 'amount must be from 1 to 10000000000000.',
    said_twice: 'Send either customer or customer_id.',
    one_value_required: 'Send either percent or amount.',
    paid_at_in_future: 'paid_at is in the future; record the payment once the money has moved.',
    date_in_future: 'issue_date must be 2027-02-20 at the latest.',
    date_too_early: 'issue_date must not be before 2016-01-01, the first day of your books.',
    insufficient_credit: 'The customer has 500 (5.00 EUR) of credit; send at most that.',
    sum_too_large: 'A sum is above 9007199254740991; ask for fewer days, or one customer.',
    same_currency: 'A rate is between two currencies; name another one in quote than in base.',
  },
});

/**
 * Of at least one wrong field: a single one keeps its code, several are `validation_failed`.
 * @param isCut there are more than these
 */
export function invalidFields(fields: readonly FieldError[], isCut = false): DomainError {
  const [only] = fields;
  if (fields.length === 1 && only) {
    return new DomainError('invalid', only.code, only.message, {}, fields);
  }
  const detail = isCut
    ? `More than ${fields.length} fields are wrong; errors lists the first of them.`
    : `${fields.length} fields are wrong; errors lists each of them.`;
  const context: ErrorContext = isCut ? { errors_truncated: true } : {};
  return FieldRefusal.validation_failed.of(detail, context, fields);
}
