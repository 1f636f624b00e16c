import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Locale } from '../../src/documents/domain/printing/formatting.js';
import { Money } from '../../src/kernel/money.js';
import type { TestClient } from '../support/client.js';
import { pageTextsOf } from '../support/pdf-text.js';
import { startTestService, type TestService } from '../support/service.js';

// Sums that are carried from one sheet to the next.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
});

/** An amount and a height of its own for each line. */
const amountOf = (at: number) => 101 + at * 37;
const describedAs = (at: number) =>
  [`Item ${at}.`, ...Array.from({ length: (at * 7) % 5 }, () => 'and more')].join('\n');

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    description: describedAs(at),
    unit_amount: amountOf(at),
  }));

async function pagesOf(count: number, more: object = {}): Promise<string[]> {
  client = await service.aClient();
  await client.patch('/v1/finance/seller', { template: { carried_sums: true, ...more } });
  const { id } = await client.anInvoice({ lines: linesOf(count) });
  const { bytes } = await client.get(`/v1/finance/documents/${id}/pdf`);
  return pageTextsOf(bytes);
}

function sumUpTo(last: number, language = 'en'): string {
  const sum = Array.from({ length: last + 1 }, (_, at) => amountOf(at)).reduce((a, b) => a + b, 0);
  return Locale.of(language).money(Money.of(BigInt(sum), 'EUR'));
}

const itemsOn = (page: string) => [...page.matchAll(/Item (\d+)\./g)].map(([, at]) => Number(at));
const sumAfter = (name: string, page: string) =>
  new RegExp(String.raw`^${name}\n(€[\d,.]+|[\d,.]+\s€)$`, 'm').exec(page)?.[1] ?? null;

describe('a document of several sheets', () => {
  it.each([1, 13, 14, 15, 16, 17, 34, 35, 120])(
    'carries the sum of its lines from each to the next: %d lines',
    async (count) => {
      const pages = await pagesOf(count);
      expect(pages.flatMap(itemsOn)).toEqual(Array.from({ length: count }, (_, at) => at));
      for (const [at, page] of pages.entries()) {
        const [before, items] = [pages.slice(0, at).flatMap(itemsOn), itemsOn(page)];
        const isLast = at === pages.length - 1;
        expect(items.length).toBeGreaterThan(0);
        expect(sumAfter('Brought forward', page)).toBe(at === 0 ? null : sumUpTo(before.at(-1)!));
        expect(sumAfter('Carried over', page)).toBe(isLast ? null : sumUpTo(items.at(-1)!));
      }
    },
    60_000,
  );

  it('does so without its columns, too', async () => {
    const pages = await pagesOf(40, { hidden_columns: ['position', 'quantity', 'tax'] });
    expect(pages.length).toBeGreaterThan(1);
    expect(sumAfter('Brought forward', pages[1]!)).toBe(sumUpTo(itemsOn(pages[0]!).at(-1)!));
  });

  it.each([1, 10, 11, 12, 13, 60])(
    'does so in a letter without being asked, below the number: %d lines',
    async (count) => {
      client = await service.aClient();
      const bank_accounts = [{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }];
      await client.patch('/v1/finance/seller', { country: 'DE', language: 'de', bank_accounts });
      const { id, number } = await client.anInvoice({ lines: linesOf(count) });
      const { bytes } = await client.get(`/v1/finance/documents/${id}/pdf`);
      const pages = pageTextsOf(bytes);
      expect(pages.flatMap(itemsOn)).toEqual(Array.from({ length: count }, (_, at) => at));
      for (const [at, page] of pages.entries()) {
        const before = pages.slice(0, at).flatMap(itemsOn);
        const [isFirst, isLast] = [at === 0, at === pages.length - 1];
        const from = sumAfter('Übertrag von der vorigen Seite', page);
        const to = sumAfter('Übertrag auf die nächste Seite', page);
        expect(from).toBe(isFirst ? null : sumUpTo(before.at(-1)!, 'de'));
        expect(to).toBe(isLast ? null : sumUpTo([...before, ...itemsOn(page)].at(-1)!, 'de'));
        expect(page.match(new RegExp(`Rechnung ${String(number)}`, 'g'))?.length).toBe(
          isFirst ? 1 : 2,
        );
        expect(itemsOn(page).length).toBeGreaterThan(0);
      }
      expect(pages.at(-1)).toMatch(/DE89 3704/);
    },
  );

  it('carries nothing where nobody asked for it', async () => {
    const pages = await pagesOf(40, { carried_sums: false, layout: 'standard' });
    expect(pages.join('\n')).not.toMatch(/Carried over|Brought forward/);
  });
});

describe('a document of several tables', () => {
  it('has each line once, in their order, with the sums of sheets', async () => {
    const count = 1010;
    client = await service.aClient();
    await client.patch('/v1/finance/seller', { template: { carried_sums: true } });
    const lines = Array.from({ length: count }, (_, at) => ({
      description: `Item ${at}.`,
      unit_amount: amountOf(at),
    }));
    const { id } = await client.anInvoice({ lines });
    const { bytes } = await client.get(`/v1/finance/documents/${id}/pdf`);
    const pages = pageTextsOf(bytes);
    expect(pages.flatMap(itemsOn)).toEqual(Array.from({ length: count }, (_, at) => at));
    const carried = pages.slice(0, -1).map((page) => sumAfter('Carried over', page));
    expect(carried).toEqual(pages.slice(0, -1).map((page) => sumUpTo(itemsOn(page).at(-1)!)));
  }, 60_000);
});
