import type { Places } from './said.js';

// The places of the terms of EN 16931 in UBL, by its binding (EN 16931-3-2).

const id = (term: string): Places => ({ terms: { [term]: '', [`${term}-1`]: '@schemeID' } });

/** The numbers of its terms: street, further lines, city, post code, subdivision, country. */
function address(at: string, [first, second, third, city, code, region, country]: string[]) {
  return {
    [`BT-${first}`]: `${at}/b:StreetName`,
    [`BT-${second}`]: `${at}/b:AdditionalStreetName`,
    [`BT-${third}`]: `${at}/a:AddressLine/b:Line`,
    [`BT-${city}`]: `${at}/b:CityName`,
    [`BT-${code}`]: `${at}/b:PostalZone`,
    [`BT-${region}`]: `${at}/b:CountrySubentity`,
    [`BT-${country}`]: `${at}/a:Country/b:IdentificationCode`,
  };
}

const SELLER: Places = {
  terms: {
    'BT-27': 'a:PartyLegalEntity/b:RegistrationName',
    'BT-28': 'a:PartyName/b:Name',
    'BT-30': 'a:PartyLegalEntity/b:CompanyID',
    'BT-30-1': 'a:PartyLegalEntity/b:CompanyID@schemeID',
    'BT-31': 'a:PartyTaxScheme[a:TaxScheme/b:ID=VAT]/b:CompanyID',
    'BT-32': 'a:PartyTaxScheme[a:TaxScheme/b:ID!=VAT]/b:CompanyID',
    'BT-33': 'a:PartyLegalEntity/b:CompanyLegalForm',
    'BT-34': 'b:EndpointID',
    'BT-34-1': 'b:EndpointID@schemeID',
    ...address('a:PostalAddress', ['35', '36', '162', '37', '38', '39', '40']),
    'BT-41': 'a:Contact/b:Name',
    'BT-42': 'a:Contact/b:Telephone',
    'BT-43': 'a:Contact/b:ElectronicMail',
  },
  groups: { 'BT-29': ['a:PartyIdentification/b:ID[@schemeID!=SEPA]', id('BT-29')] },
};

const BUYER: Places = {
  terms: {
    'BT-44': 'a:PartyLegalEntity/b:RegistrationName',
    'BT-45': 'a:PartyName/b:Name',
    'BT-47': 'a:PartyLegalEntity/b:CompanyID',
    'BT-47-1': 'a:PartyLegalEntity/b:CompanyID@schemeID',
    'BT-48': 'a:PartyTaxScheme[a:TaxScheme/b:ID=VAT]/b:CompanyID',
    'BT-49': 'b:EndpointID',
    'BT-49-1': 'b:EndpointID@schemeID',
    ...address('a:PostalAddress', ['50', '51', '163', '52', '53', '54', '55']),
    'BT-56': 'a:Contact/b:Name',
    'BT-57': 'a:Contact/b:Telephone',
    'BT-58': 'a:Contact/b:ElectronicMail',
  },
  groups: { 'BT-46': ['a:PartyIdentification/b:ID', id('BT-46')] },
};

const PAYEE: Places = {
  terms: {
    'BT-59': 'a:PartyName/b:Name',
    'BT-60': 'a:PartyIdentification/b:ID[@schemeID!=SEPA]',
    'BT-60-1': 'a:PartyIdentification/b:ID[@schemeID!=SEPA]@schemeID',
    'BT-61': 'a:PartyLegalEntity/b:CompanyID',
    'BT-61-1': 'a:PartyLegalEntity/b:CompanyID@schemeID',
  },
};

const REPRESENTATIVE: Places = {
  terms: {
    'BT-62': 'a:PartyName/b:Name',
    'BT-63': 'a:PartyTaxScheme/b:CompanyID',
    ...address('a:PostalAddress', ['64', '65', '164', '66', '67', '68', '69']),
  },
};

const DELIVERY: Places = {
  terms: {
    'BT-70': 'a:DeliveryParty/a:PartyName/b:Name',
    'BT-71': 'a:DeliveryLocation/b:ID',
    'BT-71-1': 'a:DeliveryLocation/b:ID@schemeID',
    'BT-72': 'b:ActualDeliveryDate',
    ...address('a:DeliveryLocation/a:Address', ['75', '76', '165', '77', '78', '79', '80']),
  },
};

