import { assert } from '../../kernel/assert.js';
import { Decimal, magnitudeOf } from '../../kernel/decimal.js';
import type { FieldError } from '../../kernel/domain-error.js';
import type { Money } from '../../kernel/money.js';
import { apportionByWeight, ratioRounded, sum } from './calculation/apportion.js';
import type { CalculatedLine, Calculation } from './calculation/calculation.js';
import type { LineRequest } from './calculation/calculation-request.js';
import { detailsWithoutPrice } from './document-details.js';
import type { TaxGroupView } from './document-view.js';
import {
  exceedsCreditable,
  exceedsGroup,
  nothingCredited,
  quantityOfOtherSign,
  takesBackToo,
} from './document-refusals.js';
import { taxGroupKey } from './calculation/tax-group.js';
import type { Locale } from './printing/formatting.js';
import { FieldRefusal, invalidFields } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from './refusals.js';

/** The wish for a credit note: lines, or an amount; all that is left if neither is given. */
export interface CreditRequest {
  lines: CreditLineRequest[] | null;
  /** With tax, in minor units. */
  amountMinor: bigint | null;
}

/** A line of the invoice: all that is left of it, or a quantity of it, or an amount with tax. */
export interface CreditLineRequest {
  position: number;
  quantity?: string;
  amountMinor?: bigint;
}

/** The invoice, and the parts of it that earlier credit notes took. */
export interface Credited {
  number: string;
  /** Its words are those of the credit note, too. */
  locale: Locale;
  calculation: Calculation;
  /** By position of the invoice's lines, with tax. */
  byLine: ReadonlyMap<number, bigint>;
  /** The quantities of lines that were credited as such, by position. */
  byQuantity: ReadonlyMap<number, Decimal>;
  /** By `taxGroupKey`. */
  byGroup: ReadonlyMap<string, CreditedGroup>;
  /** The amount that may still be credited, with cash rounding. */
  creditable: Money;
}

export interface CreditedGroup {
  base: bigint;
  tax: bigint;
}

/** The lines of a credit note: prices with tax, so that exactly this much is taken back. */
export interface CreditNoteTerms {
  lines: LineRequest[];
  roundingMinor: bigint;
  /** By `taxGroupKey`. */
  taxes: ReadonlyMap<string, bigint>;
  /** Which part of which line it takes back. */
  credited: CreditedLine[];
}

export interface CreditedLine {
  position: number;
  /** With tax. */
  minor: bigint;
  /** Set if the line was credited by quantity. */
  quantity: string | null;
}

/** @throws DomainError with every wrong line; `amount_exceeds_creditable` */
export function creditNoteTerms(request: CreditRequest, invoice: Credited): CreditNoteTerms {
  const terms = request.lines
    ? byLine(request.lines, invoice)
    : byAmount(request.amountMinor ?? invoice.creditable.minor, invoice);
  const { parts, roundingMinor, credited } = terms;
  const lines = parts.map(({ line }) => line);
  return { lines, roundingMinor, credited, taxes: taxesOf(parts, invoice) };
}

interface UntaxedTerms extends Pick<CreditNoteTerms, 'roundingMinor' | 'credited'> {
  /** Lines with the amount that each comes to, with tax. */
  parts: { line: LineRequest; minor: bigint }[];
}

function byLine(requests: readonly CreditLineRequest[], invoice: Credited): UntaxedTerms {
  const errors: FieldError[] = [];
  const seen = new Set<number>();
  const taken = requests.flatMap((request, index) => {
    const pointer = `/lines/${index}`;
    const line = invoice.calculation.lines[request.position - 1];
    const problem =
      lineProblem(request, line, invoice, pointer) ??
      (seen.has(request.position)
        ? FieldRefusal.said_twice.field(`${pointer}/position`, 'Name each line once.')
        : null);
    seen.add(request.position);
    if (problem || !line) {
      if (problem) errors.push(problem);
      return [];
    }
    const left = line.gross.minor - (invoice.byLine.get(line.position) ?? 0n);
    const minor = wantedOf(request, line, left, invoice);
    const sign = line.gross.isNegative() ? -1n : 1n;
    if (sign * minor > sign * left || sign * minor < 0n || left === 0n) {
      errors.push(
        DocumentRefusal.amount_exceeds_creditable.field(
          pointer,
          `${left} of line ${line.position} can still be credited.`,
        ),
      );
    } else if (minor === 0n) {
      errors.push(
        DocumentRefusal.amount_too_small.field(
          pointer,
          `That part of line ${line.position} rounds to nothing; credit more of it.`,
        ),
      );
    }
    return [{ line, minor, quantity: request.quantity ?? null }];
  });
  if (errors.length > 0) throw invalidFields(errors);
  const roundingMinor = roundingWith(taken, invoice);
  return {
    parts: taken.map(({ line, minor, quantity }) => ({
      minor,
      line: {
        sku: line.sku,
        itemId: line.itemId,
        taxRateId: line.taxRateId,
        creditedLineId: line.id,
        description: partName(line, quantity, invoice.locale),
        ...priceOf(minor, quantity ?? (minor === line.gross.minor ? line.quantity : null), line),
        taxRate: line.taxRate,
        taxCategory: line.taxCategory,
        details: detailsWithoutPrice(line.details),
        ...(line.exemptionReason !== null && { exemptionReason: line.exemptionReason }),
      },
    })),
    roundingMinor,
    credited: taken.map(({ line, ...part }) => ({ position: line.position, ...part })),
  };
}

