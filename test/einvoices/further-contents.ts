import type { DocumentView } from '../../src/documents/index.js';
import type { Profile } from '../../src/einvoices/domain/profile.js';
import { Decimal } from '../../src/kernel/decimal.js';
import { minorDigits } from '../../src/kernel/currency.js';
import { CONTENTS } from './random-details.js';
import { allAt, type ReadElement, textAt } from './xml-reader.js';

// Particulars that few documents have, as they must be read again.

type Facts = Record<string, string | null>;

const NATURES = { goods: 'B1', services: 'S1', goods_and_services: 'M1' };
const UBL_TAX_POINTS: Record<string, string> = { issue: '3', delivery: '35', payment: '432' };
const CII_TAX_POINTS: Record<string, string> = { issue: '5', delivery: '29', payment: '72' };

const schemed = (id: { scheme?: string; value: string } | undefined) =>
  id ? `${id.scheme ?? '-'} ${id.value}` : null;

const joined = (texts: (string | null)[]) => texts.filter((text) => text !== null).join(' | ');

export function furtherFacts(view: DocumentView, profile: Profile): Facts {
  const { details } = view;
  const points = profile.syntax === 'ubl' ? UBL_TAX_POINTS : CII_TAX_POINTS;
  const preceding = [
    ...(details.preceding_invoice ? [details.preceding_invoice] : []),
    ...(details.preceding_invoices ?? []),
  ];
  const others = profile.hasOnePreceding ? preceding.splice(1) : [];
  const notes = [
    ...(view.notes === null ? [] : [['-', view.notes]]),
    ...(details.subject_notes ?? []).map(({ subject, text }) => [subject ?? '-', text]),
    ...(others.length === 0
      ? []
      : [
          [
            '-',
            others
              .map(({ number, issue_date: day }) => (day ? `${number} ${day}` : number))
              .join(', '),
          ],
        ]),
    ...(profile.isBelgian && details.invoiced_object
      ? [['-', schemed(details.invoiced_object)?.replace(/^- /, '') ?? '']]
      : []),
  ].map(([subject, text]) => (subject === '-' ? text : `#${subject}#${text}`) as string);
  const other = view.taxInTaxCurrency;
  return {
    notes: profile.joinsNotes ? notes.join('\n') : notes.join(' | '),
    process:
      profile.businessProcess ?? (details.supply_nature ? NATURES[details.supply_nature] : null),
    taxPointDate: details.tax_point_date ?? null,
    taxPoint: details.tax_point ? (points[details.tax_point] ?? null) : null,
    taxCurrency: other?.currency ?? null,
    taxInOther: other && Decimal.of(other.minor, minorDigits(other.currency)).toString(),
    receiving: details.receiving_reference ?? null,
    tender: details.tender_reference ?? null,
    object: profile.isBelgian ? null : schemed(details.invoiced_object),
    accounting: details.buyer_accounting_reference ?? null,
    meansText: details.payment_means_text ?? null,
    preceding: joined(preceding.map(({ number, issue_date: day }) => `${number} ${day ?? '-'}`)),
    sellerIds: joined((view.seller.identifiers ?? []).map(schemed)),
    sellerScheme: view.seller.registration_scheme ?? null,
    buyerIds: joined((view.customer.identifiers ?? []).slice(0, 1).map(schemed)),
    legal: view.seller.legal_information ?? null,
    attachments: joined((details.attachments ?? []).map((one) => attachmentFacts(one, profile))),
  };
}

type AttachmentOf = NonNullable<DocumentView['details']['attachments']>[number];

/** In words, or as France and Belgium want it. */
function describedAs({ name, reference, description }: AttachmentOf, profile: Profile): string {
  if (profile.isBelgian) return description ?? reference ?? name;
  if (!profile.codesAttachments) return description ?? '-';
  return ['RIB', 'BON_LIVRAISON'].includes(description ?? '')
    ? (description ?? '')
    : 'DOCUMENT_ANNEXE';
}

function attachmentFacts(one: AttachmentOf, profile: Profile): string {
  const content =
    'url' in one
      ? ['-', '-', '-', one.url]
      : [one.media_type, one.name, CONTENTS.get(one.sha256), '-'];
  return [one.reference ?? one.name, describedAs(one, profile), ...content].join(' ');
}

