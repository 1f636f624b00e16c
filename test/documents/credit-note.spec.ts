import { describe, expect, it } from 'vitest';
import type { CalculationRequest } from '../../src/documents/domain/calculation/calculation-request.js';
import type { CreditLineRequest } from '../../src/documents/domain/credit-note.js';
import { LANGUAGES } from '../../src/documents/domain/texts/languages.js';
import { CreditedInvoice, refusalOf, sum } from './credited-invoice.js';
import { aLine, aRequest } from './requests.js';

const invoiceOf = (over: Partial<CalculationRequest>) => new CreditedInvoice(aRequest(over));

/** 119.00 at 19 %, 53.50 at 7 % and 10.00 without tax: 182.50. */
const THREE_GROUPS = [
  aLine({ unitAmountMinor: 10_000n, taxRate: '19' }),
  aLine({ unitAmountMinor: 2500n, quantity: '2', taxRate: '7' }),
  aLine({ unitAmountMinor: 1000n, taxCategory: 'AE', exemptionReason: 'Article 196' }),
];

describe('all that is left', () => {
  it('is the whole of an untouched invoice, a line for each tax', () => {
    const invoice = invoiceOf({ lines: THREE_GROUPS });
    const { terms, figures } = invoice.credit({});
    expect(terms.lines).toMatchObject([
      { unitAmountMinor: 11_900n, taxRate: '19', taxCategory: 'S', quantity: '1' },
      { unitAmountMinor: 5350n, taxRate: '7', taxCategory: 'S' },
      { unitAmountMinor: 1000n, taxRate: '0', taxCategory: 'AE', exemptionReason: 'Article 196' },
    ]);
    expect(terms).toMatchObject({ roundingMinor: 0n, credited: [] });
    expect(terms.lines.every(({ description }) => description.includes('INV-1'))).toBe(true);
    expect(figures.taxGroups).toEqual(invoice.calculation.taxGroups);
    expect(figures.total.minor).toBe(18_250n);
  });

  it('is what earlier credit notes left, and then nothing', () => {
    const invoice = invoiceOf({ lines: THREE_GROUPS });
    invoice.credit({ lines: [{ position: 1 }] });
    const { terms } = invoice.credit({});
    expect(terms.lines.map((line) => line.unitAmountMinor)).toEqual([5350n, 1000n]);
    expect(invoice.creditable).toBe(0n);
    expect(refusalOf(invoice, {})[0]).toBe('amount_exceeds_creditable');
  });

  it('has the cash rounding of the invoice, up or down', () => {
    const up = invoiceOf({ lines: [aLine({ unitAmountMinor: 103n })], cashRounding: 5n });
    expect(up.credit({}).terms).toMatchObject({
      lines: [{ unitAmountMinor: 103n }],
      roundingMinor: 2n,
    });
    const down = invoiceOf({ lines: [aLine({ unitAmountMinor: 102n })], cashRounding: 5n });
    expect(down.credit({}).terms).toMatchObject({
      lines: [{ unitAmountMinor: 102n }],
      roundingMinor: -2n,
    });
    expect([up.creditable, down.creditable]).toEqual([0n, 0n]);
  });

  it('may be the rounding alone, once all lines are credited', () => {
    const lines = [aLine({ unitAmountMinor: 103n, taxRate: '19' })];
    const invoice = invoiceOf({ lines, cashRounding: 5n, pricesIncludeTax: true });
    invoice.credit({ lines: [{ position: 1 }] });
    expect(invoice.creditable).toBe(2n);
    const { terms, figures } = invoice.credit({});
    expect(terms).toMatchObject({
      lines: [{ unitAmountMinor: 0n, taxRate: '19', taxCategory: 'S' }],
      roundingMinor: 2n,
      credited: [],
    });
    expect([figures.total.minor, figures.netTotal.minor]).toEqual([2n, 0n]);
  });

  it('is the rounding alone in one line, however many taxes there are', () => {
    const lines = [aLine({ unitAmountMinor: 53n, taxRate: '19' }), aLine({ unitAmountMinor: 50n })];
    const invoice = invoiceOf({ lines, cashRounding: 5n, pricesIncludeTax: true });
    invoice.credit({ lines: [{ position: 1 }, { position: 2 }] });
    expect(invoice.credit({}).terms).toMatchObject({
      lines: [{ unitAmountMinor: 0n, taxRate: '19' }],
      roundingMinor: 2n,
    });
  });

  it('is there again when a credit note is void', () => {
    const invoice = invoiceOf({ lines: THREE_GROUPS });
    invoice.credit({ amountMinor: 8250n });
    invoice.credit({ lines: [{ position: 1, amountMinor: 5n }] });
    invoice.notes.splice(0, 1);
    expect(invoice.creditable).toBe(18_245n);
    invoice.credit({});
    expect(sum(invoice.leftOfGroups().values())).toBe(0n);
  });
});

