import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Locale } from '../../src/documents/domain/printing/formatting.js';
import { unitPriceOf } from '../../src/documents/domain/printing/printed-details.js';
import { DOCUMENT_STATUSES } from '../../src/documents/domain/lifecycle.js';
import { LANGUAGES, textsOf } from '../../src/documents/domain/texts/languages.js';
import { Money } from '../../src/kernel/money.js';
import { stateOf } from '../../src/portal/http/portal-state.js';
import { aLine, aView } from './document-views.js';

const EN = Locale.of('en');

/** All that is said in a language without a word of one's own. */
const leaves = (language: string) => JSON.stringify(textsOf(language)).split('"');

const plainDigits = (text: string) => text.replace(/[^\d.]/g, '');

describe('a language', () => {
  it('is that of the document, with the numbers of its country; else English', () => {
    const printed: [string | null, string][] = [
      [null, 'en'],
      ['de', 'de'],
      ['de-AT', 'de-AT'],
      ['pt-BR', 'pt-BR'],
      ['es-419', 'es-419'],
      ['uk', 'en'],
      ['und', 'en'],
      ['de-u-nu-arab', 'de'],
      ['DE', 'de'],
      // Norwegian has two written forms; Chinese is simplified, which is no help to Taiwan.
      ['no', 'nb'],
      ['nn-NO', 'nb-NO'],
      ['zh-SG', 'zh-SG'],
      ['zh-TW', 'en'],
      ['zh-Hant', 'en'],
      ['iw', 'he'],
    ];
    expect(printed.map(([language]) => [language, Locale.of(language).language])).toEqual(printed);
    expect(Locale.of('de-u-nu-arab').number('12')).toBe('12');
  });

  it.each(LANGUAGES)('names every status in its own way: %s', (language) => {
    const { texts } = Locale.of(language);
    const names = DOCUMENT_STATUSES.map(
      (status) => stateOf({ ...aView(), status, isOverdue: false }, texts).text,
    );
    const overdue = (['open', 'partially_paid'] as const).map(
      (status) => stateOf({ ...aView(), status, isOverdue: true }, texts).text,
    );
    expect(new Set([...names, ...overdue]).size).toBe(DOCUMENT_STATUSES.length + 2);
  });

  it('is translated, not copied', () => {
    const english = new Set(leaves('en').filter((text) => text.includes(' ')));
    for (const language of LANGUAGES.filter((one) => one !== 'en')) {
      expect(leaves(language).filter((text) => english.has(text))).toEqual([]);
    }
  });
});