/** `Consulting (1 h of 3 h)`. */
function partName(line: CalculatedLine, quantity: string | null, locale: Locale): string {
  if (quantity === null) return line.description;
  const [part, whole] = [quantity, line.quantity].map((one) => locale.quantity(one, line.unit));
  return `${line.description} (${locale.texts.partOf(part ?? '', whole ?? '')})`;
}

/**
 * The quantity in the line's unit, if a price in whole minor units comes to the amount; else the
 * amount once. A price is never below zero (BR-27): what an invoice took back has its quantity so.
 */
function priceOf(minor: bigint, quantity: string | null, { unit }: CalculatedLine) {
  const sign = minor < 0n ? '-' : '';
  const size = magnitudeOf(minor);
  const { units, scale } = Decimal.parse(quantity ?? '0');
  const [amount, divisor] = [size * 10n ** BigInt(scale), magnitudeOf(units)];
  if (divisor > 0n && amount % divisor === 0n) {
    const count = `${sign}${Decimal.of(divisor, scale).toString()}`;
    return { quantity: count, unit, unitAmountMinor: amount / divisor };
  }
  return { quantity: `${sign}1`, unitAmountMinor: size };
}

function lineProblem(
  { quantity, amountMinor }: CreditLineRequest,
  line: CalculatedLine | undefined,
  { byQuantity }: Credited,
  pointer: string,
): FieldError | null {
  if (!line) {
    return DocumentRefusal.unknown_line.field(
      `${pointer}/position`,
      'The invoice has no such line; positions begin at 1.',
    );
  }
  if (quantity !== undefined && amountMinor !== undefined) {
    return FieldRefusal.said_twice.field(`${pointer}/quantity`, 'Send either quantity or amount.');
  }
  if (quantity === undefined) return null;
  const wanted = Decimal.parse(quantity);
  const whole = Decimal.parse(line.quantity);
  const all = wanted.plus(byQuantity.get(line.position) ?? NOTHING);
  if (!line.gross.isZero() && whole.isNegative() !== line.gross.isNegative()) {
    return quantityOfOtherSign(pointer);
  }
  const isOfLine = !wanted.isZero() && wanted.isNegative() === whole.isNegative();
  const isTooMuch = whole.isNegative() ? all.compare(whole) < 0 : all.compare(whole) > 0;
  if (isOfLine && !isTooMuch) return null;
  const [side, most] = whole.isNegative() ? ['below', 'least'] : ['above', 'most'];
  return DocumentRefusal.quantity_exceeds_line.field(
    `${pointer}/quantity`,
    `quantity must be ${side} 0, and all credited at ${most} ${line.quantity}.`,
  );
}

const NOTHING = Decimal.of(0n);

/**
 * A part of a line's quantity costs that part of its price. Rounded as a running total, so that
 * pieces come to the whole; without quantity and amount it is what is left.
 */
function wantedOf(
  request: CreditLineRequest,
  line: CalculatedLine,
  left: bigint,
  { byQuantity }: Credited,
): bigint {
  if (request.amountMinor !== undefined) return request.amountMinor;
  if (request.quantity === undefined) return left;
  const before = byQuantity.get(line.position) ?? NOTHING;
  const after = before.plus(Decimal.parse(request.quantity));
  return worthOf(after, line) - worthOf(before, line);
}

function worthOf(quantity: Decimal, line: CalculatedLine): bigint {
  const whole = Decimal.parse(line.quantity);
  const sign = whole.isNegative() ? -1n : 1n;
  const part = line.gross.minor * quantity.units * 10n ** BigInt(whole.scale);
  return sign * ratioRounded(part, sign * whole.units * 10n ** BigInt(quantity.scale));
}

/**
 * The cash rounding that goes with the lines. An invoice that was rounded down gives back less than
 * its lines come to. An amount rounded up is left for a credit by amount.
 * @throws DomainError where earlier credits by amount took from the groups of these lines
 */
