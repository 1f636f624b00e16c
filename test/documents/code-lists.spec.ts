import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TAX_CATEGORIES } from '../../src/documents/domain/calculation/calculation-request.js';
import {
  exemptionOf,
  isCountry,
  isEasScheme,
  isIcd,
  isPaymentMeans,
  isUnitCode,
  isVatexCode,
  unitSymbol,
} from '../../src/documents/domain/parties/code-lists.js';

const SOURCE = readFileSync(
  new URL('../../src/documents/domain/parties/code-lists.ts', import.meta.url),
  'utf8',
);

/** The words of one list as the file has them, before a set would hide that two are the same. */
function wordsOf(list: string): string[] {
  const [, literals = ''] = new RegExp(`const ${list}[^=]* =([\\s\\S]*?);\n`).exec(SOURCE) ?? [];
  return [...literals.matchAll(/'([A-Z0-9][^']*)'/g)].flatMap(([, text = '']) =>
    text.trim().split(' '),
  );
}

const SIZES: [list: string, size: number][] = [
  ['COUNTRIES', 249 + 2],
  ['EAS_SCHEMES', 102],
  ['VATEX_EU', 62],
  ['VATEX_FR', 26],
  ['CLASSIFICATION_LISTS', 185],
  ['UNITS_OF_MEASURE', 1756],
  ['PACKAGES', 406],
];

describe('the lists', () => {
  it.each(SIZES)('%s has as many codes as the official list, each once', (list, size) => {
    const words = wordsOf(list);
    expect(words).toHaveLength(size);
    expect(new Set(words).size).toBe(size);
  });

  it('have only codes of their form', () => {
    expect(wordsOf('COUNTRIES').filter((code) => !/^([A-Z]{2}|1A)$/.test(code))).toEqual([]);
    expect(wordsOf('EAS_SCHEMES').filter((code) => !/^(\d{4}|[A-Z]{2})$/.test(code))).toEqual([]);
    expect(wordsOf('UNITS_OF_MEASURE').filter((code) => !/^[0-9A-Z]{2,3}$/.test(code))).toEqual([]);
    expect(wordsOf('PACKAGES').filter((code) => !/^X[0-9A-Z]{2}$/.test(code))).toEqual([]);
  });
});

describe('a scheme of ISO 6523', () => {
  it.each(['0002', '0160', '0248'])('is %s', (code) => {
    expect(isIcd(code)).toBe(true);
  });

  it.each(['0001', '0092', '0103', '0181', '0182', '0249', '160', '01600', ''])(
    'is not %p',
    (code) => expect(isIcd(code)).toBe(false),
  );
});

describe('a means of payment', () => {
  it.each(['1', '10', '58', '68', '97', 'ZZZ'])('is %s', (code) => {
    expect(isPaymentMeans(code)).toBe(true);
  });

  it.each(['0', '058', '69', '71', '98', 'zzz', ''])('is not %p', (code) => {
    expect(isPaymentMeans(code)).toBe(false);
  });
});

describe('a country', () => {
  it.each(['DE', 'GB', 'GR', 'US', 'ZW', 'XI', '1A'])('is %s', (code) => {
    expect(isCountry(code)).toBe(true);
  });

  it.each(['EL', 'UK', 'XK', 'EU', 'AN', 'ZZ', 'de', 'DEU', 'Germany', 'DE ', ''])(
    'is not %p',
    (code) => expect(isCountry(code)).toBe(false),
  );
});

describe('an electronic address scheme', () => {
  it.each(['0088', '0204', '0225', '0246', '9930', '9957', 'EM'])('is %s', (code) => {
    expect(isEasScheme(code)).toBe(true);
  });

  it.each(['0001', '0219', '9901', '9955', '9958', 'DE', 'em', '88', '0088 0096', ''])(
    'is not %p',
    (code) => expect(isEasScheme(code)).toBe(false),
  );
});

describe('an exemption reason', () => {
  it.each(['VATEX-EU-132-1I', 'VATEX-EU-79-C', 'VATEX-EU-135-1', 'VATEX-FR-FRANCHISE'])(
    'is %s',
    (code) => expect(isVatexCode(code)).toBe(true),
  );

  it.each(['VATEX-EU', 'VATEX-EU-', 'VATEX-EU-Z', 'VATEX-FR-IC', 'vatex-eu-ae', 'AE', ''])(
    'is not %p',
    (code) => expect(isVatexCode(code)).toBe(false),
  );

  it('is given by default for the categories that demand one, and by a code of the list', () => {
    const reasons = TAX_CATEGORIES.map((category) => [category, exemptionOf(category)] as const);
    const codes = reasons.filter(([, why]) => why !== null).map(([of, why]) => [of, why?.code]);
    expect(codes).toEqual([
      ['E', null],
      ['AE', 'VATEX-EU-AE'],
      ['K', 'VATEX-EU-IC'],
      ['G', 'VATEX-EU-G'],
      ['O', 'VATEX-EU-O'],
    ]);
    expect(codes.filter(([, code]) => code && !isVatexCode(code))).toEqual([]);
    expect(exemptionOf('AE')?.reason).toBe('Reverse charge');
    expect(exemptionOf('X')).toBeNull();
  });
});

describe('a unit', () => {
  it.each(['C62', 'H87', 'HUR', 'DAY', '10', '3C', 'E48', 'KWY', 'ZZ', 'XPK', 'X1A', 'XZZ'])(
    'is %s',
    (code) => expect(isUnitCode(code)).toBe(true),
  );

  // HAR and PCE are met in practice but are not on the list; PK is a package without its X.
  it.each(['HAR', 'PCE', 'PK', 'XXX', 'hur', 'h', 'HUR ', 'C62 H87', ''])('is not %p', (code) => {
    expect(isUnitCode(code)).toBe(false);
  });

  it('has a symbol only if its code exists', () => {
    const entries = wordsOf('UNIT_SYMBOLS').join(' ').split(', ');
    const codes = entries.map((entry) => entry.split(' ')[0] ?? '');
    expect(codes.length).toBeGreaterThan(60);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !isUnitCode(code))).toEqual([]);
  });

  it.each([
    ['C62', ''],
    ['H87', 'pcs'],
    ['HUR', 'h'],
    ['MTK', 'm²'],
    ['KWH', 'kWh'],
    ['E34', 'GB'],
    ['E48', 'service unit'],
    ['P1', '%'],
    ['XPK', 'pkg'],
    ['GB', 'GB'],
    ['D33', 'D33'],
  ])('of code %s is printed as %p', (code, symbol) => {
    expect(unitSymbol(code)).toBe(symbol);
  });
});
