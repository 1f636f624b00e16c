import { describe, expect, it } from 'vitest';
import { printed } from '../../src/documents/domain/printing/printed-document.js';
import { printedLetter } from '../../src/documents/domain/printing/printed-letter.js';
import {
  letterLayoutOf,
  PAPER_LAYOUTS,
} from '../../src/documents/domain/printing/paper-layouts.js';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import { sellerOf } from '../../src/documents/domain/parties/party.js';
import { eur } from './a-document.js';
import { aLine, aView, type ViewWish } from './document-views.js';

const letterOf = (wish: ViewWish = {}, language = 'de') => {
  const view = aView({ ...wish, content: { ...wish.content, language } });
  return printedLetter(view, printed(view));
};
const opening = (wish: ViewWish) => letterOf(wish).opening;
const details = (over: object) => ({ content: { details: { ...NO_DETAILS, ...over } } });

const TEMPLATE = {
  version: 1,
  accent_color: null,
  hidden_columns: [],
  carried_sums: false,
  texts: [],
  footer: null,
  blocks: [],
};

const layoutOf = (country: string | null, layout?: (typeof PAPER_LAYOUTS)[number]) => {
  const template = layout ? { ...TEMPLATE, layout } : TEMPLATE;
  return letterLayoutOf(sellerOf({ country, template }));
};

describe('a letter', () => {
  it('says what to pay until when', () => {
    const amount = '119,00\u00a0€';
    expect(letterOf().request).toBe(`Bitte zahlen Sie ${amount} bis zum 4. Dezember 2026.`);
    expect(letterOf({ state: { dueDate: null } }).request).toBe(`Bitte zahlen Sie ${amount}.`);
    expect(letterOf({}, 'en').request).toBe('Please pay €119.00 by 4 December 2026.');
    const prepaid = { state: { amountPrepaid: eur(5000n) } };
    expect(letterOf(prepaid, 'en').request).toBe('Please pay €69.00 by 4 December 2026.');
  });

  it.each<[string, ViewWish]>([
    ['a quote', { state: { kind: 'quote' } }],
    ['a credit note', { state: { kind: 'credit_note', dueDate: null } }],
    ['nothing to pay', { lines: [aLine({ unitAmountMinor: 0n })] }],
    ['what a card pays', details({ payment_means_code: '48' })],
    ['what the buyer issues', details({ type_code: '389' })],
  ])('asks nobody to pay %s', (_, wish) => {
    expect(letterOf(wish).request).toBeNull();
  });

  it.each<[string, ViewWish]>([
    ['the collection method', { state: { collectionMethod: 'charge_automatically' } }],
    ['the means of payment', details({ payment_means_code: '59' })],
    ['the mandate', details({ direct_debit: { mandate_reference: 'M-1' } })],
  ])('says that it will be debited, by %s', (_, wish) => {
    expect(letterOf(wish).request).toMatch(/^119,00\u00a0€ werden von Ihrem Konto abgebucht/);
  });

  it('opens with a salutation, and what it is about', () => {
    expect(opening({})).toEqual([
      'Sehr geehrte Damen und Herren,',
      'wir stellen Ihnen Folgendes in Rechnung:',
    ]);
    const named = { customer: { contact_name: 'Erika Mustermann' } };
    expect(opening(named)[0]).toBe('Guten Tag Erika Mustermann,');
    const kinds = (['quote', 'credit_note'] as const).map(
      (kind) => opening({ state: { kind } })[1],
    );
    expect(kinds).toEqual([
      'wir bieten Ihnen Folgendes an:',
      'wir berichtigen unsere Rechnung wie folgt:',
    ]);
    expect(opening({ state: { kind: 'quote', proforma: true } })).toHaveLength(1);
  });

  it('leaves the opening to the words of the seller, where it has some in that language', () => {
    const block = { place: 'before_lines' as const, heading: null, text: 'Hallo!' };
    const withBlock = (language: string | null) =>
      letterOf({ seller: { template: { ...TEMPLATE, blocks: [{ ...block, language }] } } }).opening;
    expect(withBlock(null)).toEqual([]);
    expect(withBlock('de')).toEqual([]);
    expect(withBlock('fr')).toHaveLength(2);
  });

  it('has the customer’s number first, and its registrations last', () => {
    const customer = {
      tax_id: 'DE987654321',
      country: 'DE',
      identifiers: [{ scheme: '0088', value: '4012345000009' }, { value: 'K-10023' }],
    };
    const shown = letterOf({ customer }).fields.map(({ name, value }) => `${name}: ${value}`);
    expect(shown[0]).toBe('Kundennummer: K-10023');
    expect(shown.slice(-2)).toEqual([
      'USt-IdNr. (Kunde): DE987654321',
      'GLN (Kunde): 4012345000009',
    ]);
    expect(printed(aView({ customer, content: { language: 'de' } })).buyer.lines).toContain(
      'Kundennummer K-10023',
    );
  });

  it('has in the window what the post reads, and nothing else', () => {
    const customer = {
      legal_name: 'Globex Holding SE',
      contact_name: 'Erika Mustermann',
      address: ['Hauptstraße 1'],
      postal_code: '1010',
      city: 'Wien',
      country: 'AT',
      email: 'ap@globex.example',
      tax_id: 'ATU1',
    };
    const lines = ['Globex', 'Globex Holding SE', 'Erika Mustermann', 'Hauptstraße 1', '1010 Wien'];
    const from = (country: string) => letterOf({ customer, seller: { country } }).recipient;
    expect(from('DE')).toEqual([...lines, 'ÖSTERREICH']);
    expect(from('AT')).toEqual(lines);
  });
});

describe('the layout of paper', () => {
  it.each([
    ['DE', 'din5008'],
    ['AT', 'din5008'],
    ['CH', 'sn010130'],
    ['LI', 'sn010130'],
    ['FR', 'nf_z11_001'],
    ['GB', 'dl'],
    ['IE', 'dl'],
    ['US', 'us10'],
    ['CA', 'us10'],
    ['NO', 'e65'],
    ['SE', 'standard'],
    [null, 'standard'],
  ] as const)('is that of the country, or the one that is said: %s', (country, layout) => {
    expect(layoutOf(country)).toEqual(layoutOf('JP', layout));
    expect(layoutOf(country, 'standard')).toBeNull();
    expect(layoutOf(country, 'din5008_a')?.folds).toEqual([87, 192]);
    expect(letterLayoutOf(sellerOf({ country }))).toEqual(layoutOf(country));
  });

  it('of each name is another one', () => {
    const all = PAPER_LAYOUTS.map((layout) => JSON.stringify(layoutOf(null, layout)));
    expect(new Set(all).size).toBe(PAPER_LAYOUTS.length);
    expect(all[0]).toBe('null');
  });
});
