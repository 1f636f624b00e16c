const id = (of: string) => ({ type: 'string', description: `Of ${of}.` });
const text = (description: string) => ({ type: 'string', description });
const orNull = (description: string) => ({ type: ['string', 'null'], description });
const minorUnits = (description: string) => ({
  type: 'integer',
  description: `${description}, in minor units of \`currency\`.`,
});

/** Members that some problems have beside the standard ones. A test compares them with all that is thrown. */
export const PROBLEM_FACTS = {
  amount: minorUnits('What was asked, or what there is'),
  amount_creditable: minorUnits('The most that can be credited'),
  amount_due: minorUnits('The most that can be paid'),
  amount_of_document: minorUnits('What the document comes to'),
  amount_processing: minorUnits('What is on its way already'),
  amount_refundable: minorUnits('The most that can be given back'),
  available_credit: minorUnits('What the customer has'),
  bank_entry_id: id('the entry that is in the way'),
  bank_statement_id: id('the statement that was read before'),
  credit_note_total: minorUnits('What the credit note comes to'),
  currency: text('ISO 4217, of the amounts beside it.'),
  customer_id: id('the customer that has it'),
  document_id: id('the document that is in the way'),
  document_status: text('Of the document, which forbids it.'),
  ends_on: { type: 'string', format: 'date', description: 'The last day of the period.' },
  from: text('ISO 4217, of what came.'),
  into: text('ISO 4217, of what it should pay.'),
  issue_date: { type: 'string', format: 'date', description: 'Of the newest number.' },
  item_id: id('the item that has it'),
  item_status: text('Of the unmatched item, which forbids it.'),
  limit: text('Which limit it is.'),
  lines: minorUnits('What the lines come to'),
  mandate_currency: text('ISO 4217, of the mandate.'),
  mandate_status: orNull('Of the mandate, which forbids it; null where there is none.'),
  mapping_id: id('the mapping that does not fit'),
  number: text('The newest number, or the one that both would give.'),
  open_from: { type: 'string', format: 'date', description: 'The first day that is open.' },
  payment_link_id: id('the link that is in the way'),
  payment_link_status: text('Of the link, which forbids it.'),
  period: text('Of the counter.'),
  provider: text('Who refused it.'),
  provider_code: orNull('In the words of the provider; null where it says none.'),
  provider_status: { type: 'integer', description: 'HTTP status of the provider.' },
  schedule_id: id('the schedule that has it'),
  series_id: id('the series that has it'),
  version: { type: 'integer', description: 'The present version, for `If-Match`.' },
  webhook_status: {
    type: ['integer', 'null'],
    description: 'HTTP status of the answer; null where none came.',
  },
};
