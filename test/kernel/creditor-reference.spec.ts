import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  creditorReference,
  creditorReferenceOfId,
  groupedByFour,
  parseCreditorReference,
} from '../../src/kernel/creditor-reference.js';

describe('a creditor reference', () => {
  it.each([
    // Published examples, with the check digits that their authors give.
    ['539007547034', 'RF18539007547034'],
    ['2348231', 'RF712348231'],
    ['G72UUR', 'RF45G72UUR'],
    ['000000000G72UUR', 'RF45000000000G72UUR'],
  ])('says %s', (body, reference) => {
    expect(creditorReference(body)).toBe(reference);
    expect(parseCreditorReference(reference)).toBe(reference);
  });

  it.each([
    ['INV-2026/00012', 'INV202600012'],
    ['re 2026.7_b#1', 'RE20267B1'],
  ])('leaves out what stands between the parts of %s', (number, body) => {
    expect(creditorReference(number)?.slice(4)).toBe(body);
  });

  it.each(['', '---', 'RÉ-1', 'Straße', '1234567890123456789012', 'A+B', 'ı1'])(
    'cannot say %j',
    (number) => {
      expect(creditorReference(number)).toBeUndefined();
    },
  );

  it('has at most 25 characters', () => {
    expect(creditorReference('A'.repeat(21))).toHaveLength(25);
    expect(creditorReference('A'.repeat(22))).toBeUndefined();
  });

  it('is read as people write it', () => {
    expect(parseCreditorReference('rf18 5390 0754 7034')).toBe('RF18539007547034');
  });

  it.each([
    'RF19539007547034',
    'RF18539007547043',
    'RF18',
    'XX18539007547034',
    'RF1853900754703é',
    // Both leave the remainder 1, but their digits are not from 02 to 98.
    ...['00', '01', '99'].map((digits) => `RF${digits}539007547034`),
  ])('is not %s', (text) => {
    expect(parseCreditorReference(text)).toBeUndefined();
  });

  it.each(['[0-9]', '[A-Z]'])(
    'is told by its digits from every one with another or two swapped characters of %s',
    (kind) => {
      const bodies = fc.stringMatching(new RegExp(`^${kind}{2,21}$`));
      const characters = fc.stringMatching(new RegExp(`^${kind}$`));
      fc.assert(
        fc.property(bodies, fc.nat(), characters, (body, place, character) => {
          const reference = creditorReference(body) ?? '';
          const at = 4 + (place % body.length);
          const other = reference.slice(0, at) + character + reference.slice(at + 1);
          expect(parseCreditorReference(other)).toBe(other === reference ? other : undefined);
          const [one = '', two = ''] = body;
          const swapped = reference.slice(0, 4) + two + one + body.slice(2);
          expect(parseCreditorReference(swapped)).toBe(one === two ? swapped : undefined);
        }),
      );
    },
  );

  it('is made of an id where no number makes one', () => {
    const reference = creditorReferenceOfId('019aa000-0000-7000-8fff-ffffffffffff');
    expect(reference).toHaveLength(16);
    expect(parseCreditorReference(reference)).toBe(reference);
    expect(creditorReferenceOfId('019aa000-0000-7000-8000-000000000001').slice(4)).toBe(
      '000000000001',
    );
  });

  it('is shown in groups of four', () => {
    expect(groupedByFour('RF18539007547034')).toBe('RF18 5390 0754 7034');
    expect(groupedByFour('RF712348231')).toBe('RF71 2348 231');
  });
});
