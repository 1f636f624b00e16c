import type { Profile } from '../profile.js';
import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import { element, textElement, XML_DECLARATION } from '../xml.js';
import { belgianReferences } from './ubl-belgium.js';
import { ublLine } from './ubl-line.js';
import { ublBuyer, ublPayee, ublSeller, ublTaxRepresentative } from './ubl-parties.js';
import { ublDelivery, ublPayment, ublTotals } from './ubl-settlement.js';
import { identifier, invoicePeriod } from './ubl-terms.js';

const COMMON = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** An invoice in UBL 2.1, piece by piece: its head, each line, its end. */
export function* ublInvoice(invoice: SemanticInvoice, profile: Profile): Generator<string> {
  const isNote = invoice.isCreditNote;
  const root = isNote ? 'CreditNote' : 'Invoice';
  yield (
    `${XML_DECLARATION}<${root} xmlns="${COMMON}${root}-2"` +
      ` xmlns:cac="${COMMON}CommonAggregateComponents-2"` +
      ` xmlns:cbc="${COMMON}CommonBasicComponents-2">`
  );
  yield isNote ? noteHead(invoice, profile) : invoiceHead(invoice, profile);
  yield references(invoice, profile, isNote);
  yield ublSeller(invoice);
  yield ublBuyer(invoice.buyer);
  yield ublPayee(invoice);
  yield ublTaxRepresentative(invoice.taxRepresentative);
  yield ublDelivery(invoice.delivery);
  yield ublPayment(invoice, profile, isNote);
  yield ublTotals(invoice, profile);
  for (const line of invoice.lines) yield ublLine(line, profile, isNote);
  yield `</${root}>`;
}

const context = ({ businessProcess }: SemanticInvoice, profile: Profile) =>
  textElement('cbc:CustomizationID', profile.specification) +
  textElement('cbc:ProfileID', profile.businessProcess ?? businessProcess);

function invoiceHead(invoice: SemanticInvoice, profile: Profile): string {
  return (
    context(invoice, profile) +
    textElement('cbc:ID', invoice.number) +
    textElement('cbc:IssueDate', invoice.issueDate) +
    textElement('cbc:DueDate', invoice.dueDate) +
    textElement('cbc:InvoiceTypeCode', invoice.typeCode) +
    notes(invoice, profile) +
    textElement('cbc:TaxPointDate', invoice.taxPointDate) +
    currencies(invoice)
  );
}

function noteHead(invoice: SemanticInvoice, profile: Profile): string {
  return (
    context(invoice, profile) +
    textElement('cbc:ID', invoice.number) +
    textElement('cbc:IssueDate', invoice.issueDate) +
    textElement('cbc:TaxPointDate', invoice.taxPointDate) +
    textElement('cbc:CreditNoteTypeCode', invoice.typeCode) +
    notes(invoice, profile) +
    currencies(invoice)
  );
}

function currencies(invoice: SemanticInvoice): string {
  return (
    textElement('cbc:DocumentCurrencyCode', invoice.currency) +
    textElement('cbc:TaxCurrencyCode', invoice.vatAccountingCurrency) +
    textElement('cbc:AccountingCost', invoice.buyerAccountingReference) +
    textElement('cbc:BuyerReference', invoice.buyerReference)
  );
}

/** UBL has no place for the subject (BT-21): it stands before the text, between two `#`. */
function notes({ notes: all }: SemanticInvoice, { joinsNotes }: Profile): string {
  const texts = all.map(({ subjectCode, text }) =>
    subjectCode === null ? text : `#${subjectCode}#${text}`,
  );
  if (joinsNotes) return textElement('cbc:Note', texts.join('\n'));
  return texts.map((text) => textElement('cbc:Note', text)).join('');
}

/** UNTDID 2005, of the day on which tax becomes due (BT-8). */
const TAX_POINTS = { issue: '3', delivery: '35', payment: '432' } as const;

/** UNTDID 1001: an invoiced object, and a project. */
const OBJECT = '130';
const PROJECT = '50';

const reference = (name: string, id: string | null) => element(name, textElement('cbc:ID', id));

/** The schemas of the two kinds have the same references in another order. */
function references(invoice: SemanticInvoice, profile: Profile, isNote: boolean): string {
  const originator = reference('cac:OriginatorDocumentReference', invoice.tenderOrLot);
  const contract = reference('cac:ContractDocumentReference', invoice.contractReference);
  const further =
    objectReference(invoice) +
    (isNote ? projectReference(invoice, profile) : '') +
    supportingDocuments(invoice, profile) +
    (profile.isBelgian ? belgianReferences(isNote) : '');
  return (
    invoicePeriod(
      invoice.delivery.period,
      invoice.taxPointEvent === null ? null : TAX_POINTS[invoice.taxPointEvent],
    ) +
    orderReference(invoice) +
    invoice.precedingInvoices
      .map(({ number, issueDate }) =>
        element(
          'cac:BillingReference',
          element(
            'cac:InvoiceDocumentReference',
            textElement('cbc:ID', number),
            textElement('cbc:IssueDate', issueDate),
          ),
        ),
      )
      .join('') +
    reference('cac:DespatchDocumentReference', invoice.despatchAdvice) +
    reference('cac:ReceiptDocumentReference', invoice.receivingAdvice) +
    (isNote ? contract + further + originator : originator + contract + further) +
    (isNote ? '' : reference('cac:ProjectReference', invoice.projectReference))
  );
}

/** The schema wants the buyer's number beside the seller's, also where there is none. */
function orderReference({ purchaseOrder, salesOrder }: SemanticInvoice): string {
  if (purchaseOrder === null && salesOrder === null) return '';
  return element(
    'cac:OrderReference',
    textElement('cbc:ID', purchaseOrder ?? 'NA'),
    textElement('cbc:SalesOrderID', salesOrder),
  );
}

/** UBL.BE wants each reference described. */
const described = ({ isBelgian }: Profile, text: string) =>
  isBelgian ? textElement('cbc:DocumentDescription', text) : '';

function objectReference({ invoicedObject }: SemanticInvoice): string {
  if (invoicedObject === null) return '';
  return element(
    'cac:AdditionalDocumentReference',
    identifier('cbc:ID', invoicedObject),
    textElement('cbc:DocumentTypeCode', OBJECT),
  );
}

/** A credit note has no element of its own for it. */
function projectReference({ projectReference: id }: SemanticInvoice, profile: Profile): string {
  if (id === null) return '';
  return element(
    'cac:AdditionalDocumentReference',
    textElement('cbc:ID', id),
    textElement('cbc:DocumentTypeCode', PROJECT),
    described(profile, 'Project'),
  );
}

function supportingDocuments(
  { supportingDocuments: all }: SemanticInvoice,
  profile: Profile,
): string {
  return all
    .map(({ reference: id, description, location, attachment }) =>
      element(
        'cac:AdditionalDocumentReference',
        textElement('cbc:ID', id),
        description === null
          ? described(profile, id)
          : textElement('cbc:DocumentDescription', description),
        element(
          'cac:Attachment',
          textElement('cbc:EmbeddedDocumentBinaryObject', attachment?.base64, {
            mimeCode: attachment?.mimeType,
            filename: attachment?.fileName,
          }),
          element('cac:ExternalReference', textElement('cbc:URI', location)),
        ),
      ),
    )
    .join('');
}
