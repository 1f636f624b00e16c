import type { Calculation } from '../../../src/documents/domain/calculation/calculation.js';
import type { CalculationRequest } from '../../../src/documents/domain/calculation/calculation-request.js';
import type { Money } from '../../../src/kernel/money.js';

/** Fractions of a percent in a scaled rate. */
const SCALE = 10n ** 8n;

/**
 * The rules that hold for every calculation, whoever made it: the arithmetic of EN 16931, read off
 * the result and its request alone. Returns the broken ones by name.
 */
export function brokenInvariants(request: CalculationRequest, made: Calculation): string[] {
  const amounts = (of: readonly { amount: Money }[]) => sumOf(of, ({ amount }) => amount);
  const discountShares = made.discounts.flatMap((discount) => discount.shares);
  const chargeShares = made.charges.flatMap((charge) => charge.shares);
  const due = made.netTotal.minor + made.taxTotal.minor;
  const given = request.roundingMinor ?? undefined;
  const step = given === undefined ? (request.cashRounding ?? 1n) : 1n;
  const rules: [string, boolean][] = [
    ['BR-CO-10', made.subtotal.minor === sumOf(made.lines, ({ net }) => net)],
    ['BR-CO-11', made.discountTotal.minor === sumOf(discountShares, ({ net }) => net)],
    ['BR-CO-12', made.chargeTotal.minor === sumOf(chargeShares, ({ net }) => net)],
    [
      'BR-CO-13',
      made.netTotal.minor ===
        made.subtotal.minor - made.discountTotal.minor + made.chargeTotal.minor,
    ],
    ['BR-CO-13 bases', made.netTotal.minor === sumOf(made.taxGroups, ({ base }) => base)],
    ['BR-CO-14', made.taxTotal.minor === sumOf(made.taxGroups, ({ tax }) => tax)],
    ['BR-CO-15, BR-CO-16', made.total.minor === due + made.rounding.minor],
    ['BR-CO-18', made.taxGroups.length > 0],
    ['cash: a multiple', made.total.minor % step === 0n],
    ['cash: the nearest', given !== undefined || 2n * absolute(made.rounding.minor) <= step],
    ['cash: halves up', given !== undefined || 2n * made.rounding.minor !== -step],
    ['a given rounding', given === undefined || made.rounding.minor === given],
    [
      'shares are the whole discount',
      made.discounts.every(({ amount, shares }) => amount.minor === amounts(shares)),
    ],
    [
      'shares are the whole charge',
      made.charges.every(({ amount, shares }) => amount.minor === amounts(shares)),
    ],
    ['nothing negative', everyAmount(made).every((amount) => amount.minor >= 0n)],
    [
      'what a line takes back is not above zero',
      made.lines.filter(isBack).every((line) => amountsOf(line).every(({ minor }) => minor <= 0n)),
    ],
    [
      'shares of lines are no more than what is spread',
      made.lines.every(
        ({ discountShare, chargeShare }) =>
          discountShare.minor <= amounts(made.discounts) &&
          chargeShare.minor <= amounts(made.charges),
      ),
    ],
    ['total not negative', made.total.minor >= 0n],
    [
      'lines: subtotal, discounts, charges',
      made.lines.every(
        (line) =>
          line.amount.minor ===
          line.subtotal.minor - amounts(line.discounts) + amounts(line.charges),
      ),
    ],
    ['BR-27: the price of a line is not below zero', made.lines.every(isPriced)],
    [
      'discounts and charges of lines without tax',
      made.lines.every((line) => isUntaxed(line, request.pricesIncludeTax)),
    ],
    ['groups: each once', new Set(made.taxGroups.map(keyOf)).size === made.taxGroups.length],
    [
      'groups: in order',
      made.taxGroups.every((group, i, all) => !i || precedes(all[i - 1]!, group)),
    ],
  ];
  const named = rules.filter(([, holds]) => !holds).map(([name]) => name);
  return [
    ...named,
    ...brokenShares(made),
    ...made.taxGroups.flatMap((group) => brokenInGroup(request, made, group)),
  ];
}

type Group = Calculation['taxGroups'][number];

/** In the ids of rules, by the category. */
export const RULE_FAMILIES = new Map(
  Object.entries({ S: 'S', Z: 'Z', E: 'E', AE: 'AE', K: 'IC', G: 'G', O: 'O', L: 'AF', M: 'AG' }),
);
const TAXED = new Set(['S', 'L', 'M']);
const EXEMPT = new Set(['E', 'AE', 'K', 'G', 'O']);

/** Lines and shares have a group of their category, and a rate that the category may have. */
function brokenShares(made: Calculation): string[] {
  const adjusted = made.discounts.flatMap(({ shares }) => shares);
  const charged = made.charges.flatMap(({ shares }) => shares);
  const lines = made.lines.map(({ taxCategory: category, taxRate: rate }) => ({ category, rate }));
  const groups = new Set(made.taxGroups.map(keyOf));
  return [...lines, ...adjusted, ...charged].flatMap((share) => {
    const family = RULE_FAMILIES.get(share.category);
    const rate = scaled(share.rate);
    const mayBe = share.category === 'S' ? rate > 0n : rate === 0n || TAXED.has(share.category);
    const rules: [string, boolean][] = [
      [`BR-${family}-01: its group`, groups.has(keyOf(share))],
      [`BR-${family}-05, BR-${family}-06, BR-${family}-07: the rate`, mayBe && rate >= 0n],
    ];
    return rules.filter(([, holds]) => !holds).map(([name]) => name);
  });
}

