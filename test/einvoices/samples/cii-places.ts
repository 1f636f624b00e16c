import type { Places } from './said.js';

// The places of the terms of EN 16931 in CII, by its binding (EN 16931-3-3).

const DAY = 'udt:DateTimeString';

/** Ids without a scheme have an element of their own. */
const IDS: string[] = ['ram:ID', 'ram:GlobalID'];

const id = (term: string): Places => ({ terms: { [term]: '', [`${term}-1`]: '@schemeID' } });

/** The numbers of its terms: street, further lines, city, post code, subdivision, country. */
function address([first, second, third, city, code, region, country]: string[]) {
  const at = 'ram:PostalTradeAddress';
  return {
    [`BT-${first}`]: `${at}/ram:LineOne`,
    [`BT-${second}`]: `${at}/ram:LineTwo`,
    [`BT-${third}`]: `${at}/ram:LineThree`,
    [`BT-${city}`]: `${at}/ram:CityName`,
    [`BT-${code}`]: `${at}/ram:PostcodeCode`,
    [`BT-${region}`]: `${at}/ram:CountrySubDivisionName`,
    [`BT-${country}`]: `${at}/ram:CountryID`,
  };
}

/** The numbers of its terms: name, phone, e-mail. */
function contact([name, phone, email]: string[]) {
  const at = 'ram:DefinedTradeContact';
  return {
    [`BT-${name}`]: [`${at}/ram:PersonName`, `${at}/ram:DepartmentName`],
    [`BT-${phone}`]: `${at}/ram:TelephoneUniversalCommunication/ram:CompleteNumber`,
    [`BT-${email}`]: `${at}/ram:EmailURIUniversalCommunication/ram:URIID`,
  };
}

const VAT_ID = 'ram:SpecifiedTaxRegistration/ram:ID[@schemeID=VA]';

const SELLER: Places = {
  terms: {
    'BT-27': 'ram:Name',
    'BT-28': 'ram:SpecifiedLegalOrganization/ram:TradingBusinessName',
    'BT-30': 'ram:SpecifiedLegalOrganization/ram:ID',
    'BT-30-1': 'ram:SpecifiedLegalOrganization/ram:ID@schemeID',
    'BT-31': VAT_ID,
    'BT-32': 'ram:SpecifiedTaxRegistration/ram:ID[@schemeID=FC]',
    'BT-33': 'ram:Description',
    'BT-34': 'ram:URIUniversalCommunication/ram:URIID',
    'BT-34-1': 'ram:URIUniversalCommunication/ram:URIID@schemeID',
    ...address(['35', '36', '162', '37', '38', '39', '40']),
    ...contact(['41', '42', '43']),
  },
  groups: { 'BT-29': [IDS, id('BT-29')] },
};

const BUYER: Places = {
  terms: {
    'BT-44': 'ram:Name',
    'BT-45': 'ram:SpecifiedLegalOrganization/ram:TradingBusinessName',
    'BT-47': 'ram:SpecifiedLegalOrganization/ram:ID',
    'BT-47-1': 'ram:SpecifiedLegalOrganization/ram:ID@schemeID',
    'BT-48': VAT_ID,
    'BT-49': 'ram:URIUniversalCommunication/ram:URIID',
    'BT-49-1': 'ram:URIUniversalCommunication/ram:URIID@schemeID',
    ...address(['50', '51', '163', '52', '53', '54', '55']),
    ...contact(['56', '57', '58']),
  },
  groups: { 'BT-46': [IDS, id('BT-46')] },
};

const PAYEE: Places = {
  terms: {
    'BT-59': 'ram:Name',
    'BT-60': IDS,
    'BT-60-1': 'ram:GlobalID@schemeID',
    'BT-61': 'ram:SpecifiedLegalOrganization/ram:ID',
    'BT-61-1': 'ram:SpecifiedLegalOrganization/ram:ID@schemeID',
  },
};

const REPRESENTATIVE: Places = {
  terms: {
    'BT-62': 'ram:Name',
    'BT-63': VAT_ID,
    ...address(['64', '65', '164', '66', '67', '68', '69']),
  },
};

