import type { Currency } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import type { DomainError } from '../../../kernel/domain-error.js';
import { LARGEST_AMOUNT_MINOR, Money } from '../../../kernel/money.js';
import {
  type Adjustment,
  discountTooLarge,
  shareOf,
  spreadCharge,
  spreadDiscounts,
  tooLarge,
  valueOf,
} from './adjustment.js';
import { ratioRounded, sum } from './apportion.js';
import {
  type AdjustmentRequest,
  assertCalculable,
  type CalculationRequest,
  categoryOf,
  hasOwnTax,
  type LineNames,
  type LineRequest,
  productOf,
  takesBack,
  unitAmountOf,
} from './calculation-request.js';
import { type LineDetails, lineDetailsOf, withoutEmpty } from '../document-details.js';
import { exemptionOf } from '../codes/code-lists.js';
import type {
  AdjustmentView,
  DocumentAdjustmentView,
  DocumentFigures,
  LineView,
  TaxGroupView,
} from '../document-view.js';
import { assertIssuedTaxes, issuedTaxes } from './issued-taxes.js';
import { netAdjustments } from './net-adjustments.js';
import { type TaxGroupSums, taxGroupSumsOf } from './tax-group-sums.js';
import { type TaxGroup, taxGroupsOf } from './tax-group.js';
import { DocumentRefusal } from '../refusals.js';

/** A line with what is needed to explain it and to credit it. */
export interface CalculatedLine extends LineView {
  /** Its part of the document's discounts and charges, in the way prices are meant. */
  discountShare: Money;
  chargeShare: Money;
  /** Its part of the total, with tax, before cash rounding. */
  gross: Money;
}

/** The one result that everything is printed from. */
export interface Calculation extends DocumentFigures {
  lines: CalculatedLine[];
}

interface PricedLine {
  request: LineRequest;
  position: number;
  /** -1 for a line that takes back. */
  sign: bigint;
  subtotal: bigint;
  discounts: bigint[];
  charges: bigint[];
  /** The price of the line, net or gross as prices are meant. */
  amount: bigint;
}

/**
 * EN 16931: each line is rounded, tax is rounded once for each (category, rate) group (BR-CO-17),
 * and the sums are exact (BR-CO-10 to 15). An amount for several lines is spread by largest
 * remainder. docs/documents.md has the rules and a worked example.
 * @throws DomainError with every wrong field at once; `discount_too_large`, `total_too_large`
 */
export function calculate(request: CalculationRequest): Calculation {
  assertCalculable(request);
  const lines = request.lines.map(priced);
  assertLineAmounts(lines);
  const groups = taxGroupsOf(request);
  const amounts = lines.map((line) => line.amount);
  assertNotBelowZero(amounts);
  const charges = request.charges.map((charge) => spreadCharge(charge, amounts, groups));
  const discounts = spreadDiscounts(request.discounts, amounts, charges, groups);
  const { issued_taxes: issued } = request.details ?? {};
  const taxes = issued ? issuedTaxes(issued) : request.taxes;
  const { pricesIncludeTax } = request;
  const groupSums = groups.map((group, index) =>
    taxGroupSumsOf(group, index, { pricesIncludeTax, taxes }, { amounts, discounts, charges }),
  );
  assertIssuedTaxes(issued ?? [], groups, groupSums);
  return assembled(request, { lines, groups, discounts, charges, groupSums });
}

/** A line that takes back is the mirror of one that sells: its discounts are below zero, too. */
function priced(request: LineRequest, index: number): PricedLine {
  const sign = takesBack(request) ? -1n : 1n;
  const product = productOf(request);
  const size = product < 0n ? -product : product;
  const valued = (adjustments: readonly AdjustmentRequest[] = []) =>
    adjustments.map((one) => sign * valueOf(one, size));
  const discounts = valued(request.discounts);
  const charges = valued(request.charges);
  const adjusted = sum(charges) - sum(discounts);
  const { issued_net_amount_decimal: issued } = request.details ?? {};
  const amount = issued == null ? product + adjusted : BigInt(issued);
  const subtotal = amount - adjusted;
  return { request, position: index + 1, sign, subtotal, discounts, charges, amount };
}

