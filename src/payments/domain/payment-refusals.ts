import { DomainError } from '../../kernel/domain-error.js';
import type { Money } from '../../kernel/money.js';

export function paymentNotFound(): DomainError {
  return DomainError.notFound('payment_not_found', 'There is no such payment.');
}

/** Named in a request's body, where a 404 would speak of the address. */
export function unknownDocument(pointer: string): DomainError {
  return DomainError.invalid(
    'unknown_document',
    pointer,
    'There is no such document; GET /v1/finance/documents lists them.',
  );
}

/** Named in a request's body, too. */
export function unknownPayingCustomer(): DomainError {
  return DomainError.invalid(
    'unknown_customer',
    '/customer_id',
    'There is no such customer; GET /v1/finance/customers lists them.',
  );
}

export function customerMismatch(pointer: string): DomainError {
  return DomainError.invalid(
    'customer_mismatch',
    pointer,
    'All documents of a payment belong to one customer, and this one belongs to another; record two payments.',
  );
}

export function currencyMismatch(currency: string, pointer = '/currency'): DomainError {
  return DomainError.invalid(
    'currency_mismatch',
    pointer,
    `The document is in ${currency}; record the payment in ${currency}.`,
    { currency },
  );
}

/** @param most what the allocations may sum to */
export function allocationsExceed(most: Money, pointer: string): DomainError {
  return DomainError.invalid(
    'allocations_exceed_amount',
    pointer,
    `${most.minor} (${most}) can be allocated; the parts must not come to more.`,
    { amount: most.toMinorNumber(), currency: most.currency },
  );
}

/** @param most what can be taken there */
export function amountExceedsAllocated(most: Money): DomainError {
  return DomainError.invalid(
    'amount_exceeds_allocated',
    '/amount',
    `${most.minor} (${most}) of the payment can be taken from there; send at most that.`,
    { amount: most.toMinorNumber(), currency: most.currency },
  );
}

export function paymentReversed(): DomainError {
  return DomainError.conflict(
    'payment_reversed',
    'This payment is reversed: it pays nothing any more; record another one.',
  );
}

export function insufficientCredit(credit: Money): DomainError {
  return DomainError.invalid(
    'insufficient_credit',
    '/amount',
    `The customer has ${credit.minor} (${credit}) of credit; send at most that.`,
    { available_credit: credit.toMinorNumber(), currency: credit.currency },
  );
}