function roundingWith(
  taken: readonly { line: CalculatedLine; minor: bigint }[],
  invoice: Credited,
): bigint {
  const groups = invoice.calculation.taxGroups;
  const shares = sharesByGroup(taken);
  const lefts = groups.map((group) => {
    const left = leftOf(group, invoice);
    const share = shares.get(taxGroupKey(group)) ?? 0n;
    const sign = left < 0n ? -1n : 1n;
    if (sign * share > sign * left || sign * share < 0n) throw exceedsGroup(left);
    return left - share;
  });
  const all = sum(groups.map((group) => leftOf(group, invoice)));
  const minor = sum(taken.map((part) => part.minor));
  const creditable = invoice.creditable.minor;
  if (minor === 0n) throw nothingCredited();
  const isAll = minor === all && creditable > 0n;
  if (minor > creditable && !isAll) throw exceedsCreditable(invoice.creditable);
  // The rest would come to nothing or less, which no note can take.
  if (minor >= all && lefts.some((left) => left !== 0n)) throw takesBackToo();
  return minor > creditable ? creditable - all : 0n;
}

/** Spread over the tax groups by what is left of them, by largest remainder. */
function byAmount(minor: bigint, invoice: Credited): UntaxedTerms {
  const { creditable, number, calculation } = invoice;
  const { titles, forInvoice } = invoice.locale.texts;
  if (minor > creditable.minor || minor === 0n) throw exceedsCreditable(creditable);
  const groups = calculation.taxGroups;
  const left = groups.map((group) => leftOf(group, invoice));
  const all = sum(left);
  // The amount above the groups is cash rounding; a credit of all the rest takes it, too.
  const inGroups = minor === creditable.minor || minor > all ? all : minor;
  const shares = apportionByWeight(inGroups, left, 0);
  const parts = groups.flatMap((group, index) => {
    const share = shares[index] ?? 0n;
    // The rounding may be all that is left: a line over nothing carries it.
    if (share === 0n && (inGroups > 0n || index > 0)) return [];
    const line: LineRequest = {
      description: `${titles.credit_note} ${forInvoice(number)}`,
      quantity: share < 0n ? '-1' : '1',
      unitAmountMinor: magnitudeOf(share),
      taxRate: group.rate,
      taxCategory: group.category,
      details: { tax_exemption_code: group.exemptionCode },
      ...(group.exemptionReason !== null && { exemptionReason: group.exemptionReason }),
    };
    return [{ line, minor: share }];
  });
  assert(parts.length > 0, 'an invoice has a tax group');
  return { parts, roundingMinor: minor - inGroups, credited: [] };
}

/**
 * The invoice's tax of each group, as a running total over what was credited of its gross. So the
 * note that takes the last of a group takes what is left of its tax, and none takes a cent more. A
 * note that was voided in between may leave a little more or less to take.
 */
function taxesOf(parts: UntaxedTerms['parts'], invoice: Credited): Map<string, bigint> {
  const taxes = new Map<string, bigint>();
  const shares = sharesByGroup(parts);
  for (const group of invoice.calculation.taxGroups) {
    const key = taxGroupKey(group);
    const share = shares.get(key) ?? 0n;
    if (share === 0n) continue;
    const gross = group.base.minor + group.tax.minor;
    const { base, tax } = invoice.byGroup.get(key) ?? NO_GROUP;
    const until = ratioRounded(group.tax.minor * (base + tax + share), gross);
    const least = share - (group.base.minor - base);
    const most = group.tax.minor - tax;
    // A group below zero is the mirror of one above it.
    const sign = gross < 0n ? -1n : 1n;
    const atMost = sign * share < sign * most ? share : most;
    taxes.set(key, sign * between(sign * least, sign * (until - tax), sign * atMost));
  }
  return taxes;
}

/** The amounts of lines by `taxGroupKey`, found once for all groups. */
function sharesByGroup(
  parts: readonly { line: Pick<LineRequest, 'taxCategory' | 'taxRate'>; minor: bigint }[],
): Map<string, bigint> {
  const shares = new Map<string, bigint>();
  for (const { line, minor } of parts) {
    const key = taxGroupKey({ category: line.taxCategory ?? '', rate: line.taxRate ?? '' });
    shares.set(key, (shares.get(key) ?? 0n) + minor);
  }
  return shares;
}

const NO_GROUP: CreditedGroup = { base: 0n, tax: 0n };

function between(least: bigint, value: bigint, most: bigint): bigint {
  const atLeast = value < least ? least : value;
  const bounded = atLeast < 0n ? 0n : atLeast;
  return bounded > most ? most : bounded;
}

function leftOf(group: TaxGroupView, { byGroup }: Credited): bigint {
  const { base, tax } = byGroup.get(taxGroupKey(group)) ?? NO_GROUP;
  return group.base.minor + group.tax.minor - base - tax;
}