const DELIVERY: Places = {
  terms: Object.fromEntries([
    ['BT-70', 'ram:ShipToTradeParty/ram:Name'],
    ['BT-71', IDS.map((name) => `ram:ShipToTradeParty/${name}`)],
    ['BT-71-1', 'ram:ShipToTradeParty/ram:GlobalID@schemeID'],
    ['BT-72', `ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/${DAY}`],
    ...Object.entries(address(['75', '76', '165', '77', '78', '79', '80'])).map(
      ([term, path]): [string, string] => [term, `ram:ShipToTradeParty/${path}`],
    ),
  ]),
};

const ACCOUNT = 'ram:PayeePartyCreditorFinancialAccount';

const PAYMENT: Places = {
  terms: {
    'BT-81': 'ram:TypeCode',
    'BT-82': 'ram:Information',
    'BT-84': [`${ACCOUNT}/ram:IBANID`, `${ACCOUNT}/ram:ProprietaryID`],
    'BT-85': `${ACCOUNT}/ram:AccountName`,
    'BT-86': 'ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID',
    'BT-87': 'ram:ApplicableTradeSettlementFinancialCard/ram:ID',
    'BT-88': 'ram:ApplicableTradeSettlementFinancialCard/ram:CardholderName',
    'BT-91': 'ram:PayerPartyDebtorFinancialAccount/ram:IBANID',
  },
};

/** The numbers of its terms: amount, base, percentage, reason, its code; category and rate. */
function adjustment([amount, base, percent, reason, code, category, rate]: string[]): Places {
  const tax = ['ram:CategoryTradeTax', 'ram:AppliedTradeTax'];
  return {
    terms: {
      [`BT-${amount}`]: ['ram:ActualAmount', 'ram:AppliedAmount'],
      [`BT-${base}`]: 'ram:BasisAmount',
      [`BT-${percent}`]: 'ram:CalculationPercent',
      [`BT-${reason}`]: ['ram:Reason', 'ram:Description'],
      [`BT-${code}`]: 'ram:ReasonCode',
      ...(category !== undefined && {
        [`BT-${category}`]: tax.map((at) => `${at}/ram:CategoryCode`),
      }),
      ...(rate !== undefined && {
        [`BT-${rate}`]: tax.map((at) => `${at}/ram:RateApplicablePercent`),
      }),
    },
  };
}

const ALLOWANCE = 'ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=false]';
const CHARGE = 'ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=true]';

const TAXES: Places = {
  terms: {
    'BT-116': 'ram:BasisAmount',
    'BT-117': 'ram:CalculatedAmount',
    'BT-118': 'ram:CategoryCode',
    'BT-119': 'ram:RateApplicablePercent',
    'BT-120': 'ram:ExemptionReason',
    'BT-121': 'ram:ExemptionReasonCode',
  },
};

const DOCUMENTS: Places = {
  terms: {
    'BT-122': 'ram:IssuerAssignedID',
    'BT-123': 'ram:Name',
    'BT-124': 'ram:URIID',
    'BT-125': 'ram:AttachmentBinaryObject',
  },
};

const LINE_SETTLEMENT = 'ram:SpecifiedLineTradeSettlement';
const LINE_AGREEMENT = 'ram:SpecifiedLineTradeAgreement';
const PRODUCT = 'ram:SpecifiedTradeProduct';
const NET_PRICE = `${LINE_AGREEMENT}/ram:NetPriceProductTradePrice`;
const GROSS_PRICE = `${LINE_AGREEMENT}/ram:GrossPriceProductTradePrice`;
const LINE_OBJECT = `${LINE_SETTLEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode=130]`;
const LINE_DOCUMENT = 'ram:AssociatedDocumentLineDocument';