describe('a number', () => {
  it.each([
    ['en', '€1,250.00', '7.5%', '1,250.5', '20 November 2026'],
    ['de', '1.250,00 €', '7,5 %', '1.250,5', '20. November 2026'],
    ['fr', '1 250,00 €', '7,5 %', '1 250,5', '20 novembre 2026'],
    ['es', '1.250,00 €', '7,5 %', '1.250,5', '20 de noviembre de 2026'],
    ['it', '1.250,00 €', '7,5%', '1.250,5', '20 novembre 2026'],
    ['nl', '€ 1.250,00', '7,5%', '1.250,5', '20 november 2026'],
    ['pl', '1 250,00 €', '7,5%', '1 250,5', '20 listopada 2026'],
    ['pt', '1 250,00 €', '7,5%', '1 250,5', '20 de novembro de 2026'],
    ['sv', '1 250,00 €', '7,5 %', '1 250,5', '20 november 2026'],
    ['da', '1.250,00 €', '7,5 %', '1.250,5', '20. november 2026'],
    ['nb', '1 250,00 €', '7,5 %', '1 250,5', '20. november 2026'],
    ['fi', '1 250,00 €', '7,5 %', '1 250,5', '20. marraskuuta 2026'],
    ['cs', '1 250,00 €', '7,5 %', '1 250,5', '20. listopadu 2026'],
    ['hi', '€1,250.00', '7.5%', '1,250.5', '20 नवंबर 2026'],
    ['ja', '€1,250.00', '7.5%', '1,250.5', '2026年11月20日'],
    ['zh', '€1,250.00', '7.5%', '1,250.5', '2026年11月20日'],
    ['ko', '€1,250.00', '7.5%', '1,250.5', '2026년 11월 20일'],
    // The years of people there are others; a bank's are these.
    ['th', '€1,250.00', '7.5%', '1,250.5', '20 พฤศจิกายน ค.ศ. 2026'],
    ['ar', '1,250.00 €', '7.5%', '1,250.5', '20 نوفمبر 2026'],
    ['ar-EG', '1,250.00 €', '7.5%', '1,250.5', '20 نوفمبر 2026'],
    ['he', '1,250.00 €', '7.5%', '1,250.5', '20 בנובמבר 2026'],
  ])('is written as in %s', (language, money, percent, quantity, date) => {
    const locale = Locale.of(language);
    const shown = [
      locale.money(Money.of(125_000n, 'EUR')),
      locale.percent('7.5'),
      locale.number('1250.50'),
      locale.date('2026-11-20'),
    ].map((text) => text.replace(/\s/g, ' ').replace(/[\u200e\u200f]/g, ''));
    expect(shown).toEqual([money, percent, quantity, date]);
  });

  it('keeps every digit', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,12}$/);
    const decimal = fc.tuple(digits, fc.stringMatching(/^\d{0,11}[1-9]$/));
    fc.assert(
      fc.property(digits, decimal, (minor, [whole, fraction]) => {
        expect(plainDigits(EN.money(Money.of(BigInt(minor), 'JPY')))).toBe(minor);
        expect(plainDigits(EN.number(`${whole}.${fraction}`))).toBe(`${whole}.${fraction}`);
        expect(plainDigits(EN.percent(`${whole}.${fraction}`))).toBe(`${whole}.${fraction}`);
        expect(plainDigits(EN.unitAmount(`${whole}.${fraction}`, 'JPY'))).toBe(
          `${whole}.${fraction}`,
        );
      }),
    );
    expect(EN.unitAmount('0.0125', 'EUR')).toBe('€0.000125');
    expect(EN.unitAmount('1250.000', 'EUR')).toBe('€12.50');
  });

  it('of pieces stands alone; others have their unit', () => {
    const units = ['C62', 'HUR', 'H87', 'MTK', 'QZZ'];
    const shown = units.map((unit) => EN.quantity('2.50', unit).replace('\u00a0', ' '));
    expect(shown).toEqual(['2.5', '2.5 h', '2.5 pcs', '2.5 m²', '2.5 QZZ']);
  });

  it.each([
    ['en', ['0 months', '1 month', '1 month', '1.5 months', '2 months', '-1 month']],
    ['de', ['0 Monate', '1 Monat', '1 Monat', '1,5 Monate', '2 Monate', '-1 Monat']],
    ['fr', ['0 mois', '1 mois', '1 mois', '1,5 mois', '2 mois', '-1 mois']],
    ['pl', ['0 miesięcy', '1 miesiąc', '1 miesiąc', '1,5 miesiąca', '2 miesiące', '-1 miesiąc']],
    ['cs', ['0 měsíců', '1 měsíc', '1 měsíc', '1,5 měsíce', '2 měsíce', '-1 měsíc']],
    ['ja', ['0 か月', '1 か月', '1 か月', '1.5 か月', '2 か月', '-1 か月']],
  ])('has the unit in the form that the number wants: %s', (language, expected) => {
    const locale = Locale.of(language);
    const shown = ['0', '1', '1.00', '1.5', '2', '-1'].map((one) => locale.quantity(one, 'MON'));
    expect(shown.map((text) => text.replace('\u00a0', ' '))).toEqual(expected);
  });

  it.each([
    ['pl', ['5 lat', '21 lat', '22 lata', '112 lat', '1,0001 roku']],
    ['ar', ['5 سنوات', '21 سنة', '22 سنة', '112 سنة', '1.0001 سنة']],
    ['en', ['5 years', '21 years', '22 years', '112 years', '1.0001 years']],
    ['pt-BR', ['5 anos', '21 anos', '22 anos', '112 anos', '1,0001 ano']],
  ])('counts as the language does, by every digit that is printed: %s', (language, expected) => {
    const locale = Locale.of(language);
    const shown = ['5', '21', '22', '112', '1.0001'].map((one) => locale.quantity(one, 'ANN'));
    expect(shown.map((text) => text.replaceAll(/\u00a0|\u200e/g, ' '))).toEqual(expected);
  });

  it('of a price for several has the unit in that form, too', () => {
    const [line] = aView({
      lines: [aLine({ unit: 'MON', details: { price_base_quantity: '3' } })],
    }).lines;
    const said = ['de', 'pl'].map((language) => unitPriceOf(line!, 'EUR', Locale.of(language)));
    expect(said.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      '100,00 € / 3 Monate',
      '100,00 € / 3 miesiące',
    ]);
  });

  it('counts boxes, bottles and persons, too', () => {
    const shown = ['XBX', 'XBO', 'IE'].map((unit) => Locale.of('de').quantity('3', unit));
    expect(shown.map((text) => text.replace('\u00a0', ' '))).toEqual([
      '3 Boxen',
      '3 Flaschen',
      '3 Personen',
    ]);
  });

  it('has a unit alone as one of it', () => {
    const alone = ['de', 'pl', 'ja'].map((language) => Locale.of(language).unit('MON'));
    expect(alone).toEqual(['Monat', 'miesiąc', 'か月']);
  });
});
