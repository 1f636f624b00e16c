import { minorDigits } from '../../../kernel/currency.js';
import type { Money } from '../../../kernel/money.js';
import type { InvoiceRule, JudgedDocument } from './invoice-rule.js';
import { DocumentRefusal } from '../refusals.js';
import { taxIn } from '../tax-currency.js';

type Told = [pointer: string, amount: Money];

const hasThreeDecimals = ({ minor, currency }: Money) =>
  minorDigits(currency) > 2 && minor % 10n !== 0n;

/** Each tax group bears a share of an adjustment, which is an amount of its own there. */
const sharesOf = (list: JudgedDocument['discounts'], at: string): Told[] =>
  list.flatMap(({ shares }, index) =>
    shares.map(({ net }, share): Told => [`${at}/${index}/shares/${share}/net_amount`, net]),
  );

const ofLines = ({ lines }: JudgedDocument, list: 'discounts' | 'charges'): Told[] =>
  lines.flatMap((line, index) =>
    line[list].map(({ amount }, at): Told => [`/lines/${index}/${list}/${at}/amount`, amount]),
  );

const AMOUNTS: [id: string, amountsOf: (document: JudgedDocument) => Told[]][] = [
  ['BR-DEC-01', ({ discounts }) => sharesOf(discounts, '/discounts')],
  ['BR-DEC-05', ({ charges }) => sharesOf(charges, '/charges')],
  ['BR-DEC-09', ({ subtotal }) => [['/subtotal', subtotal]]],
  ['BR-DEC-10', ({ discountTotal }) => [['/discount_total', discountTotal]]],
  ['BR-DEC-11', ({ chargeTotal }) => [['/charge_total', chargeTotal]]],
  ['BR-DEC-12', ({ netTotal }) => [['/net_total', netTotal]]],
  ['BR-DEC-13', ({ taxTotal }) => [['/tax_total', taxTotal]]],
  // The total with tax is not rounded to a coin (BT-112); the amount to pay is (BT-115).
  ['BR-DEC-14', ({ netTotal, taxTotal }) => [['/total', netTotal.plus(taxTotal)]]],
  [
    'BR-DEC-15',
    ({ details, taxTotal }) => {
      const other = taxIn(details.tax_currency, taxTotal);
      return other ? [['/tax_total_in_tax_currency', other]] : [];
    },
  ],
  ['BR-DEC-17', ({ rounding }) => [['/rounding_amount', rounding]]],
  ['BR-DEC-18', ({ total }) => [['/total', total]]],
  [
    'BR-DEC-19',
    ({ taxGroups }) =>
      taxGroups.map(({ base }, index): Told => [`/tax_groups/${index}/taxable_amount`, base]),
  ],
  [
    'BR-DEC-20',
    ({ taxGroups }) =>
      taxGroups.map(({ tax }, index): Told => [`/tax_groups/${index}/tax_amount`, tax]),
  ],
  [
    'BR-DEC-23',
    ({ lines }) => lines.map(({ net }, index): Told => [`/lines/${index}/net_amount`, net]),
  ],
  ['BR-DEC-24', (document) => ofLines(document, 'discounts')],
  ['BR-DEC-27', (document) => ofLines(document, 'charges')],
];

/** EN 16931 knows two decimals, also where a currency such as the dinar has three. */
export const DECIMAL_RULES: readonly InvoiceRule[] = AMOUNTS.map(
  ([id, amountsOf]): InvoiceRule => ({
    id,
    law: null,
    refusal: DocumentRefusal.amount_too_exact,
    message: 'an e-invoice takes two decimals; bill amounts whose third one is 0.',
    broken: (document) =>
      amountsOf(document).flatMap(([pointer, amount]) =>
        hasThreeDecimals(amount) ? [pointer] : [],
      ),
  }),
);
