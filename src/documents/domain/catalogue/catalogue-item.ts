import type { Currency } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import { type FieldError } from '../../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import {
  categoryOf,
  exemptTaxErrors,
  hasOwnTax,
  type LineRequest,
} from '../calculation/calculation-request.js';
import { type LineDetails, type SaidLineDetails, withoutEmpty } from '../document-details.js';
import { FieldRefusal, invalidFields } from '../../../kernel/field-refusals.js';
import { DocumentRefusal } from '../refusals.js';

/** The details of a line that belong to what is sold. */
export type ItemDetails = Pick<
  LineDetails,
  'buyer_item_id' | 'standard_item_id' | 'classifications' | 'country_of_origin' | 'attributes'
>;

const NO_ITEM_DETAILS: ItemDetails = {
  buyer_item_id: null,
  standard_item_id: null,
  classifications: null,
};

/** @param said without the empty ones, as they are stored */
export function itemDetailsOf(said: Partial<ItemDetails> | null): ItemDetails {
  return { ...NO_ITEM_DETAILS, ...said };
}

export interface ItemPrice {
  currency: Currency;
  /** Of one unit in minor units, up to 12 decimal places. */
  unitAmountDecimal: string;
}

/** A tax by value. The category is null where the rate implies it. */
export interface ItemTax {
  taxRate: string | null;
  taxCategory: string | null;
  exemptionReason: string | null;
  exemptionCode: string | null;
}

