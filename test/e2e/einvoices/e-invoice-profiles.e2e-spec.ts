import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { ValidationBody } from '../../../src/einvoices/wire/e-invoice-validation.js';
import { readXml, textAt } from '../../einvoices/xml-reader.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { good } from '../documents/document-calls.js';
import { linkIn, type MailStage, mailStage, send } from '../mail/mail-calls.js';

let stage: MailStage;
let client: TestClient;

beforeAll(async () => {
  stage = await mailStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  client = await stage.service.aClient();
});

const seller = async (fields: object) =>
  good(await client.patch('/v1/finance/seller', fields), 200);
const pathOf = ({ id }: { id: string }, ending: string) => `/v1/finance/documents/${id}/${ending}`;
const xmlOf = (document: { id: string }) => client.get(pathOf(document, 'xml'));
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function profileOf(wish: DocumentWish & { e_invoice_profile?: string }) {
  return (await client.anInvoice(wish)).e_invoice_profile;
}

describe('the e-invoice that goes out with a document', () => {
  it('is its own, else its customer’s, else the seller’s, and is decided at its issue', async () => {
    await seller({ e_invoice_profile: 'factur-x' });
    const first = await client.anInvoice();
    expect(first.e_invoice_profile).toBe('factur-x');
    const { customer_id } = first;
    const path = `/v1/finance/customers/${customer_id}`;
    good(await client.patch(path, { e_invoice_profile: 'peppol' }), 200);
    const of = { customer: undefined, customer_id };
    expect(await profileOf(of)).toBe('peppol');
    expect(await profileOf({ ...of, e_invoice_profile: 'xrechnung-ubl' })).toBe('xrechnung-ubl');
    expect(await profileOf({ ...of, e_invoice_profile: 'none' })).toBe('none');
    const draft = await client.anInvoice({ ...of, issue: false });
    expect(draft.e_invoice_profile).toBeUndefined();
    good(await client.patch(path, { e_invoice_profile: null }), 200);
    const issued = good(await client.post<DocumentBody>(pathOf(draft, 'issue')), 200);
    expect(issued.e_invoice_profile).toBe('factur-x');
    await seller({ e_invoice_profile: null });
    expect(await profileOf(of)).toBeUndefined();
    // It stays with an issued document, and goes on to its credit note.
    const note = await aCreditNote(client, issued, { amount: 1190 });
    expect(note.e_invoice_profile).toBe('factur-x');
    const copy = good(await client.post<DocumentBody>(pathOf(issued, 'duplicate'), {}), 201);
    expect(copy.e_invoice_profile).toBeUndefined();
  });

  it('is what a call without a profile gets, and a document without one has none', async () => {
    const invoice = await client.anInvoice({ e_invoice_profile: 'xrechnung-cii' });
    const { status, bytes } = await xmlOf(invoice);
    expect(status).toBe(200);
    const context = 'rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter';
    const root = readXml(bytes.toString('utf8'));
    expect(textAt(root, `${context}/ram:ID`)).toMatch(/xrechnung_3\.0$/);
    for (const other of [await client.anInvoice(), await client.aQuote()]) {
      expect(await xmlOf(other)).toMatchObject({ status: 409, body: { code: 'no_e_invoice' } });
    }
  });

  it('is on no quote, whatever its customer takes, but on the invoice made of it', async () => {
    await seller({ e_invoice_profile: 'peppol' });
    const quote = await client.aQuote();
    expect(quote.e_invoice_profile).toBeUndefined();
    const converted = await client.post<DocumentBody>(pathOf(quote, 'convert'), {});
    const invoice = good(converted, 201);
    const issued = good(await client.post<DocumentBody>(pathOf(invoice, 'issue')), 200);
    expect(issued.e_invoice_profile).toBe('peppol');
  });
});

