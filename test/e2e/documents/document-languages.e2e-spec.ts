import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentsQuery } from '../../../src/documents/infrastructure/documents.query.js';
import { copyMarkOf } from '../../../src/documents/domain/printing/copy-mark.js';
import { pdfHtml } from '../../../src/documents/infrastructure/printing/pdf-template.js';
import { LANGUAGES, WORDS } from '../../../src/documents/domain/texts/languages.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { pathOf } from './document-calls.js';

// Nothing of the English catalogue is on a document in another language, whatever it has.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  await client.patch('/v1/finance/seller', {
    name: 'Zyx 1',
    tax_id: 'DE123456788',
    registration_id: 'Zyx 2',
    bank_accounts: [{ holder: 'Zyx 3', iban: 'DE89370400440532013000', bank_name: 'Zyx 4' }],
  });
});
afterAll(() => service.close());

/** Texts of a catalogue, without what is put into them. */
function wordsOf(texts: unknown): string[] {
  if (typeof texts === 'string') return texts.split(/\{\w+\}/);
  return Object.values(texts ?? {}).flatMap(wordsOf);
}

const isWorded = (text: string) => /\p{L}{4}/u.test(text);
const normal = (text: string) => text.replace(/[:.…]/g, ' ').trim().toLowerCase();

/** Texts that only the English catalogue has. */
function onlyEnglish(language: string): string[] {
  const own = normal(wordsOf(WORDS[language]).join(' | '));
  const english = new Set(wordsOf(WORDS['en']).map(normal).filter(isWorded));
  return [...english].filter((text) => !own.includes(text));
}

const readable = (html: string) =>
  normal(html.replace(/<(style|script)>[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' | '));

function englishIn(text: string, language: string): string[] {
  return onlyEnglish(language).filter((words) => {
    const at = text.indexOf(words);
    return at >= 0 && !/\p{L}/u.test((text[at - 1] ?? '') + (text[at + words.length] ?? ''));
  });
}

const LINES = [
  { description: 'Xq', quantity: '3', unit: 'DAY', unit_amount: 10_000, tax_rate: '19', sku: 'Q1' },
  { description: 'Xw', quantity: '1', unit_amount: 10_000, tax_category: 'E' },
  { description: 'Xy', quantity: '1', unit_amount: 5000, tax_rate: '7', charges: [{ amount: 70 }] },
];
const PLACE = { address: ['Xr 1'], postal_code: '53111', city: 'Xo', region: null, country: 'DE' };
const DETAILS = {
  supply_date: '2026-11-19',
  delivery: { name: 'Xd', ...PLACE },
  buyer_reference: 'Xb',
  project_reference: 'Xp',
  contract_reference: 'Xc',
  sales_order: 'Xs',
  despatch_reference: 'Xl',
  purchase_order: 'Xk',
  payment_means_code: '58',
  tax_representative: { name: 'Xt', tax_id: 'DE999999995', ...PLACE },
  payee: { name: 'Xe', id: 'X-1', registration_id: null },
  discounts: [{ percent: '10' }],
  notes: 'Xn',
};
const CUSTOMER = { name: 'Xg', country: 'FR', tax_id: 'FR40303265045' };

const makers: Record<string, (wish: DocumentWish) => Promise<{ id: string }>> = {
  'an invoice': async (wish) =>
    client.anInvoice({ ...wish, cash_discounts: [{ percent: '2', days: 10 }] }),
  'an invoice with reverse charge': async (wish) =>
    client.anInvoice({
      ...wish,
      lines: [{ description: 'Xq', unit_amount: 100, tax_category: 'AE' }],
      discounts: [],
    }),
  'an invoice paid in part': async (wish) => {
    const invoice = await client.anInvoice(wish);
    await client.pay(invoice);
    return invoice;
  },
  'a quote that was rejected': async (wish) => {
    const quote = await client.aQuote(wish);
    const token = await client.aPortalToken(quote);
    await service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'Xj' } });
    return quote;
  },
  'a pro forma invoice': async (wish) => client.aQuote({ ...wish, proforma: true }),
  'a revision of a quote': async (wish) => {
    const quote = await client.aQuote(wish);
    const { body } = await client.post<{ id: string }>(pathOf(quote, 'revise'), {});
    await client.patch(pathOf(body), { notes: 'Xm', due_date: '2027-01-31' });
    return client.issue(body);
  },
  'a credit note of some lines': async (wish) =>
    aCreditNote(client, await client.anInvoice(wish), {
      lines: [{ position: 1, quantity: '1' }],
    }),
  'a credit note of an amount': async (wish) =>
    aCreditNote(client, await client.anInvoice(wish), { amount: 500 }),
  'an invoice that was written off': async (wish) => {
    const invoice = await client.anInvoice(wish);
    await client.post(pathOf(invoice, 'write-off'), {});
    return invoice;
  },
  'a void invoice': async (wish) => client.void(await client.anInvoice(wish)),
};

const others = LANGUAGES.filter((language) => language !== 'en');

describe.each(others)('in %s', (language) => {
  it.each(Object.keys(makers))('%s has no English words', async (kind) => {
    const wish = { language, lines: LINES, customer: CUSTOMER, ...DETAILS };
    const document = await makers[kind]!(wish);
    const token = await client.aPortalToken(document);
    const page = await service.call(`/v1/portal/${token}`, { headers: { accept: 'text/html' } });
    const view = await service.app
      .get(DocumentsQuery, { strict: false })
      .find(uuidOf('acc', client.accountId)!, uuidOf('doc', document.id)!);
    const paper = pdfHtml(view!, { mark: copyMarkOf(view!, 'UTC') });
    expect(page.status).toBe(200);
    for (const text of [readable(page.text), readable(paper)]) {
      expect(text).toContain('zyx 1');
      expect(englishIn(text, language)).toEqual([]);
    }
  });
});

it('the search finds English where it is', () => {
  expect(englishIn(' | amount due | xq | ', 'de')).toContain('amount due');
  expect(onlyEnglish('de').length).toBeGreaterThan(60);
});
