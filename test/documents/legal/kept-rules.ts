import { readFileSync } from 'node:fs';

/**
 * `refused` by the API, `calculated` and seen by the invariants of every calculation, `said` by
 * every issued document; null where nothing cheap shows it. Else the fields that the API must lack.
 */
export type Proof = 'refused' | 'calculated' | 'said' | RegExp | null;

interface KeptRules {
  ids: readonly string[];
  because: string;
  proof: Proof;
}

const CATEGORIES = ['S', 'Z', 'E', 'AE', 'IC', 'G', 'AF', 'AG', 'O'];
const WITHOUT_TAX = ['Z', 'E', 'AE', 'IC', 'G', 'O'];
const WITH_TAX = ['S', 'AF', 'AG'];

const each = (categories: readonly string[], ...numbers: string[]) =>
  categories.flatMap((category) => numbers.map((number) => `BR-${category}-${number}`));
const listed = (ids: string) => ids.split(' ');

/** Rules of EN 16931 that no document of ours can break. docs/en16931.md has the same table. */
export const KEPT_RULES: readonly KeptRules[] = [
  {
    ids: listed('BR-CO-10 BR-CO-11 BR-CO-12 BR-CO-13 BR-CO-14 BR-CO-15 BR-CO-16 BR-CO-18'),
    because: 'Sums and tax groups are calculated; nobody can send one.',
    proof: 'calculated',
  },
  {
    ids: ['BR-CO-17', ...each(WITH_TAX, '09')],
    because:
      'Tax is base times rate, rounded. Where prices include tax it may be one unit off, as the published checks allow.',
    proof: 'calculated',
  },
  {
    ids: each(CATEGORIES, '01', '08'),
    because: 'Lines, discounts and charges are gathered by category and rate, and make the base.',
    proof: 'calculated',
  },
  {
    ids: each(CATEGORIES, '06'),
    because: 'A discount has no tax of its own; it is spread over the lines and takes their rates.',
    proof: 'calculated',
  },
  {
    ids: each(WITHOUT_TAX, '09'),
    because: 'These categories have the rate 0.',
    proof: 'calculated',
  },
  {
    ids: each(['E', 'AE', 'IC', 'G', 'O'], '10'),
    because: 'A group says the reason of its lines, else that of its category, with its code.',
    proof: 'calculated',
  },
  {
    ids: each(WITHOUT_TAX, '05', '07'),
    because: 'A rate above 0 is refused; for category O, 0 stands for no rate.',
    proof: 'refused',
  },
  {
    ids: each(WITH_TAX, '05', '07'),
    because: 'Category S without a rate is refused, and so is any rate below 0.',
    proof: 'refused',
  },
  {
    ids: each(['S', 'Z', 'AF', 'AG'], '10'),
    because: 'An exemption of a category that is taxed is refused.',
    proof: 'refused',
  },
  {
    ids: listed('BR-B-01 BR-B-02'),
    because: 'Split payment (B) is no category of ours.',
    proof: 'refused',
  },
  {
    ids: listed('BR-06 BR-16 BR-18 BR-25 BR-54 BR-62 BR-63 BR-64 BR-65'),
    because: 'The field is required where what it belongs to is sent.',
    proof: 'refused',
  },
  {
    ids: listed('BR-27 BR-28'),
    because: 'A price or a list price below 0 is refused.',
    proof: 'refused',
  },
  {
    ids: listed('BR-29 BR-30'),
    because: 'A period that ends before it starts is refused.',
    proof: 'refused',
  },
  {
    ids: listed('BR-CO-19 BR-CO-20'),
    because: 'A period without both of its days is refused.',
    proof: 'refused',
  },
  {
    ids: ['BR-51'],
    because: 'More than the last six digits of a payment card are refused.',
    proof: 'refused',
  },
  {
    ids: listed('BR-66 BR-67'),
    because: 'There is one payment card, and one mandate: a list of them is refused.',
    proof: 'refused',
  },
  {
    ids: ['BR-CO-03'],
    because: 'A day of the tax point beside a code of it is refused.',
    proof: 'refused',
  },
  { ids: ['BR-50'], because: 'A bank account without an IBAN is refused.', proof: 'refused' },
  {
    ids: listed(
      'BR-CL-01 BR-CL-03 BR-CL-04 BR-CL-05 BR-CL-06 BR-CL-07 BR-CL-08 BR-CL-10 BR-CL-11 BR-CL-13 ' +
        'BR-CL-14 BR-CL-15 BR-CL-16 BR-CL-17 BR-CL-18 BR-CL-19 BR-CL-20 BR-CL-21 BR-CL-22 ' +
        'BR-CL-23 BR-CL-25 BR-CL-26',
    ),
    because: 'Codes that are not on the list are refused.',
    proof: 'refused',
  },
  {
    ids: listed('BR-02 BR-03 BR-04 BR-05 BR-CO-25'),
    because: 'Issuing gives number, date and due date; kind and currency are there before.',
    proof: 'said',
  },
  {
    ids: listed('BR-12 BR-13 BR-14 BR-15 BR-45 BR-46 BR-47 BR-48'),
    because: 'Each document has its figures, also where they are 0.',
    proof: 'said',
  },
  {
    ids: listed('BR-21 BR-22 BR-23 BR-24 BR-26 BR-CO-04'),
    because:
      'A line has its position, and defaults: the quantity 1, the unit C62, and a category by its rate.',
    proof: 'said',
  },
  {
    ids: listed('BR-31 BR-32 BR-36 BR-37 BR-41 BR-43'),
    because: 'A discount or charge has its amount, and takes its category from lines or its own.',
    proof: 'said',
  },
  {
    ids: ['BR-55'],
    because: 'The invoice of a credit note is issued, so it has a number.',
    proof: 'said',
  },
  {
    ids: ['BR-DEC-16'],
    because: 'Nothing is paid yet of what is judged when it is issued.',
    proof: 'said',
  },
  {
    ids: listed('BR-52 BR-CL-24'),
    because: 'An attachment has a name, which is its reference, too, and a type of the list.',
    proof: 'said',
  },
  {
    ids: listed('BR-DEC-02 BR-DEC-06 BR-DEC-25 BR-DEC-28'),
    because: 'Discounts and charges have no base amount.',
    proof: /base_amount/,
  },
  {
    ids: ['BR-53'],
    because: 'The tax in the second currency is calculated at its rate, which issuing freezes.',
    proof: 'said',
  },
  {
    ids: listed('BR-CO-05 BR-CO-06 BR-CO-07 BR-CO-08'),
    because: 'Whether a reason and its code mean the same, only its writer knows.',
    proof: null,
  },
  {
    ids: ['BR-01'],
    because: 'It names the form of an XML file; whatever writes one knows it.',
    proof: null,
  },
  {
    ids: ['BR-49'],
    because: 'The code of the means is what makes a payment instruction of ours.',
    proof: null,
  },
];

export const keptBy = (proof: Proof): string[] =>
  KEPT_RULES.filter((rules) => rules.proof === proof).flatMap(({ ids }) => ids);

/** All ids of the published list, in its order. */
export const OFFICIAL_RULES = [
  ...readFileSync(new URL('en16931-rules.txt', import.meta.url), 'utf8').matchAll(
    /^(BR-\S+) (\S.*)$/gm,
  ),
].map(([, id = '', meaning = '']) => ({ id, meaning }));
