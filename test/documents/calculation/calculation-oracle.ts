import type {
  AdjustmentRequest,
  CalculationRequest,
  LineRequest,
} from '../../../src/documents/domain/calculation/calculation-request.js';
import { issuedOf, mayHaveIssued } from './issued-oracle.js';
import { type Group, type Part, sharesOf, termsOf } from './oracle-parts.js';
import { at, magnitude, most, plain, Ratio, sum } from './ratio.js';
import {
  type Expected,
  type ExpectedLine,
  hasOwnTax,
  keyOf,
  netOf,
  type Tax,
  type Trials,
  type Verdict,
} from './verdict.js';

// The calculation a second time, from its specification alone and in another manner: exact fractions
// instead of scaled integers. Nothing here may be shared with, or copied from, what it judges.

const LARGEST = 10n ** 13n;
/** Categories of no tax at all (UNCL5305). L and M, of the Canaries and of Ceuta, may have any rate. */
const UNTAXED = new Set(['Z', 'E', 'AE', 'K', 'G', 'O']);

const HUNDRED = new Ratio(100n);
const HALF = new Ratio(1n, 2n);

export function judge(request: CalculationRequest): Verdict {
  return new Oracle(request).judge();
}

class Oracle {
  private readonly refusals = new Set<string>();
  private readonly trials: Trials = { halves: 0, ties: 0, weightless: 0 };

  constructor(private readonly request: CalculationRequest) {}

  judge(): Verdict {
    const { refusals, trials } = this;
    const lines = this.request.lines.map((line, index) => this.line(line, index + 1));
    this.request.discounts.filter(hasOwnTax).forEach((discount) => this.taxOf(discount));
    const groups = this.groups(lines);
    const expected = refusals.size === 0 ? this.document(lines, groups) : undefined;
    return { expected: refusals.size === 0 ? expected : undefined, refusals, trials };
  }

  private line(line: LineRequest, position: number): ExpectedLine {
    const price = line.unitAmountDecimal ?? String(line.unitAmountMinor);
    const each = Ratio.parse(price).over(Ratio.parse(line.details?.price_base_quantity ?? '1'));
    const product = this.round(Ratio.parse(line.quantity).times(each));
    // Discounts and charges are off, or on, in the direction of the line, be it that of its amount.
    const issued = line.details?.issued_net_amount_decimal;
    const isBack = /^-.*[1-9]/.test(Number(issued ?? 0) === 0 ? line.quantity : String(issued));
    const valued = (adjustments: AdjustmentRequest[] = []) =>
      adjustments.map((one) => {
        const amount = this.amountOf(one, magnitude(product));
        return { ...termsOf(one), amount: isBack ? -amount : amount };
      });
    const discounts = valued(line.discounts);
    const charges = valued(line.charges);
    const raised = sum(charges.map((charge) => charge.amount));
    const lowered = sum(discounts.map((discount) => discount.amount));
    const amount = issued == null ? product - lowered + raised : BigInt(issued);
    const subtotal = amount + lowered - raised;
    if (isBack ? subtotal > 0n : subtotal < 0n) this.refusals.add('issued_amount_not_possible');
    this.limit(magnitude(subtotal), magnitude(raised));
    if (isBack ? amount > 0n : amount < 0n) this.refusals.add('discount_too_large');
    const given = { position, quantity: plain(line.quantity), unitAmount: plain(price) };
    const sums = { subtotal, discounts, charges, amount };
    const later = { net: 0n, gross: 0n, discountShare: 0n, chargeShare: 0n };
    return { ...given, ...this.taxOf(line), ...sums, ...later };
  }

  private amountOf(adjustment: AdjustmentRequest, of: bigint): bigint {
    return adjustment.percent === undefined
      ? (adjustment.amountMinor ?? 0n)
      : this.round(new Ratio(of).times(Ratio.parse(adjustment.percent)).over(HUNDRED));
  }

  private limit(...amounts: bigint[]): void {
    if (amounts.some((amount) => amount > LARGEST)) this.refusals.add('total_too_large');
  }

