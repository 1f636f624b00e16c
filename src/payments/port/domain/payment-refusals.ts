import { DomainError } from '../../../kernel/domain-error.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import type { Money } from '../../../kernel/money.js';
import { domainRefusals } from '../../../kernel/domain-refusal.js';

/** Of payments, links, mandates, refunds and money without a document. */
export const PaymentRefusal = domainRefusals({
  not_found: {
    payment_not_found: 'There is no such payment.',
    refund_not_found: 'There is no such refund.',
    dispute_not_found: 'There is no such dispute.',
    item_not_found: 'There is no such unmatched item.',
    receipt_not_found: 'There is no such unmatched receipt.',
    payment_link_not_found: 'There is no such payment link.',
    mandate_not_found: 'There is no such mandate.',
  },
  conflict: {
    item_in_that_state: 'This item is closed already; GET it to see why.',
    payment_link_not_open: 'Only an open payment link can be canceled; this one is paid.',
    too_many_payment_links:
      'A document gets at most 10 pay pages an hour from its clients; use one of them, or try again later.',
    payment_reversed: 'This payment is reversed: it pays nothing any more.',
    payment_disputed:
      'The payer disputes this money at the provider, so it stays until that is decided.',
    payment_refunded: 'A part of this payment went back; refund the rest instead.',
    payment_not_reversible: 'A provider has taken this money: no bank can take it back.',
    payment_not_refundable: 'This payment spent credit, and no money came in; reverse it.',
    refund_undone: 'This refund is reversed already; its money can be refunded again.',
    refund_not_reversible: 'The gateway made this refund: it tells us if the money comes back.',
    receipt_settled: 'This receipt is assigned, refunded, or on its way back.',
    refund_under_way: 'A part of this receipt is on its way back; wait until that is settled.',
    refund_meaning_decided:
      'The document is lowered by CN-00001: void it first, and what went back is due.',
    mandate_not_active:
      'An active mandate for EUR is needed. This one is pending; ask for one, with POST /v1/finance/customers/{id}/mandates.',
    mandate_currency_mismatch:
      'The customer’s mandate is for GBP, and this document is in EUR; ask for another mandate.',
    mandate_over: 'This mandate is canceled already.',
    collection_under_way:
      'This document is being collected already; wait for it, or cancel its payment link.',
  },
  invalid: {
    invalid_debit_retry_days:
      'debit_retry_days must be a list of at most 5 whole numbers of days from 1 to 60.',
    paid_from_mismatch: 'The provider pays out of gateway_clearing; leave paid_from out.',
    refund_dated_by_gateway: 'stripe makes this refund, and says when; leave refunded_at out.',
    amount_exceeds_refundable: '2500 (25.00 EUR) can be refunded; send at most that.',
    currency_mismatch: 'The document is in EUR; record the payment in EUR.',
    allocations_exceed_amount: '5000 (50.00 EUR) can be allocated; the parts come to more.',
    amount_exceeds_allocated: '5000 (50.00 EUR) of the payment can be taken from there.',
    same_place: 'The money is there already; name another place in to.',
    unknown_document: 'There is no such document; GET /v1/finance/documents lists them.',
    customer_mismatch:
      'All documents of a payment belong to one customer, and this one belongs to another.',
    exchange_rate_required:
      'No rate of USD in EUR is known for that day; send received.exchange_rate, the price of one USD in EUR.',
    worth_out_of_range: '0.01 USD would be worth 0.00 EUR; send the price of one USD in EUR.',
    conversion_not_possible:
      'Credit is spent in its own currency, and no money comes in; leave received out.',
    refund_meaning_not_possible:
      'No document gives anything of this refund: credit does, and a note may have made it. Leave meaning out.',
    credit_note_differs:
      'The credit note comes to 900 (9.00 EUR), and the refund takes 1000 (10.00 EUR) of the document; make both the same.',
    charge_date_out_of_range: 'A debit is on a day from today to 90 days ahead.',
  },
});

/** Named in a request's body, where a 404 would speak of the address. */
export function unknownDocument(pointer: string): DomainError {
  return PaymentRefusal.unknown_document.at(pointer);
}

export function customerMismatch(pointer: string): DomainError {
  return PaymentRefusal.customer_mismatch.at(
    pointer,
    'All documents of a payment belong to one customer, and this one belongs to another; record two payments.',
  );
}

export function currencyMismatch(currency: string, pointer = '/currency'): DomainError {
  return PaymentRefusal.currency_mismatch.at(
    pointer,
    `The document is in ${currency}; record the payment in ${currency}.`,
    { currency },
  );
}

/** @param most what the allocations may sum to */
export function allocationsExceed(most: Money, pointer: string): DomainError {
  return PaymentRefusal.allocations_exceed_amount.at(
    pointer,
    `${most.minor} (${most}) can be allocated; the parts must not come to more.`,
    { amount: most.toMinorNumber(), currency: most.currency },
  );
}

/** @param most what can be taken there */
export function amountExceedsAllocated(most: Money): DomainError {
  return PaymentRefusal.amount_exceeds_allocated.at(
    '/amount',
    `${most.minor} (${most}) of the payment can be taken from there; send at most that.`,
    { amount: most.toMinorNumber(), currency: most.currency },
  );
}

export function paymentReversed(): DomainError {
  return PaymentRefusal.payment_reversed.of(
    'This payment is reversed: it pays nothing any more; record another one.',
  );
}

export function insufficientCredit(credit: Money, pointer = '/amount'): DomainError {
  return FieldRefusal.insufficient_credit.at(
    pointer,
    `The customer has ${credit.minor} (${credit}) of credit; send at most that.`,
    { available_credit: credit.toMinorNumber(), currency: credit.currency },
  );
}

/** @param most the part that is not disputed */
export function paymentDisputed(most: Money): DomainError {
  return PaymentRefusal.payment_disputed.of(
    `The payer disputes this money at the provider, so it stays until that is decided; ` +
      `${most.minor} (${most}) of it is not disputed. GET /v1/finance/disputes lists disputes.`,
    { amount: most.toMinorNumber(), currency: most.currency },
  );
}
