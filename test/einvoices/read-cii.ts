import type { ReadInvoice, ReadLine } from './contents.js';
import { furtherOfCiiLine } from './further-contents.js';
import { plain, unlessZero } from './read-ubl.js';
import { adjustmentsOfCii } from './read-adjustments.js';
import { allAt, type ReadElement, textAt } from './xml-reader.js';

const dayOf = (text: string | null) =>
  text === null ? null : `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;

const periodAt = (from: ReadElement, path: string) => {
  const [period] = allAt(from, path);
  if (!period) return null;
  const end = (name: string) => dayOf(textAt(period, `ram:${name}/udt:DateTimeString`));
  return `${end('StartDateTime')} ${end('EndDateTime')}`;
};

const TRADE = 'rsm:SupplyChainTradeTransaction';

export function readCii(root: ReadElement): ReadInvoice {
  const at = (path: string) => textAt(root, path);
  const agreement = `${TRADE}/ram:ApplicableHeaderTradeAgreement`;
  const delivery = `${TRADE}/ram:ApplicableHeaderTradeDelivery`;
  const settlement = `${TRADE}/ram:ApplicableHeaderTradeSettlement`;
  const sums = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
  const seller = `${agreement}/ram:SellerTradeParty`;
  const buyer = `${agreement}/ram:BuyerTradeParty`;
  const vatId = (party: string) =>
    allAt(root, `${party}/ram:SpecifiedTaxRegistration/ram:ID`).find(
      ({ attributes }) => attributes['schemeID'] === 'VA',
    )?.text ?? null;
  const day = (path: string) => dayOf(at(`${path}/udt:DateTimeString`));
  const taxes = allAt(root, `${settlement}/ram:ApplicableTradeTax`).map((one) =>
    [
      textAt(one, 'ram:CategoryCode'),
      textAt(one, 'ram:RateApplicablePercent') ?? '0',
      plain(textAt(one, 'ram:BasisAmount')),
      plain(textAt(one, 'ram:CalculatedAmount')),
    ].join(' '),
  );
  return {
    facts: {
      number: at('rsm:ExchangedDocument/ram:ID'),
      issueDate: day('rsm:ExchangedDocument/ram:IssueDateTime'),
      dueDate: day(`${settlement}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime`),
      typeCode: at('rsm:ExchangedDocument/ram:TypeCode'),
      currency: at(`${settlement}/ram:InvoiceCurrencyCode`),
      specification: at(
        'rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID',
      ),
      buyerReference: at(`${agreement}/ram:BuyerReference`),
      purchaseOrder: at(`${agreement}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`),
      salesOrder: at(`${agreement}/ram:SellerOrderReferencedDocument/ram:IssuerAssignedID`),
      contract: at(`${agreement}/ram:ContractReferencedDocument/ram:IssuerAssignedID`),
      despatch: at(`${delivery}/ram:DespatchAdviceReferencedDocument/ram:IssuerAssignedID`),
      project: at(`${agreement}/ram:SpecifiedProcuringProject/ram:ID`),
      sellerName: at(`${seller}/ram:Name`),
      sellerTradingName: at(`${seller}/ram:SpecifiedLegalOrganization/ram:TradingBusinessName`),
      sellerVatId: vatId(seller),
      sellerRegistration: at(`${seller}/ram:SpecifiedLegalOrganization/ram:ID`),
      sellerAddress: at(`${seller}/ram:URIUniversalCommunication/ram:URIID`),
      sellerCity: at(`${seller}/ram:PostalTradeAddress/ram:CityName`),
      sellerStreet: at(`${seller}/ram:PostalTradeAddress/ram:LineOne`),
      sellerPhone: at(
        `${seller}/ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber`,
      ),
      buyerName: at(`${buyer}/ram:Name`),
      buyerVatId: vatId(buyer),
      buyerPostCode: at(`${buyer}/ram:PostalTradeAddress/ram:PostcodeCode`),
      buyerCountry: at(`${buyer}/ram:PostalTradeAddress/ram:CountryID`),
      payee: at(`${settlement}/ram:PayeeTradeParty/ram:Name`),
      supplyDate: day(`${delivery}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime`),
      period: periodAt(root, `${settlement}/ram:BillingSpecifiedPeriod`),
      deliveryCity: at(`${delivery}/ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CityName`),
      means:
        allAt(root, `${settlement}/ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode`)[0]
          ?.text ?? null,
      accounts: accountsAt(
        root,
        `${settlement}/ram:SpecifiedTradeSettlementPaymentMeans/ram:PayeePartyCreditorFinancialAccount`,
      ),
      remittance: at(`${settlement}/ram:PaymentReference`),
      lineTotal: at(`${sums}/ram:LineTotalAmount`),
      allowanceTotal: unlessZero(at(`${sums}/ram:AllowanceTotalAmount`)),
      chargeTotal: unlessZero(at(`${sums}/ram:ChargeTotalAmount`)),
      netTotal: at(`${sums}/ram:TaxBasisTotalAmount`),
      taxTotal: allAt(root, `${sums}/ram:TaxTotalAmount`)[0]?.text ?? null,
      grossTotal: at(`${sums}/ram:GrandTotalAmount`),
      rounding: at(`${sums}/ram:RoundingAmount`),
      prepaid: at(`${sums}/ram:TotalPrepaidAmount`),
      due: at(`${sums}/ram:DuePayableAmount`),
      taxes: taxes.join(' | '),
    },
    adjustments: allAt(root, settlement).flatMap(adjustmentsOfCii),
    lines: allAt(root, `${TRADE}/ram:IncludedSupplyChainTradeLineItem`).map(readLine),
  };
}

function readLine(line: ReadElement): ReadLine {
  const at = (path: string) => textAt(line, path);
  const product = 'ram:SpecifiedTradeProduct';
  const settlement = 'ram:SpecifiedLineTradeSettlement';
  const price = 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice';
  const [quantity] = allAt(line, 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity');
  const [standard] = allAt(line, `${product}/ram:GlobalID`);
  const amounts = (isCharge: string) =>
    allAt(line, `${settlement}/ram:SpecifiedTradeAllowanceCharge`)
      .filter((one) => textAt(one, 'ram:ChargeIndicator/udt:Indicator') === isCharge)
      .map((one) => textAt(one, 'ram:ActualAmount') ?? '');
  return {
    facts: {
      id: at('ram:AssociatedDocumentLineDocument/ram:LineID'),
      name: at(`${product}/ram:Name`),
      quantity: quantity?.text ?? null,
      unit: quantity?.attributes['unitCode'] ?? null,
      net: at(
        `${settlement}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`,
      ),
      category: at(`${settlement}/ram:ApplicableTradeTax/ram:CategoryCode`),
      rate: at(`${settlement}/ram:ApplicableTradeTax/ram:RateApplicablePercent`),
      sku: at(`${product}/ram:SellerAssignedID`),
      buyerItem: at(`${product}/ram:BuyerAssignedID`),
      standardItem: standard ? `${standard.attributes['schemeID']} ${standard.text}` : null,
      classification: allAt(line, `${product}/ram:DesignatedProductClassification/ram:ClassCode`)
        .map(({ attributes, text }) =>
          [attributes['listID'], attributes['listVersionID'] ?? '-', text].join(' '),
        )
        .join(' | '),
      orderLine: at('ram:SpecifiedLineTradeAgreement/ram:BuyerOrderReferencedDocument/ram:LineID'),
      period: periodAt(line, `${settlement}/ram:BillingSpecifiedPeriod`),
      ...furtherOfCiiLine(line),
    },
    price: at(`${price}/ram:ChargeAmount`) ?? '',
    baseQuantity: at(`${price}/ram:BasisQuantity`) ?? '1',
    allowances: amounts('false'),
    charges: amounts('true'),
  };
}

/** Each by its IBAN, or by another number. */
function accountsAt(root: ReadElement, path: string): string | null {
  const numbers = allAt(root, path).flatMap((account) =>
    ['ram:IBANID', 'ram:ProprietaryID'].flatMap((name) => textAt(account, name) ?? []),
  );
  return numbers.length === 0 ? null : numbers.join(' | ');
}
