import {
  calculate,
  type Calculation,
} from '../../../src/documents/domain/calculation/calculation.js';
import type {
  AdjustmentRequest,
  CalculationRequest,
  LineRequest,
} from '../../../src/documents/domain/calculation/calculation-request.js';
import type {
  AdjustmentView,
  DocumentAdjustmentView,
} from '../../../src/documents/domain/document-view.js';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { randomDocument } from './calculation-documents.js';
import { brokenInvariants } from './calculation-invariants.js';
import { judge } from './calculation-oracle.js';
import type { Expected, Verdict } from './verdict.js';

export interface Failure {
  /** Of the seed's documents. */
  index: number;
  /** As small as it still fails. */
  document: CalculationRequest;
  differences: string[];
}

export interface Run {
  /** How many documents had which trait. */
  coverage: Map<string, number>;
  /** The first one; the run ends with it. */
  failure: Failure | undefined;
}

/** Judges the documents `from` to below `to` of a seed. */
export function run(seed: number, from: number, to: number): Run {
  const coverage = new Map<string, number>();
  for (let index = from; index < to; index += 1) {
    const document = randomDocument(seed, index);
    const { differences, verdict } = check(document);
    if (differences.length > 0) {
      const smallest = shrunk(document);
      const failure = { index, document: smallest, differences: check(smallest).differences };
      return { coverage, failure };
    }
    for (const trait of new Set(traitsOf(document, verdict))) {
      coverage.set(trait, (coverage.get(trait) ?? 0) + 1);
    }
  }
  return { coverage, failure: undefined };
}

export function explained(seed: number, { index, document, differences }: Failure): string {
  return [
    `Document ${index} of seed ${seed} is calculated otherwise than specified:`,
    ...differences.slice(0, 20).map((difference) => `  ${difference}`),
    'as small as it still fails (amounts in minor units):',
    JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? Number(value) : value), 2),
    `npm run test:calculation -- --seed ${seed} --from ${index} --documents 1`,
  ].join('\n');
}

/** Every way in which `calculate` departs from the oracle or from an invariant. */
function check(document: CalculationRequest): { differences: string[]; verdict: Verdict } {
  const verdict = judge(document);
  let calculation: Calculation;
  try {
    calculation = calculate(document);
  } catch (error) {
    const wanted = [...verdict.refusals].join(' or ') || 'no refusal';
    const differences = codesOf(error)
      .filter((code) => !verdict.refusals.has(code))
      .map((code) => `refused: ${code}, expected ${wanted}`);
    return { differences, verdict };
  }
  if (!verdict.expected) {
    return { differences: [`accepted, expected ${[...verdict.refusals].join(' or ')}`], verdict };
  }
  const differences = unequal('', printed(calculation), verdict.expected);
  return { differences: [...differences, ...brokenInvariants(document, calculation)], verdict };
}

/** Several bad fields are refused together, each with its own code. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof DomainError)) return [String(error)];
  if (error.code !== 'validation_failed' || error.errors.length < 2) return [error.code];
  return error.errors.map(({ code }) => code);
}

/** The implementation's answer in the oracle's words. */
export function printed(calculation: Calculation): Expected {
  return {
    lines: calculation.lines.map((line) => ({
      category: line.taxCategory,
      rate: line.taxRate,
      position: line.position,
      quantity: line.quantity,
      unitAmount: line.unitAmountDecimal,
      subtotal: line.subtotal.minor,
      discounts: line.discounts.map(printedTerms),
      charges: line.charges.map(printedTerms),
      amount: line.amount.minor,
      discountShare: line.discountShare.minor,
      chargeShare: line.chargeShare.minor,
      net: line.net.minor,
      gross: line.gross.minor,
    })),
    discounts: calculation.discounts.map(printedSpread),
    charges: calculation.charges.map(printedSpread),
    taxGroups: calculation.taxGroups.map(({ category, rate, base, tax }) => {
      return { category, rate, base: base.minor, tax: tax.minor };
    }),
    subtotal: calculation.subtotal.minor,
    discountTotal: calculation.discountTotal.minor,
    chargeTotal: calculation.chargeTotal.minor,
    netTotal: calculation.netTotal.minor,
    taxTotal: calculation.taxTotal.minor,
    rounding: calculation.rounding.minor,
    total: calculation.total.minor,
  };
}

function printedTerms({ percent, reason, amount }: AdjustmentView) {
  return { percent, reason, amount: amount.minor };
}

function printedSpread(adjustment: DocumentAdjustmentView) {
  const shares = adjustment.shares.map(({ category, rate, amount, net }) => {
    return { category, rate, amount: amount.minor, net: net.minor };
  });
  const some = shares.filter((share) => share.amount !== 0n || share.net !== 0n);
  return { ...printedTerms(adjustment), ownTax: adjustment.ownTax, shares: some };
}

function unequal(path: string, actual: unknown, expected: unknown): string[] {
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) {
    return [`${path}: ${actual.length} entries, expected ${expected.length}`];
  }
  if (typeof expected !== 'object' || expected === null) {
    return actual === expected ? [] : [`${path}: ${actual}, expected ${expected}`];
  }
  if (typeof actual !== 'object' || actual === null) return [`${path}: ${String(actual)}`];
  return Object.entries(expected).flatMap(([name, value]) =>
    unequal(`${path}/${name}`, (actual as Record<string, unknown>)[name], value),
  );
}

