import { minorDigits } from '../../../src/kernel/currency.js';
import { Decimal } from '../../../src/kernel/decimal.js';
import { decimalOf } from './xml-decimal.js';
import type { Lack } from './lacks.js';
import { membersOf, type Said } from './said.js';

/** An amount of a file, as requests have amounts: whole minor units, or as exact as it is. */
export class MinorUnits {
  private readonly factor: Decimal;

  constructor(
    readonly currency: string,
    private readonly lacks: Set<Lack>,
  ) {
    this.factor = Decimal.of(10n ** BigInt(minorDigits(currency)));
  }

  /** Of an amount that is more exact than the currency, the rounded one is sent. */
  whole(amount: string | undefined): number | undefined {
    if (amount === undefined) return undefined;
    const minor = decimalOf(amount).times(this.factor);
    const rounded = minor.roundHalfUp();
    if (minor.compare(Decimal.of(rounded)) !== 0) this.lacks.add('exactAmount');
    return Number(rounded);
  }

  exact(amount: string | undefined): string | undefined {
    return amount === undefined ? undefined : decimalOf(amount).times(this.factor).toString();
  }

  /** As a line is calculated: price times quantity, by the base, rounded once. */
  product(price: string, quantity: string, base: string): number {
    const goods = decimalOf(price).times(decimalOf(quantity)).times(this.factor);
    return Number(goods.dividedHalfUp(decimalOf(base), 0).units);
  }

  percentage(of: number, percent: string): number {
    return Number(Decimal.of(BigInt(of)).times(decimalOf(percent).percent()).roundHalfUp());
  }
}

const said = (text: string | undefined) =>
  text === undefined ? undefined : decimalOf(text).toString();

/** The parts of a discount or charge on a line: amount, base, percentage, reason, its code. */
const DISCOUNT = ['BT-136', 'BT-137', 'BT-138', 'BT-139', 'BT-140'] as const;
const CHARGE = ['BT-141', 'BT-142', 'BT-143', 'BT-144', 'BT-145'] as const;

/** `lines` of a document. */
export function lineRequests(invoice: Said, minor: MinorUnits, lacks: Set<Lack>): object[] {
  return membersOf(invoice, 'BG-25').map((line, index) => {
    if (line.groups.has('sub-lines')) lacks.add('subLines');
    if (line.terms.get('BT-126') !== String(index + 1)) lacks.add('lineIds');
    return lineRequest(line, invoice, minor, lacks);
  });
}

function lineRequest(line: Said, invoice: Said, minor: MinorUnits, lacks: Set<Lack>): object {
  const { terms } = line;
  const at = (term: string) => terms.get(term);
  const [quantity = '1', price = '0', base = '1'] = [at('BT-129'), at('BT-146'), at('BT-149')];
  const isPriced = !decimalOf(base).isZero();
  const subtotal = minor.product(price, quantity, isPriced ? base : '1');
  const discounts = adjustments(membersOf(line, 'BG-27'), DISCOUNT, subtotal, minor, lacks);
  const charges = adjustments(membersOf(line, 'BG-28'), CHARGE, subtotal, minor, lacks);
  const sum = (parts: typeof charges) =>
    parts.reduce((all, { minorAmount }) => all + minorAmount, 0);
  const net = subtotal - sum(discounts) + sum(charges);
  const stated = minor.whole(at('BT-131')) ?? net;
  return {
    description: at('BT-153'),
    item_description: at('BT-154'),
    note: at('BT-127'),
    quantity: said(quantity),
    unit: at('BT-130'),
    unit_amount_decimal: minor.exact(price),
    gross_unit_amount_decimal: minor.exact(at('BT-148') ?? listPrice(price, at('BT-147'))),
    price_base_quantity: base === '1' || !isPriced ? undefined : said(base),
    issued_net_amount_decimal: stated === net ? undefined : String(stated),
    discounts: discounts.map(({ request }) => request),
    charges: charges.map(({ request }) => request),
    ...taxOf(line, invoice),
    sku: at('BT-155'),
    buyer_item_id: at('BT-156'),
    standard_item_id: id(at('BT-157-1'), at('BT-157')),
    classifications: membersOf(line, 'BT-158').map((one) => ({
      list: one.terms.get('BT-158-1'),
      code: one.terms.get('BT-158'),
      version: one.terms.get('BT-158-2'),
    })),
    country_of_origin: at('BT-159'),
    attributes: membersOf(line, 'BG-32').map((one) => ({
      name: one.terms.get('BT-160'),
      value: one.terms.get('BT-161'),
    })),
    order_line: at('BT-132'),
    buyer_accounting_reference: at('BT-133'),
    invoiced_object: id(at('BT-128-1'), at('BT-128')),
    service_period: periodOf(at('BT-134'), at('BT-135'), lacks),
  };
}

/** A file may say only what was taken off the list price. */
const listPrice = (price: string, discount: string | undefined) =>
  discount === undefined ? undefined : decimalOf(price).plus(decimalOf(discount)).toString();

export const id = (scheme: string | undefined, value: string | undefined) =>
  value === undefined ? undefined : { scheme, value };

export function periodOf(
  start: string | undefined,
  end: string | undefined,
  lacks: Set<Lack>,
): object | undefined {
  if (start !== undefined && end !== undefined) return { start, end };
  if (start !== undefined || end !== undefined) lacks.add('openPeriod');
  return undefined;
}

function adjustments(
  all: readonly Said[],
  [amount, base, percent, reason, code]: typeof DISCOUNT | typeof CHARGE,
  subtotal: number,
  minor: MinorUnits,
  lacks: Set<Lack>,
) {
  return all.map(({ terms }) => {
    const minorAmount = minor.whole(terms.get(amount)) ?? 0;
    const [share, whole] = [said(terms.get(percent)), minor.whole(terms.get(base))];
    const isShare =
      share !== undefined &&
      (whole ?? subtotal) === subtotal &&
      minor.percentage(subtotal, share) === minorAmount;
    if (!isShare && (share ?? whole) !== undefined) lacks.add('linePercentages');
    const request = {
      ...(isShare ? { percent: share } : { amount: minorAmount }),
      reason: terms.get(reason),
      reason_code: terms.get(code),
    };
    return { minorAmount, request };
  });
}

/** The line says why it has no tax; files say it once for each category. */
function taxOf({ terms }: Said, invoice: Said): object {
  const category = terms.get('BT-151');
  const group = membersOf(invoice, 'BG-23').find((one) => one.terms.get('BT-118') === category);
  const isExempt = ['E', 'AE', 'K', 'G', 'O'].includes(category ?? '');
  return {
    tax_category: category,
    tax_rate: said(terms.get('BT-152')) ?? '0',
    tax_exemption_reason: isExempt ? group?.terms.get('BT-120') : undefined,
    tax_exemption_code: isExempt ? group?.terms.get('BT-121') : undefined,
  };
}
