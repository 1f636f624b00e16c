import type { Profile } from '../profile.js';
import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import { element, textElement, XML_DECLARATION } from '../xml.js';
import { ciiLine } from './cii-line.js';
import { ciiAddress, ciiBuyer, ciiSeller, ciiTaxRepresentative } from './cii-parties.js';
import { ciiSettlement } from './cii-settlement.js';
import { ciiDay, partyId } from './cii-terms.js';

const STANDARD = 'urn:un:unece:uncefact:data:standard:';

/** An invoice in UN/CEFACT CII D16B, piece by piece: its head, each line, its end. */
export function* ciiInvoice(invoice: SemanticInvoice, profile: Profile): Generator<string> {
  yield (
    `${XML_DECLARATION}<rsm:CrossIndustryInvoice` +
      ` xmlns:rsm="${STANDARD}CrossIndustryInvoice:100"` +
      ` xmlns:qdt="${STANDARD}QualifiedDataType:100"` +
      ` xmlns:ram="${STANDARD}ReusableAggregateBusinessInformationEntity:100"` +
      ` xmlns:udt="${STANDARD}UnqualifiedDataType:100">`
  );
  yield context(invoice, profile);
  yield exchangedDocument(invoice);
  yield '<rsm:SupplyChainTradeTransaction>';
  for (const line of invoice.lines) yield ciiLine(line, profile);
  yield agreement(invoice);
  yield delivery(invoice);
  yield ciiSettlement(invoice, profile);
  yield '</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>';
}

function context({ businessProcess }: SemanticInvoice, profile: Profile): string {
  return element(
    'rsm:ExchangedDocumentContext',
    element(
      'ram:BusinessProcessSpecifiedDocumentContextParameter',
      textElement('ram:ID', profile.businessProcess ?? businessProcess),
    ),
    element(
      'ram:GuidelineSpecifiedDocumentContextParameter',
      textElement('ram:ID', profile.specification),
    ),
  );
}

function exchangedDocument(invoice: SemanticInvoice): string {
  return element(
    'rsm:ExchangedDocument',
    textElement('ram:ID', invoice.number),
    textElement('ram:TypeCode', invoice.typeCode),
    ciiDay('ram:IssueDateTime', invoice.issueDate),
    invoice.notes
      .map(({ subjectCode, text }) =>
        element(
          'ram:IncludedNote',
          textElement('ram:Content', text),
          textElement('ram:SubjectCode', subjectCode),
        ),
      )
      .join(''),
  );
}

/** UNTDID 1001: a supporting document, a tender, an invoiced object. */
const SUPPORTING = '916';
const TENDER = '50';
const OBJECT = '130';

function referenced(name: string, id: string | null): string {
  return element(name, textElement('ram:IssuerAssignedID', id));
}

function agreement(invoice: SemanticInvoice): string {
  return element(
    'ram:ApplicableHeaderTradeAgreement',
    textElement('ram:BuyerReference', invoice.buyerReference),
    ciiSeller(invoice.seller),
    ciiBuyer(invoice.buyer),
    ciiTaxRepresentative(invoice.taxRepresentative),
    referenced('ram:SellerOrderReferencedDocument', invoice.salesOrder),
    referenced('ram:BuyerOrderReferencedDocument', invoice.purchaseOrder),
    referenced('ram:ContractReferencedDocument', invoice.contractReference),
    additionalReferences(invoice),
    project(invoice),
  );
}

function additionalReferences({
  supportingDocuments,
  tenderOrLot,
  invoicedObject,
}: SemanticInvoice) {
  const name = 'ram:AdditionalReferencedDocument';
  const supporting = supportingDocuments.map(({ reference, description, location, attachment }) =>
    element(
      name,
      textElement('ram:IssuerAssignedID', reference),
      textElement('ram:URIID', location),
      textElement('ram:TypeCode', SUPPORTING),
      textElement('ram:Name', description),
      textElement('ram:AttachmentBinaryObject', attachment?.base64, {
        mimeCode: attachment?.mimeType,
        filename: attachment?.fileName,
      }),
    ),
  );
  const typed = (id: string | null, type: string, scheme: string | null = null) =>
    id === null
      ? ''
      : element(
          name,
          textElement('ram:IssuerAssignedID', id),
          textElement('ram:TypeCode', type),
          textElement('ram:ReferenceTypeCode', scheme),
        );
  return (
    supporting.join('') +
    typed(tenderOrLot, TENDER) +
    typed(invoicedObject?.value ?? null, OBJECT, invoicedObject?.scheme ?? null)
  );
}

/** The schema wants a name, which EN 16931 has none for. */
function project({ projectReference }: SemanticInvoice): string {
  if (projectReference === null) return '';
  return element(
    'ram:SpecifiedProcuringProject',
    textElement('ram:ID', projectReference),
    textElement('ram:Name', 'Project reference'),
  );
}

/** The schema wants it also where it is empty. */
function delivery({ delivery: of, ...invoice }: SemanticInvoice): string {
  const content =
    element(
      'ram:ShipToTradeParty',
      partyId(of.location),
      textElement('ram:Name', of.name),
      of.address === null ? '' : ciiAddress(of.address),
    ) +
    element('ram:ActualDeliverySupplyChainEvent', ciiDay('ram:OccurrenceDateTime', of.date)) +
    referenced('ram:DespatchAdviceReferencedDocument', invoice.despatchAdvice) +
    referenced('ram:ReceivingAdviceReferencedDocument', invoice.receivingAdvice);
  return (
    element('ram:ApplicableHeaderTradeDelivery', content) || '<ram:ApplicableHeaderTradeDelivery/>'
  );
}