  private taxOf({ taxRate = '0', taxCategory }: { taxRate?: string; taxCategory?: string }): Tax {
    const rate = plain(taxRate);
    const category = taxCategory ?? (rate === '0' ? 'Z' : 'S');
    if (category === 'S' && rate === '0') this.refusals.add('tax_rate_required');
    if (UNTAXED.has(category) && rate !== '0') this.refusals.add('tax_rate_not_allowed');
    return { category, rate };
  }

  private groups(lines: ExpectedLine[]): Group[] {
    const groups = new Map<string, Group>();
    const groupOf = ({ category, rate }: Tax) => {
      const key = keyOf({ category, rate });
      const group = groups.get(key) ?? {
        key,
        category,
        rate,
        percent: Ratio.parse(rate),
        lines: [],
      };
      groups.set(key, group);
      return group;
    };
    lines.forEach((line, index) => groupOf(line).lines.push(index));
    this.request.charges.filter(hasOwnTax).forEach((charge) => groupOf(this.taxOf(charge)));
    return [...groups.values()].sort(
      (one, other) =>
        other.percent.compare(one.percent) || (one.category < other.category ? -1 : 1),
    );
  }

  private document(lines: ExpectedLine[], groups: Group[]): Expected | undefined {
    if (sum(lines.map((line) => line.amount)) < 0n) this.refusals.add('total_below_zero');
    if (this.refusals.size > 0) return undefined;
    const amounts = sum(lines.map((line) => line.amount));
    const charges = this.request.charges.map((charge) => this.amountOf(charge, amounts));
    this.limit(...charges);
    const bearers = this.request.discounts.map((discount) => this.bearersOf(discount, lines));
    if (this.refusals.size > 0) return undefined;
    // By key of a tax: what its charges, which no line is beside, can still give up.
    const charged = this.chargedAlone(groups, charges);
    const discounts = this.request.discounts.map((discount, index) => {
      const off = at(bearers, index).map((line) => at(lines, line).amount);
      const base = off.length > 0 ? sum(off) : (charged.get(this.taxKey(discount)) ?? 0n);
      return this.amountOf(discount, most(base));
    });
    const offLines = discounts.filter((_, index) => at(bearers, index).length > 0);
    if (sum(offLines) > amounts) {
      this.refusals.add('discount_too_large');
      return undefined;
    }
    const left = lines.map((line) => line.amount);
    const discountParts = discounts.map((discount, index) => {
      if (at(bearers, index).length === 0) {
        return this.offCharges(
          discount,
          this.taxKey(at(this.request.discounts, index)),
          groups,
          charged,
        );
      }
      const bearing = left.map((one, line) => (at(bearers, index).includes(line) ? one : 0n));
      if (hasOwnTax(at(this.request.discounts, index)) && discount > sum(bearing)) {
        this.refusals.add('discount_too_large');
        return [];
      }
      const parts = this.spread(discount, bearing, groups);
      for (const part of parts) {
        for (const [line, amount] of part.onLines) left[line] = at(left, line) - amount;
      }
      return parts;
    });
    if (this.refusals.size > 0) return undefined;
    const weights = lines.map((line) => line.amount);
    const chargeParts = charges.map((charge, index) => {
      const request = at(this.request.charges, index);
      if (!hasOwnTax(request)) return this.spread(charge, weights, groups);
      const key = keyOf(this.taxOf(request));
      const group = at(
        groups,
        groups.findIndex((known) => known.key === key),
      );
      return [{ group, amount: charge, net: charge, onLines: new Map<number, bigint>() }];
    });
    const taxGroups = groups.map((group) =>
      this.settle(group, lines, discountParts.flat(), chargeParts.flat()),
    );
    if (!mayHaveIssued(this.request, taxGroups)) {
      this.refusals.add('issued_tax_not_possible');
      return undefined;
    }
    return this.totals(lines, taxGroups, {
      discounts: discounts.map((amount, index) => ({
        ...termsOf(at(this.request.discounts, index)),
        ownTax: hasOwnTax(at(this.request.discounts, index))
          ? this.taxOf(at(this.request.discounts, index))
          : null,
        amount,
        shares: sharesOf(at(discountParts, index)),
      })),
      charges: charges.map((amount, index) => {
        const request = at(this.request.charges, index);
        const ownTax = hasOwnTax(request) ? this.taxOf(request) : null;
        return { ...termsOf(request), ownTax, amount, shares: sharesOf(at(chargeParts, index)) };
      }),
    });
  }

