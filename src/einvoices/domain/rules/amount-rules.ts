import { minorDigits } from '../../../kernel/currency.js';
import { Decimal, magnitudeOf } from '../../../kernel/decimal.js';
import type { Money } from '../../../kernel/money.js';
import type { Profile } from '../profile.js';
import type { SemanticInvoice, VatBreakdown } from '../semantic/semantic-invoice.js';
import { type EInvoiceRule, each, fatal, when } from './rule.js';

type Told = [pointer: string, amount: Money];

const AMOUNTS: [id: string, amountsOf: (invoice: SemanticInvoice) => Told[]][] = [
  ['BR-DEC-01', ({ allowances }) => allowances.map(({ amount }): Told => ['/discounts', amount])],
  ['BR-DEC-02', ({ allowances }) => basesOf(allowances, '/discounts')],
  ['BR-DEC-05', ({ charges }) => charges.map(({ amount }): Told => ['/charges', amount])],
  ['BR-DEC-06', ({ charges }) => basesOf(charges, '/charges')],
  ['BR-DEC-09', ({ totals }) => [['/subtotal', totals.lines]]],
  ['BR-DEC-10', (of) => (of.allowances.length > 0 ? [['/discounts', of.totals.allowances]] : [])],
  ['BR-DEC-11', (of) => (of.charges.length > 0 ? [['/charges', of.totals.charges]] : [])],
  ['BR-DEC-12', ({ totals }) => [['/net_total', totals.withoutVat]]],
  ['BR-DEC-13', ({ totals }) => [['/tax_total', totals.vat]]],
  ['BR-DEC-14', ({ totals }) => [['/total', totals.withVat]]],
  ['BR-DEC-16', ({ totals }) => [['/total', totals.paid]]],
  ['BR-DEC-17', ({ totals }) => [['/rounding_amount', totals.rounding]]],
  ['BR-DEC-18', ({ totals }) => [['/total', totals.due]]],
  ['BR-DEC-19', ({ vatBreakdown }) => vatBreakdown.map(({ base }): Told => ['/tax_groups', base])],
  ['BR-DEC-20', ({ vatBreakdown }) => vatBreakdown.map(({ vat }): Told => ['/tax_groups', vat])],
  ['BR-DEC-23', ({ lines }) => lines.map(({ net }, at): Told => [`/lines/${at}`, net])],
  ['BR-DEC-24', (of) => ofLines(of, 'allowances', ({ amount }) => amount)],
  ['BR-DEC-25', (of) => ofLines(of, 'allowances', ({ baseAmount }) => baseAmount)],
  ['BR-DEC-27', (of) => ofLines(of, 'charges', ({ amount }) => amount)],
  ['BR-DEC-28', (of) => ofLines(of, 'charges', ({ baseAmount }) => baseAmount)],
];

type LineAdjustment = SemanticInvoice['lines'][number]['allowances'][number];

function basesOf(adjustments: readonly LineAdjustment[], pointer: string): Told[] {
  return adjustments.flatMap(({ baseAmount }): Told[] =>
    baseAmount === null ? [] : [[pointer, baseAmount]],
  );
}

function ofLines(
  { lines }: SemanticInvoice,
  list: 'allowances' | 'charges',
  amountOf: (one: LineAdjustment) => Money | null,
): Told[] {
  return lines.flatMap((line, at) =>
    line[list].flatMap((one): Told[] => {
      const amount = amountOf(one);
      return amount === null ? [] : [[`/lines/${at}`, amount]];
    }),
  );
}

const hasThreeDecimals = ({ minor, currency }: Money) =>
  minorDigits(currency) > 2 && minor % 10n !== 0n;

/** The published checks let a difference below one pass, and those for CII one of one, too. */
function isOff({ base, vat, tax }: VatBreakdown, isStrict: boolean): boolean {
  const digits = minorDigits(vat.currency);
  const said = Decimal.of(magnitudeOf(vat.minor), digits);
  const exact = Decimal.of(magnitudeOf(base.minor), digits).times(
    Decimal.parse(tax.rate).percent(),
  );
  const due = exact.dividedHalfUp(ONE, 2);
  const above = said.compare(due.plus(ONE));
  const below = due.compare(said.plus(ONE));
  return isStrict ? above >= 0 || below >= 0 : above > 0 || below > 0;
}

/** A rate that rounds to zero counts as none at all. */
function isOffRoundedRate(one: VatBreakdown, isStrict: boolean): boolean {
  if (Decimal.parse(one.tax.rate).roundHalfUp() !== 0n) return isOff(one, isStrict);
  const { vat } = one;
  return Decimal.of(vat.minor, minorDigits(vat.currency)).roundHalfUp() !== 0n;
}

/** In the rules for CII, another rule takes the place of this one for L and M; not in Factur-X. */
const isAsked = ({ tax }: VatBreakdown, { id, syntax }: Profile) =>
  syntax === 'ubl' || id === 'factur-x' || !['L', 'M'].includes(tax.category);

const ONE = Decimal.of(1n);

const OFF = 'the tax is about one unit off its rate; bill it apart.';

/** The same once more for single categories; CII asks only of S. */
const OF_CATEGORIES = [
  ['BR-S-09', 'S'],
  ['BR-AF-09', 'L'],
  ['BR-AG-09', 'M'],
] as const;

export const AMOUNT_RULES: readonly EInvoiceRule[] = [
  ...AMOUNTS.map(([id, amountsOf]) =>
    fatal(id, 'an e-invoice takes two decimals; bill amounts whose third one is 0.', (invoice) =>
      amountsOf(invoice).flatMap(([pointer, amount]) => when(hasThreeDecimals(amount), pointer)),
    ),
  ),
  fatal('BR-CO-17', OFF, ({ vatBreakdown }, profile) =>
    each(
      vatBreakdown,
      (at) => `/tax_groups/${at}`,
      (one) => isAsked(one, profile) && isOffRoundedRate(one, profile.syntax === 'ubl'),
    ),
  ),
  ...OF_CATEGORIES.map(([id, category]) =>
    fatal(id, OFF, ({ vatBreakdown }, { syntax }) =>
      each(
        vatBreakdown,
        (at) => `/tax_groups/${at}`,
        (one) =>
          one.tax.category === category &&
          (syntax === 'ubl' || category === 'S') &&
          isOff(one, true),
      ),
    ),
  ),
];
