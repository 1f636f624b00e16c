import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { AdjustmentRequest } from '../../src/documents/domain/calculation/calculation-request.js';
import type { DocumentView } from '../../src/documents/domain/document-view.js';
import { LANGUAGES, textsOf } from '../../src/documents/domain/texts/languages.js';
import { presentDocument } from '../../src/documents/wire/present-document.js';
import { copyMarkOf } from '../../src/documents/domain/printing/copy-mark.js';
import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { minorDigits } from '../../src/kernel/currency.js';
import { launchChromium } from '../../src/platform/chromium/chromium.js';
import { Money } from '../../src/kernel/money.js';
import type { PayPage } from '../../src/payments/index.js';
import { portalPage } from '../../src/portal/http/portal-page.js';
import { openedPdf, textOf } from '../support/pdf-text.js';
import { aLine, aView, type ViewWish } from './document-views.js';

// JSON, PDF and page are three views of one calculation: no two may ever differ.

const CACHE_DIR = join(tmpdir(), `quittance-chromium-${process.getuid?.() ?? 0}`);
const ROUNDS_A_LANGUAGE = 6;

const launch = async () => (await launchChromium({ cacheDir: CACHE_DIR })).browser;

let renderer: PuppeteerPdfRenderer;
beforeAll(async () => {
  renderer = new PuppeteerPdfRenderer({ launch });
  await renderer.warm();
});
afterAll(() => renderer.close());

const pageOf = (view: DocumentView, changes = []) =>
  portalPage({
    view,
    changes,
    processing: [],
    collection: null,
    token: 'token',
    asked: null,
    offers: [],
    payments: [],
    credited: Money.zero(view.currency),
    notCounted: Money.zero(view.currency),
    refunds: [],
    viewedAt: null,
    links: [],
    payLinks: [],
    timeZone: 'UTC',
    logo: null,
    schedule: null,
  });

/** The text of a page as a browser would show it. */
const readable = (html: string) =>
  html
    .replace(/<style>[^]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&(lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? entity);
const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

const adjustment: fc.Arbitrary<AdjustmentRequest> = fc.oneof(
  fc.record({
    percent: fc.integer({ min: 0, max: 30 }).map(String),
    reason: fc.constant('Reason'),
  }),
  fc.record({ amountMinor: fc.bigInt({ min: 0n, max: 99n }) }),
);
const aRequest: fc.Arbitrary<ViewWish> = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  pricesIncludeTax: fc.boolean(),
  cashRounding: fc.constantFrom(null, 5n),
  lines: fc.array(
    fc
      .record({
        quantity: fc.integer({ min: 1, max: 5000 }).map((units) => `${units / 4}`),
        unit: fc.constantFrom('C62', 'HUR', 'H87'),
        unitAmountMinor: fc.bigInt({ min: 5000n, max: 9_999_999n }),
        taxRate: fc.constantFrom('19', '7', '0', '8.1'),
        discounts: fc.array(adjustment, { maxLength: 1 }),
        charges: fc.array(adjustment, { maxLength: 1 }),
      })
      .map(aLine),
    { minLength: 1, maxLength: 6 },
  ),
  discounts: fc.array(adjustment, { maxLength: 2 }),
  charges: fc.array(adjustment, { maxLength: 2 }),
});

// Written down by hand, so that our formatting does not judge itself. Blanks are left out.
const MARKS: Record<string, [group: string, decimal: string]> = {
  ar: [',', '.'],
  cs: ['', ','],
  da: ['.', ','],
  fi: ['', ','],
  he: [',', '.'],
  hi: [',', '.'],
  ja: [',', '.'],
  ko: [',', '.'],
  nb: ['', ','],
  sv: ['', ','],
  th: [',', '.'],
  zh: [',', '.'],
  en: [',', '.'],
  de: ['.', ','],
  es: ['.', ','],
  fr: ['', ','],
  it: ['.', ','],
  nl: ['.', ','],
  pl: ['', ','],
  pt: ['', ','],
};

/** The digits of an amount of the JSON, as they must stand on paper in a language. */
function digitsOf(minor: number, currency: string, language: string): string {
  const [group, decimal] = MARKS[language] ?? ['', ''];
  const places = minorDigits(currency);
  const digits = String(Math.abs(minor)).padStart(places + 1, '0');
  // India groups by two above a thousand.
  const groups = language === 'hi' ? /\B(?=(\d{2})*\d{3}$)/g : /\B(?=(\d{3})+$)/g;
  const whole = digits.slice(0, digits.length - places).replace(groups, group);
  return places === 0 ? whole : `${whole}${decimal}${digits.slice(-places)}`;
}

/** The digits and marks of every amount that stands below a label, in a text line by line. */
function amountsAfter(label: string, text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const places = lines.flatMap((line, place) => (line === label ? [place] : []));
  // The name of a currency may have points, too.
  return places.map((place) => (lines[place + 1] ?? '').replace(/\p{L}\.|[^\d.,]/gu, ''));
}