  /** The lines that a discount is on: all, or those of its tax; none where it is on charges. */
  private bearersOf(discount: AdjustmentRequest, lines: ExpectedLine[]): number[] {
    const every = lines.map((_, index) => index);
    if (!hasOwnTax(discount)) return every;
    const key = keyOf(this.taxOf(discount));
    const own = every.filter((index) => keyOf(at(lines, index)) === key);
    const charges = this.request.charges.filter(hasOwnTax).map((charge) => this.taxKey(charge));
    if (own.length === 0 && !charges.includes(key)) this.refusals.add('discount_without_lines');
    return own;
  }

  private taxKey(request: AdjustmentRequest): string {
    return keyOf(this.taxOf(request));
  }

  /** The charges of each tax that no line has. */
  private chargedAlone(groups: Group[], charges: bigint[]): Map<string, bigint> {
    const alone = groups.filter((group) => group.lines.length === 0);
    return new Map(
      alone.map(({ key }) => {
        const own = charges.filter((_, index) => {
          const request = at(this.request.charges, index);
          return hasOwnTax(request) && this.taxKey(request) === key;
        });
        return [key, sum(own)];
      }),
    );
  }

  private offCharges(
    amount: bigint,
    key: string,
    groups: Group[],
    charged: Map<string, bigint>,
  ): Part[] {
    const left = charged.get(key) ?? 0n;
    if (amount > left) this.refusals.add('discount_too_large');
    charged.set(key, left - amount);
    const group = at(
      groups,
      groups.findIndex((known) => known.key === key),
    );
    return [{ group, amount, net: amount, onLines: new Map<number, bigint>() }];
  }

  /** Over the groups that have lines, then over the lines of each. */
  private spread(amount: bigint, weights: bigint[], groups: Group[]): Part[] {
    const populated = groups.filter((group) => group.lines.length > 0);
    const weighing = populated.map((group) => group.lines.map((line) => at(weights, line)));
    const first = populated.findIndex((group) => group.lines.includes(0));
    const shares = this.byLargestRemainder(
      amount,
      weighing.map((weights) => most(sum(weights))),
      first,
    );
    return populated.map((group, place) => {
      const share = at(shares, place);
      const sold = at(weighing, place).map(most);
      const onLines = this.byLargestRemainder(share, sold, 0);
      const named = group.lines.map((line, index): [number, bigint] => [line, at(onLines, index)]);
      return { group, amount: share, net: share, onLines: new Map(named) };
    });
  }

  private byLargestRemainder(amount: bigint, weights: bigint[], otherwise: number): bigint[] {
    const all = sum(weights);
    if (all === 0n) {
      if (amount > 0n) this.trials.weightless += 1;
      return weights.map((_, index) => (index === otherwise ? amount : 0n));
    }
    return this.apportioned(
      weights.map((weight) => new Ratio(amount * weight, all)),
      amount,
    );
  }

  /** Base and tax of a group; sets the net and gross of all that is in it. */
  private settle(group: Group, lines: ExpectedLine[], discounts: Part[], charges: Part[]) {
    const { category, rate, percent } = group;
    const own = group.lines.map((index) => at(lines, index));
    const mine = (part: Part) => part.group === group;
    const minus = discounts.filter(mine);
    const plus = charges.filter(mine);
    const signed = [
      ...own.map((line) => line.amount),
      ...minus.map((part) => -part.amount),
      ...plus.map((part) => part.amount),
    ];
    const all = sum(signed);
    const whole = HUNDRED.plus(percent);
    const byRate = this.round(
      new Ratio(all).times(percent).over(this.request.pricesIncludeTax ? whole : HUNDRED),
    );
    const tax = issuedOf(this.request).get(group.key) ?? byRate;
    const base = this.request.pricesIncludeTax ? all - tax : all;
    const nets = this.request.pricesIncludeTax
      ? this.apportioned(
          signed.map((amount) => new Ratio(amount).times(HUNDRED).over(whole)),
          base,
          all < 0n,
        )
      : signed;
    own.forEach((line, index) => (line.net = at(nets, index)));
    minus.forEach((part, index) => (part.net = -at(nets, own.length + index)));
    plus.forEach((part, index) => (part.net = at(nets, own.length + minus.length + index)));

    group.lines.forEach((index) => {
      const line = at(lines, index);
      line.discountShare = onLine(minus, index);
      line.chargeShare = onLine(plus, index);
    });
    const claims = [
      ...own.map((line) => line.amount - line.discountShare + line.chargeShare),
      ...plus.filter((part) => part.onLines.size === 0).map((part) => part.amount),
      ...minus.filter((part) => part.onLines.size === 0).map((part) => -part.amount),
    ];
    const grosses = this.request.pricesIncludeTax
      ? claims
      : tax !== byRate
        ? this.weighed(base + tax, claims, all < 0n)
        : this.apportioned(
            claims.map((claim) => new Ratio(claim).times(whole).over(HUNDRED)),
            base + tax,
            all < 0n,
          );
    own.forEach((line, index) => (line.gross = at(grosses, index)));
    return { category, rate, base, tax };
  }