describe('by line', () => {
  it('takes all that is left of it', () => {
    const invoice = invoiceOf({ lines: THREE_GROUPS });
    invoice.credit({ lines: [{ position: 2, amountMinor: 350n }] });
    const { terms, figures } = invoice.credit({ lines: [{ position: 3 }, { position: 2 }] });
    expect(terms).toMatchObject({
      lines: [
        {
          description: 'Consulting',
          quantity: '1',
          unitAmountMinor: 1000n,
          taxRate: '0',
          taxCategory: 'AE',
          exemptionReason: 'Article 196',
        },
        {
          description: 'Consulting',
          quantity: '1',
          unitAmountMinor: 5000n,
          taxRate: '7',
          taxCategory: 'S',
        },
      ],
      roundingMinor: 0n,
      credited: [
        { position: 3, minor: 1000n, quantity: null },
        { position: 2, minor: 5000n, quantity: null },
      ],
    });
    expect(figures.total.minor).toBe(6000n);
  });

  it.each([
    // 3 x 33.33 and 19 % are 118.99 (118.9881): a third is 39.66 (39.6633).
    { quantity: '1', minor: 3966n },
    { quantity: '2', minor: 7933n },
    { quantity: '3', minor: 11_899n },
    { quantity: '3.000', minor: 11_899n },
    { quantity: '0.5', minor: 1983n },
    { quantity: '0.000127', minor: 1n },
  ])('by quantity: $quantity of 3 are $minor', ({ quantity, minor }) => {
    const lines = [aLine({ quantity: '3', unitAmountMinor: 3333n, taxRate: '19' })];
    const { terms, figures } = invoiceOf({ lines }).credit({ lines: [{ position: 1, quantity }] });
    expect(terms.credited).toMatchObject([{ position: 1, minor }]);
    expect(terms.lines[0]?.description).toBe(`Consulting (${Number(quantity)} of 3)`);
    expect(figures.total.minor).toBe(minor);
  });

  it('by quantity keeps the unit, where the price comes out even', () => {
    const lines = [aLine({ quantity: '3', unit: 'HUR', unitAmountMinor: 2000n })];
    const credited = (request: object) => {
      const { terms } = invoiceOf({ lines }).credit({ lines: [{ position: 1, ...request }] });
      return terms.lines;
    };
    const price = { quantity: '2', unit: 'HUR', unitAmountMinor: 2000n };
    const description = 'Consulting (2\u00a0h of 3\u00a0h)';
    expect(credited({ quantity: '2' })).toMatchObject([{ ...price, description }]);
    expect(credited({})).toMatchObject([{ ...price, quantity: '3', description: 'Consulting' }]);
    // An amount is no number of hours.
    const once = { quantity: '1', unitAmountMinor: 1999n };
    expect(credited({ amountMinor: 1999n })).toMatchObject([once]);
    const [third] = credited({ quantity: '0.333' });
    expect(third).toMatchObject({ quantity: '0.333', unit: 'HUR', unitAmountMinor: 2000n });
    const [odd] = credited({ quantity: '0.0007' });
    expect(odd).toMatchObject({ quantity: '1', unitAmountMinor: 1n });
    expect(odd?.description).toBe('Consulting (0.0007\u00a0h of 3\u00a0h)');
  });

  it.each(LANGUAGES.filter((language) => language !== 'en'))(
    'has no English word of its own in another language: %s',
    (language) => {
      const lines = [aLine({ description: '-', quantity: '3', unit: 'DAY' })];
      const notes = [{ amountMinor: 1n }, { lines: [{ position: 1, quantity: '2' }] }];
      const invoice = new CreditedInvoice(aRequest({ lines }), language);
      const said = notes.flatMap((request) =>
        invoice.credit(request).terms.lines.map((line) => line.description),
      );
      expect(said).toHaveLength(2);
      expect(said.filter((text) => /\b(credit|for|invoice|of|day|days)\b/i.test(text))).toEqual([]);
    },
  );

  it('by quantity rounds halves up', () => {
    const lines = [aLine({ quantity: '2.50', unitAmountMinor: 2n })];
    const { terms } = invoiceOf({ lines }).credit({ lines: [{ position: 1, quantity: '1.25' }] });
    expect(terms.credited).toMatchObject([{ position: 1, minor: 3n }]);
  });

  // Each half of 3 would be rounded up to 2: the second is what is missing to the whole.
  it('by quantity takes the whole of a line, piece by piece', () => {
    const invoice = invoiceOf({ lines: [aLine({ quantity: '2', unitAmountDecimal: '1.5' })] });
    invoice.credit({ lines: [{ position: 1, quantity: '1' }] });
    invoice.credit({ lines: [{ position: 1, quantity: '1' }] });
    expect(invoice.creditable).toBe(0n);
  });

  it('never takes a charge that has a tax of its own', () => {
    const invoice = invoiceOf({
      lines: [aLine({ unitAmountMinor: 1000n, taxRate: '19' })],
      charges: [{ amountMinor: 100n, taxRate: '19' }],
    });
    invoice.credit({ lines: [{ position: 1 }] });
    expect(invoice.creditable).toBe(119n);
    expect(invoice.credit({}).figures.total.minor).toBe(119n);
  });

  it('takes its part of the document’s discount back with it', () => {
    const invoice = invoiceOf({
      lines: [aLine({ unitAmountMinor: 1000n }), aLine({ unitAmountMinor: 3000n })],
      discounts: [{ percent: '10' }],
    });
    const { terms } = invoice.credit({ lines: [{ position: 1 }] });
    expect(terms.credited).toMatchObject([{ position: 1, minor: 900n }]);
  });

  it.each<[string, CreditLineRequest[], string[]]>([
    ['an unknown line', [{ position: 4 }], ['unknown_line', '/lines/0/position unknown_line']],
    [
      'a line named twice',
      [{ position: 1, amountMinor: 1n }, { position: 1 }],
      ['said_twice', '/lines/1/position said_twice'],
    ],
    [
      'quantity and amount',
      [{ position: 1, quantity: '1', amountMinor: 1n }],
      ['said_twice', '/lines/0/quantity said_twice'],
    ],
    [
      'more than its quantity',
      [{ position: 2, quantity: '2.000001' }],
      ['quantity_exceeds_line', '/lines/0/quantity quantity_exceeds_line'],
    ],
    [
      'a quantity of nothing',
      [{ position: 2, quantity: '0.000' }],
      ['quantity_exceeds_line', '/lines/0/quantity quantity_exceeds_line'],
    ],
    [
      'more than its amount with tax',
      [{ position: 1, amountMinor: 11_901n }],
      ['amount_exceeds_creditable', '/lines/0 amount_exceeds_creditable'],
    ],
    [
      'several things, all at once',
      [{ position: 9 }, { position: 1 }, { position: 3, amountMinor: 1001n }, { position: 1 }],
      [
        'validation_failed',
        '/lines/0/position unknown_line',
        '/lines/2 amount_exceeds_creditable',
        '/lines/3/position said_twice',
      ],
    ],
  ])('refuses %s', (_, lines, refusal) => {
    expect(refusalOf(invoiceOf({ lines: THREE_GROUPS }), { lines })).toEqual(refusal);
  });

  it('refuses a line of which nothing is left', () => {
    const invoice = invoiceOf({ lines: THREE_GROUPS });
    invoice.credit({ lines: [{ position: 1, quantity: '1' }] });
    const again = refusalOf(invoice, { lines: [{ position: 1 }] });
    expect(again).toEqual(['amount_exceeds_creditable', '/lines/0 amount_exceeds_creditable']);
    expect(refusalOf(invoice, { lines: [{ position: 1, amountMinor: 1n }] })[0]).toBe(
      'amount_exceeds_creditable',
    );
  });

  it('refuses what an earlier credit by amount has taken of its tax', () => {
    const lines = [
      aLine({ unitAmountMinor: 100n, taxRate: '19' }),
      aLine({ unitAmountMinor: 200n, taxRate: '19' }),
      aLine({ unitAmountMinor: 1000n }),
    ];
    const invoice = invoiceOf({ lines });
    // 1000 : 357, so 737 of the one and 263 of the other are taken; 94 are left of 19 %.
    invoice.credit({ amountMinor: 1000n });
    expect(invoice.leftOfGroups()).toEqual(
      new Map([
        ['S 19', 94n],
        ['Z 0', 263n],
      ]),
    );
    expect(refusalOf(invoice, { lines: [{ position: 1 }] })[0]).toBe('amount_exceeds_creditable');
    const both = [
      { position: 1, amountMinor: 50n },
      { position: 2, amountMinor: 45n },
    ];
    expect(refusalOf(invoice, { lines: both })[0]).toBe('amount_exceeds_creditable');
    const [first] = both;
    expect(refusalOf(invoice, { lines: [first!, { position: 2, amountMinor: 44n }] })).toEqual([
      'accepted',
    ]);
  });

  it('gives back no more of a whole invoice than cash rounding has left of it', () => {
    const invoice = invoiceOf({ lines: [aLine({ unitAmountMinor: 102n })], cashRounding: 5n });
    const { terms, figures } = invoice.credit({ lines: [{ position: 1 }] });
    expect(terms.roundingMinor).toBe(-2n);
    expect(figures.total.minor).toBe(100n);
    expect(invoice.creditable).toBe(0n);
    expect(refusalOf(invoice, { lines: [{ position: 1 }] })[0]).not.toBe('accepted');
  });

  it('leaves no line that takes back alone with a rounding, which no note could take', () => {
    const lines = [
      aLine({ unitAmountMinor: 211n, taxRate: '19' }),
      aLine({ quantity: '-1', unitAmountMinor: 1n, taxRate: '7' }),
    ];
    const invoice = invoiceOf({ lines, cashRounding: 100n });
    expect(invoice.creditable).toBe(300n);
    expect(refusalOf(invoice, { lines: [{ position: 1 }] })).toEqual([
      'amount_exceeds_creditable',
      '/lines amount_exceeds_creditable',
    ]);
    invoice.credit({ lines: [{ position: 1, amountMinor: 200n }] });
    invoice.credit({});
    expect(invoice.creditable).toBe(0n);
  });

  it('refuses more than is left, where a part of it is credited already', () => {
    const invoice = invoiceOf({ lines: [aLine({ unitAmountMinor: 102n })], cashRounding: 5n });
    invoice.credit({ amountMinor: 1n });
    expect(refusalOf(invoice, { lines: [{ position: 1 }] })[0]).toBe('amount_exceeds_creditable');
  });
});