export function furtherLineFacts({ details }: DocumentView['lines'][number]): Facts {
  return {
    itemDescription: details.item_description ?? null,
    note: details.note ?? null,
    object: schemed(details.invoiced_object),
    accounting: details.buyer_accounting_reference ?? null,
    origin: details.country_of_origin ?? null,
    attributes: joined((details.attributes ?? []).map(({ name, value }) => `${name}=${value}`)),
  };
}

const fileFacts = (file: ReadElement | undefined) =>
  file ? [file.attributes['mimeCode'], file.attributes['filename'], file.text] : ['-', '-', '-'];

const idOf = (element: ReadElement | undefined) =>
  element ? `${element.attributes['schemeID'] ?? '-'} ${element.text}` : null;

/** UNTDID 1001: an invoiced object. */
const OBJECT = '130';

export function furtherOfUbl(root: ReadElement): Facts {
  const seller = 'a:AccountingSupplierParty/a:Party';
  const buyer = 'a:AccountingCustomerParty/a:Party';
  const ids = (party: string) =>
    allAt(root, `${party}/a:PartyIdentification/b:ID`).filter(
      ({ attributes }) => attributes['schemeID'] !== 'SEPA',
    );
  const object = allAt(root, 'a:AdditionalDocumentReference').find(
    (one) => textAt(one, 'b:DocumentTypeCode') === OBJECT,
  );
  const [, other] = allAt(root, 'a:TaxTotal');
  return {
    notes: joined(allAt(root, 'b:Note').map(({ text }) => text)),
    process: textAt(root, 'b:ProfileID'),
    taxPointDate: textAt(root, 'b:TaxPointDate'),
    taxPoint: textAt(root, 'a:InvoicePeriod/b:DescriptionCode'),
    taxCurrency: textAt(root, 'b:TaxCurrencyCode'),
    taxInOther: other ? textAt(other, 'b:TaxAmount') : null,
    receiving: textAt(root, 'a:ReceiptDocumentReference/b:ID'),
    tender: textAt(root, 'a:OriginatorDocumentReference/b:ID'),
    object: object ? idOf(allAt(object, 'b:ID')[0]) : null,
    accounting: textAt(root, 'b:AccountingCost'),
    meansText: allAt(root, 'a:PaymentMeans/b:PaymentMeansCode')[0]?.attributes['name'] ?? null,
    preceding: joined(
      allAt(root, 'a:BillingReference/a:InvoiceDocumentReference').map(
        (one) => `${textAt(one, 'b:ID')} ${textAt(one, 'b:IssueDate') ?? '-'}`,
      ),
    ),
    sellerIds: joined(ids(seller).map(idOf)),
    sellerScheme:
      allAt(root, `${seller}/a:PartyLegalEntity/b:CompanyID`)[0]?.attributes['schemeID'] ?? null,
    buyerIds: joined(ids(buyer).map(idOf)),
    legal: textAt(root, `${seller}/a:PartyLegalEntity/b:CompanyLegalForm`),
    attachments: joined(
      allAt(root, 'a:AdditionalDocumentReference')
        .filter((one) => allAt(one, 'a:Attachment').length > 0)
        .map((one) => {
          const [file] = allAt(one, 'a:Attachment/b:EmbeddedDocumentBinaryObject');
          return [
            textAt(one, 'b:ID'),
            textAt(one, 'b:DocumentDescription') ?? '-',
            ...fileFacts(file),
            textAt(one, 'a:Attachment/a:ExternalReference/b:URI') ?? '-',
          ].join(' ');
        }),
    ),
  };
}

export function furtherOfUblLine(line: ReadElement): Facts {
  return {
    itemDescription: textAt(line, 'a:Item/b:Description'),
    note: textAt(line, 'b:Note'),
    object: idOf(allAt(line, 'a:DocumentReference/b:ID')[0]),
    accounting: textAt(line, 'b:AccountingCost'),
    origin: textAt(line, 'a:Item/a:OriginCountry/b:IdentificationCode'),
    attributes: joined(
      allAt(line, 'a:Item/a:AdditionalItemProperty').map(
        (one) => `${textAt(one, 'b:Name')}=${textAt(one, 'b:Value')}`,
      ),
    ),
  };
}

const TRADE = 'rsm:SupplyChainTradeTransaction';
const AGREEMENT = `${TRADE}/ram:ApplicableHeaderTradeAgreement`;
const SETTLEMENT = `${TRADE}/ram:ApplicableHeaderTradeSettlement`;

