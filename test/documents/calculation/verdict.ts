import { sum } from './ratio.js';

// The words in which an oracle and the calculation are compared.

/** The tax of one line or charge: `rate` in plain notation, `19.50` as `19.5`. */
export interface Tax {
  category: string;
  rate: string;
}

export interface ExpectedShare extends Tax {
  amount: bigint;
  net: bigint;
}

interface ExpectedAdjustment {
  percent: string | null;
  reason: string | null;
  amount: bigint;
}

export interface ExpectedSpread extends ExpectedAdjustment {
  /** Of one that has it. */
  ownTax: Tax | null;
  /** Only of groups that get something. */
  shares: ExpectedShare[];
}

export interface ExpectedLine extends Tax {
  position: number;
  quantity: string;
  unitAmount: string;
  subtotal: bigint;
  discounts: ExpectedAdjustment[];
  charges: ExpectedAdjustment[];
  amount: bigint;
  net: bigint;
  /** Of the document's discounts and charges. */
  discountShare: bigint;
  chargeShare: bigint;
  gross: bigint;
}

export interface Expected {
  lines: ExpectedLine[];
  discounts: ExpectedSpread[];
  charges: ExpectedSpread[];
  taxGroups: (Tax & { base: bigint; tax: bigint })[];
  subtotal: bigint;
  discountTotal: bigint;
  chargeTotal: bigint;
  netTotal: bigint;
  taxTotal: bigint;
  rounding: bigint;
  total: bigint;
}

/** The parts that a document put to the test, for the account of what was covered. */
export interface Trials {
  /** Exact halves that were rounded. */
  halves: number;
  /** Leftover units that went to the earlier of two equal claims. */
  ties: number;
  /** Amounts to spread where nothing had a weight. */
  weightless: number;
}

export interface Verdict {
  /** Undefined for a document that is refused. */
  expected: Expected | undefined;
  /** Every code that may be given as the reason. */
  refusals: Set<string>;
  trials: Trials;
}

export const keyOf = ({ category, rate }: Tax) => `${category} ${rate}`;

export function netOf(list: ExpectedSpread[]): bigint {
  return sum(list.flatMap((adjustment) => adjustment.shares.map((share) => share.net)));
}

export const hasOwnTax = (one: { taxRate?: string; taxCategory?: string }) =>
  one.taxRate !== undefined || one.taxCategory !== undefined;