const PAYMENT: Places = {
  terms: {
    'BT-81': 'b:PaymentMeansCode',
    'BT-82': 'b:PaymentMeansCode@name',
    'BT-83': 'b:PaymentID',
    'BT-84': 'a:PayeeFinancialAccount/b:ID',
    'BT-85': 'a:PayeeFinancialAccount/b:Name',
    'BT-86': 'a:PayeeFinancialAccount/a:FinancialInstitutionBranch/b:ID',
    'BT-87': 'a:CardAccount/b:PrimaryAccountNumberID',
    'BT-88': 'a:CardAccount/b:HolderName',
    'BT-89': 'a:PaymentMandate/b:ID',
    'BT-91': 'a:PaymentMandate/a:PayerFinancialAccount/b:ID',
  },
};

/** The numbers of its terms: amount, base, percentage, reason, its code; category and rate. */
function adjustment([amount, base, percent, reason, code, category, rate]: string[]): Places {
  return {
    terms: {
      [`BT-${amount}`]: 'b:Amount',
      [`BT-${base}`]: 'b:BaseAmount',
      [`BT-${percent}`]: 'b:MultiplierFactorNumeric',
      [`BT-${reason}`]: 'b:AllowanceChargeReason',
      [`BT-${code}`]: 'b:AllowanceChargeReasonCode',
      ...(category !== undefined && { [`BT-${category}`]: 'a:TaxCategory/b:ID' }),
      ...(rate !== undefined && { [`BT-${rate}`]: 'a:TaxCategory/b:Percent' }),
    },
  };
}

const TAXES: Places = {
  terms: {
    'BT-116': 'b:TaxableAmount',
    'BT-117': 'b:TaxAmount',
    'BT-118': 'a:TaxCategory/b:ID',
    'BT-119': 'a:TaxCategory/b:Percent',
    'BT-120': 'a:TaxCategory/b:TaxExemptionReason',
    'BT-121': 'a:TaxCategory/b:TaxExemptionReasonCode',
  },
};

const DOCUMENTS: Places = {
  terms: {
    'BT-122': 'b:ID',
    'BT-123': 'b:DocumentDescription',
    'BT-124': 'a:Attachment/a:ExternalReference/b:URI',
    'BT-125': 'a:Attachment/b:EmbeddedDocumentBinaryObject',
  },
};

const LINE: Places = {
  terms: {
    'BT-126': 'b:ID',
    'BT-127': 'b:Note',
    'BT-128': 'a:DocumentReference/b:ID',
    'BT-128-1': 'a:DocumentReference/b:ID@schemeID',
    'BT-129': ['b:InvoicedQuantity', 'b:CreditedQuantity'],
    'BT-130': ['b:InvoicedQuantity@unitCode', 'b:CreditedQuantity@unitCode'],
    'BT-131': 'b:LineExtensionAmount',
    'BT-132': 'a:OrderLineReference/b:LineID',
    'BT-133': 'b:AccountingCost',
    'BT-134': 'a:InvoicePeriod/b:StartDate',
    'BT-135': 'a:InvoicePeriod/b:EndDate',
    'BT-146': 'a:Price/b:PriceAmount',
    'BT-147': 'a:Price/a:AllowanceCharge/b:Amount',
    'BT-148': 'a:Price/a:AllowanceCharge/b:BaseAmount',
    'BT-149': 'a:Price/b:BaseQuantity',
    'BT-151': 'a:Item/a:ClassifiedTaxCategory/b:ID',
    'BT-152': 'a:Item/a:ClassifiedTaxCategory/b:Percent',
    'BT-153': 'a:Item/b:Name',
    'BT-154': 'a:Item/b:Description',
    'BT-155': 'a:Item/a:SellersItemIdentification/b:ID',
    'BT-156': 'a:Item/a:BuyersItemIdentification/b:ID',
    'BT-157': 'a:Item/a:StandardItemIdentification/b:ID',
    'BT-157-1': 'a:Item/a:StandardItemIdentification/b:ID@schemeID',
    'BT-159': 'a:Item/a:OriginCountry/b:IdentificationCode',
  },
  groups: {
    'BG-27': [
      'a:AllowanceCharge[b:ChargeIndicator=false]',
      adjustment(['136', '137', '138', '139', '140']),
    ],
    'BG-28': [
      'a:AllowanceCharge[b:ChargeIndicator=true]',
      adjustment(['141', '142', '143', '144', '145']),
    ],
    'BT-158': [
      'a:Item/a:CommodityClassification/b:ItemClassificationCode',
      { terms: { 'BT-158': '', 'BT-158-1': '@listID', 'BT-158-2': '@listVersionID' } },
    ],
    'BG-32': [
      'a:Item/a:AdditionalItemProperty',
      { terms: { 'BT-160': 'b:Name', 'BT-161': 'b:Value' } },
    ],
    'sub-lines': ['a:SubInvoiceLine', { terms: { 'BT-126': 'b:ID' } }],
  },
};

