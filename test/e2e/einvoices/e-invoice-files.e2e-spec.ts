import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { E_INVOICE_PROFILES } from '../../../src/documents/domain/codes/e-invoice-profiles.js';
import { type ReadElement, readXml, textAt } from '../../einvoices/xml-reader.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const xmlOf = (document: { id: string }, profile: string, of = client) =>
  of.get(`/v1/finance/documents/${document.id}/xml?profile=${profile}`);
const pdfOf = (document: { id: string }, query = '') =>
  client.get(`/v1/finance/documents/${document.id}/pdf${query}`);
const read = (bytes: Buffer): ReadElement => readXml(bytes.toString('utf8'));

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('the XML of an invoice', () => {
  it.each(E_INVOICE_PROFILES)(
    'is served in the profile %s, with its name and digest',
    async (profile) => {
      const invoice = await client.anInvoice();
      const { status, bytes, headers } = await xmlOf(invoice, profile);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/xml');
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename=${String(invoice.number)}.xml`,
      );
      expect(headers.get('etag')).toBe(`"${digest(bytes)}"`);
      const root = read(bytes);
      const number = textAt(root, 'b:ID') ?? textAt(root, 'rsm:ExchangedDocument/ram:ID');
      expect(number).toBe(invoice.number);
    },
  );

  it('is stored once, and stays as it was given out', async () => {
    const invoice = await client.anInvoice();
    const [first, second] = await Promise.all([xmlOf(invoice, 'peppol'), xmlOf(invoice, 'peppol')]);
    await client.pay(invoice, { amount: 11_900 });
    const third = await xmlOf(invoice, 'peppol');
    expect([digest(second.bytes), digest(third.bytes)]).toEqual(
      Array.from({ length: 2 }, () => digest(first.bytes)),
    );
    const stored = await service.database.query<{ release: string; digest: string }>(
      `SELECT release, encode(sha256, 'hex') AS digest FROM e_invoices WHERE xml = $1`,
      [first.bytes],
    );
    expect(stored).toEqual([{ release: '2026-05', digest: digest(first.bytes) }]);
    const path = `/v1/finance/documents/${invoice.id}/xml?profile=peppol`;
    const again = await client.get(path, { 'If-None-Match': `"${digest(first.bytes)}"` });
    expect(again.status).toBe(304);
  });

  it('says the words of cash discounts, and what a credit note corrects', async () => {
    const invoice = await client.anInvoice({ cash_discounts: [{ percent: '2', days: 10 }] });
    const terms = textAt(read((await xmlOf(invoice, 'peppol')).bytes), 'a:PaymentTerms/b:Note');
    expect(terms).toMatch(/^2% .*116\.62/);
    const note = await aCreditNote(client, invoice, { amount: 1190 });
    const root = read((await xmlOf(note, 'peppol')).bytes);
    expect(root.name).toBe('ubl:CreditNote');
    expect(textAt(root, 'a:BillingReference/a:InvoiceDocumentReference/b:ID')).toBe(invoice.number);
    expect(textAt(root, 'a:LegalMonetaryTotal/b:PayableAmount')).toBe('11.90');
  });

  it('of a void document is that of its issue', async () => {
    const invoice = await client.anInvoice();
    const before = await xmlOf(invoice, 'peppol');
    await client.void(invoice);
    const after = await xmlOf(invoice, 'peppol');
    expect([after.status, digest(after.bytes)]).toEqual([200, digest(before.bytes)]);
    const first = await client.anInvoice();
    await client.void(first);
    expect((await xmlOf(first, 'en16931-cii')).status).toBe(200);
  });

  it('is the same for a client with a link', async () => {
    const invoice = await client.anInvoice();
    const token = await client.aPortalToken(invoice);
    const mine = await xmlOf(invoice, 'xrechnung-cii');
    const theirs = await service.call(`/v1/portal/documents/${token}/xml?profile=xrechnung-cii`);
    expect(theirs.status).toBe(200);
    expect(digest(theirs.bytes)).toBe(digest(mine.bytes));
    const gone = await service.call('/v1/portal/documents/nothing/xml?profile=peppol');
    expect([gone.status, JSON.parse(gone.text)]).toEqual([
      404,
      expect.objectContaining({ code: 'portal_link_not_found' }),
    ]);
  });
});

describe('an e-invoice is refused', () => {
  it('of a draft and of a quote', async () => {
    const none = [await client.anInvoice({ issue: false }), await client.aQuote()];
    for (const document of none) {
      for (const answer of [
        await xmlOf(document, 'peppol'),
        await pdfOf(document, '?profile=factur-x'),
      ]) {
        expect([answer.status, answer.body]).toEqual([
          409,
          expect.objectContaining({ code: 'no_e_invoice' }),
        ]);
      }
    }
  });

  it('in a profile that nobody knows', async () => {
    const invoice = await client.anInvoice();
    for (const query of ['xml?profile=edifact', 'pdf?profile=peppol']) {
      const { status, body } = await client.get(`/v1/finance/documents/${invoice.id}/${query}`);
      expect([query, status, body]).toEqual([
        query,
        400,
        expect.objectContaining({
          errors: [expect.objectContaining({ pointer: '/profile' })],
        }),
      ]);
    }
  });

  it('to another account, which sees no such document', async () => {
    const invoice = await client.anInvoice();
    await xmlOf(invoice, 'peppol');
    const other = await service.aClient();
    const { status, body } = await xmlOf(invoice, 'peppol', other);
    expect([status, body]).toEqual([404, expect.objectContaining({ code: 'document_not_found' })]);
  });
});

describe('a hybrid PDF', () => {
  it('is the PDF of the issue with the stored XML behind it, the same each time', async () => {
    const invoice = await client.anInvoice();
    const plain = await pdfOf(invoice);
    const xml = await xmlOf(invoice, 'factur-x');
    const hybrid = await pdfOf(invoice, '?profile=factur-x');
    expect(hybrid.status).toBe(200);
    expect(hybrid.headers.get('content-type')).toBe('application/pdf');
    expect(hybrid.headers.get('content-disposition')).toBe(
      `inline; filename=${String(invoice.number)}.pdf`,
    );
    expect(hybrid.bytes.subarray(0, plain.bytes.length).equals(plain.bytes)).toBe(true);
    await client.pay(invoice, { amount: 11_900 });
    const again = await pdfOf(invoice, '?profile=factur-x');
    expect(digest(again.bytes)).toBe(digest(hybrid.bytes));
    const token = await client.aPortalToken(invoice);
    const theirs = await service.call(`/v1/portal/documents/${token}/pdf?profile=factur-x`);
    expect(digest(theirs.bytes)).toBe(digest(hybrid.bytes));
    expect(read(xml.bytes).name).toBe('rsm:CrossIndustryInvoice');
  });
});