/** A good or service that lines name, and copy what they do not say themselves. */
export interface CatalogueItem extends ItemTax {
  id: Uuid;
  name: string;
  /** Text of its lines; null: the name. */
  description: string | null;
  /** The item in the caller's own books, unique in the account. */
  externalId: string | null;
  /** BT-155. */
  sku: string | null;
  /** UNECE Recommendation 20. */
  unit: string | null;
  /** At most one for each currency. */
  prices: ItemPrice[];
  pricesIncludeTax: boolean;
  /** A tax rate of the catalogue, instead of a tax by value. */
  taxRateId: Uuid | null;
  details: ItemDetails;
  metadata: Record<string, string>;
  /** Since when no new line may name it. */
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

/** The price was said in one of two ways. */
export interface SaidPrice {
  currency: Currency;
  unitAmountMinor?: bigint;
  unitAmountDecimal?: string;
}

type Own = Omit<
  CatalogueItem,
  'id' | 'prices' | 'details' | 'archivedAt' | 'createdAt' | 'updatedAt' | 'version'
>;

/** An absent field stays, or is empty where the item is new. */
export type ItemChange = Partial<Own> & { prices?: SaidPrice[]; details?: SaidLineDetails };
export type NewItem = ItemChange & { name: string };

const EMPTY: Omit<CatalogueItem, 'id' | 'name' | 'createdAt' | 'updatedAt'> = {
  description: null,
  externalId: null,
  sku: null,
  unit: null,
  prices: [],
  pricesIncludeTax: false,
  taxRateId: null,
  taxRate: null,
  taxCategory: null,
  exemptionReason: null,
  exemptionCode: null,
  details: NO_ITEM_DETAILS,
  metadata: {},
  archivedAt: null,
  version: 0,
};

/** @throws DomainError as `changedItem` */
export function newItem(id: Uuid, wish: NewItem, now: Date): CatalogueItem {
  const blank = { ...EMPTY, id, name: wish.name, createdAt: now, updatedAt: now };
  return changedItem(blank, wish, now);
}

/** @throws DomainError `one_price_required`, `said_twice`, and those of taxes, with every wrong field */
export function changedItem(item: CatalogueItem, change: ItemChange, now: Date): CatalogueItem {
  const { prices, details, ...own } = change;
  const wrongPrices = priceErrors(prices ?? []);
  const errors = [...wrongPrices];
  if (change.taxRateId != null && (change.taxRate != null || change.taxCategory != null)) {
    const message = 'Send either tax_rate_id or tax_rate and tax_category.';
    errors.push(FieldRefusal.said_twice.field('/tax_rate_id', message));
  }
  const next: CatalogueItem = {
    ...item,
    ...own,
    ...taxOf(item, change),
    details: itemDetailsOf(withoutEmpty({ ...item.details, ...details })),
    prices: prices && wrongPrices.length === 0 ? prices.map(priceOf) : item.prices,
    updatedAt: now,
    version: item.version + 1,
  };
  errors.push(...exemptTaxErrors(taxRequestOf(next), ''));
  if (errors.length > 0) throw invalidFields(errors);
  return next;
}

/** The one of both ways to say a tax that was said last. */
function taxOf(item: CatalogueItem, change: ItemChange): ItemTax & { taxRateId: Uuid | null } {
  const { taxRateId, taxRate, taxCategory, exemptionReason, exemptionCode } = {
    ...item,
    ...change,
  };
  const isNamed = change.taxRateId != null;
  const isSaid = change.taxRate != null || change.taxCategory != null;
  return {
    taxRateId: isSaid ? null : taxRateId,
    taxRate: isNamed || taxRate === null ? null : Decimal.parse(taxRate).toString(),
    taxCategory: isNamed ? null : taxCategory,
    exemptionReason: isNamed ? (change.exemptionReason ?? null) : exemptionReason,
    exemptionCode: isNamed ? (change.exemptionCode ?? null) : exemptionCode,
  };
}

/** The tax by value, as a line says it. */
export function taxRequestOf(
  tax: ItemTax,
): Pick<LineRequest, 'taxRate' | 'taxCategory' | 'exemptionReason' | 'details'> {
  const { taxRate, taxCategory, exemptionReason, exemptionCode } = tax;
  return {
    ...(taxRate !== null && { taxRate }),
    ...(taxCategory !== null && { taxCategory }),
    ...(exemptionReason !== null && { exemptionReason }),
    details: { tax_exemption_code: exemptionCode },
  };
}

function priceErrors(prices: readonly SaidPrice[]): FieldError[] {
  return prices.flatMap(({ currency, unitAmountMinor, unitAmountDecimal }, index): FieldError[] => {
    const pointer = `/prices/${index}`;
    const errors: FieldError[] = [];
    if ((unitAmountMinor === undefined) === (unitAmountDecimal === undefined)) {
      const message = 'Send either unit_amount or unit_amount_decimal.';
      errors.push(DocumentRefusal.one_price_required.field(`${pointer}/unit_amount`, message));
    }
    if (prices.findIndex((one) => one.currency === currency) < index) {
      const message = `There is another price in ${currency}; send one.`;
      errors.push(FieldRefusal.said_twice.field(`${pointer}/currency`, message));
    }
    return errors;
  });
}

function priceOf({ currency, unitAmountMinor, unitAmountDecimal }: SaidPrice): ItemPrice {
  const said = unitAmountDecimal ?? `${unitAmountMinor}`;
  return { currency, unitAmountDecimal: Decimal.parse(said).toString() };
}

export function movedToArchive(item: CatalogueItem, at: Date | null, now: Date): CatalogueItem {
  return { ...item, archivedAt: at, updatedAt: now, version: item.version + 1 };
}

/** Its own fields, as the API names them. */
export function fieldsOfItem(item: CatalogueItem) {
  const tax = taxRequestOf(item);
  return {
    name: item.name,
    description: item.description,
    external_id: item.externalId,
    sku: item.sku,
    unit: item.unit,
    prices: item.prices.map(({ currency, unitAmountDecimal }) => ({
      currency,
      unit_amount_decimal: unitAmountDecimal,
    })),
    prices_include_tax: item.pricesIncludeTax,
    tax_rate_id: item.taxRateId && publicId('txr', item.taxRateId),
    tax_rate: item.taxRate,
    tax_category: hasOwnTax(tax) ? categoryOf(tax) : null,
    tax_exemption_reason: item.exemptionReason,
    tax_exemption_code: item.exemptionCode,
    ...item.details,
    metadata: item.metadata,
    archived_at: item.archivedAt?.toISOString() ?? null,
  };
}