export const UBL_PLACES: Places = {
  terms: {
    'BT-1': 'b:ID',
    'BT-2': 'b:IssueDate',
    'BT-3': ['b:InvoiceTypeCode', 'b:CreditNoteTypeCode'],
    'BT-5': 'b:DocumentCurrencyCode',
    'BT-6': 'b:TaxCurrencyCode',
    'BT-7': 'b:TaxPointDate',
    'BT-8': 'a:InvoicePeriod/b:DescriptionCode',
    'BT-9': ['b:DueDate', 'a:PaymentMeans/b:PaymentDueDate'],
    'BT-10': 'b:BuyerReference',
    'BT-11': [
      'a:ProjectReference/b:ID',
      'a:AdditionalDocumentReference[b:DocumentTypeCode=50]/b:ID',
    ],
    'BT-12': 'a:ContractDocumentReference/b:ID',
    'BT-13': 'a:OrderReference/b:ID',
    'BT-14': 'a:OrderReference/b:SalesOrderID',
    'BT-15': 'a:ReceiptDocumentReference/b:ID',
    'BT-16': 'a:DespatchDocumentReference/b:ID',
    'BT-17': 'a:OriginatorDocumentReference/b:ID',
    'BT-18': 'a:AdditionalDocumentReference[b:DocumentTypeCode=130]/b:ID',
    'BT-18-1': 'a:AdditionalDocumentReference[b:DocumentTypeCode=130]/b:ID@schemeID',
    'BT-19': 'b:AccountingCost',
    'BT-20': 'a:PaymentTerms/b:Note',
    'BT-24': 'b:CustomizationID',
    'BT-73': 'a:InvoicePeriod/b:StartDate',
    'BT-74': 'a:InvoicePeriod/b:EndDate',
    'BT-90': [
      'a:PayeeParty/a:PartyIdentification/b:ID[@schemeID=SEPA]',
      'a:AccountingSupplierParty/a:Party/a:PartyIdentification/b:ID[@schemeID=SEPA]',
    ],
    'BT-106': 'a:LegalMonetaryTotal/b:LineExtensionAmount',
    'BT-107': 'a:LegalMonetaryTotal/b:AllowanceTotalAmount',
    'BT-108': 'a:LegalMonetaryTotal/b:ChargeTotalAmount',
    'BT-109': 'a:LegalMonetaryTotal/b:TaxExclusiveAmount',
    'BT-112': 'a:LegalMonetaryTotal/b:TaxInclusiveAmount',
    'BT-113': 'a:LegalMonetaryTotal/b:PrepaidAmount',
    'BT-114': 'a:LegalMonetaryTotal/b:PayableRoundingAmount',
    'BT-115': 'a:LegalMonetaryTotal/b:PayableAmount',
    'third party': 'a:PrepaidPayment/b:PaidAmount',
  },
  groups: {
    'BG-1': ['b:Note', { terms: { 'BT-22': '' } }],
    'BG-3': [
      'a:BillingReference/a:InvoiceDocumentReference',
      { terms: { 'BT-25': 'b:ID', 'BT-26': 'b:IssueDate' } },
    ],
    'BG-4': ['a:AccountingSupplierParty/a:Party', SELLER],
    'BG-7': ['a:AccountingCustomerParty/a:Party', BUYER],
    'BG-10': ['a:PayeeParty', PAYEE],
    'BG-11': ['a:TaxRepresentativeParty', REPRESENTATIVE],
    'BG-13': ['a:Delivery', DELIVERY],
    'BG-16': ['a:PaymentMeans', PAYMENT],
    'BG-20': [
      'a:AllowanceCharge[b:ChargeIndicator=false]',
      adjustment(['92', '93', '94', '97', '98', '95', '96']),
    ],
    'BG-21': [
      'a:AllowanceCharge[b:ChargeIndicator=true]',
      adjustment(['99', '100', '101', '104', '105', '102', '103']),
    ],
    'tax totals': ['a:TaxTotal/b:TaxAmount', { terms: { amount: '', currency: '@currencyID' } }],
    'BG-23': ['a:TaxTotal/a:TaxSubtotal', TAXES],
    'BG-24': ['a:AdditionalDocumentReference[b:DocumentTypeCode!=130]', DOCUMENTS],
    'BG-25': [['a:InvoiceLine', 'a:CreditNoteLine'], LINE],
  },
};