/** Drops and simplifies for as long as something still differs. */
function shrunk(document: CalculationRequest): CalculationRequest {
  for (;;) {
    const smaller = simpler(document).find((draft) => check(draft).differences.length > 0);
    if (!smaller) return document;
    document = smaller;
  }
}

function simpler(document: CalculationRequest): CalculationRequest[] {
  const { lines, discounts, charges } = document;
  const drafts: CalculationRequest[] = [];
  for (let size = lines.length >> 1; size >= 1; size >>= 1) {
    for (let start = 0; start < lines.length; start += size) {
      drafts.push({ ...document, lines: lines.toSpliced(start, size) });
    }
  }
  drafts.push(
    ...without(discounts).map((discounts) => ({ ...document, discounts })),
    ...without(charges).map((charges) => ({ ...document, charges })),
  );
  if (document.cashRounding !== null) drafts.push({ ...document, cashRounding: null });
  if (document.roundingMinor) drafts.push({ ...document, roundingMinor: undefined });
  const { details: _, ...untold } = document;
  if (document.details) drafts.push(untold);
  if (document.pricesIncludeTax) drafts.push({ ...document, pricesIncludeTax: false });
  lines.slice(0, 30).forEach((line, index) => {
    const plainer: LineRequest[] = [
      ...without(line.discounts).map((discounts) => ({ ...line, discounts })),
      ...without(line.charges).map((charges) => ({ ...line, charges })),
    ];
    if (line.quantity !== '1') plainer.push({ ...line, quantity: '1' });
    drafts.push(...plainer.map((line) => ({ ...document, lines: lines.with(index, line) })));
  });
  return drafts.filter((draft) => draft.lines.length > 0);
}

/** Every list that lacks one of these. */
function without(list: AdjustmentRequest[] = []): AdjustmentRequest[][] {
  return list.map((_, index) => list.toSpliced(index, 1));
}

function traitsOf(document: CalculationRequest, { expected, refusals, trials }: Verdict): string[] {
  const { lines, discounts, charges, cashRounding } = document;
  if (!expected) return ['refused', ...[...refusals].map((code) => `refused: ${code}`)];
  const owners = lines.flatMap((line) => [...(line.discounts ?? []), ...(line.charges ?? [])]);
  const own = charges.filter((charge) => charge.taxRate ?? charge.taxCategory);
  const populated = new Set(expected.lines.map(({ category, rate }) => `${category} ${rate}`));
  const traits: [string, boolean | number][] = [
    [document.pricesIncludeTax ? 'tax-inclusive prices' : 'net prices', true],
    [`in ${document.currency}`, true],
    [`lines: ${sizeOf(lines.length)}`, true],
    [`tax groups: ${expected.taxGroups.length > 4 ? 'more' : expected.taxGroups.length}`, true],
    ['tax group without lines', expected.taxGroups.length > populated.size],
    ['line discount or charge', owners.length],
    ['several on one line', lines.some((line) => (line.discounts?.length ?? 0) > 1)],
    ['document discount', discounts.length],
    ['several document discounts', discounts.length > 1],
    ['discount with a tax of its own', discounts.some((one) => one.taxRate ?? one.taxCategory)],
    ['discount on charges', expected.discounts.some(isOnCharges(populated))],
    ['amount of elsewhere', lines.some((line) => line.details?.issued_net_amount_decimal)],
    ['tax of elsewhere', document.details?.issued_taxes?.length ?? 0],
    ['amount of another sign', expected.lines.some(isTurned)],
    ['price of several', lines.some((line) => line.details?.price_base_quantity)],
    ['document charge', charges.length],
    ['charge with a tax of its own', own.length],
    ['everything discounted', discounts.length && expected.subtotal === expected.discountTotal],
    ['quantity 0', lines.some((line) => /^[0.]+$/.test(line.quantity))],
    ['tax group below zero', expected.taxGroups.some(({ base }) => base < 0n)],
    ['line below zero', lines.some((line) => line.quantity.startsWith('-'))],
    ['discount of a line below zero', expected.lines.some(isDiscountedBack)],
    ['12-place price', lines.some((line) => (line.unitAmountDecimal ?? '').length > 13)],
    ['total 0', expected.total === 0n],
    ['total above 10^12', expected.total > 10n ** 12n],
    ['cash rounding', cashRounding !== null],
    ['rounding given', document.roundingMinor !== undefined],
    ['cash rounding down', expected.rounding < 0n],
    ['cash rounding up', expected.rounding > 0n],
    ['exact half rounded', trials.halves],
    ['equal claims on a last unit', trials.ties],
    ['nothing to weigh by', trials.weightless],
  ];
  return traits.filter(([, present]) => present).map(([trait]) => trait);
}

/** On charges alone, whose tax no line has. */
const isOnCharges =
  (populated: ReadonlySet<string>) =>
  ({ ownTax, amount }: Expected['discounts'][number]) =>
    ownTax !== null && amount > 0n && !populated.has(`${ownTax.category} ${ownTax.rate}`);

const isTurned = ({ quantity, amount }: Expected['lines'][number]) =>
  amount !== 0n && /^-.*[1-9]/.test(quantity) !== amount < 0n;

const isDiscountedBack = ({ amount, discounts }: Expected['lines'][number]) =>
  amount < 0n && discounts.some((discount) => discount.amount < 0n);

function sizeOf(count: number): string {
  if (count <= 1) return '1';
  if (count <= 5) return '2 to 5';
  return count <= 30 ? '6 to 30' : '31 to 1000';
}
