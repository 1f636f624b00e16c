import { currencyIn, type ExportRow, said, UnreadableRow } from '../export-rows.js';
import type { ExportPlace, MigrationPlan } from '../migration-plan.js';
import { stripeMinor } from './stripe-amounts.js';

/** A customer of the API. */
export function takeStripeCustomer(row: ExportRow, place: ExportPlace, plan: MigrationPlan): void {
  if (row.flag('deleted')) return plan.lose('deleted customers');
  const id = row.need('id');
  const externalId = plan.idOf(id);
  const currency = row.text('currency');
  const taxIds = (row.object('tax_ids')?.list('data') ?? []).map((one) => ({
    type: one.need('type'),
    value: one.need('value'),
  }));
  const vat = taxIds.find(({ type }) => type.endsWith('_vat'));
  const shipping = row.object('shipping');
  const body = said({
    name: nameOf(row),
    email: row.text('email'),
    phone: row.text('phone'),
    ...addressOf(row.object('address')),
    tax_id: vat?.value,
    tax_ids: taxIds.filter((one) => one !== vat),
    language: row.texts('preferred_locales')[0],
    currency: currency && currencyIn(currency),
    shipping_address:
      shipping && said({ name: shipping.text('name'), ...addressOf(shipping.object('address')) }),
    metadata: row.metadata('metadata'),
  });
  plan.take(plan.customers, { externalId, place, body });
  takeBalances(row, id, place, plan);
  loseRest(row, plan);
}

export function nameOf(row: ExportRow): string {
  const name = row.text('name', 'email');
  if (name === null) throw new UnreadableRow('it has neither name nor e-mail address');
  return name;
}

function addressOf(address: ExportRow | null): object {
  if (!address) return {};
  return {
    address: ['line1', 'line2'].flatMap((name) => address.text(name) ?? []),
    postal_code: address.text('postal_code'),
    city: address.text('city'),
    region: address.text('state'),
    country: address.text('country'),
  };
}

/** A balance below zero is the customer's; one above it is asked for with the next invoice. */
function takeBalances(row: ExportRow, id: string, place: ExportPlace, plan: MigrationPlan): void {
  const balances = row.object('invoice_credit_balance');
  const named = (balances?.names ?? []).map((name) => ({ name, of: balances, code: name }));
  const alone = { name: 'balance', of: row, code: row.text('currency') ?? '' };
  for (const { name, of, code } of named.length > 0 ? named : [alone]) {
    if (!of || (of.text(name) ?? '0') === '0') continue;
    const currency = currencyIn(code);
    const balance = stripeMinor(of, currency, name) ?? 0n;
    if (balance > 0n) plan.lose('sums to add to the next invoice', currency, balance);
    if (balance < 0n) takeStripeCredit(plan, { id, place, currency, amount: -balance });
  }
}

export function takeStripeCredit(
  plan: MigrationPlan,
  {
    id,
    place,
    currency,
    amount,
  }: { id: string; place: ExportPlace; currency: string; amount: bigint },
): void {
  plan.takeCredit({
    externalId: plan.idOf(`${id}:${currency}`),
    customer: plan.idOf(id),
    place,
    currency,
    amount,
    body: { note: 'Credit balance at Stripe' },
  });
}

function loseRest(row: ExportRow, plan: MigrationPlan): void {
  const settings = row.object('invoice_settings');
  if (row.has('default_source') || settings?.has('default_payment_method')) {
    plan.lose('payment methods of customers');
  }
  if (row.has('discount')) plan.lose('coupons of customers');
  if (['exempt', 'reverse'].includes(row.text('tax_exempt') ?? '')) {
    plan.lose('tax exemptions of customers');
  }
  if (row.has('description')) plan.lose('notes on customers');
}