function isExplained({ category, exemptionCode, exemptionReason }: Group): boolean {
  if (!EXEMPT.has(category)) return exemptionCode === null && exemptionReason === null;
  const isSaid = exemptionReason !== null && exemptionReason.trim() !== '';
  return isSaid && (exemptionCode !== null || category === 'E');
}

function brokenInGroup(request: CalculationRequest, made: Calculation, group: Group): string[] {
  const mine = (share: { category: string; rate: string }) => keyOf(share) === keyOf(group);
  const lines = made.lines.filter((line) => {
    return line.taxCategory === group.category && line.taxRate === group.rate;
  });
  const discounts = made.discounts.flatMap(({ shares }) => shares.filter(mine));
  const charges = made.charges.flatMap(({ shares }) => shares.filter(mine));
  const whole = (of: 'amount' | 'net') =>
    sumOf(lines, (line) => line[of]) -
    sumOf(discounts, (share) => share[of]) +
    sumOf(charges, (share) => share[of]);
  const [base, tax, rate] = [group.base.minor, group.tax.minor, scaled(group.rate)];
  const byBase = roundedQuotient(base * rate, 100n * SCALE);
  const ofGross = roundedQuotient(whole('amount') * rate, 100n * SCALE + rate);
  const family = RULE_FAMILIES.get(group.category);
  const rules: [string, boolean][] = [
    [`BR-${family}-08: base`, base === whole('net')],
    [`BR-${family}-09: no tax`, TAXED.has(group.category) || (tax === 0n && rate === 0n)],
    [`BR-${family}-10: exemption`, isExplained(group)],
    ['BR-S-05: a rate', group.category !== 'S' || rate > 0n],
  ];
  if (request.pricesIncludeTax) {
    // Not every gross is some base with its tax: the gross is kept, the tax may be one unit off.
    rules.push(
      [`BR-CO-17, BR-${family}-09 within a unit`, absolute(tax - byBase) <= 1n],
      ['tax of the gross', tax === ofGross],
      ['gross kept', base + tax === whole('amount')],
    );
  } else {
    rules.push(
      [`BR-CO-17, BR-${family}-09`, tax === byBase || request.details?.issued_taxes != null],
      ['net kept', base === whole('amount')],
    );
  }
  const alone = request.charges.every(({ taxRate, taxCategory }, index) => {
    const own = taxRate !== undefined || taxCategory !== undefined;
    return !own || !made.charges[index]?.shares.some(mine);
  });
  const gross = sumOf(lines, (line) => line.gross);
  rules.push(['lines gross', alone ? gross === base + tax : gross <= base + tax]);
  return rules.filter(([, holds]) => !holds).map(([name]) => `${name}, ${keyOf(group)}`);
}

type Line = Calculation['lines'][number];

/** The goods of a line without tax: what its price times its quantity has to be. */
const goodsOf = (line: Line) =>
  line.net.minor + sumOf(line.discounts, ({ net }) => net) - sumOf(line.charges, ({ net }) => net);

/** A quantity of nothing has no goods, and an amount that was given elsewhere has a sign of its own. */
function isPriced(line: Line): boolean {
  const goods = goodsOf(line);
  if (/^[0.]+$/.test(line.quantity)) return goods === 0n || line.subtotal.minor !== 0n;
  return isBack(line) ? goods <= 0n : goods >= 0n;
}

/** Each is its amount without tax, rounded; but for a charge that makes up for a line without goods. */
function isUntaxed(line: Line, pricesIncludeTax: boolean): boolean {
  const rate = scaled(line.taxRate);
  const off = [...line.discounts, ...line.charges].filter(({ amount, net }) => {
    const untaxed = roundedQuotient(amount.minor * 100n * SCALE, 100n * SCALE + rate);
    return net.minor !== (pricesIncludeTax ? untaxed : amount.minor);
  });
  return (
    off.length === 0 || (off.length === 1 && off[0] === line.charges[0] && goodsOf(line) === 0n)
  );
}

const isBack = ({ quantity, amount }: Line) =>
  amount.isZero() ? quantity.startsWith('-') : amount.isNegative();

const amountsOf = (line: Line): Money[] => [line.subtotal, line.amount, line.net, line.gross];

/** All but the rounding, what has it, and lines that take back. */
function everyAmount(made: Calculation): Money[] {
  const adjustments = [...made.discounts, ...made.charges];
  return [
    ...made.lines.filter((line) => !isBack(line)).flatMap(amountsOf),
    ...made.lines.flatMap((line) => [line.discountShare, line.chargeShare]),
    ...adjustments.flatMap(({ amount, shares }) => [amount, ...shares.map(({ net }) => net)]),
    ...adjustments.flatMap(({ shares }) => shares.map(({ amount }) => amount)),
    made.netTotal,
    made.taxTotal,
  ];
}

function precedes(one: Group, other: Group): boolean {
  const [rate, next] = [scaled(one.rate), scaled(other.rate)];
  return rate > next || (rate === next && one.category < other.category);
}

function sumOf<T>(list: readonly T[], of: (entry: T) => Money): bigint {
  return list.reduce((sum, entry) => sum + of(entry).minor, 0n);
}

const keyOf = ({ category, rate }: { category: string; rate: string }) => `${category} ${rate}`;

const absolute = (amount: bigint) => (amount < 0n ? -amount : amount);

/** Halves away from zero. */
const roundedQuotient = (above: bigint, below: bigint): bigint =>
  above < 0n ? -roundedQuotient(-above, below) : (2n * above + below) / (2n * below);

function scaled(rate: string): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
}
