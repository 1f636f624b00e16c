import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { launchChromium } from '../../src/platform/chromium/chromium.js';
import { PATIENCE_MS } from '../support/patience.js';
import { pageTextsOf } from '../support/pdf-text.js';
import { startTestService, type TestService } from '../support/service.js';
import { bookedWhole, LINES, majorIn } from './large-print.js';

// Documents of more than a thousand lines are printed in several tables, one such document at a time.

const CACHE_DIR = join(tmpdir(), `quittance-chromium-${process.getuid?.() ?? 0}`);

describe('a PDF of 3,000 lines', () => {
  let service: TestService;
  let pages: string[];
  let sums: ReturnType<typeof bookedWhole>;
  beforeAll(async () => {
    service = await startTestService();
    const client = await service.aClient();
    await client.patch('/v1/finance/seller', { country: 'DE', language: 'de' });
    const invoice = await client.anInvoice({ lines: LINES });
    const { status, bytes } = await client.get(`/v1/finance/documents/${invoice.id}/pdf`);
    expect(status).toBe(200);
    pages = pageTextsOf(bytes);
    sums = bookedWhole(invoice);
  }, 120_000);
  afterAll(() => service.close());

  it('has each line once, in order, also where one table ends and the next begins', () => {
    expect(pages.flatMap(itemsOn)).toEqual(LINES.map((_, at) => at));
    expect(pages.filter((page) => itemsOn(page).length === 0)).toEqual([]);
  });

  it('carries the sum of all lines before each sheet, whatever their table is', () => {
    let last = -1;
    for (const [at, page] of pages.entries()) {
      expect(carried('Übertrag von der vorigen Seite', page)).toBe(
        at === 0 ? null : majorIn('de', sums.upTo(last)),
      );
      last = itemsOn(page).at(-1) ?? last;
      expect(carried('Übertrag auf die nächste Seite', page)).toBe(
        at === pages.length - 1 ? null : majorIn('de', sums.upTo(last)),
      );
    }
  });

  it('ends with the totals of its answer', () => {
    const end = pages.at(-1) ?? '';
    for (const amount of [sums.netTotal, sums.total]) expect(end).toContain(majorIn('de', amount));
  });
});

const itemsOn = (page: string) =>
  [...page.matchAll(/Anschluss (\d+)\./g)].map(([, at]) => Number(at));
const carried = (name: string, page: string) =>
  new RegExp(String.raw`^${name}\n([\d,.]+\s€)$`, 'm').exec(page)?.[1] ?? null;

describe('large prints', () => {
  const row = '<tr><td>4711<td>Data and calls<td>1.50<td>12.30';
  const large = `<!doctype html><table>${row.repeat(700)}</table><table>${row.repeat(700)}</table>`;
  const small = '<!doctype html><p>One';
  const browsers: Browser[] = [];
  let renderer: PuppeteerPdfRenderer;
  const launch = async () => {
    const { browser } = await launchChromium({ cacheDir: CACHE_DIR });
    browsers.push(browser);
    return browser;
  };
  beforeAll(async () => {
    renderer = new PuppeteerPdfRenderer({ launch, waitingLimit: 3 });
    await renderer.warm();
  });
  afterAll(() => renderer.close());

  it('are one at a time: one page always prints for others', async () => {
    const order: string[] = [];
    const print = async (name: string, html: string, tables: number) => {
      const pdf = await renderer.render(html, { owner: name, tables });
      order.push(name);
      return pdf.length;
    };
    const both = [print('first', large, 2), print('second', large, 2)];
    const others = Promise.all(['a', 'b', 'c'].map(async (name) => print(name, small, 1)));
    expect(Math.max(...(await others))).toBeGreaterThan(0);
    expect(order.toSorted()).toEqual(['a', 'b', 'c']);
    await Promise.all(both);
    expect(order.slice(3)).toEqual(['first', 'second']);
  });

  it('take their page with them, and the memory that it has', async () => {
    const fresh = new PuppeteerPdfRenderer({ launch });
    await fresh.warm();
    const browser = browsers.at(-1);
    const before = (await browser?.pages()) ?? [];
    await fresh.render(large, { tables: 2 });
    await vi.waitFor(() => {
      expect(before.filter((page) => page.isClosed())).toHaveLength(1);
    }, PATIENCE_MS);
    await fresh.render(small);
    expect(before.filter((page) => page.isClosed())).toHaveLength(1);
    await fresh.close();
  });

  it('wait in a queue of their own, which has an end', async () => {
    const all = Array.from({ length: 5 }, async () => renderer.render(large, { tables: 2 }));
    const refused = await Promise.allSettled(all);
    expect(refused.map(({ status }) => status)).toEqual([
      ...Array<string>(4).fill('fulfilled'),
      'rejected',
    ]);
    expect(refused[4]).toMatchObject({ reason: { code: 'pdf_busy' } });
  });
});
