import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { aPng } from '../../support/images.js';
import { openedPdf, textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';

// The client's view of every kind and state of a document, in its language.

const HTML = { accept: 'text/html' };
const JSON_ONLY = { accept: 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(() => service.clock.set(new Date()));

type PortalBody = DocumentBody & { changes: { field: string; from: string; to: string }[] };

const portalOf = async (document: { id: string }) => {
  const token = await client.aPortalToken(document);
  const path = `/v1/portal/${token}`;
  return {
    path,
    html: async () => (await service.call(path, { headers: HTML })).text,
    json: async () => (await service.call<PortalBody>(path, { headers: JSON_ONLY })).body,
    pdf: async () => (await service.call(`/v1/portal/documents/${token}/pdf`)).bytes,
  };
};

/** The document after one of its steps. */
async function step(document: { id: string }, name: string, body = {}): Promise<DocumentBody> {
  const path = `/v1/finance/documents/${document.id}/${name}`;
  const answer = await client.post<DocumentBody>(path, body);
  if (answer.status >= 300) throw new Error(`${name}: ${answer.text}`);
  return answer.body;
}

/** The items of the list of changes. */
const itemsOf = (html: string) =>
  [...html.matchAll(/<li[^>]*>([^<]*)<\/li>/g)].map(([, text]) => text);

/** A revision of a quote: one unit more, and a margin that is nobody's business. */
async function revisedQuote() {
  const quote = await client.aQuote({ metadata: { margin: 'secret forty' } });
  const draft = await step(quote, 'revise');
  const line = { description: 'Consulting', quantity: '2', unit_amount: 10_000, tax_rate: '19' };
  await client.patch(`/v1/finance/documents/${draft.id}`, {
    lines: [line],
    metadata: { margin: 'secret ten' },
  });
  return { quote, draft };
}

describe('a revised quote', () => {
  it('says what it replaces, and what has changed', async () => {
    const { quote, draft } = await revisedQuote();
    const portal = await portalOf(await client.issue(draft));
    const html = await portal.html();
    expect(html).toContain(`Revision 2, replaces ${quote.number}`);
    expect(itemsOf(html)).toEqual(['Line 1, quantity: 1 → 2', 'Total: €119.00 → €238.00']);
    const { changes } = await portal.json();
    expect(changes).toContainEqual({ field: '/lines/0/quantity', from: '1', to: '2' });
    expect(html + JSON.stringify(changes)).not.toContain('secret');
    expect(textOf(await portal.pdf())).toContain(`Revision 2, replaces ${quote.number}`);
  });

  it('tells the reader of the one before where to look, but only once it is issued', async () => {
    const { quote, draft } = await revisedQuote();
    const portal = await portalOf(quote);
    expect(await portal.html()).toContain(`action="${portal.path}/accept"`);
    expect((await portal.json()).follow_ups).toEqual([]);
    const { number } = await client.issue(draft);
    const html = await portal.html();
    expect(html).toContain(`Replaced by ${number}`);
    expect(html).not.toContain('<form');
    expect((await portal.json()).follow_ups).toMatchObject([{ relation: 'revision', number }]);
  });
});

describe('a quote', () => {
  it('says until when it is valid, and ends with that day', async () => {
    const quote = await client.aQuote({ due_date: '2037-01-31', proforma: true });
    const portal = await portalOf(quote);
    const open = await portal.html();
    expect(open).toContain(`Proforma invoice ${quote.number}`);
    expect(open).toContain('Valid until 31 January 2037');
    service.clock.set(new Date('2037-02-01T00:00:01Z'));
    const fresh = await portalOf(quote);
    const expired = await fresh.html();
    expect(expired).toContain('>Expired<');
    expect(expired).not.toContain('<form');
  });

  it('says which invoice came of it', async () => {
    const quote = await client.aQuote();
    const invoice = await step(quote, 'convert', { issue: true });
    const html = await (await portalOf(quote)).html();
    expect(html).toContain(`Invoiced as ${invoice.number}`);
    expect(html).not.toContain('<form');
    const facts = await (await portalOf(invoice)).html();
    expect(facts).toContain(quote.number);
  });
});

describe('an invoice', () => {
  it('shows what was paid, credited and is due', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 1900 });
    await step(invoice, 'credit-notes', { amount: 2000 });
    const html = await (await portalOf(invoice)).html();
    for (const text of ['Partially paid', '€119.00', '€19.00', '€20.00', '€80.00', 'Credited']) {
      expect(html).toContain(text);
    }
  });

  it('that was written off can still be paid', async () => {
    const invoice = await client.anInvoice();
    await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    const portal = await portalOf(invoice);
    expect(await portal.html()).toContain('Pay now');
    await step(invoice, 'write-off');
    const html = await portal.html();
    // The seller's bookkeeping is nobody else's.
    expect(html).toContain('>Open<');
    const shown = await portal.json();
    expect([shown.status, shown.loss, shown.amount_written_off]).toEqual(['open', null, 0]);
    expect(JSON.stringify(shown)).not.toContain('uncollectible');
    service.clock.advance({ days: 60 });
    expect(await portal.html()).toContain('>Overdue<');
    service.clock.advance({ days: -60 });
    expect(html).not.toContain('/reject"');
  });

  it('asks for money to a bank account as long as some is due', async () => {
    await client.patch('/v1/finance/seller', {
      bank_accounts: [{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
    });
    const invoice = await client.anInvoice();
    const portal = await portalOf(invoice);
    expect(await portal.html()).toContain('DE89 3704 0044 0532 0130 00');
    await client.pay(invoice, { amount: 11_900 });
    expect(await portal.html()).not.toContain('DE89');
    expect(textOf(await portal.pdf())).not.toContain('DE89');
  });
});

describe('a credit note', () => {
  it('is one for its invoice, and asks for nothing', async () => {
    const invoice = await client.anInvoice();
    const note = await step(invoice, 'credit-notes', { amount: 5000 });
    const portal = await portalOf(note);
    const html = await portal.html();
    expect(html).toContain(`Credit note ${note.number}`);
    expect(html).toContain(`for invoice ${invoice.number}`);
    expect(html).toContain(`Deducted from ${invoice.number}`);
    expect(html).not.toMatch(/<form|Due date|Amount due|Pay now/);
    const paper = textOf(await portal.pdf());
    expect(paper).toContain(`${note.number}\nfor invoice ${invoice.number}`);
    expect(paper).not.toContain('Due date');
  });
});

describe('a document in German', () => {
  it('is German throughout: page, paper and refusals', async () => {
    const invoice = await client.anInvoice({ language: 'de' });
    const portal = await portalOf(invoice);
    const html = await portal.html();
    expect(html).toContain('<html lang="de" dir="ltr">');
    for (const text of ['Rechnung an', 'Offener Betrag', 'PDF ansehen', 'Dokument ablehnen']) {
      expect(html).toContain(text);
    }
    const paper = textOf(await portal.pdf()).replaceAll('\u00a0', ' ');
    for (const text of ['Rechnung', 'Gesamtbetrag', '119,00 €', 'Seite']) {
      expect(paper).toContain(text);
    }
    await client.pay(invoice);
    const refused = await service.call(`${portal.path}/reject`, {
      method: 'POST',
      body: 'reason=Zu%20teuer',
      headers: FORM,
    });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Dieses Dokument kann nicht mehr abgelehnt werden.');
    const [stored] = await service.database.query<{ language: string }>(
      `SELECT language FROM document_pdfs WHERE sha256 = $1`,
      [
        createHash('sha256')
          .update(await portal.pdf())
          .digest(),
      ],
    );
    expect(stored?.language).toBe('de');
  });
});

describe('the seller’s logo', () => {
  it('is on page and paper as it was when the document was issued', async () => {
    const path = '/v1/finance/seller/logo';
    const image = aPng({ width: 600, height: 100 });
    expect((await client.put(path, image, { 'content-type': 'image/png' })).status).toBe(200);
    const portal = await portalOf(await client.anInvoice());
    await client.delete(path);
    expect(await portal.html()).toContain('<img class="logo" src="data:image/png;base64,');
    expect(openedPdf(await portal.pdf())).toContain('/S /Figure');
    const without = await portalOf(await client.anInvoice());
    expect(await without.html()).not.toContain('<img');
  });
});

describe('the JSON of a link', () => {
  it('has neither what is the seller’s own nor what the seller may do', async () => {
    const quote = await client.aQuote({ metadata: { margin: '40' }, external_id: 'crm-1' });
    const shown = await (await portalOf(quote)).json();
    const { metadata: _labels, external_id: _key, ...most } = await client.read(quote);
    const { collection_method: _method, ...read } = most;
    const mine = read.available_actions.filter(({ action }) => /^(accept|reject)$/.test(action));
    expect(shown).toEqual({
      ...read,
      available_actions: mine,
      changes: [],
      payments_processing: [],
      planned_collection: null,
      schedule: null,
      payments: [],
      pay_links: [],
    });
    expect(mine.map(({ available }) => available)).toEqual([true, true]);
  });
});

describe.each(['en', 'de', 'fr', 'pl'])('in %s', (language) => {
  it.each([false, true])('JSON, page and PDF have one total; prices with tax: %s', async (mode) => {
    const document = await client.anInvoice({
      language,
      prices_include_tax: mode,
      cash_rounding: 5,
      lines: [
        {
          description: 'A',
          quantity: '3',
          unit_amount: 3333,
          tax_rate: '19',
          discount: { percent: '7' },
        },
        { description: 'B', quantity: '1.5', unit_amount_decimal: '1234.5678', tax_rate: '7' },
      ],
      discounts: [{ percent: '3', reason: 'R' }],
      charges: [{ amount: 499, tax_rate: '19' }],
    });
    const portal = await portalOf(document);
    const { total } = await portal.json();
    expect(total).toBe(document.total);
    const point = language === 'en' ? '.' : ',';
    const digits = `${total}`.replace(/(\d\d)$/, `${point}$1`);
    const amount = language === 'en' ? `€${digits}` : `${digits} €`;
    expect((await portal.html()).replaceAll('\u00a0', ' ')).toContain(amount);
    expect(textOf(await portal.pdf()).replaceAll('\u00a0', ' ')).toContain(`\n${amount}`);
  });
});
