import type { Money } from '../../../kernel/money.js';
import { amountText } from '../amounts.js';
import type { Identifier } from '../semantic/semantic-parties.js';
import type {
  SemanticAdjustment,
  SemanticPeriod,
  SemanticTax,
} from '../semantic/semantic-terms.js';
import { element, textElement } from '../xml.js';

export function amount(name: string, money: Money | null): string {
  if (money === null) return '';
  return `<${name} currencyID="${money.currency}">${amountText(money)}</${name}>`;
}

export function identifier(name: string, id: Identifier | null): string {
  if (id === null) return '';
  return textElement(name, id.value, { schemeID: id.scheme });
}

/** @param taxPoint UNTDID 2005: the document's period says it, too (BT-8) */
export function invoicePeriod(days: SemanticPeriod | null, taxPoint: string | null = null): string {
  return element(
    'cac:InvoicePeriod',
    textElement('cbc:StartDate', days?.start),
    textElement('cbc:EndDate', days?.end),
    textElement('cbc:DescriptionCode', taxPoint),
  );
}

export const VAT = '<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>';

/** Outside of the scope of tax there is no rate (BR-O-05). */
export function taxCategory(name: string, { category, rate }: SemanticTax, taxName = ''): string {
  const percent = category === 'O' ? '' : `<cbc:Percent>${rate}</cbc:Percent>`;
  return `<${name}><cbc:ID>${category}</cbc:ID>${taxName}${percent}${VAT}</${name}>`;
}

export function allowanceCharge(isCharge: boolean, one: SemanticAdjustment): string {
  return element(
    'cac:AllowanceCharge',
    `<cbc:ChargeIndicator>${String(isCharge)}</cbc:ChargeIndicator>`,
    textElement('cbc:AllowanceChargeReasonCode', one.reasonCode),
    textElement('cbc:AllowanceChargeReason', one.reason),
    textElement('cbc:MultiplierFactorNumeric', one.percent),
    amount('cbc:Amount', one.amount),
    amount('cbc:BaseAmount', one.baseAmount),
    one.tax === null ? '' : taxCategory('cac:TaxCategory', one.tax),
  );
}