const LINE: Places = {
  terms: {
    'BT-126': `${LINE_DOCUMENT}/ram:LineID`,
    'BT-127': `${LINE_DOCUMENT}/ram:IncludedNote/ram:Content`,
    'BT-128': `${LINE_OBJECT}/ram:IssuerAssignedID`,
    'BT-128-1': `${LINE_OBJECT}/ram:ReferenceTypeCode`,
    'BT-129': 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity',
    'BT-130': 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity@unitCode',
    'BT-131': `${LINE_SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`,
    'BT-132': `${LINE_AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:LineID`,
    'BT-133': `${LINE_SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`,
    'BT-134': `${LINE_SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime/${DAY}`,
    'BT-135': `${LINE_SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:EndDateTime/${DAY}`,
    'BT-146': `${NET_PRICE}/ram:ChargeAmount`,
    'BT-147': `${GROSS_PRICE}/ram:AppliedTradeAllowanceCharge/ram:ActualAmount`,
    'BT-148': `${GROSS_PRICE}/ram:ChargeAmount`,
    'BT-149': [`${NET_PRICE}/ram:BasisQuantity`, `${GROSS_PRICE}/ram:BasisQuantity`],
    'BT-151': `${LINE_SETTLEMENT}/ram:ApplicableTradeTax/ram:CategoryCode`,
    'BT-152': `${LINE_SETTLEMENT}/ram:ApplicableTradeTax/ram:RateApplicablePercent`,
    'BT-153': `${PRODUCT}/ram:Name`,
    'BT-154': `${PRODUCT}/ram:Description`,
    'BT-155': `${PRODUCT}/ram:SellerAssignedID`,
    'BT-156': `${PRODUCT}/ram:BuyerAssignedID`,
    'BT-157': `${PRODUCT}/ram:GlobalID`,
    'BT-157-1': `${PRODUCT}/ram:GlobalID@schemeID`,
    'BT-159': `${PRODUCT}/ram:OriginTradeCountry/ram:ID`,
    'parent line': `${LINE_DOCUMENT}/ram:ParentLineID`,
    'kind of line': `${LINE_DOCUMENT}/ram:LineStatusReasonCode`,
  },
  groups: {
    'BG-27': [`${LINE_SETTLEMENT}/${ALLOWANCE}`, adjustment(['136', '137', '138', '139', '140'])],
    'BG-28': [`${LINE_SETTLEMENT}/${CHARGE}`, adjustment(['141', '142', '143', '144', '145'])],
    'BT-158': [
      `${PRODUCT}/ram:DesignatedProductClassification/ram:ClassCode`,
      { terms: { 'BT-158': '', 'BT-158-1': '@listID', 'BT-158-2': '@listVersionID' } },
    ],
    'BG-32': [
      `${PRODUCT}/ram:ApplicableProductCharacteristic`,
      { terms: { 'BT-160': 'ram:Description', 'BT-161': 'ram:Value' } },
    ],
  },
};

const TRADE = 'rsm:SupplyChainTradeTransaction';
const AGREEMENT = `${TRADE}/ram:ApplicableHeaderTradeAgreement`;
const SHIPMENT = `${TRADE}/ram:ApplicableHeaderTradeDelivery`;
const SETTLEMENT = `${TRADE}/ram:ApplicableHeaderTradeSettlement`;
const SUMS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
const TERMS = `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms`;
const TAX = `${SETTLEMENT}/ram:ApplicableTradeTax`;
const FURTHER = `${AGREEMENT}/ram:AdditionalReferencedDocument`;
const NUMBER = 'ram:IssuerAssignedID';