describe.each(LANGUAGES)('in %s', (language) => {
  it('JSON, PDF and page say the same amounts', async () => {
    const texts = textsOf(language);
    const wishes = fc.sample(aRequest, { numRuns: ROUNDS_A_LANGUAGE, seed: 20_261_120 });
    for (const wish of wishes) {
      const view = aView({ ...wish, content: { language } });
      const json = presentDocument(view);
      const paper = textOf(await renderer.render(pdfHtml(view)));
      const page = readable(pageOf(view));
      const expected = (minor: number) => digitsOf(minor, json.currency, language);
      for (const [label, minor] of [
        [texts?.total ?? '', json.total],
        [texts?.netTotal ?? '', json.net_total],
        ...(json.tax_groups.length > 1 ? [[texts?.tax.total ?? '', json.tax_total] as const] : []),
        ...(json.rounding_amount === 0
          ? []
          : [[texts?.rounding ?? '', json.rounding_amount] as const]),
      ] as const) {
        expect([label, ...amountsAfter(label, paper)]).toEqual([label, expected(minor)]);
        expect([label, ...amountsAfter(label, page)]).toEqual([label, expected(minor)]);
      }
      for (const text of [paper, page]) {
        const compact = text.replace(/\s/g, '');
        for (const line of json.lines) {
          const shown = json.prices_include_tax ? line.amount : line.net_amount;
          expect(compact).toContain(expected(shown));
        }
        for (const group of json.tax_groups) {
          expect(compact).toContain(expected(group.taxable_amount));
          expect(compact).toContain(expected(group.tax_amount));
        }
        expect(text).not.toContain('\ufffd');
      }
    }
  });
});

const hostile = (where: string) =>
  `</style></title></textarea><script>alert('${where}')</script><img src=x onerror=alert(1)>"'&lt;`;

describe('hostile text', () => {
  const view = aView({
    seller: { name: hostile('seller'), website: hostile('website'), tax_id: hostile('tax') },
    customer: { name: hostile('buyer'), address: [hostile('street')], reference: hostile('ref') },
    lines: [
      aLine({
        description: hostile('line'),
        discounts: [{ percent: '1', reason: hostile('why') }],
      }),
    ],
    discounts: [{ percent: '1', reason: hostile('discount') }],
    state: { number: hostile('number'), rejection: null },
    content: { notes: hostile('notes'), purchaseOrder: hostile('order') },
  });

  it('is text and nothing else on the page and on paper', () => {
    for (const html of [pageOf(view), pdfHtml(view)]) {
      expect(html).not.toMatch(/<script|<img/);
      expect(html.match(/<\/style>/g)).toHaveLength(1);
      for (const where of ['seller', 'website', 'buyer', 'street', 'line', 'discount', 'notes']) {
        expect(readable(html)).toContain(hostile(where));
      }
    }
  });

  it('is printed as it was written', async () => {
    const compact = textOf(await renderer.render(pdfHtml(view))).replace(/\s/g, '');
    for (const where of ['seller', 'buyer', 'line', 'why', 'notes', 'order']) {
      expect(compact).toContain(hostile(where).replace(/\s/g, ''));
    }
  });

  it('does not become a link', () => {
    const amount = Money.of(1n, 'EUR');
    const payLinks = [{ gateway: 'x', amount, url: 'javascript:alert(1)' } as PayPage];
    const html = portalPage({
      view: aView(),
      changes: [],
      processing: [],
      collection: null,
      timeZone: 'UTC',
      token: 't',
      asked: null,
      offers: [],
      payments: [],
      credited: Money.zero(view.currency),
      notCounted: Money.zero(view.currency),
      refunds: [],
      viewedAt: null,
      links: [],
      payLinks,
      logo: null,
      schedule: null,
    });
    expect(html).not.toContain('javascript:');
  });
});

describe('a PDF', () => {
  it('is tagged, titled and in its language', async () => {
    const view = aView({ content: { language: 'pt-BR' } });
    const pdf = openedPdf(await renderer.render(pdfHtml(view)));
    expect(pdf).toMatch(/\/MarkInfo\s*<<\s*\/Type \/MarkInfo\s*\/Marked true/);
    expect(pdf).toContain('/Lang (pt-BR)');
    expect(pdf).toContain('/Title (Fatura INV-00001)');
    for (const tag of ['/H1', '/H2', '/TH', '/TD']) expect(pdf).toContain(`/S ${tag}`);
  });

  it('repeats the head of the table on every page', async () => {
    const lines = Array.from({ length: 60 }, () => aLine());
    const text = textOf(await renderer.render(pdfHtml(aView({ lines }))));
    const pages = text.split('Unit price').length - 1;
    expect(pages).toBe(3);
    expect(text).toMatch(/Page\s+3\s+of\s+3/);
  });

  it('carries the logo', async () => {
    const logo =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
    const [without, withLogo] = await Promise.all(
      [null, logo].map(async (image) =>
        openedPdf(await renderer.render(pdfHtml(aView(), { logo: image }))),
      ),
    );
    expect(without).not.toContain('/S /Figure');
    expect(withLogo).toContain('/S /Figure');
  });

  it('of a draft says so', async () => {
    const state = { lifecycle: 'draft', number: null } as const;
    const draft = aView({ state, content: { language: 'de' } });
    const html = pdfHtml(draft, { mark: copyMarkOf(draft, 'UTC') });
    expect(html).toContain('<p class="mark" aria-hidden="true">Entwurf</p>');
    expect(textOf(await renderer.render(html))).toContain('Entwurf, nicht ausgestellt');
  });
});
