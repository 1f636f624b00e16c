import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lengthOf } from '../../../src/platform/http/validation/text-length.js';

describe('the length of a text', () => {
  it.each([
    ['', 0],
    ['Zürich', 6],
    ['😀', 1],
    ['a😀b😀', 4],
    // A family of three, with the joiners between them.
    ['👨‍👩‍👧', 5],
  ])('of %s is %i characters', (text, length) => {
    expect(lengthOf(text)).toBe(length);
  });

  it('is that of its code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(lengthOf(text)).toBe([...text].length);
      }),
    );
  });
});
