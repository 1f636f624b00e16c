import type { IsoDate } from '../../../kernel/clock.js';
import type { Money } from '../../../kernel/money.js';
import { amountText } from '../amounts.js';
import type { Identifier } from '../semantic/semantic-parties.js';
import type {
  SemanticAdjustment,
  SemanticPeriod,
  SemanticTax,
} from '../semantic/semantic-terms.js';
import { element, textElement } from '../xml.js';

/** Amounts say no currency here: it is that of the invoice. */
export function plainAmount(name: string, money: Money | null): string {
  return money === null ? '' : `<${name}>${amountText(money)}</${name}>`;
}

/** The form `102` is the day without hyphens. */
export function ciiDay(
  name: string,
  date: IsoDate | null | undefined,
  type = 'udt:DateTimeString',
) {
  if (date == null) return '';
  return `<${name}><${type} format="102">${date.replaceAll('-', '')}</${type}></${name}>`;
}

/** With a scheme it is a global id, which has an element of its own. */
export function partyId(id: Identifier | null): string {
  if (id === null) return '';
  return id.scheme === null
    ? textElement('ram:ID', id.value)
    : textElement('ram:GlobalID', id.value, { schemeID: id.scheme });
}

export function billingPeriod(days: SemanticPeriod | null): string {
  return element(
    'ram:BillingSpecifiedPeriod',
    ciiDay('ram:StartDateTime', days?.start),
    ciiDay('ram:EndDateTime', days?.end),
  );
}

/** Outside of the scope of tax there is no rate (BR-O-05). */
export function taxRate({ category, rate }: SemanticTax, writesRateOfO = false): string {
  if (category === 'O' && !writesRateOfO) return '';
  return `<ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent>`;
}

export const VAT_TYPE = '<ram:TypeCode>VAT</ram:TypeCode>';

export function tradeTax(name: string, tax: SemanticTax | null): string {
  if (tax === null) return '';
  return `<${name}>${VAT_TYPE}<ram:CategoryCode>${tax.category}</ram:CategoryCode>${taxRate(tax)}</${name}>`;
}

export function tradeAllowanceCharge(isCharge: boolean, one: SemanticAdjustment): string {
  return element(
    'ram:SpecifiedTradeAllowanceCharge',
    element('ram:ChargeIndicator', `<udt:Indicator>${String(isCharge)}</udt:Indicator>`),
    textElement('ram:CalculationPercent', one.percent),
    plainAmount('ram:BasisAmount', one.baseAmount),
    plainAmount('ram:ActualAmount', one.amount),
    textElement('ram:ReasonCode', one.reasonCode),
    textElement('ram:Reason', one.reason),
    tradeTax('ram:CategoryTradeTax', one.tax),
  );
}
