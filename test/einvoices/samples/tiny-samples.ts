const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** A credit note in UBL, as somebody else writes it: other prefixes, needless zeros, `0` for false. */
export const TINY_UBL = `<?xml version="1.0" encoding="UTF-8"?>
<n:CreditNote xmlns:n="${UBL}CreditNote-2" xmlns:x="${UBL}CommonAggregateComponents-2"
  xmlns:y="${UBL}CommonBasicComponents-2" xmlns:e="urn:example:extension">
  <e:Extension>ours is not theirs</e:Extension>
  <y:CustomizationID>urn:cen.eu:en16931:2017</y:CustomizationID>
  <y:ID>CN-7</y:ID>
  <y:IssueDate>2026-11-20</y:IssueDate>
  <y:CreditNoteTypeCode>381</y:CreditNoteTypeCode>
  <y:Note>#AAB#No discount</y:Note>
  <y:Note><![CDATA[Thank you]]></y:Note>
  <y:DocumentCurrencyCode>EUR</y:DocumentCurrencyCode>
  <y:BuyerReference>04011000-12345-34</y:BuyerReference>
  <x:BillingReference><x:InvoiceDocumentReference><y:ID>INV-3</y:ID></x:InvoiceDocumentReference></x:BillingReference>
  <x:AccountingSupplierParty><x:Party>
    <x:PartyIdentification><y:ID schemeID="0088">4012345000108</y:ID></x:PartyIdentification>
    <x:PartyIdentification><y:ID schemeID="SEPA">DE98ZZZ09999999999</y:ID></x:PartyIdentification>
    <x:PartyName><y:Name>Acme</y:Name></x:PartyName>
    <x:PostalAddress><y:StreetName>Weg 1</y:StreetName><y:CityName>Berlin</y:CityName>
      <x:Country><y:IdentificationCode>DE</y:IdentificationCode></x:Country></x:PostalAddress>
    <x:PartyTaxScheme><y:CompanyID>30/123/45678</y:CompanyID><x:TaxScheme><y:ID>FC</y:ID></x:TaxScheme></x:PartyTaxScheme>
    <x:PartyTaxScheme><y:CompanyID>DE123456788</y:CompanyID><x:TaxScheme><y:ID>VAT</y:ID></x:TaxScheme></x:PartyTaxScheme>
    <x:PartyLegalEntity><y:RegistrationName>Acme
      GmbH</y:RegistrationName></x:PartyLegalEntity>
  </x:Party></x:AccountingSupplierParty>
  <x:AccountingCustomerParty><x:Party>
    <x:PartyLegalEntity><y:RegistrationName>Globex</y:RegistrationName></x:PartyLegalEntity>
  </x:Party></x:AccountingCustomerParty>
  <x:PaymentMeans><y:PaymentMeansCode>58</y:PaymentMeansCode><y:PaymentID>RE-3</y:PaymentID>
    <x:PayeeFinancialAccount><y:ID>DE89370400440532013000</y:ID></x:PayeeFinancialAccount></x:PaymentMeans>
  <x:PaymentMeans><y:PaymentMeansCode>58</y:PaymentMeansCode>
    <x:PayeeFinancialAccount><y:ID>4711-08</y:ID>
      <x:FinancialInstitutionBranch><y:ID>021000021</y:ID></x:FinancialInstitutionBranch></x:PayeeFinancialAccount></x:PaymentMeans>
  <x:AllowanceCharge><y:ChargeIndicator>0</y:ChargeIndicator>
    <y:AllowanceChargeReason>Loyalty</y:AllowanceChargeReason><y:Amount currencyID="EUR">1.00</y:Amount>
    <x:TaxCategory><y:ID>E</y:ID><y:Percent>0</y:Percent></x:TaxCategory></x:AllowanceCharge>
  <x:TaxTotal><y:TaxAmount currencyID="EUR">0.00</y:TaxAmount>
    <x:TaxSubtotal><y:TaxableAmount currencyID="EUR">23.50</y:TaxableAmount>
      <y:TaxAmount currencyID="EUR">0.00</y:TaxAmount>
      <x:TaxCategory><y:ID>E</y:ID><y:Percent>0</y:Percent>
        <y:TaxExemptionReason>Teaching</y:TaxExemptionReason></x:TaxCategory></x:TaxSubtotal></x:TaxTotal>
  <x:LegalMonetaryTotal><y:PrepaidAmount currencyID="EUR">3.50</y:PrepaidAmount>
    <y:PayableAmount currencyID="EUR">20.00</y:PayableAmount></x:LegalMonetaryTotal>
  <x:CreditNoteLine><y:ID>A1</y:ID><y:CreditedQuantity unitCode="HUR">2.500</y:CreditedQuantity>
    <y:LineExtensionAmount currencyID="EUR">24.50</y:LineExtensionAmount>
    <x:InvoicePeriod><y:StartDate>2026-11-01</y:StartDate></x:InvoicePeriod>
    <x:AllowanceCharge><y:ChargeIndicator>false</y:ChargeIndicator>
      <y:MultiplierFactorNumeric>2.00</y:MultiplierFactorNumeric><y:Amount currencyID="EUR">0.50</y:Amount>
      <y:BaseAmount currencyID="EUR">25.00</y:BaseAmount></x:AllowanceCharge>
    <x:Item><y:Name>Lesson</y:Name>
      <x:ClassifiedTaxCategory><y:ID>E</y:ID><y:Percent>0.00</y:Percent></x:ClassifiedTaxCategory></x:Item>
    <x:Price><y:PriceAmount currencyID="EUR">10.000</y:PriceAmount></x:Price></x:CreditNoteLine>
</n:CreditNote>`;

