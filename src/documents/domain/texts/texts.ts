type English = typeof import('./en.json', { with: { type: 'json' } });

/** The name of a unit after a number: for each kind of number that a language tells apart, or for all. */
type UnitName<Plural extends Intl.LDMLPluralRule> = string | Readonly<Record<Plural, string>>;

/**
 * A language as its file has it: `paidOn(date)` is the key of a sentence with `{date}`.
 *
 * @typeParam Plural the kinds of numbers that the language tells apart, as CLDR has them
 */
export type Words<Plural extends Intl.LDMLPluralRule> = Omit<English, 'units'> & {
  units: Readonly<Record<keyof English['units'], UnitName<Plural>>>;
};

/** Everything that is said on paper, by mail and on the portal page, in one language. Only units are counted. */
export type Texts = Spoken<Omit<English, 'units'>> & {
  units: Readonly<Record<string, string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>>>;
};

type Spoken<Part> = {
  [Key in keyof Part as NameOf<Key>]: Key extends `${string}(${infer Names})`
    ? (...values: ValuesOf<Names>) => string
    : Part[Key] extends string
      ? string
      : Spoken<Part[Key]>;
};

type NameOf<Key> = Key extends `${infer Name}(${string}` ? Name : Key;

type ValuesOf<Names> = Names extends `${string}, ${infer Others}`
  ? [string, ...ValuesOf<Others>]
  : [string];

type Said = string | { readonly [key: string]: Said };

export function spoken(words: object): Texts {
  return partOf(words as Record<string, Said>) as Texts;
}

function partOf(words: { readonly [key: string]: Said }): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(words).map(([key, said]) => {
      if (typeof said !== 'string') return [key, partOf(said)];
      const [, name, names] = /^(\w+)\((.+)\)$/.exec(key) ?? [];
      return names === undefined ? [key, said] : [name, sentence(said, names.split(', '))];
    }),
  );
}

function sentence(said: string, names: readonly string[]) {
  return (...values: readonly string[]) =>
    said.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${values[names.indexOf(name)]}`);
}

// UNTDID 4461. Others are printed as their codes.
const PAYMENT_MEANS = new Map<string, keyof Texts['details']['means']>([
  ['10', 'cash'],
  ['20', 'check'],
  ['30', 'transfer'],
  ['42', 'transfer'],
  ['58', 'transfer'],
  ['48', 'card'],
  ['54', 'card'],
  ['55', 'card'],
  ['49', 'direct_debit'],
  ['59', 'direct_debit'],
  ['68', 'online'],
]);

type PaymentMeans = keyof Texts['details']['means'];

/** @param code UNTDID 4461; undefined for one that has no name here */
export function paymentMeansOf(code: string): PaymentMeans | undefined {
  return PAYMENT_MEANS.get(code);
}

export function paymentMeansName(code: string, { means }: Texts['details']): string {
  const known = paymentMeansOf(code);
  return known ? means[known] : code;
}
