import type { Currency } from '../../../kernel/currency.js';
import { EU_COUNTRIES } from '../../../kernel/eu-countries.js';
import type { TaxLine } from '../tax-report.js';

/** Seen from the country of the return; a buyer without a country is at home. */
type BuyerPlace = 'home' | 'eu' | 'third';

/** Why a sale stands in no box. */
export const OUTSIDE_REASONS = ['oss', 'not_asked', 'no_box', 'no_rate'] as const;
export type OutsideReason = (typeof OUTSIDE_REASONS)[number];

interface VatBox {
  /** As the form calls it. */
  box: string;
  /** The box of the tax, where it has one of its own. */
  taxBox?: string;
  /** In the words of the form. */
  label: string;
  /** Whether tax belongs to it, in the box itself or beside: not to a total of other boxes. */
  hasTax: boolean;
}

/** A place for some sales. Without rates or buyers it is for all of them (decision 213). */
interface VatRule {
  categories: readonly string[];
  /** Percent. */
  rates?: readonly string[];
  buyers?: readonly BuyerPlace[];
  /** Totals first, and the box of the sale itself last. */
  boxes?: readonly string[];
  /** Their tax is not declared by this return. */
  outside?: OutsideReason;
}

/** The part of a country's return that is about sales, as data. */
export interface VatReturnForm {
  country: string;
  currency: Currency;
  name: string;
  /** The authority, and the edition that its boxes were taken from. */
  source: string;
  /** How the form wants its figures: whole units cut off, or rounded half up, or all digits. */
  digits: { base: FigureDigits; tax: FigureDigits };
  /** In the order of the form. */
  boxes: readonly VatBox[];
  /** The first that fits counts. A sale that none fits is `no_box`. */
  rules: readonly VatRule[];
}

type FigureDigits = 'all' | 'cut' | 'rounded';

interface VatSums {
  base: bigint;
  tax: bigint;
}

export interface FilledBox extends VatBox {
  /** Exact. */
  sums: VatSums;
  /** As the form wants them. */
  declared: VatSums;
}

export interface OutsideLine extends TaxLine {
  reason: OutsideReason;
}

export interface VatReturn {
  boxes: FilledBox[];
  outside: OutsideLine[];
}

/** A line in the currency of the form, or one for which no rate is known. */
export interface WorthLine {
  line: TaxLine;
  worth: VatSums | null;
}

/** Each line goes to the boxes of one rule, or outside: none is lost. */
export function fillVatReturn(form: VatReturnForm, lines: readonly WorthLine[]): VatReturn {
  const sums = new Map<string, VatSums>();
  const outside: OutsideLine[] = [];
  for (const { line, worth } of lines) {
    const { boxes = [], outside: reason } = worth ? ruleFor(form, line) : NO_RATE;
    const { base, tax } = worth ?? line;
    // The box of the sale itself stands behind those of totals; what is outside has its tax there.
    const own = reason ? undefined : boxes.at(-1);
    for (const box of boxes) {
      const known = sums.get(box) ?? { base: 0n, tax: 0n };
      sums.set(box, { base: known.base + base, tax: known.tax + (box === own ? tax : 0n) });
    }
    if (reason) outside.push({ ...line, reason });
  }
  return { boxes: form.boxes.map((box) => filled(form, box, sums.get(box.box))), outside };
}

type Place = Pick<VatRule, 'boxes' | 'outside'>;
const NO_RATE: Place = { outside: 'no_rate' };
const NO_BOX: Place = { outside: 'no_box' };

function ruleFor(form: VatReturnForm, { category, rate, country }: TaxLine): Place {
  const buyer = placeOf(country, form.country);
  return (
    form.rules.find(
      ({ categories, rates, buyers }) =>
        categories.includes(category) &&
        (rates?.includes(rate) ?? true) &&
        (buyers?.includes(buyer) ?? true),
    ) ?? NO_BOX
  );
}

function placeOf(country: string | null, home: string): BuyerPlace {
  if (country === null || country === home) return 'home';
  return EU_COUNTRIES.includes(country) ? 'eu' : 'third';
}

function filled(
  form: VatReturnForm,
  box: VatBox,
  sums: VatSums = { base: 0n, tax: 0n },
): FilledBox {
  const { base, tax } = form.digits;
  const declared = { base: inDigits(sums.base, base), tax: inDigits(sums.tax, tax) };
  // A cent of rounding is told also where the form has no place for it.
  return { ...box, hasTax: box.hasTax || sums.tax !== 0n, sums, declared };
}

const UNIT = 100n;

/** @param minor hundredths: the forms are in euros */
function inDigits(minor: bigint, digits: FigureDigits): bigint {
  if (digits === 'all') return minor;
  const half = minor < 0n ? -UNIT / 2n : UNIT / 2n;
  return ((digits === 'cut' ? minor : minor + half) / UNIT) * UNIT;
}
