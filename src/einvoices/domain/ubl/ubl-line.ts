import type { Profile } from '../profile.js';
import { pricedFor } from '../price-places.js';
import type { SemanticItem, SemanticLine } from '../semantic/semantic-line.js';
import { element, textElement } from '../xml.js';
import { belgianLineTax, belgianTaxName } from './ubl-belgium.js';
import { allowanceCharge, amount, identifier, invoicePeriod, taxCategory } from './ubl-terms.js';

/** UNTDID 1001: an invoiced object. */
const OBJECT = '130';

export function ublLine(line: SemanticLine, profile: Profile, isNote: boolean): string {
  const [name, quantity] = isNote
    ? ['cac:CreditNoteLine', 'cbc:CreditedQuantity']
    : ['cac:InvoiceLine', 'cbc:InvoicedQuantity'];
  return element(
    name,
    textElement('cbc:ID', line.id),
    textElement('cbc:Note', line.note),
    textElement(quantity, line.quantity, { unitCode: line.unit }),
    amount('cbc:LineExtensionAmount', line.net),
    textElement('cbc:AccountingCost', line.buyerAccountingReference),
    invoicePeriod(line.period),
    element('cac:OrderLineReference', textElement('cbc:LineID', line.orderLine)),
    objectOf(line),
    isNote ? lineTax(line, profile) : '',
    line.allowances.map((one) => allowanceCharge(false, one)).join(''),
    line.charges.map((one) => allowanceCharge(true, one)).join(''),
    isNote ? '' : lineTax(line, profile),
    item(line.item, line, profile),
    price(line, profile),
  );
}

const lineTax = (line: SemanticLine, profile: Profile) =>
  profile.isBelgian ? belgianLineTax(line) : '';

function objectOf({ object }: SemanticLine): string {
  if (object === null) return '';
  return element(
    'cac:DocumentReference',
    identifier('cbc:ID', object),
    textElement('cbc:DocumentTypeCode', OBJECT),
  );
}

function item(of: SemanticItem, { tax }: SemanticLine, profile: Profile): string {
  return element(
    'cac:Item',
    textElement('cbc:Description', of.description),
    textElement('cbc:Name', of.name),
    element('cac:BuyersItemIdentification', textElement('cbc:ID', of.buyerId)),
    element('cac:SellersItemIdentification', textElement('cbc:ID', of.sellerId)),
    element('cac:StandardItemIdentification', identifier('cbc:ID', of.standardId)),
    element('cac:OriginCountry', textElement('cbc:IdentificationCode', of.originCountry)),
    of.classifications
      .map(({ list, code, version }) =>
        element(
          'cac:CommodityClassification',
          textElement('cbc:ItemClassificationCode', code, { listID: list, listVersionID: version }),
        ),
      )
      .join(''),
    taxCategory('cac:ClassifiedTaxCategory', tax, profile.isBelgian ? belgianTaxName(tax) : ''),
    of.attributes
      .map(({ name, value }) =>
        element(
          'cac:AdditionalItemProperty',
          textElement('cbc:Name', name),
          textElement('cbc:Value', value),
        ),
      )
      .join(''),
  );
}

function price({ price: said, unit, net }: SemanticLine, profile: Profile): string {
  const { net: amountOfOne, gross, baseQuantity } = pricedFor(said, profile);
  const priced = (name: string, value: string) =>
    textElement(name, value, { currencyID: net.currency });
  return element(
    'cac:Price',
    priced('cbc:PriceAmount', amountOfOne),
    baseQuantity === '1' ? '' : textElement('cbc:BaseQuantity', baseQuantity, { unitCode: unit }),
    gross === null
      ? ''
      : element(
          'cac:AllowanceCharge',
          textElement('cbc:ChargeIndicator', 'false'),
          priced('cbc:Amount', gross.discount),
          priced('cbc:BaseAmount', gross.price),
        ),
  );
}