function assertLineAmounts(lines: readonly PricedLine[]): void {
  lines.forEach(({ sign, subtotal, charges, amount }, index) => {
    if (sign * subtotal > LARGEST_AMOUNT_MINOR || sign * sum(charges) > LARGEST_AMOUNT_MINOR) {
      throw tooLarge(`/lines/${index}`);
    }
    if (sign * subtotal < 0n) {
      throw DocumentRefusal.issued_amount_not_possible.at(
        `/lines/${index}/issued_net_amount_decimal`,
      );
    }
    if (sign * amount < 0n) {
      throw discountTooLarge(`/lines/${index}/discounts`, 'the amount of the line');
    }
  });
}

/** A rate may come to less than zero, such as that of a deposit; all lines together may not. */
function assertNotBelowZero(amounts: readonly bigint[]): void {
  if (sum(amounts) >= 0n) return;
  throw totalBelowZero(`/lines/${amounts.findIndex((amount) => amount < 0n)}/quantity`);
}

function totalBelowZero(pointer: string): DomainError {
  return DocumentRefusal.total_below_zero.at(
    pointer,
    'Net, tax or total come to less than zero; take back less, or make a credit note.',
  );
}

interface Parts {
  lines: PricedLine[];
  groups: TaxGroup[];
  discounts: Adjustment[];
  charges: Adjustment[];
  groupSums: TaxGroupSums[];
}

function assembled(request: CalculationRequest, parts: Parts): Calculation {
  const { currency } = request;
  const money = (minor: bigint) => Money.of(minor, currency);
  const { lines, groups, discounts, charges, groupSums } = parts;
  const nets = byLine(groups, groupSums, 'lineNets');
  const gross = byLine(groups, groupSums, 'lineGross');
  const shown = lines.map((line, index) => ({
    ...lineView(line, money(nets[index] ?? 0n), request.pricesIncludeTax),
    discountShare: money(shareOf(discounts, index)),
    chargeShare: money(shareOf(charges, index)),
    gross: money(gross[index] ?? 0n),
  }));
  const views = (adjustments: Adjustment[], nets: 'discountNets' | 'chargeNets') =>
    adjustments.map((adjustment, index) =>
      documentAdjustmentView(
        adjustment,
        groups,
        groupSums.map((one) => one[nets][index] ?? 0n),
        currency,
      ),
    );
  const netsOf = (key: 'lineNets' | 'discountNets' | 'chargeNets') =>
    sum(groupSums.flatMap((one) => one[key]));
  const net = sum(groupSums.map(({ base }) => base));
  const tax = sum(groupSums.map((one) => one.tax));
  const rounding = request.roundingMinor ?? roundingOf(net + tax, request.cashRounding);
  const total = net + tax + rounding;
  const subtotal = netsOf('lineNets');
  const chargeTotal = netsOf('chargeNets');
  // A part of an invoice may have a unit of tax less than none; its total is what counts.
  const isBelowZero = request.taxes ? net + tax < 0n : net < 0n || tax < 0n;
  if (isBelowZero) throw totalBelowZero('/lines');
  if (total < 0n) throw roundingTooLarge(net + tax);
  for (const figure of [subtotal, chargeTotal, total]) {
    if (figure > LARGEST_AMOUNT_MINOR) throw tooLarge('/lines');
  }
  return {
    lines: shown,
    discounts: views(discounts, 'discountNets'),
    charges: views(charges, 'chargeNets'),
    taxGroups: groups.map((group, index) => ({
      category: group.category,
      rate: group.rate,
      base: money(groupSums[index]?.base ?? 0n),
      tax: money(groupSums[index]?.tax ?? 0n),
      ...exemption(group, shown),
    })),
    subtotal: money(subtotal),
    discountTotal: money(netsOf('discountNets')),
    chargeTotal: money(chargeTotal),
    netTotal: money(net),
    taxTotal: money(tax),
    rounding: money(rounding),
    total: money(total),
  };
}

/** Puts the results of the groups into the order of the lines. */
function byLine(
  groups: readonly TaxGroup[],
  groupSums: readonly TaxGroupSums[],
  key: 'lineNets' | 'lineGross',
): bigint[] {
  const values: bigint[] = [];
  groups.forEach(({ lines }, index) =>
    lines.forEach((line, place) => (values[line] = groupSums[index]?.[key][place] ?? 0n)),
  );
  return values;
}

