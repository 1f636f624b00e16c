import { invalidFields } from '../../../kernel/field-refusals.js';
import type { Currency } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import { type FieldError } from '../../../kernel/domain-error.js';
import type { Uuid } from '../../../kernel/ids.js';
import {
  categoryOf,
  hasOwnTax,
  type LineNames,
  type LineRequest,
} from '../calculation/calculation-request.js';
import { type CatalogueItem, taxRequestOf } from './catalogue-item.js';
import { withoutEmpty } from '../document-details.js';
import { type TaxRate, taxRateProblem } from './tax-rate.js';
import { DocumentRefusal } from '../refusals.js';

/** The parts of the catalogue that the lines of one document name. */
export interface Named {
  items: ReadonlyMap<Uuid, CatalogueItem>;
  taxRates: ReadonlyMap<Uuid, TaxRate>;
  /** Of lines that say nothing of tax. */
  defaultTaxRateId: Uuid | null;
}

/** Of the document; a price of the catalogue is of one currency, with tax or without. */
export interface PriceTerms {
  currency: Currency;
  pricesIncludeTax: boolean;
}

type Copied = { line: LineRequest; problem?: FieldError | null };

/** The tax rate of a line: its own, that of its item, or the default of the account. */
export function taxRateOf(
  line: LineRequest,
  { items, defaultTaxRateId }: Pick<Named, 'items' | 'defaultTaxRateId'>,
): Uuid | null {
  if (line.taxRateId != null) return line.taxRateId;
  if (hasOwnTax(line)) return null;
  const item = line.itemId == null ? undefined : items.get(line.itemId);
  if (item?.taxRateId) return item.taxRateId;
  return item && hasOwnTax(taxRequestOf(item)) ? null : defaultTaxRateId;
}

/**
 * The lines with what they name, where they do not say it themselves.
 * @param before lines that are there already: what they name may have been archived since
 * @throws DomainError `unknown_item`, `item_archived`, `item_price_missing`, `unknown_tax_rate`,
 *   `tax_rate_archived`, `tax_rate_differs`, with every wrong line
 */
export function copiedLines(
  lines: LineRequest[],
  named: Named,
  terms: PriceTerms,
  before: readonly Pick<LineNames, 'taxRateId' | 'itemId'>[],
): LineRequest[] {
  const kept = new Set(before.flatMap(({ taxRateId, itemId }) => [taxRateId, itemId]));
  const errors: FieldError[] = [];
  const copied = lines.map((line, index) => {
    const pointer = `/lines/${index}`;
    const ofItem = fromItem(line, named, terms, kept, pointer);
    const ofBoth = ofItem.problem ? ofItem : fromTaxRate(ofItem.line, line, named, kept, pointer);
    if (ofBoth.problem) errors.push(ofBoth.problem);
    return ofBoth.line;
  });
  if (errors.length > 0) throw invalidFields(errors);
  return copied;
}

function fromItem(
  line: LineRequest,
  { items }: Named,
  terms: PriceTerms,
  kept: ReadonlySet<Uuid | null>,
  pointer: string,
): Copied {
  if (line.itemId == null) return { line };
  const item = items.get(line.itemId);
  if (!item) {
    const message = 'There is no such item; GET /v1/finance/items lists them.';
    return { line, problem: DocumentRefusal.unknown_item.field(`${pointer}/item_id`, message) };
  }
  if (item.archivedAt && !kept.has(item.id)) {
    const message = 'The item is archived; unarchive it, or name another one.';
    return { line, problem: DocumentRefusal.item_archived.field(`${pointer}/item_id`, message) };
  }
  const price = line.unitAmountMinor === undefined && line.unitAmountDecimal === undefined;
  const own = price ? priceIn(item, terms) : undefined;
  if (price && own === undefined) {
    const kind = terms.pricesIncludeTax ? 'with' : 'without';
    const message = `The item has no price in ${terms.currency} ${kind} tax; send unit_amount.`;
    const at = `${pointer}/unit_amount`;
    return { line, problem: DocumentRefusal.item_price_missing.field(at, message) };
  }
  return { line: { ...filled(line, item), ...(own !== undefined && { unitAmountDecimal: own }) } };
}

function priceIn(item: CatalogueItem, { currency, pricesIncludeTax }: PriceTerms) {
  if (item.pricesIncludeTax !== pricesIncludeTax) return undefined;
  return item.prices.find((price) => price.currency === currency)?.unitAmountDecimal;
}

/** The words of the line win. */
function filled(line: LineRequest, item: CatalogueItem): LineRequest {
  const unit = line.unit ?? item.unit;
  const { details = {} } = line;
  const saysTax = line.taxRateId != null || hasOwnTax(line);
  const { details: exemption, ...tax } = saysTax ? {} : taxRequestOf(item);
  return {
    ...tax,
    ...line,
    description: line.description || (item.description ?? item.name),
    sku: line.sku ?? item.sku,
    ...(unit !== null && { unit }),
    details: {
      ...item.details,
      ...withoutEmpty(details),
      tax_exemption_code: details.tax_exemption_code ?? exemption?.tax_exemption_code ?? null,
    },
  };
}

function fromTaxRate(
  line: LineRequest,
  said: LineRequest,
  named: Named,
  kept: ReadonlySet<Uuid | null>,
  pointer: string,
): Copied {
  const id = taxRateOf(line, named);
  if (id === null) return { line };
  const rate = named.taxRates.get(id);
  const from = said.taxRateId == null && said.itemId != null ? 'item_id' : 'tax_rate_id';
  const asKept = rate && kept.has(id) ? { ...rate, archivedAt: null } : rate;
  const problem = taxRateProblem(asKept, `${pointer}/${from}`);
  if (problem || !rate) return { line, problem };
  return { line: taxedBy(line, rate), problem: difference(line, rate, pointer) };
}

/** The words of the line win: a reason may say more than that of the tax rate. */
function taxedBy(line: LineRequest, rate: TaxRate): LineRequest {
  const reason = line.exemptionReason ?? rate.exemptionReason;
  const exemption = line.details?.tax_exemption_code ?? rate.exemptionCode;
  return {
    ...line,
    taxRateId: rate.id,
    taxRate: rate.taxRate,
    taxCategory: rate.taxCategory,
    ...(reason !== null && { exemptionReason: reason }),
    details: { ...line.details, tax_exemption_code: exemption },
  };
}

/** A line that names one tax and says another would be counted under the wrong one. */
function difference(line: LineRequest, rate: TaxRate, pointer: string): FieldError | null {
  if (!hasOwnTax(line)) return null;
  const percent = Decimal.parse(line.taxRate ?? rate.taxRate);
  const isSame =
    percent.compare(Decimal.parse(rate.taxRate)) === 0 &&
    (line.taxCategory ?? rate.taxCategory) === rate.taxCategory;
  if (isSame) return null;
  return DocumentRefusal.tax_rate_differs.field(
    `${pointer}/tax_rate`,
    `The tax rate is ${categoryOf(rate)} ${rate.taxRate} %, and the line says another tax; leave tax_rate and tax_category out.`,
  );
}