export const CII_PLACES: Places = {
  terms: {
    'BT-1': 'rsm:ExchangedDocument/ram:ID',
    'BT-2': `rsm:ExchangedDocument/ram:IssueDateTime/${DAY}`,
    'BT-3': 'rsm:ExchangedDocument/ram:TypeCode',
    'BT-5': `${SETTLEMENT}/ram:InvoiceCurrencyCode`,
    'BT-6': `${SETTLEMENT}/ram:TaxCurrencyCode`,
    'BT-7': `${TAX}/ram:TaxPointDate/udt:DateString`,
    'BT-8': `${TAX}/ram:DueDateTypeCode`,
    'BT-9': `${TERMS}/ram:DueDateDateTime/${DAY}`,
    'BT-10': `${AGREEMENT}/ram:BuyerReference`,
    'BT-11': `${AGREEMENT}/ram:SpecifiedProcuringProject/ram:ID`,
    'BT-12': `${AGREEMENT}/ram:ContractReferencedDocument/${NUMBER}`,
    'BT-13': `${AGREEMENT}/ram:BuyerOrderReferencedDocument/${NUMBER}`,
    'BT-14': `${AGREEMENT}/ram:SellerOrderReferencedDocument/${NUMBER}`,
    'BT-15': `${SHIPMENT}/ram:ReceivingAdviceReferencedDocument/${NUMBER}`,
    'BT-16': `${SHIPMENT}/ram:DespatchAdviceReferencedDocument/${NUMBER}`,
    'BT-17': `${FURTHER}[ram:TypeCode=50]/${NUMBER}`,
    'BT-18': `${FURTHER}[ram:TypeCode=130]/${NUMBER}`,
    'BT-18-1': `${FURTHER}[ram:TypeCode=130]/ram:ReferenceTypeCode`,
    'BT-19': `${SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`,
    'BT-20': `${TERMS}/ram:Description`,
    'BT-24': 'rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID',
    'BT-73': `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime/${DAY}`,
    'BT-74': `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:EndDateTime/${DAY}`,
    'BT-83': `${SETTLEMENT}/ram:PaymentReference`,
    'BT-89': `${TERMS}/ram:DirectDebitMandateID`,
    'BT-90': `${SETTLEMENT}/ram:CreditorReferenceID`,
    'BT-106': `${SUMS}/ram:LineTotalAmount`,
    'BT-107': `${SUMS}/ram:AllowanceTotalAmount`,
    'BT-108': `${SUMS}/ram:ChargeTotalAmount`,
    'BT-109': `${SUMS}/ram:TaxBasisTotalAmount`,
    'BT-112': `${SUMS}/ram:GrandTotalAmount`,
    'BT-113': `${SUMS}/ram:TotalPrepaidAmount`,
    'BT-114': `${SUMS}/ram:RoundingAmount`,
    'BT-115': `${SUMS}/ram:DuePayableAmount`,
  },
  groups: {
    'BG-1': [
      'rsm:ExchangedDocument/ram:IncludedNote',
      { terms: { 'BT-21': 'ram:SubjectCode', 'BT-22': 'ram:Content' } },
    ],
    'BG-3': [
      `${SETTLEMENT}/ram:InvoiceReferencedDocument`,
      {
        terms: {
          'BT-25': NUMBER,
          'BT-26': 'ram:FormattedIssueDateTime/qdt:DateTimeString',
        },
      },
    ],
    'BG-4': [`${AGREEMENT}/ram:SellerTradeParty`, SELLER],
    'BG-7': [`${AGREEMENT}/ram:BuyerTradeParty`, BUYER],
    'BG-10': [`${SETTLEMENT}/ram:PayeeTradeParty`, PAYEE],
    'BG-11': [`${AGREEMENT}/ram:SellerTaxRepresentativeTradeParty`, REPRESENTATIVE],
    'BG-13': [SHIPMENT, DELIVERY],
    'BG-16': [`${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`, PAYMENT],
    'BG-20': [`${SETTLEMENT}/${ALLOWANCE}`, adjustment(['92', '93', '94', '97', '98', '95', '96'])],
    'BG-21': [
      // Freight of the profile EXTENDED is a charge like others.
      [`${SETTLEMENT}/${CHARGE}`, `${SETTLEMENT}/ram:SpecifiedLogisticsServiceCharge`],
      adjustment(['99', '100', '101', '104', '105', '102', '103']),
    ],
    'tax totals': [
      `${SUMS}/ram:TaxTotalAmount`,
      { terms: { amount: '', currency: '@currencyID' } },
    ],
    'BG-23': [TAX, TAXES],
    'BG-24': [`${FURTHER}[ram:TypeCode=916]`, DOCUMENTS],
    'BG-25': [`${TRADE}/ram:IncludedSupplyChainTradeLineItem`, LINE],
  },
};