const CII = 'urn:un:unece:uncefact:data:standard:';

/** An invoice in CII with a heading, a price for a hundred and tax in a second currency. */
export const TINY_CII = `<?xml version="1.0" encoding="UTF-8"?>
<c:CrossIndustryInvoice xmlns:c="${CII}CrossIndustryInvoice:100"
  xmlns:r="${CII}ReusableAggregateBusinessInformationEntity:100" xmlns:u="${CII}UnqualifiedDataType:100">
  <c:ExchangedDocumentContext><r:GuidelineSpecifiedDocumentContextParameter>
    <r:ID>urn:cen.eu:en16931:2017</r:ID></r:GuidelineSpecifiedDocumentContextParameter></c:ExchangedDocumentContext>
  <c:ExchangedDocument><r:ID>INV-9</r:ID><r:TypeCode>384</r:TypeCode>
    <r:IssueDateTime><u:DateTimeString format="102">20261120</u:DateTimeString></r:IssueDateTime>
    <r:IncludedNote><r:Content>Thank you</r:Content></r:IncludedNote></c:ExchangedDocument>
  <c:SupplyChainTradeTransaction>
    <r:IncludedSupplyChainTradeLineItem>
      <r:AssociatedDocumentLineDocument><r:LineID>1</r:LineID><r:LineStatusReasonCode>GROUP</r:LineStatusReasonCode>
      </r:AssociatedDocumentLineDocument>
      <r:SpecifiedTradeProduct><r:Name>All screws</r:Name></r:SpecifiedTradeProduct>
    </r:IncludedSupplyChainTradeLineItem>
    <r:IncludedSupplyChainTradeLineItem>
      <r:AssociatedDocumentLineDocument><r:LineID>2</r:LineID><r:ParentLineID>1</r:ParentLineID>
      </r:AssociatedDocumentLineDocument>
      <r:SpecifiedTradeProduct><r:GlobalID schemeID="0160">4012345678901</r:GlobalID><r:Name>Screw</r:Name>
      </r:SpecifiedTradeProduct>
      <r:SpecifiedLineTradeAgreement>
        <r:GrossPriceProductTradePrice><r:ChargeAmount>5.00</r:ChargeAmount>
          <r:AppliedTradeAllowanceCharge><r:ActualAmount>0.50</r:ActualAmount></r:AppliedTradeAllowanceCharge>
        </r:GrossPriceProductTradePrice>
        <r:NetPriceProductTradePrice><r:ChargeAmount>4.5</r:ChargeAmount><r:BasisQuantity>100.</r:BasisQuantity>
        </r:NetPriceProductTradePrice>
      </r:SpecifiedLineTradeAgreement>
      <r:SpecifiedLineTradeDelivery><r:BilledQuantity unitCode="C62">250</r:BilledQuantity></r:SpecifiedLineTradeDelivery>
      <r:SpecifiedLineTradeSettlement>
        <r:ApplicableTradeTax><r:CategoryCode>S</r:CategoryCode><r:RateApplicablePercent>19.00</r:RateApplicablePercent>
        </r:ApplicableTradeTax>
        <r:SpecifiedTradeSettlementLineMonetarySummation><r:LineTotalAmount>11.26</r:LineTotalAmount>
        </r:SpecifiedTradeSettlementLineMonetarySummation>
      </r:SpecifiedLineTradeSettlement>
    </r:IncludedSupplyChainTradeLineItem>
    <r:ApplicableHeaderTradeAgreement>
      <r:SellerTradeParty><r:ID>S-1</r:ID><r:Name>Acme</r:Name>
        <r:SpecifiedTaxRegistration><r:ID schemeID="VA">DE123456788</r:ID></r:SpecifiedTaxRegistration></r:SellerTradeParty>
      <r:BuyerTradeParty><r:Name>Globex</r:Name></r:BuyerTradeParty>
    </r:ApplicableHeaderTradeAgreement>
    <r:ApplicableHeaderTradeDelivery/>
    <r:ApplicableHeaderTradeSettlement>
      <r:TaxCurrencyCode>CHF</r:TaxCurrencyCode><r:InvoiceCurrencyCode>EUR</r:InvoiceCurrencyCode>
      <r:SpecifiedTradeSettlementHeaderMonetarySummation>
        <r:TaxTotalAmount currencyID="EUR">2.14</r:TaxTotalAmount>
        <r:TaxTotalAmount currencyID="CHF">1.07</r:TaxTotalAmount>
      </r:SpecifiedTradeSettlementHeaderMonetarySummation>
    </r:ApplicableHeaderTradeSettlement>
  </c:SupplyChainTradeTransaction>
</c:CrossIndustryInvoice>`;
