import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaperLayout } from '../../src/documents/domain/printing/paper-layouts.js';
import type { Buyer, Seller } from '../../src/documents/domain/parties/party.js';
import { LANGUAGES } from '../../src/documents/domain/texts/languages.js';
import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { launch } from '../support/chromium.js';
import { type PlacedText, sheetsOf } from '../support/pdf-places.js';
import { aLine, aView, type ViewWish } from './document-views.js';

// Letters: each part is where windows, folders and eyes look for it. Measures are read from the
// PDF, in millimetres.

/** A length is rounded down to pixels, of which a millimetre has 3.78. */
const PIXEL = 0.27;
/** Of the letters of an address above their line, and below it. */
const ASCENT = 2.6;
const DESCENT = 0.9;

let renderer: PuppeteerPdfRenderer;
beforeAll(async () => {
  renderer = new PuppeteerPdfRenderer({ launch });
  await renderer.warm();
});
afterAll(() => renderer.close());

const seller = (layout: PaperLayout | null, over: Partial<Seller> = {}): Partial<Seller> => ({
  name: 'Acme Studio GmbH',
  address: ['Lindenstraße 5'],
  postal_code: '10115',
  city: 'Berlin',
  country: 'DE',
  email: 'billing@acme.example',
  tax_id: 'DE123456788',
  legal_information: 'Geschäftsführer: Erika Mustermann, Amtsgericht Berlin HRB 12345',
  bank_accounts: [
    { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bank_name: 'Bank', holder: null },
  ],
  ...(layout && {
    template: {
      version: 1,
      layout,
      accent_color: null,
      hidden_columns: [],
      carried_sums: false,
      texts: [],
      footer: null,
      blocks: [],
    },
  }),
  ...over,
});

const recipient = (lines: string[]): Partial<Buyer> => ({
  name: lines[0]!,
  address: lines.slice(1),
  tax_id: 'DE987654321',
  identifiers: [{ value: 'K-10023' }],
});

const linesOf = (count: number) => Array.from({ length: count }, (_, at) => `Zeile ${at + 1}.`);

async function sheets(layout: PaperLayout | null, wish: ViewWish = {}) {
  const view = aView({ seller: seller(layout), content: { language: 'de' }, ...wish });
  return sheetsOf(await renderer.render(pdfHtml(view)));
}

const textIn = (texts: PlacedText[], start: string) => {
  const found = texts.find(({ text }) => text.startsWith(start));
  if (!found) throw new Error(`no ${start}`);
  return found;
};

interface Envelope {
  height: number;
  width: number;
  /** Of its window, from the left edge and from the lower one. */
  left: number;
  bottom: number;
  windowWidth: number;
  windowHeight: number;
}

const envelope = (width: number, height: number, left: number, bottom: number, size: number[]) => {
  const [windowWidth = 0, windowHeight = 0] = size;
  return { width, height, left, bottom, windowWidth, windowHeight };
};

/** The part of a sheet that an envelope shows, wherever the sheet has slipped in it. */
function alwaysSeen(one: Envelope, { fold, folded, width }: Folding) {
  const top = one.height - one.bottom - one.windowHeight - (one.height - fold);
  const [down, across] = [one.height - folded, one.width - width];
  return {
    left: one.left,
    right: one.left + one.windowWidth - across,
    top: top + down,
    bottom: top + one.windowHeight,
  };
}

interface Folding {
  /** The first fold, from the upper edge; the address lies above it. */
  fold: number;
  /** The height of the sheet when it is folded. */
  folded: number;
  width: number;
}

const A4: Folding = { fold: 105, folded: 105, width: 210 };
/** Folded once, for C5. */
const IN_HALF: Folding = { fold: 148.5, folded: 148.5, width: 210 };
const LETTER: Folding = { fold: 93.1, folded: 93.2, width: 215.9 };

const WINDOWS: [PaperLayout, Folding, lines: number, Envelope[]][] = [
  // DIN 680: 90 by 45 mm, 20 mm from the left edge and 15 mm from the lower one.
  ['din5008', A4, 6, [envelope(220, 110, 20, 15, [90, 45]), envelope(229, 114, 20, 15, [90, 45])]],
  [
    'din5008_a',
    { ...A4, fold: 87 },
    6,
    [envelope(220, 110, 20, 15, [90, 45]), envelope(229, 114, 20, 15, [90, 45])],
  ],
  // By the edge on the right: 12 and 17 mm.
  [
    'sn010130',
    A4,
    6,
    [envelope(229, 114, 117, 21, [100, 45]), envelope(229, 114, 122, 30, [90, 40])],
  ],
  ['sn010130_left', A4, 6, [envelope(229, 114, 20, 21, [100, 45])]],
  // 20 mm from the right edge and from the lower one.
  [
    'nf_z11_001',
    A4,
    6,
    [envelope(220, 110, 100, 20, [100, 45]), envelope(220, 110, 100, 20, [100, 35])],
  ],
  ['dl', A4, 6, [envelope(220, 110, 20, 18, [90, 35])]],
  // 40, 39 and 44 mm from the upper edge.
  ['e65', A4, 5, [envelope(220, 110, 15, 40, [95, 30]), envelope(229, 114, 15, 40, [100, 35])]],
  ['e65', IN_HALF, 5, [envelope(229, 162, 15, 83, [105, 35])]],
  ['us10', LETTER, 4, [envelope(241.3, 104.8, 22.2, 12.7, [114.3, 28.6])]],
];

