export { AddedLines, type AddedLinesOf } from './application/added-lines.js';
export { Attachments } from './application/attachments.service.js';
export { CreditNotes, type NewCreditNote } from './application/credit-notes.service.js';
export { CustomerErasing } from './application/customer-erasing.js';
export { Customers } from './application/customers.service.js';
export { DocumentPdfs } from './application/document-pdfs.service.js';
export { DocumentSteps } from './application/document-steps.service.js';
export { ITEM_EVENTS } from './wire/catalogue/item-events.js';
export { CUSTOMER_EVENTS } from './wire/customer-events.js';
export { DOCUMENT_EVENTS, inHistory } from './wire/document-events.js';
export { ActorBody } from './wire/history.js';
export {
  DocumentWriter,
  type WrittenDocumentFact,
  type WrittenTaxRelief,
  type LeadingEvent,
} from './application/document-writer.js';
export { EInvoiceProfiles } from './application/e-invoice-profiles.service.js';
export { type PrepaymentRecorder, Prepayments } from './application/prepayments.js';
export { TaxCurrencies } from './application/tax-currencies.service.js';
export { Documents } from './application/documents.service.js';
export { type SellerChange, SellerProfiles } from './application/seller-profiles.service.js';
export { defaultsOf } from './domain/drafts/document-defaults.js';
export { PortalTokens } from './application/portal-tokens.service.js';
export { PortalViews } from './application/portal-views.service.js';
export { SkippedNumbers } from './application/skipped-numbers.service.js';
export { StandingPortalLinks } from './application/standing-portal-links.js';
export { DocumentsModule } from './documents.module.js';
export { TAX_CATEGORIES } from './domain/calculation/tax-categories.js';
export { discountTakenBy } from './domain/cash-discount.js';
export type { MoneyIn, OnOverpayment, Prepayment } from './domain/prepayment.js';
export type { Document } from './domain/document.js';
export { type ShortfallAllowance, canBeWaived } from './domain/document-sums.js';
export { type CreditThere, NotedCredit } from './domain/noted-credit.js';
export {
  E_INVOICE_PROFILES,
  type EInvoiceProfile,
  profileOf,
} from './domain/codes/e-invoice-profiles.js';
export { isFile } from './domain/attachments/attachment.js';
export { NO_DETAILS } from './domain/document-details.js';
export { askedOf, type DocumentView, payableOf } from './domain/document-view.js';
export { DOCUMENT_REFUND_STATUSES } from './domain/refunded-money.js';
export { changeSentences } from './domain/printing/change-sentences.js';
export { changesBetween, type FieldChange } from './domain/changes.js';
export { paymentCodesFor } from './domain/printing/payment-codes.js';
export { paperHtml } from './infrastructure/printing/paper.js';
export { Locale } from './domain/printing/formatting.js';
export { isSpoken, LANGUAGES } from './domain/texts/languages.js';
export { type CustomerKind, unknownPayingCustomer } from './domain/parties/customer.js';
export { accountsFor, type BankAccount } from './domain/parties/bank-account.js';
export { type Buyer, buyerOf, type Seller, sellerOf } from './domain/parties/party.js';
export { printedBuyer, printedSeller } from './domain/printing/printed-party.js';
export { lastDate, printed, type PrintedDocument } from './domain/printing/printed-document.js';
export type { Texts } from './domain/texts/texts.js';
export { askableAmount, assertNothingOnItsWay } from './domain/askable-amount.js';
export { VatNumberRegister } from './domain/legal/vat-number-register.js';
export { LogoEncoder } from './domain/parties/logo.js';
export { DocumentRefusal } from './domain/refusals.js';
export { customerId } from './http/customers.controller.js';
export { DocumentExpansions } from './http/document-expansions.js';
export { documentId } from './http/documents.controller.js';
export { presentDocument } from './wire/present-document.js';
export { ChangeBody } from './wire/steps/changes.js';
export { CreateCreditNoteRequest } from './wire/steps/credit-note.js';
export { CreateDocumentRequest, described, LineFields } from './wire/document.js';
export { DOCUMENT_EXAMPLE } from './http/examples.js';
export { assertMaySay } from './http/field-scopes.js';
export { REFUSED_NEW_DOCUMENTS, REFUSED_TERMS } from './http/refused-documents.js';
export type { Judgement } from './application/drafts.service.js';
export { MoneyInRequest, onOverpayment, toMoneyIn } from './wire/prepayment.js';
export { toNewCreditNote, toNewDocument } from './wire/parse-draft.js';
export { CustomerBody } from './wire/customer.js';
export { DocumentBody, DocumentWarningBody } from './wire/document-body.js';
export { sendPdf } from './http/send-pdf.js';
export { sendStored } from './http/send-stored.js';
export { accentShades, accentStyle } from './infrastructure/printing/accent-color.js';
export {
  Blocks,
  FieldList,
  Notes,
  Parties,
  PartyBlock,
  PaymentSection,
  Totals,
} from './infrastructure/printing/document-parts.js';
export { Lines } from './infrastructure/printing/lines-table.js';
export { countFiles } from './infrastructure/stored-files/file-rows.js';
export { moveFiles, moveFilesBack } from './infrastructure/stored-files/file-moves.js';
export { pruneFiles } from './infrastructure/stored-files/file-pruning.js';
export { verifyFiles } from './infrastructure/stored-files/file-verification.js';
export { CreditNoteRepository } from './infrastructure/credit-note.repository.js';
export { DocumentRepository } from './infrastructure/document.repository.js';
export { DocumentsQuery } from './infrastructure/documents.query.js';
export { taxesLeft } from './infrastructure/taxes-left.query.js';
export { PdfRenderer, type PrintOptions } from './infrastructure/printing/pdf-renderer.js';
export { type CountedNumber, NumberTexts } from './domain/numbering/number-texts.js';
