import { REFERENCES } from '../document-details.js';
import type { DocumentView, LineView } from '../document-view.js';
import { paymentMeansName } from '../texts/texts.js';
import type { Locale } from './formatting.js';

export interface PrintedField {
  name: string;
  value: string;
}

/** ISO 6523. */
const GTIN = '0160';

export function datesOf({ details }: DocumentView, locale: Locale) {
  const { supply_date: date, service_period: period, tax_point_date: taxPoint } = details;
  const { details: names } = locale.texts;
  return [
    { name: names.supply_date, value: date && locale.date(date) },
    { name: names.service_period, value: period && locale.period(period) },
    { name: names.tax_point_date, value: taxPoint ? locale.date(taxPoint) : null },
  ];
}

export function referencesOf({ details, kind }: DocumentView, locale: Locale) {
  const { details: names } = locale.texts;
  const { payment_means_code: code, payment_means_text: words, direct_debit: debit } = details;
  const means = words ?? (code && paymentMeansName(code, names));
  const asked = (value: string | null | undefined) => (kind === 'invoice' ? (value ?? null) : null);
  return [
    ...REFERENCES.map((name) => ({ name: names[name], value: details[name] ?? null })),
    { name: names.invoiced_object, value: details.invoiced_object?.value ?? null },
    ...(details.preceding_invoices ?? []).map(({ number, issue_date: day }) => ({
      name: names.preceding_invoices,
      value: day === undefined ? number : `${number}, ${locale.date(day)}`,
    })),
    { name: names.payment_means_code, value: asked(means) },
    { name: names.mandate_reference, value: asked(debit?.mandate_reference) },
    { name: names.creditor_id, value: asked(debit?.creditor_id) },
    { name: names.debited_account, value: asked(debit?.account) },
    { name: names.payment_card, value: asked(cardOf(details)) },
  ];
}

function cardOf({ payment_card: card }: DocumentView['details']): string | null {
  return card ? [`•••• ${card.last_digits}`, card.holder].filter(Boolean).join(', ') : null;
}

export function lineDetails(
  { details }: LineView,
  currency: string,
  locale: Locale,
): PrintedField[] {
  const { details: names } = locale.texts;
  const { service_period: period, standard_item_id: item, classifications } = details;
  const { gross_unit_amount_decimal: gross, country_of_origin: origin } = details;
  const fields = [
    { name: names.service_period, value: period && locale.period(period) },
    { name: names.order_line, value: details.order_line },
    { name: names.buyer_accounting_reference, value: details.buyer_accounting_reference },
    { name: names.invoiced_object, value: details.invoiced_object?.value },
    { name: names.buyer_item_id, value: details.buyer_item_id },
    { name: item?.scheme === GTIN ? 'GTIN' : `ISO 6523 ${item?.scheme}`, value: item?.value },
    ...(classifications ?? []).map(({ list, code }) => ({ name: list, value: code })),
    ...(details.attributes ?? []),
    { name: names.country_of_origin, value: origin && locale.country(origin) },
    { name: names.list_price, value: gross && locale.unitAmount(gross, currency) },
  ];
  return fields.filter((field): field is PrintedField => field.value != null);
}

/** `€12.50 / 100` of a price for so many. */
export function unitPriceOf(line: LineView, currency: string, locale: Locale): string {
  const price = locale.unitAmount(line.unitAmountDecimal, currency);
  const { price_base_quantity: base } = line.details;
  return base === undefined ? price : `${price}\u00a0/\u00a0${locale.quantity(base, line.unit)}`;
}