  private weighed(amount: bigint, weights: bigint[], isMirrored: boolean): bigint[] {
    if (!isMirrored) return this.byLargestRemainder(amount, weights, 0);
    const mirror = weights.map((weight) => -weight);
    return this.byLargestRemainder(-amount, mirror, 0).map((part) => -part);
  }

  private totals(
    lines: ExpectedLine[],
    taxGroups: Expected['taxGroups'],
    adjustments: Pick<Expected, 'discounts' | 'charges'>,
  ): Expected {
    const subtotal = sum(lines.map((line) => line.net));
    const discountTotal = netOf(adjustments.discounts);
    const chargeTotal = netOf(adjustments.charges);
    const netTotal = subtotal - discountTotal + chargeTotal;
    const taxTotal = sum(taxGroups.map((group) => group.tax));
    const exact = netTotal + taxTotal;
    const total = exact + this.roundingOf(exact);
    const partsBelow = this.request.taxes === undefined && (netTotal < 0n || taxTotal < 0n);
    if (partsBelow || exact < 0n) this.refusals.add('total_below_zero');
    else if (total < 0n) this.refusals.add('rounding_too_large');
    this.limit(subtotal, chargeTotal, total);
    const sums = { subtotal, discountTotal, chargeTotal, netTotal, taxTotal };
    return { lines, ...adjustments, taxGroups, ...sums, rounding: total - exact, total };
  }

  private roundingOf(exact: bigint): bigint {
    const { roundingMinor, cashRounding: step } = this.request;
    if (roundingMinor != null) return roundingMinor;
    return step === null ? 0n : this.round(new Ratio(exact, step)) * step - exact;
  }

  /** Floors, and one unit more for the largest rests until the target is reached. */
  private apportioned(exact: Ratio[], target: bigint, isMirrored = false): bigint[] {
    if (isMirrored) {
      const mirror = exact.map((claim) => new Ratio(-claim.above, claim.below));
      return this.apportioned(mirror, -target).map((part) => -part);
    }
    const parts = exact.map((claim) => claim.floor());
    const missing = Number(target - sum(parts));
    if (missing < 0 || missing > parts.length) throw new Error(`${missing} units to hand out`);
    if (missing === 0) return parts;
    const claims = exact.map((claim, index) => ({ index, rest: claim.rest() }));
    claims.sort((one, other) => other.rest.compare(one.rest) || one.index - other.index);
    claims.slice(0, missing).forEach(({ index }) => (parts[index] = at(parts, index) + 1n));
    const [last, next] = [claims[missing - 1], claims[missing]];
    if (last && next && last.rest.compare(next.rest) === 0) this.trials.ties += 1;
    return parts;
  }

  /** Halves away from zero. */
  private round(exact: Ratio): bigint {
    if (exact.above < 0n) return -this.round(new Ratio(-exact.above, exact.below));
    if (exact.rest().compare(HALF) === 0) this.trials.halves += 1;
    return exact.plus(HALF).floor();
  }
}

const onLine = (parts: Part[], line: number) =>
  sum(parts.map((part) => part.onLines.get(line) ?? 0n));