describe('by amount', () => {
  it('is spread over the taxes by what is left of them', () => {
    const invoice = invoiceOf({ lines: THREE_GROUPS });
    // 1825 x 119 / 182.5 and so on: without a rest.
    const { terms } = invoice.credit({ amountMinor: 1825n });
    expect(terms.lines.map((line) => line.unitAmountMinor)).toEqual([1190n, 535n, 100n]);
    invoice.credit({ lines: [{ position: 1, amountMinor: 10_710n }] });
    // Nothing is left at 19 %: 1 of 4815 and 900 goes to the larger.
    const small = invoice.credit({ amountMinor: 1n }).terms.lines;
    expect(small).toMatchObject([{ unitAmountMinor: 1n, taxRate: '7' }]);
  });

  it('takes a charge with a tax of its own, too', () => {
    const invoice = invoiceOf({
      lines: [aLine({ unitAmountMinor: 100n })],
      charges: [{ amountMinor: 300n, taxCategory: 'AE' }],
    });
    const { terms } = invoice.credit({ amountMinor: 200n });
    expect(terms.lines).toMatchObject([
      { unitAmountMinor: 150n, taxCategory: 'AE', exemptionReason: expect.any(String) },
      { unitAmountMinor: 50n, taxCategory: 'Z' },
    ]);
  });

  it('takes of the rounding only what is above the lines', () => {
    const invoice = invoiceOf({ lines: [aLine({ unitAmountMinor: 103n })], cashRounding: 5n });
    expect(invoice.credit({ amountMinor: 104n }).terms).toMatchObject({
      lines: [{ unitAmountMinor: 103n }],
      roundingMinor: 1n,
    });
    expect(invoice.credit({ amountMinor: 1n }).terms).toMatchObject({
      lines: [{ unitAmountMinor: 0n }],
      roundingMinor: 1n,
    });
    expect(invoice.creditable).toBe(0n);
  });

  it('is refused above what can be credited, and for nothing', () => {
    const invoice = invoiceOf({ lines: THREE_GROUPS });
    for (const amountMinor of [18_251n, 0n]) {
      expect(refusalOf(invoice, { amountMinor })).toEqual([
        'amount_exceeds_creditable',
        '/amount amount_exceeds_creditable',
      ]);
    }
    expect(refusalOf(invoice, { amountMinor: 18_250n })).toEqual(['accepted']);
  });
});
