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

async function pagesOf(count: number): Promise<string[]> {
  const lines = Array.from({ length: count }, (_, at) => aLine({ description: `Item ${at + 1}.` }));
  return pageTextsOf(await renderer.render(pdfHtml(aView({ lines }))));
}

it('a total is never on a page without a line, nor a heading of lines without one', async () => {
  const lonely: string[] = [];
  for (let count = 1; count <= 60; count += 1) {
    const pages = await pagesOf(count);
    for (const [at, text] of pages.entries()) {
      if (/^(Net total|Total)$/m.test(text) && !/Item \d+\./.test(text))
        lonely.push(`${count}: total on ${at}`);
      if (/^Description$/m.test(text) && !/Item \d+\./.test(text))
        lonely.push(`${count}: head on ${at}`);
    }
    const items = pages.join('\n').match(/Item \d+\./g) ?? [];
    if (items.length !== count) lonely.push(`${count}: ${items.length} lines`);
  }
  expect(lonely).toEqual([]);
});

it('a position has room for four digits', async () => {
  const pages = await pagesOf(1000);
  expect(pages.join('\n')).toMatch(/^1000\nItem 1000\.$/m);
});
