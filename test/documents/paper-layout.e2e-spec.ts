import { afterAll, beforeAll, expect, it } from 'vitest';
import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { launch } from '../support/chromium.js';
import { pageTextsOf } from '../support/pdf-text.js';
import { aLine, aView } from './document-views.js';

// The pages of a document end at a fit place, whatever number of lines it has.

let renderer: PuppeteerPdfRenderer;
beforeAll(async () => {
  renderer = new PuppeteerPdfRenderer({ launch });
  await renderer.warm();
});
afterAll(() => renderer.close());

const seller = (country: string | null) => ({
  country,
  tax_id: 'DE123456788',
  bank_accounts: [
    { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bank_name: null, holder: null },
  ],
});

async function pagesOf(count: number, country: string | null = null): Promise<string[]> {
  const lines = Array.from({ length: count }, (_, at) => aLine({ description: `Item ${at + 1}.` }));
  const view = aView({ lines, seller: seller(country) });
  return pageTextsOf(await renderer.render(pdfHtml(view)));
}

it.each([
  ['a sheet of its own', null],
  ['a letter', 'DE'],
])(
  'no page has only a total, the way to pay, or a heading of lines: %s',
  async (_, country) => {
    const lonely: string[] = [];
    for (let count = 1; count <= 60; count += 1) {
      const pages = await pagesOf(count, country);
      for (const [at, text] of pages.entries()) {
        if (!/Item \d+\./.test(text)) lonely.push(`${count}: ${at + 1} of ${pages.length}`);
      }
      const items = pages.join('\n').match(/Item \d+\./g) ?? [];
      if (items.length !== count) lonely.push(`${count}: ${items.length} lines`);
      if (!/DE89 3704/.test(pages.at(-1)!)) lonely.push(`${count}: no account`);
    }
    expect(lonely).toEqual([]);
  },
  60_000,
);

const words = (place: 'after_totals' | 'end') => ({
  place,
  language: null,
  heading: null,
  text: `Words ${place}. `.repeat(40),
});

it('notes and words of the seller stand in their order, and none parts what belongs together', async () => {
  const template = {
    version: 1,
    accent_color: null,
    hidden_columns: [],
    carried_sums: false,
    texts: [],
    footer: null,
    blocks: [words('after_totals'), words('end')],
  };
  const order = ['Total', 'Words after_totals', 'Please pay', 'DE89', 'Some notes', 'Words end'];
  const faults: string[] = [];
  for (let count = 2; count <= 20; count += 1) {
    const view = aView({
      lines: Array.from({ length: count }, (_, at) => aLine({ description: `Item ${at + 1}.` })),
      seller: { ...seller('DE'), template },
      content: { notes: 'Some notes.' },
    });
    const pages = pageTextsOf(await renderer.render(pdfHtml(view)));
    const whole = pages.join('\n');
    const found = [...order, 'DE123456788'].map((start) => whole.lastIndexOf(start));
    if (`${found}` !== `${found.toSorted((a, b) => a - b)}`) faults.push(`${count}: order`);
    for (const page of pages) {
      const parted = ([one, other]: [RegExp, RegExp]) => one.test(page) !== other.test(page);
      const pairs: [RegExp, RegExp][] = [
        [/DE89/, /Words after_totals/],
        [/DE123456788/, /Words end/],
      ];
      if (pairs.some(parted)) faults.push(`${count}: parted`);
    }
  }
  expect(faults).toEqual([]);
});

it('a position has room for four digits', async () => {
  const pages = await pagesOf(1000);
  expect(pages.join('\n')).toMatch(/^1000\nItem 1000\.$/m);
});
