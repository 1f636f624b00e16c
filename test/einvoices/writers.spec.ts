import { describe, expect, it } from 'vitest';
import { invoiceOf } from './of-view.js';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import { E_INVOICE_PROFILES } from '../../src/documents/domain/codes/e-invoice-profiles.js';
import { invoiceXml, writeInvoice } from '../../src/einvoices/domain/writer.js';
import { aLine, aView } from '../documents/document-views.js';
import { differences } from './contents.js';
import { marketOf } from './markets.js';
import { CONTENTS } from './random-details.js';
import { randomInvoice } from './random-invoices.js';
import { adjustmentsOfCii, adjustmentsOfUbl } from './read-adjustments.js';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import { allAt, emptyElements, readXml, textAt } from './xml-reader.js';

const SEED = 20261126;
const DOCUMENTS = 60;

describe.each(E_INVOICE_PROFILES)('an invoice in the profile %s', (id) => {
  const profile = PROFILES[id];

  it('says to an independent reader what its document says', () => {
    const found = Array.from({ length: DOCUMENTS }, (_, index) => {
      const view = randomInvoice(SEED, index, marketOf(id));
      const xml = invoiceXml(invoiceOf(view, [], CONTENTS), profile);
      return differences(view, readXml(xml), profile).map((one) => `${index}: ${one}`);
    });
    expect(found.flat()).toEqual([]);
  });

  it('has no empty element but the one that must stand', () => {
    const empty = Array.from({ length: DOCUMENTS }, (_, index) => {
      const view = randomInvoice(SEED, index, marketOf(id));
      return emptyElements(readXml(invoiceXml(invoiceOf(view, [], CONTENTS), profile)));
    });
    expect(empty.flat().filter((name) => name !== 'ram:ApplicableHeaderTradeDelivery')).toEqual([]);
  });

  it('has the same bytes each time, and comes line by line', () => {
    const view = aView({ lines: Array.from({ length: 300 }, () => aLine()) });
    const invoice = invoiceOf(view);
    const pieces = [...writeInvoice(invoice, profile)];
    expect(pieces.length).toBeGreaterThan(300);
    expect(pieces.join('')).toBe(invoiceXml(invoiceOf(view), profile));
  });
});

describe('a text', () => {
  it.each(['peppol', 'factur-x'] as const)('of any characters comes back from %s', (id) => {
    const said = 'a\u0000b\u0001\ud800c\ufffe & <d> "e"\r\n\tf \u{1f9fe} \u007f\u0085';
    const view = aView({ lines: [aLine({ description: said, sku: 'x"y\tz' })] });
    const root = readXml(invoiceXml(invoiceOf(view), PROFILES[id]));
    const [name, sku] =
      id === 'peppol'
        ? [
            textAt(root, 'a:InvoiceLine/a:Item/b:Name'),
            textAt(root, 'a:InvoiceLine/a:Item/a:SellersItemIdentification/b:ID'),
          ]
        : [textAt(root, `${PRODUCT}/ram:Name`), textAt(root, `${PRODUCT}/ram:SellerAssignedID`)];
    expect(name).toBe('a�b��c� & <d> "e"\r\n\tf \u{1f9fe} \u007f\u0085');
    expect(sku).toBe('x"y\tz');
  });

  it('of an attribute comes back, too', () => {
    const item = { scheme: '01"6\n0', value: '4012345678901' };
    const view = aView({ lines: [aLine({ details: { standard_item_id: item } })] });
    const root = readXml(invoiceXml(invoiceOf(view), PROFILES.peppol));
    const [id] = allAt(root, 'a:InvoiceLine/a:Item/a:StandardItemIdentification/b:ID');
    expect(id?.attributes).toEqual({ schemeID: '01"6\n0' });
  });
});

const PRODUCT =
  'rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem/ram:SpecifiedTradeProduct';

describe('a price', () => {
  it('of too many decimals is that of more, in France', () => {
    const view = aView({ lines: [aLine({ unitAmountDecimal: '0.000000125', quantity: '3' })] });
    const invoice = invoiceOf(view);
    const french = readXml(invoiceXml(invoice, PROFILES['france-ubl']));
    expect(textAt(french, 'a:InvoiceLine/a:Price/b:PriceAmount')).toBe('0.000125');
    expect(textAt(french, 'a:InvoiceLine/a:Price/b:BaseQuantity')).toBe('100000');
    const peppol = readXml(invoiceXml(invoice, PROFILES.peppol));
    expect(textAt(peppol, 'a:InvoiceLine/a:Price/b:PriceAmount')).toBe('0.00000000125');
    expect(textAt(peppol, 'a:InvoiceLine/a:Price/b:BaseQuantity')).toBeNull();
  });

  it('with tax is told without, and is never below zero', () => {
    const taken = { amountMinor: 1n };
    const lines = [
      aLine({ unitAmountMinor: 11_900n, quantity: '3' }),
      aLine({ unitAmountMinor: 0n, charges: [taken, taken] }),
      // The cent that is left goes to the line that has no goods.
      aLine({ quantity: '0', taxRate: '12', charges: [{ amountMinor: 5n }] }),
      aLine({ unitAmountMinor: 8n, taxRate: '12' }),
    ];
    const view = aView({ pricesIncludeTax: true, lines });
    const root = readXml(invoiceXml(invoiceOf(view), PROFILES.peppol));
    expect(textAt(root, 'a:InvoiceLine/a:Price/b:PriceAmount')).toBe('100 | 0 | 89.2857 | 0.07');
    expect(differences(view, root, PROFILES.peppol)).toEqual([]);
  });
});

