import { describe, expect, it } from 'vitest';
import { findingsIn } from './regular-expressions.js';

// The findings of `npm run lint` about regular expressions, tried on some that this service once
// had.

const why = (source: string) => findingsIn('a.ts', source).map((finding) => finding.why);
const SLOW = 'may take more than linear time';

describe('a regular expression', () => {
  it.each([
    ['of a signed amount', String.raw`/^([+-]?)\s*(.*?)\s*([+-]?)$/.exec(text)`],
    ['of a currency at the end', String.raw`text.replace(/\s*[A-Z]{3}$/, '')`],
    ['of a header with a currency', String.raw`/^(.*?)[\s([]+([A-Z]{3})[)\]]?\s*$/.exec(text)`],
    ['of an e-mail address', String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)`],
    ['of zeros at the end', `text.replace(/0+$/, '')`],
    ['in a text', String.raw`new RegExp('\\s*EUR$')`],
    ['in a named text', String.raw`const END = '\\s*EUR$'; RegExp(END, 'u')`],
    ['that a string makes', String.raw`text.match('\\s*EUR$')`],
    ['of a schema', String.raw`z.string().regex(/^(\d+\s*)+x$/)`],
    ['of a decorator', String.raw`class A { @Matches(/\s+$/) text = '' }`],
  ])('%s is found', (_, source) => {
    expect(why(source)).toHaveLength(1);
  });

  it('of exponential time is said to be so', () => {
    expect(why('/^(a+)+$/.test(text)')).toEqual(['may take exponential time']);
    expect(why('/0+$/.test(text)')).toEqual([SLOW]);
  });

  it('that is made of what nobody knows is refused', () => {
    expect(why('new RegExp(`${text}$`)')).toEqual(['is made at run time']);
  });

  it.each([
    ['of an amount', String.raw`/^(\d{1,20})(?:\.(\d{1,10}))?$/`],
    ['of an e-mail address now', String.raw`/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/`],
    ['of words', String.raw`/[\p{L}\p{N}]+/gu`],
    ['as an object', `text.match(TAG)`],
  ])('%s passes', (_, source) => {
    expect(why(source)).toEqual([]);
  });
});
