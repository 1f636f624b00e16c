import { type ExportRow, said } from '../export-rows.js';
import type { ExportPlace, MigrationPlan } from '../migration-plan.js';
import { stripePrice } from './stripe-amounts.js';

/** The prices of one product, as `prices` of an item takes them. */
interface StripePrice {
  id: string;
  currency: string;
  amount: string;
  isInclusive: boolean;
}

/** Prices by their product. An item has one for each currency. */
export type StripePrices = Map<string, StripePrice[]>;

export function readStripePrice(row: ExportRow, prices: StripePrices, plan: MigrationPlan): void {
  if (row.has('active') && !row.flag('active')) return plan.lose('archived prices');
  const currency = row.currency('currency');
  const amount = stripePrice(row, currency);
  if (amount === null) return plan.lose('prices in tiers');
  if (row.has('recurring')) plan.lose('intervals of recurring prices');
  addPrice(prices, row.idOf('product') ?? '', {
    id: row.need('id'),
    currency,
    amount,
    isInclusive: row.text('tax_behavior') === 'inclusive',
  });
}

export function addPrice(prices: StripePrices, product: string, price: StripePrice): void {
  prices.set(product, [...(prices.get(product) ?? []), price]);
}

export function takeStripeProduct(
  row: ExportRow,
  place: ExportPlace,
  prices: StripePrices,
  plan: MigrationPlan,
): void {
  if (row.has('active') && !row.flag('active')) return plan.lose('archived products');
  const id = row.need('id');
  const standard = row.idOf('default_price');
  const own = (prices.get(id) ?? []).toSorted(
    (one, other) => (one.id === standard ? -1 : 0) - (other.id === standard ? -1 : 0),
  );
  const body = {
    name: row.need('name'),
    description: row.text('description'),
    metadata: row.metadata('metadata'),
  };
  takeItem(plan, { id, place, body, prices: own });
  if (row.has('tax_code')) plan.lose('tax codes of products');
}

/** The first price of a currency counts, with those that are taxed as it is. */
export function takeItem(
  plan: MigrationPlan,
  {
    id,
    place,
    body,
    prices,
  }: { id: string; place: ExportPlace; body: object; prices: readonly StripePrice[] },
): void {
  const isInclusive = prices[0]?.isInclusive ?? false;
  const chosen = new Map<string, StripePrice>();
  for (const price of prices) {
    if (price.isInclusive === isInclusive && !chosen.has(price.currency)) {
      chosen.set(price.currency, price);
    } else plan.lose('further prices of products');
  }
  const taken = [...chosen.values()].map(({ currency, amount }) => ({
    currency,
    unit_amount_decimal: amount,
  }));
  plan.take(plan.items, {
    externalId: plan.idOf(id),
    place,
    body: said({ ...body, prices: taken, prices_include_tax: isInclusive || null }),
  });
}