describe('the address of a letter', () => {
  it.each(WINDOWS)('is seen through the window of each envelope: %s', async (...row) => {
    const [layout, folding, count, envelopes] = row;
    const customer = recipient(linesOf(count));
    const [sheet] = await sheets(layout, { customer });
    const lines = sheet!.texts.filter(({ text }) => /^Zeile \d/.test(text));
    expect(lines).toHaveLength(count);
    for (const one of envelopes) {
      const seen = alwaysSeen(one, folding);
      for (const { left, right, baseline } of lines) {
        expect(left).toBeGreaterThan(seen.left - PIXEL);
        expect(right).toBeLessThan(seen.right - 2);
        expect(baseline - ASCENT).toBeGreaterThan(seen.top - PIXEL);
        expect(baseline + DESCENT).toBeLessThan(seen.bottom + PIXEL);
      }
    }
  });

  it.each([6, 8, 12])('keeps to the field of DIN 5008 with %d lines', async (count) => {
    const [sheet] = await sheets('din5008', {
      customer: { ...recipient(linesOf(count)), legal_name: 'Handelsgesellschaft '.repeat(4) },
    });
    const texts = sheet!.texts.filter(({ text }) => /^(Zeile|Handels)/.test(text));
    const inField = texts.filter(({ left }) => left < 105);
    expect(inField.length).toBeGreaterThan(count);
    for (const { baseline } of inField) {
      expect(baseline - ASCENT).toBeGreaterThan(45);
      expect(baseline + DESCENT).toBeLessThan(90 + PIXEL);
    }
    const sender = textIn(sheet!.texts, 'Acme Studio GmbH · Lindenstraße 5 · 10115 Berlin');
    expect(sender.baseline).toBeGreaterThan(45);
    expect(sender.baseline).toBeLessThan(62.7);
    expect(sender.baseline).toBeLessThan(Math.min(...inField.map(({ baseline }) => baseline)));
  });

  it('has the country in capitals where the letter goes abroad, and none at home', async () => {
    const [abroad] = await sheets('din5008', { customer: { country: 'FR', city: 'Lyon' } });
    expect(textIn(abroad!.texts, 'FRANKREICH').left).toBeLessThan(26);
    const [home] = await sheets('din5008', { customer: { country: 'DE', city: 'Kiel' } });
    expect(home!.texts.filter(({ text }) => /deutschland/i.test(text))).toHaveLength(1);
  });

  it.each(LANGUAGES)('stands there in each language: %s', async (language) => {
    const [sheet] = await sheets('din5008', {
      content: { language },
      customer: { ...recipient(['Empfang', 'Weg 1']), contact_name: null },
    });
    for (const start of ['Empfang', 'Weg 1']) {
      const { left, right, baseline } = textIn(sheet!.texts, start);
      expect([left > 24.7, right < 105, baseline > 62.7, baseline < 90]).toEqual([
        true,
        true,
        true,
        true,
      ]);
    }
  });
});

describe('DIN 5008', () => {
  it('has block of information, text and marks in their places', async () => {
    const [sheet] = await sheets('din5008');
    const { texts, boxes } = sheet!;
    const date = textIn(texts, 'Datum');
    expect(date.left).toBeCloseTo(125, 0);
    expect(date.baseline).toBeGreaterThan(50);
    expect(date.baseline).toBeLessThan(56);
    expect(textIn(texts, 'Rechnung').baseline - 5).toBeGreaterThan(98.46 - PIXEL);
    const marks = boxes.filter(({ left, width }) => left < 10 && width < 10);
    const at = marks.map(({ top }) => Math.round(top * 2) / 2).toSorted((a, b) => a - b);
    expect(at).toEqual([105, 148.5, 210]);
    for (const { left, width } of marks) expect(left + width).toBeLessThan(20);
  });

  it('gives way to a long block of information, and covers nothing', async () => {
    const details = Object.fromEntries(
      ['project_reference', 'contract_reference', 'sales_order', 'despatch_reference'].map(
        (name) => [name, `${name} `.repeat(9)],
      ),
    );
    const [sheet] = await sheets('din5008', {
      content: { language: 'de', details: { ...aView().details, ...details } },
    });
    const beside = sheet!.texts.filter(({ left, baseline }) => left > 124 && baseline < 110);
    const lowest = Math.max(...beside.map(({ baseline }) => baseline));
    const title = sheet!.texts.findLast(({ text }) => text.startsWith('Rechnung'))!;
    expect(lowest).toBeGreaterThan(98.5);
    expect(title.baseline - 4).toBeGreaterThan(lowest);
  });
});

describe('a small invoice', () => {
  const wish: ViewWish = {
    lines: [
      aLine({ description: 'Beratung vor Ort', quantity: '3', unit: 'DAY' }),
      aLine({ description: 'Wartungsvertrag', quantity: '3', unit: 'MON' }),
      aLine({ description: 'Schulung' }),
      aLine({ description: 'Kabel, 3 m\nCat 7, blau', quantity: '120', unit: 'MTR' }),
    ],
    discounts: [{ percent: '5', reason: 'Treuerabatt' }],
    charges: [{ amountMinor: 1_290n, reason: 'Versand' }],
    customer: recipient(linesOf(4)),
  };

  it.each(['standard' as const, ...WINDOWS.map(([layout]) => layout)])(
    'of four lines with discount, shipping and code is on one sheet: %s',
    async (layout) => {
      const all = await sheets(layout, wish);
      expect(all).toHaveLength(1);
      expect(textIn(all[0]!.texts, 'DE89 3704').baseline).toBeLessThan(280);
    },
  );
});