const dayOf = (text: string | null) =>
  text === null ? null : `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;

const typedIn = (root: ReadElement, path: string, type: string) =>
  allAt(root, path).filter((one) => textAt(one, 'ram:TypeCode') === type);

const objectOf = (found: ReadElement | undefined) =>
  found
    ? `${textAt(found, 'ram:ReferenceTypeCode') ?? '-'} ${textAt(found, 'ram:IssuerAssignedID')}`
    : null;

export function furtherOfCii(root: ReadElement): Facts {
  const at = (path: string) => textAt(root, path);
  const seller = `${AGREEMENT}/ram:SellerTradeParty`;
  const buyer = `${AGREEMENT}/ram:BuyerTradeParty`;
  const further = `${AGREEMENT}/ram:AdditionalReferencedDocument`;
  const ids = (party: string) => [
    ...allAt(root, `${party}/ram:ID`).map(idOf),
    ...allAt(root, `${party}/ram:GlobalID`).map(idOf),
  ];
  const totals = allAt(
    root,
    `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:TaxTotalAmount`,
  );
  const [tax] = allAt(root, `${SETTLEMENT}/ram:ApplicableTradeTax`);
  return {
    notes: joined(
      allAt(root, 'rsm:ExchangedDocument/ram:IncludedNote').map((one) => {
        const subject = textAt(one, 'ram:SubjectCode');
        return `${subject === null ? '' : `#${subject}#`}${textAt(one, 'ram:Content')}`;
      }),
    ),
    process: at(
      'rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID',
    ),
    taxPointDate: tax ? dayOf(textAt(tax, 'ram:TaxPointDate/udt:DateString')) : null,
    taxPoint: tax ? textAt(tax, 'ram:DueDateTypeCode') : null,
    taxCurrency: at(`${SETTLEMENT}/ram:TaxCurrencyCode`),
    taxInOther: totals[1]?.text ?? null,
    receiving: at(
      `${TRADE}/ram:ApplicableHeaderTradeDelivery/ram:ReceivingAdviceReferencedDocument/ram:IssuerAssignedID`,
    ),
    tender: (([one]) => (one ? textAt(one, 'ram:IssuerAssignedID') : null))(
      typedIn(root, further, '50'),
    ),
    object: objectOf(typedIn(root, further, OBJECT)[0]),
    accounting: at(`${SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`),
    meansText:
      allAt(root, `${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans/ram:Information`)[0]
        ?.text ?? null,
    preceding: joined(
      allAt(root, `${SETTLEMENT}/ram:InvoiceReferencedDocument`).map(
        (one) =>
          `${textAt(one, 'ram:IssuerAssignedID')} ${dayOf(textAt(one, 'ram:FormattedIssueDateTime/qdt:DateTimeString')) ?? '-'}`,
      ),
    ),
    sellerIds: joined(ids(seller)),
    sellerScheme:
      allAt(root, `${seller}/ram:SpecifiedLegalOrganization/ram:ID`)[0]?.attributes['schemeID'] ??
      null,
    buyerIds: joined(ids(buyer)),
    legal: at(`${seller}/ram:Description`),
    attachments: joined(
      typedIn(root, further, '916').map((one) => {
        const [file] = allAt(one, 'ram:AttachmentBinaryObject');
        return [
          textAt(one, 'ram:IssuerAssignedID'),
          textAt(one, 'ram:Name') ?? '-',
          ...fileFacts(file),
          textAt(one, 'ram:URIID') ?? '-',
        ].join(' ');
      }),
    ),
  };
}

export function furtherOfCiiLine(line: ReadElement): Facts {
  const product = 'ram:SpecifiedTradeProduct';
  const settlement = 'ram:SpecifiedLineTradeSettlement';
  return {
    itemDescription: textAt(line, `${product}/ram:Description`),
    note: textAt(line, 'ram:AssociatedDocumentLineDocument/ram:IncludedNote/ram:Content'),
    object: objectOf(typedIn(line, `${settlement}/ram:AdditionalReferencedDocument`, OBJECT)[0]),
    accounting: textAt(line, `${settlement}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`),
    origin: textAt(line, `${product}/ram:OriginTradeCountry/ram:ID`),
    attributes: joined(
      allAt(line, `${product}/ram:ApplicableProductCharacteristic`).map(
        (one) => `${textAt(one, 'ram:Description')}=${textAt(one, 'ram:Value')}`,
      ),
    ),
  };
}
