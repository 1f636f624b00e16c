import type { ReadInvoice, ReadLine } from './contents.js';
import { furtherOfUblLine } from './further-contents.js';
import { adjustmentsOfUbl } from './read-adjustments.js';
import { allAt, type ReadElement, textAt } from './xml-reader.js';

const periodAt = (from: ReadElement, path: string) => {
  const [period] = allAt(from, path);
  return period ? `${textAt(period, 'b:StartDate')} ${textAt(period, 'b:EndDate')}` : null;
};

const typed = (root: ReadElement, type: string) =>
  allAt(root, 'a:AdditionalDocumentReference')
    .filter((one) => textAt(one, 'b:DocumentTypeCode') === type)
    .map((one) => textAt(one, 'b:ID'))[0] ?? null;

export function readUbl(root: ReadElement): ReadInvoice {
  const at = (path: string) => textAt(root, path);
  const seller = 'a:AccountingSupplierParty/a:Party';
  const buyer = 'a:AccountingCustomerParty/a:Party';
  const vatId = (party: string) =>
    allAt(root, `${party}/a:PartyTaxScheme`)
      .filter((one) => textAt(one, 'a:TaxScheme/b:ID') === 'VAT')
      .map((one) => textAt(one, 'b:CompanyID'))[0] ?? null;
  const first = (path: string) => allAt(root, path)[0]?.text ?? null;
  const taxes = allAt(root, 'a:TaxTotal/a:TaxSubtotal').map((one) =>
    [
      textAt(one, 'a:TaxCategory/b:ID'),
      textAt(one, 'a:TaxCategory/b:Percent') ?? '0',
      plain(textAt(one, 'b:TaxableAmount')),
      plain(textAt(one, 'b:TaxAmount')),
    ].join(' '),
  );
  return {
    facts: {
      number: at('b:ID'),
      issueDate: at('b:IssueDate'),
      dueDate: at('b:DueDate') ?? first('a:PaymentMeans/b:PaymentDueDate'),
      typeCode: at('b:InvoiceTypeCode') ?? at('b:CreditNoteTypeCode'),
      currency: at('b:DocumentCurrencyCode'),
      specification: at('b:CustomizationID'),
      buyerReference: at('b:BuyerReference'),
      purchaseOrder: at('a:OrderReference/b:ID'),
      salesOrder: at('a:OrderReference/b:SalesOrderID'),
      contract: at('a:ContractDocumentReference/b:ID'),
      despatch: at('a:DespatchDocumentReference/b:ID'),
      project: at('a:ProjectReference/b:ID') ?? typed(root, '50'),
      sellerName: at(`${seller}/a:PartyLegalEntity/b:RegistrationName`),
      sellerTradingName: at(`${seller}/a:PartyName/b:Name`),
      sellerVatId: vatId(seller),
      sellerRegistration: at(`${seller}/a:PartyLegalEntity/b:CompanyID`),
      sellerAddress: at(`${seller}/b:EndpointID`),
      sellerCity: at(`${seller}/a:PostalAddress/b:CityName`),
      sellerStreet: at(`${seller}/a:PostalAddress/b:StreetName`),
      sellerPhone: at(`${seller}/a:Contact/b:Telephone`),
      buyerName: at(`${buyer}/a:PartyLegalEntity/b:RegistrationName`),
      buyerVatId: vatId(buyer),
      buyerPostCode: at(`${buyer}/a:PostalAddress/b:PostalZone`),
      buyerCountry: at(`${buyer}/a:PostalAddress/a:Country/b:IdentificationCode`),
      payee: at('a:PayeeParty/a:PartyName/b:Name'),
      supplyDate: at('a:Delivery/b:ActualDeliveryDate'),
      period: periodAt(root, 'a:InvoicePeriod'),
      deliveryCity: at('a:Delivery/a:DeliveryLocation/a:Address/b:CityName'),
      means: first('a:PaymentMeans/b:PaymentMeansCode'),
      accounts: at('a:PaymentMeans/a:PayeeFinancialAccount/b:ID'),
      remittance: first('a:PaymentMeans/b:PaymentID'),
      lineTotal: at('a:LegalMonetaryTotal/b:LineExtensionAmount'),
      allowanceTotal: unlessZero(at('a:LegalMonetaryTotal/b:AllowanceTotalAmount')),
      chargeTotal: unlessZero(at('a:LegalMonetaryTotal/b:ChargeTotalAmount')),
      netTotal: at('a:LegalMonetaryTotal/b:TaxExclusiveAmount'),
      taxTotal: first('a:TaxTotal/b:TaxAmount'),
      grossTotal: at('a:LegalMonetaryTotal/b:TaxInclusiveAmount'),
      rounding: at('a:LegalMonetaryTotal/b:PayableRoundingAmount'),
      prepaid: at('a:LegalMonetaryTotal/b:PrepaidAmount'),
      due: at('a:LegalMonetaryTotal/b:PayableAmount'),
      taxes: taxes.join(' | '),
    },
    adjustments: adjustmentsOfUbl(root),
    lines: [...allAt(root, 'a:InvoiceLine'), ...allAt(root, 'a:CreditNoteLine')].map(readLine),
  };
}

function readLine(line: ReadElement): ReadLine {
  const at = (path: string) => textAt(line, path);
  const [quantity] = [...allAt(line, 'b:InvoicedQuantity'), ...allAt(line, 'b:CreditedQuantity')];
  const [standard] = allAt(line, 'a:Item/a:StandardItemIdentification/b:ID');
  const amounts = (isCharge: string) =>
    allAt(line, 'a:AllowanceCharge')
      .filter((one) => textAt(one, 'b:ChargeIndicator') === isCharge)
      .map((one) => textAt(one, 'b:Amount') ?? '');
  return {
    facts: {
      id: at('b:ID'),
      name: at('a:Item/b:Name'),
      quantity: quantity?.text ?? null,
      unit: quantity?.attributes['unitCode'] ?? null,
      net: at('b:LineExtensionAmount'),
      category: at('a:Item/a:ClassifiedTaxCategory/b:ID'),
      rate: at('a:Item/a:ClassifiedTaxCategory/b:Percent'),
      sku: at('a:Item/a:SellersItemIdentification/b:ID'),
      buyerItem: at('a:Item/a:BuyersItemIdentification/b:ID'),
      standardItem: standard ? `${standard.attributes['schemeID']} ${standard.text}` : null,
      classification: allAt(line, 'a:Item/a:CommodityClassification/b:ItemClassificationCode')
        .map(({ attributes, text }) =>
          [attributes['listID'], attributes['listVersionID'] ?? '-', text].join(' '),
        )
        .join(' | '),
      orderLine: at('a:OrderLineReference/b:LineID'),
      period: periodAt(line, 'a:InvoicePeriod'),
      ...furtherOfUblLine(line),
    },
    price: at('a:Price/b:PriceAmount') ?? '',
    baseQuantity: at('a:Price/b:BaseQuantity') ?? '1',
    allowances: amounts('false'),
    charges: amounts('true'),
  };
}

export const plain = (amount: string | null) =>
  amount?.includes('.') ? amount.replace(/\.?0{1,3}$/, '') : amount;

export const unlessZero = (amount: string | null) =>
  amount !== null && /^[0.]+$/.test(amount) ? null : amount;
