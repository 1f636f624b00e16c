import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { pageTextsOf, textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import { pathOf } from './document-calls.js';

// A reader of a void document must see that it is void.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient({ timeZone: 'Pacific/Auckland' });
});
afterAll(() => service.close());

const BANK = { holder: 'ACME GmbH', iban: 'DE89370400440532013000' };

/** The day in Auckland, which is ahead of the test's clock. */
const today = (language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'Pacific/Auckland' }).format(
    service.clock.now(),
  );

const pdfOf = async (of: { id: string }, query = '') => client.get(pathOf(of, `pdf${query}`));

describe('a void document', () => {
  it('says so on each page of its PDF, with the day in the account’s time zone', async () => {
    await client.patch('/v1/finance/seller', { name: 'ACME GmbH', bank_accounts: [BANK] });
    const invoice = await client.anInvoice({ lines: 60, language: 'de' });
    const issued = await pdfOf(invoice);
    expect(textOf(issued.bytes)).not.toMatch(/storniert/i);
    expect(textOf(issued.bytes)).toContain('Kontoinhaber');
    await client.void(invoice);

    const marked = await pdfOf(invoice);
    const text = textOf(marked.bytes);
    const pages = pageTextsOf(marked.bytes);
    expect(pages.length).toBeGreaterThan(1);
    // In the head, and at the foot of each page.
    expect(text.split(`Storniert am ${today('de')}`)).toHaveLength(pages.length + 2);
    expect(text).not.toContain('Kontoinhaber');
    expect(marked.headers.get('content-disposition')).toContain(`${invoice.number}-void.pdf`);
    expect(marked.headers.get('etag')).not.toBe(issued.headers.get('etag'));
  });

  it('keeps the PDF of its issue, byte for byte', async () => {
    const invoice = await client.anInvoice();
    const issued = await pdfOf(invoice);
    await client.void(invoice);
    await pdfOf(invoice);
    const kept = await pdfOf(invoice, '?as_issued=true');
    expect(kept.bytes.equals(issued.bytes)).toBe(true);
    expect(kept.headers.get('etag')).toBe(issued.headers.get('etag'));
  });

  it('has a PDF of its issue also where nobody asked for one before', async () => {
    const invoice = await client.anInvoice();
    await client.void(invoice);
    const first = await pdfOf(invoice, '?as_issued=true');
    expect(textOf(first.bytes)).not.toMatch(/void/i);
    expect((await pdfOf(invoice, '?as_issued=true')).bytes.equals(first.bytes)).toBe(true);
    expect(textOf((await pdfOf(invoice)).bytes)).toContain(`Voided on ${today('en-GB')}`);
  });

  it.each([
    ['an invoice', async () => client.anInvoice({ language: 'fr' })],
    ['a quote', async () => client.aQuote({ language: 'fr' })],
    [
      'a credit note',
      async () => aCreditNote(client, await client.anInvoice({ language: 'fr' }), { amount: 500 }),
    ],
  ])('shows that to the client: %s', async (_, make) => {
    const document = await make();
    const token = await client.aPortalToken(document);
    await client.void(document);
    const page = await service.call(`/v1/portal/${token}`, { headers: { accept: 'text/html' } });
    expect(page.text).toContain(`Annulé le ${today('fr')}`);
    expect(page.text).not.toMatch(/<form|class="button primary"|class="sheet payment"/);
    const pdf = await service.call(`/v1/portal/documents/${token}/pdf`);
    expect(textOf(pdf.bytes)).toContain(`Annulé le ${today('fr')}`);
  });
});
