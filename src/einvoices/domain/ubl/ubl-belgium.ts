import { Decimal } from '../../../kernel/decimal.js';
import type { SemanticLine } from '../semantic/semantic-line.js';
import type { SemanticTax } from '../semantic/semantic-terms.js';
import { element, textElement } from '../xml.js';
import { amount } from './ubl-terms.js';

// UBL.BE 1.31: its list of taxes (BTCC), and of exemptions (BVERC) with their texts.

const RATES: Record<string, string> = { '0': '00', '6': '01', '12': '02', '21': '03' };

interface BelgianExemption {
  name: string;
  text: string;
}

const EXEMPTIONS: Record<string, BelgianExemption> = {
  E: { name: 'EX', text: 'Exempt' },
  AE: { name: '45', text: 'Reverse charge - Contractor' },
  K: { name: '46/GO', text: 'Intra-community supply - Goods' },
  G: { name: '47/EX', text: 'Export non E.U.' },
  O: { name: 'NS', text: 'Not subject to VAT' },
};

const NOT_APPLICABLE = 'NA';

/** `EX` is a name of exemptions only. */
function nameOf({ category, rate }: SemanticTax): string {
  const exempt = EXEMPTIONS[category];
  if (exempt) return category === 'E' ? NOT_APPLICABLE : exempt.name;
  return RATES[rate] ?? NOT_APPLICABLE;
}

export function belgianTaxName(tax: SemanticTax): string {
  return textElement('cbc:Name', nameOf(tax));
}

/** The words of the list stand in place of those of the document. */
export function belgianExemption({ category }: SemanticTax): string {
  const exempt = EXEMPTIONS[category];
  if (!exempt) return '';
  return (
    textElement('cbc:TaxExemptionReasonCode', `BETE-${exempt.name}`) +
    textElement('cbc:TaxExemptionReason', exempt.text)
  );
}

export function belgianLineTax({ net, tax }: SemanticLine): string {
  const vat = net.timesRoundedHalfUp(Decimal.parse(tax.rate).percent());
  return element('cac:TaxTotal', amount('cbc:TaxAmount', vat));
}

/** The two that every document has. */
export function belgianReferences(isNote: boolean): string {
  return (
    element(
      'cac:AdditionalDocumentReference',
      textElement('cbc:ID', 'UBL.BE'),
      textElement('cbc:DocumentDescription', 'Quittance'),
    ) +
    element(
      'cac:AdditionalDocumentReference',
      textElement('cbc:ID', 'UBL.BE.KIND'),
      textElement('cbc:DocumentDescription', isNote ? 'CreditNote' : 'CommercialInvoice'),
    )
  );
}