function meansOf(origin: object | null) {
  const details = { ...NO_DETAILS, payment_means_code: '30' };
  const state = { kind: 'credit_note', origin } as { kind: 'credit_note' };
  const root = readXml(
    invoiceXml(invoiceOf(aView({ state, content: { details } })), PROFILES.peppol),
  );
  return textAt(root, 'a:PaymentMeans/b:PaymentMeansCode');
}

describe('the means of a credit note', () => {
  it('are its own, and clearing where they are those of its invoice, or none', () => {
    expect(meansOf(null)).toBe('30');
    expect(
      meansOf({ relation: 'credit', documentId: '01930000-0000-7000-8000-000000000004' }),
    ).toBe('97');
  });
});

describe('a cash discount', () => {
  const cashDiscounts = [
    { percent: '3', days: 7, lapsesAt: null },
    { percent: '1.25', days: 10, lapsesAt: null },
  ];
  const terms = (id: 'xrechnung-ubl' | 'peppol') => {
    const details = { ...NO_DETAILS, payment_terms: 'By bank.' };
    const view = aView({ state: { cashDiscounts }, content: { details } });
    const words = ['3 % until Friday', '1.25 % until Monday'];
    const invoice = invoiceOf(view, words);
    return textAt(readXml(invoiceXml(invoice, PROFILES[id])), 'a:PaymentTerms/b:Note');
  };

  it('has the form of XRechnung there, and words elsewhere', () => {
    expect(terms('xrechnung-ubl')).toBe(
      'By bank.\n#SKONTO#TAGE=7#PROZENT=3.00#\n#SKONTO#TAGE=10#PROZENT=1.25#\n',
    );
    expect(terms('peppol')).toBe('By bank.\n3 % until Friday\n1.25 % until Monday');
  });
});

describe('a percentage of a discount or charge on the document', () => {
  const lines = [
    aLine({ unitAmountMinor: 33_333n, taxRate: '19' }),
    aLine({ unitAmountMinor: 9999n, taxRate: '7' }),
  ];
  const toldOf = (wish: Parameters<typeof aView>[0]) => {
    const invoice = invoiceOf(aView({ lines, ...wish }));
    return [
      adjustmentsOfUbl(readXml(invoiceXml(invoice, PROFILES.peppol))),
      allAt(readXml(invoiceXml(invoice, PROFILES['factur-x'])), SETTLEMENT).flatMap(
        adjustmentsOfCii,
      ),
    ].map((read) => read.map(({ amount, base, percent }) => [amount, base, percent]));
  };

  it.each<[string, Parameters<typeof aView>[0], (string | null)[][]]>([
    [
      'is of the lines of each tax',
      { discounts: [{ percent: '10' }], charges: [{ percent: '2.5' }] },
      [
        ['33.33', '333.33', '10'],
        ['10.00', '99.99', '10'],
        ['8.33', '333.33', '2.5'],
        ['2.50', '99.99', '2.5'],
      ],
    ],
    [
      'is of all lines where a charge has a tax of its own',
      { charges: [{ percent: '3', taxRate: '19' }] },
      [['13.00', '433.32', '3']],
    ],
    [
      'is of the lines of its tax',
      { discounts: [{ percent: '5', taxRate: '7' }] },
      [['5.00', '99.99', '5']],
    ],
    [
      'is left out where another discount is off one tax only',
      { discounts: [{ percent: '50', taxRate: '7' }, { percent: '10' }] },
      [
        ['50.00', '99.99', '50'],
        ['37.68', null, null],
        ['5.65', null, null],
      ],
    ],
    [
      'is left out where there is none',
      { discounts: [{ amountMinor: 100n, taxRate: '19' }] },
      [['1.00', null, null]],
    ],
    [
      'is left out where rounding to whole units would be noticed',
      { currency: 'JPY', discounts: [{ percent: '10' }] },
      [
        ['3333', null, null],
        ['1000', null, null],
      ],
    ],
  ])('%s', (_, wish, wanted) => {
    const [ubl, cii] = toldOf(wish);
    expect([ubl, cii]).toEqual([wanted, wanted]);
  });
});

const SETTLEMENT = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement';