describe('a document that is sent', () => {
  it('has its XML beside the PDF, and its page has both', async () => {
    const invoice = await client.anInvoice({ e_invoice_profile: 'peppol' });
    const { bytes: xml } = await xmlOf(invoice);
    await send(client, invoice);
    const [mail] = await stage.mails();
    expect(mail?.attachments.map(({ filename }) => filename)).toEqual([
      `${invoice.number}.pdf`,
      `${invoice.number}.xml`,
    ]);
    expect(digest(mail!.attachments[1]!.content)).toBe(digest(xml));
    const page = linkIn(mail!);
    const { text } = await stage.service.call(page, { headers: { accept: 'text/html' } });
    const link = /href="([^"]*\/xml)"[^>]*>\s*E-invoice \(XML\)/.exec(text)?.[1];
    const file = await stage.service.call(link!, {});
    expect(digest(file.bytes)).toBe(digest(xml));
  });

  it('is one file, where the XML is in the PDF', async () => {
    const invoice = await client.anInvoice({ e_invoice_profile: 'factur-x' });
    const { bytes: hybrid } = await client.get(pathOf(invoice, 'pdf?profile=factur-x'));
    await send(client, invoice);
    const [mail] = await stage.mails();
    expect(mail?.attachments.map(({ content }) => digest(content))).toEqual([digest(hybrid)]);
    const { text } = await stage.service.call(linkIn(mail!), { headers: { accept: 'text/html' } });
    const link = /href="([^"]*factur-x)"[^>]*>\s*E-invoice \(PDF\)/.exec(text)?.[1];
    expect(digest((await stage.service.call(link!, {})).bytes)).toBe(digest(hybrid));
  });

  it('has the PDF alone where no e-invoice goes out, or the letter reminds', async () => {
    const plain = await client.anInvoice({ e_invoice_profile: 'none' });
    await send(client, plain);
    const [mail] = await stage.mails();
    expect(mail?.attachments).toHaveLength(1);
    const { text } = await stage.service.call(linkIn(mail!), { headers: { accept: 'text/html' } });
    expect(text).not.toContain('E-invoice');
    const asked = await client.anInvoice({ e_invoice_profile: 'peppol' });
    await send(client, asked, { kind: 'reminder' });
    const [reminder] = await stage.mails();
    expect(reminder?.attachments.map(({ filename }) => filename)).toEqual([`${asked.number}.pdf`]);
  });
});

describe('a seller who is strict about the profile', () => {
  it('issues nothing that those who receive it send back, and is told each field', async () => {
    await seller({ e_invoice_profile: 'xrechnung-ubl', strict_profile: true });
    const draft = await client.anInvoice({ issue: false });
    const { status, body } = await client.post(pathOf(draft, 'issue'));
    expect([status, body]).toEqual([422, expect.objectContaining({ code: 'validation_failed' })]);
    const { errors } = body as { errors: { code: string; pointer: string }[] };
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['e_invoice_rule_broken']));
    const judged = await client.post<ValidationBody>(pathOf(draft, 'validate'));
    const fatal = judged.body.e_invoice?.findings.filter(({ severity }) => severity === 'fatal');
    expect(errors.map(({ pointer }) => pointer)).toEqual(fatal?.map(({ pointer }) => pointer));
    // Its number was not used up.
    const passed = await client.anInvoice({ e_invoice_profile: 'none' });
    expect(passed.number).toMatch(/0*1$/);
    const elsewhere = { number: 'OLD-7', issue_date: passed.issue_date!, issue: true };
    const kept = await client.anInvoice(elsewhere);
    expect(kept.warnings?.map(({ rule }) => rule)).toContain('BR-DE-15');
  });

  it('is not strict by default: the answer that issues it warns', async () => {
    const invoice = await client.anInvoice({ e_invoice_profile: 'xrechnung-ubl' });
    const warned = invoice.warnings?.filter(({ code }) => code === 'e_invoice_rule_broken');
    expect(warned).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ rule: 'BR-DE-15', pointer: '/buyer_reference' }),
      ]),
    );
  });
});

describe('a body that nobody stored', () => {
  it('is judged as an e-invoice by the profile asked for, else by its own', async () => {
    const body = {
      customer: { name: 'Globex', country: 'DE' },
      lines: [{ description: 'Work', quantity: '1', unit_amount: 10_000, tax_rate: '19' }],
    };
    const validate = async (query: string, more: object = {}) => {
      const path = `/v1/finance/documents/validate${query}`;
      return client.post<ValidationBody>(path, { kind: 'invoice', ...body, ...more });
    };
    const asked = (await validate('?profile=xrechnung-ubl')).body.e_invoice;
    expect(asked?.findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ rule: 'BR-DE-15' })]),
    );
    const own = (await validate('', { e_invoice_profile: 'peppol' })).body.e_invoice;
    expect([own?.profile, own?.valid]).toEqual(['peppol', false]);
    expect((await validate('')).body.e_invoice).toBeUndefined();
    const quote = await validate('?profile=peppol', { kind: 'quote' });
    expect([quote.status, quote.body]).toEqual([
      409,
      expect.objectContaining({ code: 'no_e_invoice' }),
    ]);
    const list = await client.get<{ data: unknown[] }>('/v1/finance/documents');
    expect(list.body.data).toEqual([]);
  });
});
