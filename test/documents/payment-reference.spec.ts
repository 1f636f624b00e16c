import { describe, expect, it } from 'vitest';
import {
  isPaymentReference,
  tidyPaymentReference,
  writtenReference,
} from '../../src/documents/domain/payment-reference.js';

describe('a payment reference of the caller’s own', () => {
  it.each([
    'Deb. 12345 / Fact. 9876543',
    'RF18539007547034',
    '+++090/9337/55493+++',
    '***090/9337/55493***',
    '+++000/0000/09797+++',
    '210000000003139471430009017',
    '2015 0483 0000 0000',
    'Miete Müller',
    'RF and more',
    'x'.repeat(140),
  ])('may be %s', (text) => expect(isPaymentReference(text)).toBe(true));

  it.each([
    '',
    '---',
    'RF19539007547034',
    'RF18 5390-',
    '+++090/9337/55494+++',
    '+++090/9337/55493***',
    '+++0909337/55493+++',
    '210000000003139471430009018',
    'x'.repeat(141),
  ])('is not %s', (text) => expect(isPaymentReference(text)).toBe(false));

  it.each([
    ['rf18 5390 0754 7034', 'RF18539007547034', 'RF18 5390 0754 7034'],
    [
      '21 00000 00003 13947 14300 09017',
      '210000000003139471430009017',
      '21 00000 00003 13947 14300 09017',
    ],
    [' Miete \t Mai ', 'Miete Mai', 'Miete Mai'],
  ])('%s is kept as codes say it', (said, kept, written) => {
    expect(tidyPaymentReference(said)).toBe(kept);
    expect(writtenReference(kept)).toBe(written);
  });
});