function lineView(line: PricedLine, net: Money, pricesIncludeTax: boolean): LineView {
  const { request } = line;
  const { currency } = net;
  const category = categoryOf(request);
  const views = (requests: readonly AdjustmentRequest[] = [], minors: readonly bigint[]) =>
    requests.map((one, index) => adjustmentView(one, minors[index] ?? 0n, currency));
  const quantity = Decimal.parse(request.quantity).toString();
  const taxRate = Decimal.parse(request.taxRate ?? '0').toString();
  const discounts = views(request.discounts, line.discounts);
  const charges = views(request.charges, line.charges);
  return {
    position: line.position,
    ...lineNames(request),
    description: request.description,
    quantity,
    unit: request.unit ?? 'C62',
    unitAmountDecimal: unitAmountOf(request).toString(),
    taxRate,
    taxCategory: category,
    details: inPlainDecimals(lineDetailsOf(withoutEmpty(request.details))),
    exemptionReason: request.exemptionReason ?? exemptionOf(category)?.reason ?? null,
    subtotal: Money.of(line.subtotal, currency),
    amount: Money.of(line.amount, currency),
    net,
    ...netAdjustments({ quantity, taxRate, net, discounts, charges }, pricesIncludeTax),
  };
}

const plain = (decimal: string) => Decimal.parse(decimal).toString();

/** As other decimals are told: without needless zeros. */
function inPlainDecimals(details: LineDetails): LineDetails {
  const { price_base_quantity: base, gross_unit_amount_decimal: gross } = details;
  if (base === undefined && gross === undefined) return details;
  return {
    ...details,
    ...(base !== undefined && { price_base_quantity: plain(base) }),
    ...(gross !== undefined && { gross_unit_amount_decimal: plain(gross) }),
  };
}

function lineNames(request: LineRequest): LineNames {
  return {
    id: request.id ?? null,
    externalId: request.externalId ?? null,
    sku: request.sku ?? null,
    metadata: request.metadata ?? {},
    itemId: request.itemId ?? null,
    taxRateId: request.taxRateId ?? null,
    creditedLineId: request.creditedLineId ?? null,
  };
}

function adjustmentView(
  request: AdjustmentRequest,
  minor: bigint,
  currency: Currency,
): AdjustmentView {
  return {
    percent: request.percent === undefined ? null : Decimal.parse(request.percent).toString(),
    amount: Money.of(minor, currency),
    reason: request.reason ?? null,
    ...(request.reasonCode !== undefined && { reasonCode: request.reasonCode }),
  };
}

function documentAdjustmentView(
  { request, minor, byGroup }: Adjustment,
  groups: readonly TaxGroup[],
  nets: readonly bigint[],
  currency: Currency,
): DocumentAdjustmentView {
  const shares = groups.map(({ category, rate }, index) => ({
    category,
    rate,
    amount: Money.of(byGroup[index] ?? 0n, currency),
    net: Money.of(nets[index] ?? 0n, currency),
  }));
  return {
    ...adjustmentView(request, minor, currency),
    ownTax: hasOwnTax(request)
      ? { category: categoryOf(request), rate: Decimal.parse(request.taxRate ?? '0').toString() }
      : null,
    shares: shares.filter(({ amount, net }) => !amount.isZero() || !net.isZero()),
  };
}

/** Why a group has no tax, once for each reason that its lines give (BR-E-10, BR-AE-10, ...). */
function exemption(
  { category, lines }: TaxGroup,
  shown: readonly LineView[],
): Pick<TaxGroupView, 'exemptionCode' | 'exemptionReason'> {
  const known = exemptionOf(category);
  const codes = lines.map((line) => shown[line]?.details.tax_exemption_code ?? null);
  const given = [...new Set(lines.map((line) => shown[line]?.exemptionReason ?? null))];
  const reasons = given.filter((reason) => reason !== null).join('; ');
  return {
    exemptionCode: codes.find((code) => code !== null) ?? known?.code ?? null,
    exemptionReason: reasons || (known?.reason ?? null),
  };
}

function roundingTooLarge(most: bigint): DomainError {
  return DocumentRefusal.rounding_too_large.at(
    '/rounding_amount',
    `The rounding takes off more than net and tax, which are ${most}; send less.`,
  );
}

/** The amount that brings a total to the nearest coin (BT-114); halves go up. */
function roundingOf(total: bigint, increment: bigint | null): bigint {
  return increment === null ? 0n : ratioRounded(total, increment) * increment - total;
}
