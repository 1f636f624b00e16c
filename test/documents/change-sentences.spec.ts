import { describe, expect, it } from 'vitest';
import { changeSentences } from '../../src/documents/domain/printing/change-sentences.js';
import { changesBetween } from '../../src/documents/domain/changes.js';
import { shownTerms } from '../../src/documents/domain/printing/shown-terms.js';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import { LANGUAGES } from '../../src/documents/domain/texts/languages.js';
import { aLine, aView, type ViewWish } from './document-views.js';

/** The sentences that the client reads about a revision. */
function told(before: ViewWish, after: ViewWish): string[] {
  const [old, revised] = [aView(before), aView(after)];
  const changes = changesBetween(shownTerms(old), shownTerms(revised));
  return changeSentences(changes, revised).map((sentence) => sentence.replaceAll('\u00a0', ' '));
}

const NOVEMBER = { start: '2026-11-01', end: '2026-11-30' };

const lines = (...overs: Parameters<typeof aLine>[0][]) => ({ lines: overs.map(aLine) });

describe('a client reads', () => {
  it('nothing of a version that is like the one before', () => {
    expect(told({}, {})).toEqual([]);
  });

  it.each<[string, ViewWish, ViewWish, string[]]>([
    [
      'a quantity, and the total',
      lines({ quantity: '3' }),
      lines({ quantity: '4' }),
      ['Line 1, quantity: 3 → 4', 'Total: €357.00 → €476.00'],
    ],
    [
      'a unit and a price below a cent',
      lines({ unitAmountDecimal: '0.0125', quantity: '0' }),
      lines({ unitAmountDecimal: '0.02', quantity: '0', unit: 'HUR' }),
      ['Line 1, unit: none → h', 'Line 1, unit price: €0.000125 → €0.0002'],
    ],
    [
      'a period whose last day moved, in one sentence',
      { content: { details: { ...NO_DETAILS, service_period: NOVEMBER } } },
      {
        content: {
          details: { ...NO_DETAILS, service_period: { ...NOVEMBER, end: '2026-12-01' } },
        },
      },
      ['Service period: 1 November 2026 – 30 November 2026 → 1 November 2026 – 1 December 2026'],
    ],
    [
      'details that are new',
      {},
      {
        content: {
          details: {
            ...NO_DETAILS,
            service_period: NOVEMBER,
            contract_reference: 'V-1',
            payment_means_code: '58',
          },
        },
      },
      [
        'Service period: none → 1 November 2026 – 30 November 2026',
        'Contract: none → V-1',
        'Payment by: none → credit transfer',
      ],
    ],
    [
      'a tax rate',
      lines({ unitAmountMinor: 0n }),
      lines({ unitAmountMinor: 0n, taxRate: '7' }),
      ['Line 1, tax: 19% → 7%'],
    ],
    [
      'another kind of tax, once',
      lines({ unitAmountMinor: 0n }),
      lines({ unitAmountMinor: 0n, taxRate: '0', taxCategory: 'AE' }),
      ['Line 1, tax: Tax 19% → Reverse charge'],
    ],
    [
      'new and removed lines, each once',
      lines({}, { description: 'Old', unitAmountMinor: 0n }),
      lines({}),
      ['Line 2 was removed: Old'],
    ],
    [
      'lines in their order, also the tenth',
      lines(...Array.from({ length: 11 }, () => ({ unitAmountMinor: 0n }))),
      lines(
        ...Array.from({ length: 12 }, (_, index) => ({
          unitAmountMinor: 0n,
          description: index === 1 || index === 9 ? 'Other' : 'Consulting',
        })),
      ),
      [
        'Line 2, description: Consulting → Other',
        'Line 10, description: Consulting → Other',
        'Line 12 is new: Consulting',
      ],
    ],
    [
      'a discount by its percentage, and not what follows from it',
      { ...lines({ discounts: [{ percent: '10' }] }), discounts: [{ percent: '5' }] },
      { ...lines({ discounts: [{ percent: '20' }] }), discounts: [{ percent: '5' }] },
      ['Line 1, discount: 10% → 20%', 'Total: €101.75 → €90.44'],
    ],
    [
      'a discount that is of an amount now',
      { discounts: [{ percent: '10' }] },
      { discounts: [{ amountMinor: 1000n }, { amountMinor: 0n }], charges: [] },
      ['Discount: 10% → €10.00', 'Discount 2: none → €0.00'],
    ],
    [
      'a charge that is gone',
      { charges: [{ amountMinor: 1000n, reason: 'Shipping' }] },
      {},
      ['Charge: €10.00 → none', 'Total: €130.90 → €119.00'],
    ],
    [
      'another reason',
      { charges: [{ amountMinor: 0n, reason: 'Shipping' }] },
      { charges: [{ amountMinor: 0n, reason: 'Express' }] },
      ['Charge: Shipping → Express'],
    ],
    [
      'the last day of a quote',
      { state: { kind: 'quote', dueDate: '2026-12-04' } },
      { state: { kind: 'quote', dueDate: '2026-12-24' } },
      ['Valid until: 4 December 2026 → 24 December 2026'],
    ],
    [
      'amounts in the currency that they were in',
      { currency: 'EUR' },
      { currency: 'JPY', ...lines({ unitAmountMinor: 20_000n }) },
      [
        'Currency: EUR → JPY',
        'Line 1, unit price: €100.00 → JP¥20,000',
        'Total: €119.00 → JP¥23,800',
      ],
    ],
    [
      'who it is for, and where to',
      { customer: { city: 'Bonn', postal_code: '53111' } },
      {
        customer: {
          name: 'Initech',
          city: 'Berlin',
          postal_code: '10115',
          reference: 'X1',
          language: 'en',
          shipping_address: {
            name: null,
            address: ['Dock 1'],
            postal_code: null,
            city: 'Bonn',
            region: null,
            country: null,
          },
        },
      },
      [
        'Bill to: Globex → Initech',
        'The recipient’s details have changed.',
        'Your reference: none → X1',
        'The shipping address has changed.',
      ],
    ],
    [
      'what prices mean',
      { ...lines({ taxRate: '0' }) },
      { ...lines({ taxRate: '0' }), pricesIncludeTax: true },
      ['Prices now include tax.'],
    ],
    [
      'of notes only that they changed, and of metadata nothing',
      { content: { notes: 'Old', metadata: { margin: '40' } } },
      { content: { notes: 'New', metadata: { margin: '10' }, purchaseOrder: 'P-1' } },
      ['Purchase order: none → P-1', 'The notes have changed.'],
    ],
  ])('of %s', (_, before, after, sentences) => {
    expect(told(before, after)).toEqual(sentences);
  });

  it('the beginning of a long text', () => {
    const [sentence = ''] = told(
      lines({ description: 'a' }),
      lines({ description: '💶'.repeat(2000) }),
    );
    expect(sentence).toBe(`Line 1, description: a → ${'💶'.repeat(80)}…`);
  });

  it.each(LANGUAGES)('the same in %s', (language) => {
    const after = { ...lines({ quantity: '4' }, {}), content: { language } };
    expect(told(lines({ quantity: '3' }), after)).toHaveLength(3);
  });

  it('German nouns with their capital', () => {
    const german = { ...lines({ quantity: '4' }), content: { language: 'de' } };
    expect(told(lines({ quantity: '3' }), german)[0]).toBe('Position 1, Menge: 3 → 4');
  });
});
