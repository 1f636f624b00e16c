import { describe, expect, it } from 'vitest';
import { LANGUAGES, WORDS } from '../../src/documents/domain/texts/languages.js';

type Words = Record<string, unknown>;

/** Each text of a language by its key: `pay.amount(amount)`. */
function textsIn(words: unknown, above = ''): [key: string, text: string][] {
  return Object.entries(words as Words).flatMap(([name, said]) =>
    typeof said === 'string' ? [[above + name, said]] : textsIn(said, `${above}${name}.`),
  );
}

function difference(words: Words, english: Words = WORDS['en'] as Words) {
  const keysOf = (all: Words) => textsIn(all).map(([key]) => key);
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
