import { ATTACHMENT_LIMITS } from '../../kernel/attachment-limits.js';
import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of documents, and of what they are made of. */
export const DocumentRefusal = domainRefusals({
  not_found: {
    document_not_found: 'There is no such document.',
    customer_not_found: 'There is no such customer.',
    catalogue_item_not_found: 'There is no such item.',
    tax_rate_not_found: 'There is no such tax rate.',
    series_not_found: 'There is no such number series; GET /v1/finance/numbering lists them.',
    logo_not_found: 'The seller has no logo.',
    attachment_not_found: 'The document has no such attachment.',
    attachment_not_a_file: 'This attachment is a link; its url leads to what it is.',
    portal_link_not_found: 'This link is not valid any more; ask the sender for a new one.',
    portal_token_not_found: 'There is no such portal token.',
    document_receipt_not_found: 'Nothing is paid on this document yet, so there is no receipt.',
  },
  conflict: {
    period_closed: 'The books are closed before 2026-11-01; date the document then or later.',
    due_date_passed: 'The due date 2026-11-01 is before the issue date; make a new draft.',
    document_not_draft: 'Only a draft can be issued; this one is open.',
    document_not_issued: 'A client sees a document only once it is issued; issue it first.',
    document_not_payable: 'Only an issued, open invoice takes payments; this one is void.',
    document_not_acceptable: 'Only an open quote can be accepted; this one is void.',
    document_not_rejectable: 'Only an open document with nothing paid can be rejected.',
    document_not_voidable: 'Only an issued document with nothing paid can be voided.',
    document_not_creditable:
      'Only an issued invoice that is not wholly credited takes credit notes.',
    document_not_convertible:
      'Only an open or accepted quote can become an invoice; this one is void.',
    document_not_revisable:
      'Only an open, rejected or expired document with nothing paid can be revised.',
    document_not_duplicable:
      'Only an invoice or a quote can be duplicated; this one is a credit note.',
    nothing_to_write_off: 'Only an open invoice with something due can be written off.',
    document_not_written_off: 'Only an invoice that was written off can be asked for again.',
    no_tax_to_relieve: 'Nothing was lost, it has no tax, or its tax is claimed already.',
    payment_processing:
      'Money for this document is on its way at a provider; wait for it, or, where the call takes it, ' +
      'send "despite_processing": true.',
    vat_number_not_checkable:
      'Only a right VAT number of an EU country can be asked for; set tax_id of this customer.',
    vat_register_not_configured:
      'This installation asks no register of VAT numbers; set QUITTANCE_VIES_URL to ask VIES.',
    customer_erased:
      'The data of this customer were erased; make a new customer, and name that one.',
    customer_in_use: 'This customer has documents or mandates; archive it instead.',
    tax_rate_in_use:
      'This tax rate is the default of new lines; PATCH default_tax_rate_id of /v1/finance/seller first.',
    external_id_taken: 'Another customer has the external_id K-10023; send another id.',
    too_many_attachments: `A document has at most ${ATTACHMENT_LIMITS.ofDocument} attachments; delete one first.`,
    attachments_too_large: `The attachments of a document have at most ${ATTACHMENT_LIMITS.documentBytes} bytes together; delete one, or send a link.`,
    attachment_name_taken:
      'The document has an attachment of this name; choose another, or delete that one first.',
    attached_already: 'The document has this file already, as time-sheet.pdf.',
    number_taken:
      'A document of this kind has this number; choose another, or change the pattern of its series, or its next.',
    customer_credit_spent: 'The customer has spent the credit that this would take back.',
    kind_differs: 'The document with this external_id is of kind quote; send that kind.',
    series_exists: 'There is a series web already; PATCH /v1/finance/numbering/web changes it.',
    too_many_series: 'An account has at most 100 number series; change one of them.',
    default_required:
      'invoice is the default of the kind invoice; make another series the default instead.',
    pattern_taken: 'The series web can give the same numbers; choose another pattern.',
    counter_not_raisable:
      'The first number of 2026 is taken, and a count goes on without a gap; next is 8.',
    date_before_last_issued:
      'The series invoice keeps its dates in the order of its numbers, and INV-00042 is of 2026-11-22; send an issue_date from then on.',
  },
  invalid: {
    amount_exceeds_due: '96043 (960.43 EUR) is due; send at most that.',
    amount_exceeds_creditable: '5000 (50.00 EUR) can still be credited; send at most that.',
    amount_too_small: 'That part of line 1 rounds to nothing; credit more of it.',
    quantity_exceeds_line: 'quantity must be above 0 and at most 5.',
    unknown_line: 'The invoice has no such line; positions begin at 1.',
    collection_method_of_credit_note:
      'A credit note is not collected; leave collection_method out.',
    invalid_country: 'country must be an ISO 3166-1 alpha-2 code such as DE.',
    invalid_iban: 'iban must be an IBAN whose check digits are right.',
    invalid_color: 'accent_color must be a colour as #rrggbb, such as #1b5fc1.',
    unknown_placeholder: 'A name in braces stands for no fact of a document.',
    invalid_bic: 'bic must be a BIC (ISO 9362) of 8 or 11 characters.',
    invalid_attachment: 'The file is no whole PDF; send another one as application/pdf.',
    invalid_file_name: 'name must be the name of a file, without folders and signs that turn text.',
    attachment_name_differs: 'name must end as files of the type application/pdf do.',
    invalid_image: 'The body is no PNG that can be read to its end.',
    image_too_large: 'The image has 2000 x 2050 pixels; send one of at most 4000000.',
    unknown_scheme: 'scheme must be a code of the EAS list such as 0088.',
    date_outside_series:
      'The series invoice writes two digits of the year, which stand for 2000 to 2099, and 1926-11-22 is not in there; give its pattern {YYYY}.',
    unknown_customer: 'There is no such customer; send customer to make one.',
    customer_archived: 'The customer is archived; unarchive it, or bill another one.',
    unknown_item: 'There is no such item; GET /v1/finance/items lists them.',
    item_archived: 'The item is archived; unarchive it, or name another one.',
    item_price_missing: 'The item has no price in USD without tax; send unit_amount.',
    unknown_tax_rate: 'There is no such tax rate; GET /v1/finance/tax-rates lists them.',
    tax_rate_archived: 'The tax rate is archived; unarchive it, or name another one.',
    tax_rate_differs:
      'The tax rate is S 19 %, and the line says another tax; leave tax_rate and tax_category out.',
    unknown_classification_list: 'list must be a code of UNTDID 7143 such as STI for CPV.',
    unknown_exemption_code: 'tax_exemption_code must be of VATEX, as VATEX-EU-132-1I is.',
    exemptions_differ: 'Another line of category E says VATEX-EU-132; bill this one apart.',
    unknown_payment_means: 'payment_means_code must be a code of UNTDID 4461 such as 58.',
    invalid_payment_reference:
      'payment_reference must have its right check digits, as RF18539007547034 has.',
    exchange_rate_missing:
      'No rate from USD to EUR is known for 2026-11-22; send exchange_rate, or PUT /v1/finance/exchange-rates.',
    tax_currency_is_own: 'The document is in EUR already; leave tax_currency out.',
    unknown_type_code: '999 is no type of a document of kind invoice; leave type_code out.',
    unknown_note_subject: 'subject must be a code of UNTDID 4451 such as PMT.',
    unknown_reason_code: 'reason_code must be a code of UNTDID 5189 such as 95.',
    invalid_card_digits: 'last_digits must be the last 4 to 6 digits of a card.',
    price_above_gross: 'gross_unit_amount_decimal must not be below the price.',
    unknown_payment_account:
      'payment_account is no number of bank_accounts of the seller; send the IBAN or account_number of one.',
    unknown_unit: 'unit must be a UNECE Recommendation 20 code such as HUR or C62.',
    exemption_not_allowed: 'Category S has no exemption; leave tax_exemption_reason out.',
    total_below_zero: 'Net, tax or total come to less than zero; take back less.',
    discount_without_lines: 'No line or charge has the tax of this discount; send the tax of one.',
    rounding_too_large: 'The rounding takes off more than net and tax, which are 1190; send less.',
    discount_too_large: 'The discounts are above the amount of all lines; lower them.',
    proforma_is_a_quote: 'Send kind quote with proforma.',
    number_needs_issue:
      'Send number only for a document that was issued elsewhere, with issue true.',
    prepayments_need_issue: 'Send prepayments only for an invoice, with issue true.',
    issued_amount_needs_number:
      'Send amounts of elsewhere only with the number of a document that was issued there, and without tax in prices.',
    issued_amount_not_possible:
      'issued_net_amount_decimal must be at least the charges of its line, less its discounts.',
    issued_tax_not_possible:
      'A tax of issued_taxes must be of a line or charge, and from zero to the amount that it is on.',
    number_belongs_to_series: 'A series of yours may still give INV-00012; leave number out.',
    unknown_series:
      'There is no series web of the kind invoice; GET /v1/finance/numbering lists them.',
    invalid_series: 'id must be 1 to 40 of a-z, 0-9, - and _, and begin with a letter or digit.',
    invalid_pattern: 'pattern must have {SEQ} or {SEQ:n} exactly once.',
    one_price_required: 'Send either unit_amount or unit_amount_decimal.',
    tax_rate_required: 'Category S needs a tax_rate above 0; use Z for a zero rate.',
    particulars_missing: 'The document breaks BR-11: the buyer needs a country.',
    tax_id_required: 'The document breaks BR-AE-02: the buyer needs a VAT number.',
    tax_id_not_allowed: 'The document breaks BR-O-02: O is billed without VAT numbers.',
    invalid_tax_id: 'The document breaks BR-CO-09: a VAT number has right check digits.',
    amount_too_exact: 'The document breaks BR-DEC-14: an e-invoice takes two decimals.',
    e_invoice_rule_broken: 'BR-DE-15: send buyer_reference, such as a Leitweg-ID.',
    tax_category_alone: 'Category O stands beside no other one; use a document of its own.',
    tax_rate_not_allowed: 'Category AE has no tax; leave tax_rate out or send 0.',
    total_too_large: 'The total is above 10000000000000; split it over several documents.',
    due_before_issue: 'due_date must not be before issue_date.',
    cash_discount_after_due: 'The last day of a cash discount must not be after the due date.',
    cash_discounts_out_of_order:
      'Each cash discount has more days and a smaller percent than the one before.',
    period_ends_before_start: 'end must not be before start.',
  },
  unavailable: {
    numbers_held:
      'Another database server took over, and no number is given until all that it lacks is known; send it again in 20 seconds.',
    vat_register_unavailable:
      'The register of VAT numbers cannot tell now (MS_UNAVAILABLE); ask again later.',
    pdf_busy: 'Too many documents are being printed; try again in a moment.',
    pdf_timeout: 'The document took too long to print.',
    pdf_failed: 'The document could not be printed.',
  },
});
