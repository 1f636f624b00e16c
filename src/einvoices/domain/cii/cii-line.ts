import { pricedFor } from '../price-places.js';
import type { Profile } from '../profile.js';
import type { SemanticItem, SemanticLine } from '../semantic/semantic-line.js';
import { element, textElement } from '../xml.js';
import { billingPeriod, plainAmount, tradeAllowanceCharge, tradeTax } from './cii-terms.js';

/** UNTDID 1001: an invoiced object. */
const OBJECT = '130';

export function ciiLine(line: SemanticLine, profile: Profile): string {
  return element(
    'ram:IncludedSupplyChainTradeLineItem',
    element(
      'ram:AssociatedDocumentLineDocument',
      textElement('ram:LineID', line.id),
      element('ram:IncludedNote', textElement('ram:Content', line.note)),
    ),
    product(line.item),
    element(
      'ram:SpecifiedLineTradeAgreement',
      element('ram:BuyerOrderReferencedDocument', textElement('ram:LineID', line.orderLine)),
      prices(line, profile),
    ),
    element(
      'ram:SpecifiedLineTradeDelivery',
      textElement('ram:BilledQuantity', line.quantity, { unitCode: line.unit }),
    ),
    settlement(line),
  );
}

function product(of: SemanticItem): string {
  return element(
    'ram:SpecifiedTradeProduct',
    textElement('ram:GlobalID', of.standardId?.value, { schemeID: of.standardId?.scheme }),
    textElement('ram:SellerAssignedID', of.sellerId),
    textElement('ram:BuyerAssignedID', of.buyerId),
    textElement('ram:Name', of.name),
    textElement('ram:Description', of.description),
    of.attributes
      .map(({ name, value }) =>
        element(
          'ram:ApplicableProductCharacteristic',
          textElement('ram:Description', name),
          textElement('ram:Value', value),
        ),
      )
      .join(''),
    of.classifications
      .map(({ list, code, version }) =>
        element(
          'ram:DesignatedProductClassification',
          textElement('ram:ClassCode', code, { listID: list, listVersionID: version }),
        ),
      )
      .join(''),
    element('ram:OriginTradeCountry', textElement('ram:ID', of.originCountry)),
  );
}

function prices({ price, unit }: SemanticLine, profile: Profile): string {
  const { net, gross, baseQuantity } = pricedFor(price, profile);
  const basis =
    baseQuantity === '1' ? '' : textElement('ram:BasisQuantity', baseQuantity, { unitCode: unit });
  return (
    (gross === null
      ? ''
      : element(
          'ram:GrossPriceProductTradePrice',
          textElement('ram:ChargeAmount', gross.price),
          basis,
          element(
            'ram:AppliedTradeAllowanceCharge',
            element('ram:ChargeIndicator', textElement('udt:Indicator', 'false')),
            textElement('ram:ActualAmount', gross.discount),
          ),
        )) + element('ram:NetPriceProductTradePrice', textElement('ram:ChargeAmount', net), basis)
  );
}

function settlement(line: SemanticLine): string {
  return element(
    'ram:SpecifiedLineTradeSettlement',
    tradeTax('ram:ApplicableTradeTax', line.tax),
    billingPeriod(line.period),
    line.allowances.map((one) => tradeAllowanceCharge(false, one)).join(''),
    line.charges.map((one) => tradeAllowanceCharge(true, one)).join(''),
    element(
      'ram:SpecifiedTradeSettlementLineMonetarySummation',
      plainAmount('ram:LineTotalAmount', line.net),
    ),
    objectOf(line),
    element(
      'ram:ReceivableSpecifiedTradeAccountingAccount',
      textElement('ram:ID', line.buyerAccountingReference),
    ),
  );
}

function objectOf({ object }: SemanticLine): string {
  if (object === null) return '';
  return element(
    'ram:AdditionalReferencedDocument',
    textElement('ram:IssuerAssignedID', object.value),
    textElement('ram:TypeCode', OBJECT),
    textElement('ram:ReferenceTypeCode', object.scheme),
  );
}
