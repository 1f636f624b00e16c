import { describe, expect, it } from 'vitest';
import { isUnitCode } from '../../src/documents/domain/codes/code-lists.js';
import { LANGUAGES, WORDS } from '../../src/documents/domain/texts/languages.js';

type Words = Record<string, unknown>;

/** Each text of a language by its key: `pay.amount(amount)`. */
function textsIn(words: unknown, above = ''): [key: string, text: string][] {
  return Object.entries(words as Words).flatMap(([name, said]) =>
    typeof said === 'string' ? [[above + name, said]] : textsIn(said, `${above}${name}.`),
  );
}

/** Units are counted: they have forms of their own in each language. */
const NOT_A_UNIT = ([key]: readonly string[]) => !key?.startsWith('units.');

function difference(words: Words, english: Words = WORDS['en'] as Words) {
  const keysOf = (all: Words) =>
    textsIn(all)
      .filter(NOT_A_UNIT)
      .map(([key]) => key);
  const [own, keys] = [keysOf(words), keysOf(english)];
  return {
    missing: keys.filter((key) => !own.includes(key)),
    unknown: own.filter((key) => !keys.includes(key)),
  };
}

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** A sentence has to name what its key names, once each, and has no other brace. */
function mistakesIn(words: unknown): string[] {
  return textsIn(words).flatMap(([key, text]) => {
    const [, names] = /\((.+)\)$/.exec(key) ?? [];
    const expected = names?.split(', ') ?? [];
    const isRight = `${namesIn(text).toSorted()}` === `${expected.toSorted()}`;
    const isClean = !/[{}]/.test(text.replaceAll(/\{\w+\}/g, '')) && text.trim() === text;
    return isRight && isClean && text !== '' ? [] : `${key}: ${text}`;
  });
}

type Unit = string | Record<string, string>;

const unitsOf = (language: string) =>
  Object.entries((WORDS[language] as Words)['units'] as Record<string, Unit>);

/** A form for each kind of number that CLDR tells apart in a language, or one for all. */
function formsWrong(language: string, units: [code: string, unit: Unit][]): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return units.flatMap(([code, unit]) => {
    const forms = typeof unit === 'string' ? { other: unit } : unit;
    const isWhole =
      typeof unit === 'string' ||
      `${Object.keys(unit).toSorted()}` === `${pluralCategories.toSorted()}`;
    const isPlain = Object.values(forms).every((form) => !/[()/]/.test(form));
    return isWhole && isPlain ? [] : [`${code}: ${JSON.stringify(unit)}`];
  });
}

describe('units', () => {
  it.each(LANGUAGES)('are those of English, in each form that the language has: %s', (language) => {
    const units = unitsOf(language);
    expect(units.map(([code]) => code)).toEqual(unitsOf('en').map(([code]) => code));
    expect(units.filter(([code]) => !isUnitCode(code))).toEqual([]);
    expect(formsWrong(language, units)).toEqual([]);
  });

  it.each<[string, Unit]>([
    ['pl', { one: 'miesiąc', other: 'miesiąca' }],
    ['de', { one: 'Monat', few: 'Monate', other: 'Monate' }],
    ['de', 'Monat(e)'],
    ['it', 'mese/i'],
  ])('are refused in %s: %j', (language, unit) => {
    expect(formsWrong(language, [['MON', unit]])).toHaveLength(1);
  });
});

describe('the texts', () => {
  it.each(LANGUAGES)('are those of English, no less and no more: %s', (language) => {
    expect(difference(WORDS[language] as Words)).toEqual({ missing: [], unknown: [] });
    expect(textsIn(WORDS[language]).length).toBeGreaterThan(110);
  });

  it.each(LANGUAGES)('name what they are about: %s', (language) => {
    expect(mistakesIn(WORDS[language])).toEqual([]);
  });

  it('are listed where they lack', () => {
    const english = { a: 'A', pay: { 'amount(amount)': 'Pay {amount}' } };
    expect(difference({ b: 'B', pay: {} }, english)).toEqual({
      missing: ['a', 'pay.amount(amount)'],
      unknown: ['b'],
    });
  });

  it.each([
    { 'paidOn(date)': 'Paid' },
    { 'paidOn(date)': 'Paid on {day}' },
    { 'paidOn(date)': 'Paid on {date}{date}' },
    { 'paidOn(date)': 'Paid on {date' },
    { 'paid(amount, date)': '{amount}' },
    { paid: 'Paid on {date}' },
    { paid: '' },
    { paid: 'Paid ' },
  ])('are refused: %j', (words) => {
    expect(mistakesIn(words)).toHaveLength(1);
  });
});
