import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import codes from '../../src/documents/domain/codes/codes.json' with { type: 'json' };
import { TAX_CATEGORIES } from '../../src/documents/domain/calculation/tax-categories.js';
import {
  exemptionOf,
  isCountry,
  isEasScheme,
  isIcd,
  isPaymentMeans,
  isUnitCode,
  isVatexCode,
  unitSymbol,
} from '../../src/documents/domain/codes/code-lists.js';

const SYMBOLS = readFileSync(
  new URL('../../src/documents/domain/codes/code-lists.ts', import.meta.url),
  'utf8',
);

const wordsOf = (list: keyof typeof codes.lists) => codes.lists[list].split(' ');

/** As the official rules count them. */
const SIZES: [list: keyof typeof codes.lists, size: number, form: RegExp][] = [
  ['invoice_types', 50, /^\d{2,3}$/],
  ['credit_note_types', 13, /^\d{2,3}$/],
  ['note_subjects', 401, /^[A-Z0-9]{3}$/],
  ['object_schemes', 818, /^[A-Z0-9]{2,3}$/],
  ['identifier_schemes', 243, /^\d{4}$/],
  ['electronic_address_schemes', 104, /^(\d{4}|[A-Z]{2})$/],
  ['countries', 249 + 2, /^([A-Z]{2}|1A)$/],
  ['payment_means', 84, /^(\d{1,2}|ZZZ)$/],
  ['classification_lists', 185, /^[A-Z]{2,3}$/],
  ['discount_reasons', 19, /^\d{2,3}$/],
  ['charge_reasons', 178, /^[A-Z0-9]{2,3}$/],
  ['exemptions', 88, /^VATEX-(EU|FR)-[0-9A-Z-]+$/],
  ['units', 1756 + 406, /^(X?[0-9A-Z]{2,3})$/],
];

describe('the lists', () => {
  it.each(SIZES)('%s has as many codes as the official list, each once', (list, size, form) => {
    const words = wordsOf(list);
    expect(words).toHaveLength(size);
    expect(new Set(words).size).toBe(size);
    expect(words.filter((code) => !form.test(code))).toEqual([]);
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
  it.each(['1', '10', '58', '68', '69', '97', '98', 'ZZZ'])('is %s', (code) => {
    expect(isPaymentMeans(code)).toBe(true);
  });

  it.each(['0', '058', '71', '99', 'zzz', ''])('is not %p', (code) => {
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
    const [, literals = ''] = /const UNIT_SYMBOLS = ([\s\S]*?);\n/.exec(SYMBOLS) ?? [];
    const texts = [...literals.matchAll(/'([A-Z0-9][^']*)'/g)].map(([, text = '']) => text);
    const entries = texts
      .map((text) => text.trim())
      .join(' ')
      .split(', ');
    const codes = entries.map((entry) => entry.split(' ')[0] ?? '');
    expect(codes.length).toBeGreaterThan(50);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !isUnitCode(code))).toEqual([]);
  });

  it.each([
    ['C62', ''],
    ['HUR', 'h'],
    ['MTK', 'm²'],
    ['KWH', 'kWh'],
    ['E34', 'GB'],
    ['E48', 'service unit'],
    ['P1', '%'],
    ['XCN', 'container'],
    ['GB', 'GB'],
    ['D33', 'D33'],
  ])('of code %s is printed as %p', (code, symbol) => {
    expect(unitSymbol(code)).toBe(symbol);
  });
});
