import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { E_INVOICE_PROFILES } from '../../../src/documents/domain/codes/e-invoice-profiles.js';
import { PROFILES } from '../../../src/einvoices/domain/profile.js';
import { allAt, readXml, textAt } from '../../einvoices/xml-reader.js';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { type MailStage, mailStage, send } from '../mail/mail-calls.js';
import { aDraft, anotherPdf, attached, attachLink, documentOf } from './attachment-calls.js';
import { pathOf } from './document-calls.js';

let stage: MailStage;
let client: TestClient;
beforeAll(async () => {
  stage = await mailStage();
  client = await stage.service.aClient();
});
afterAll(() => stage.close());

const UBL = 'a:AdditionalDocumentReference';
const CII =
  'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:AdditionalReferencedDocument';

describe('an e-invoice', () => {
  it.each(E_INVOICE_PROFILES)('carries the files in the profile %s', async (profile) => {
    const draft = await aDraft(client);
    const content = anotherPdf();
    await attached(client, draft, { content, reference: 'TS-1', name: 'Größe & Co.pdf' });
    await attachLink(client, draft);
    const invoice = await client.issue(draft);
    const { bytes } = await client.get(pathOf(invoice, `xml?profile=${profile}`));
    const isUbl = PROFILES[profile].syntax === 'ubl';
    const said = allAt(readXml(bytes.toString('utf8')), isUbl ? UBL : CII);
    const path = isUbl
      ? 'a:Attachment/b:EmbeddedDocumentBinaryObject'
      : 'ram:AttachmentBinaryObject';
    const carrying = said.filter((one) => allAt(one, path).length > 0);
    const [file] = carrying.flatMap((one) => allAt(one, path));
    expect(carrying.map((one) => textAt(one, isUbl ? 'b:ID' : 'ram:IssuerAssignedID'))).toEqual([
      'TS-1',
    ]);
    expect(file?.attributes).toEqual({ mimeCode: 'application/pdf', filename: 'Größe & Co.pdf' });
    expect(Buffer.from(file?.text ?? '', 'base64').equals(content)).toBe(true);
    expect(bytes.toString('utf8')).toContain('https://acme.example/terms');
  });

  it('is judged by what its attachments say, before it is issued', async () => {
    const draft = await aDraft(client);
    await attached(client, draft, { name: 'a.pdf', description: 'LISIBLE' });
    await attached(client, draft, { name: 'b.pdf', description: 'LISIBLE' });
    const answer = await client.post<{ e_invoice: { findings: { rule: string }[] } }>(
      pathOf(draft, 'validate?profile=france-cii'),
    );
    expect(answer.body.e_invoice.findings).toContainEqual(
      expect.objectContaining({ rule: 'BR-FR-18_BT-123', pointer: '/attachments/1/description' }),
    );
  });
});

describe('paper', () => {
  it('names what supports the document, in its language', async () => {
    const draft = await aDraft(client, { language: 'de' });
    await attached(client, draft, { name: 'Stunden.pdf' });
    await attachLink(client, draft, { name: 'Bedingungen' });
    const invoice = await client.issue(draft);
    const text = textOf((await client.get(pathOf(invoice, 'pdf'))).bytes);
    for (const words of ['ANLAGEN', 'Stunden.pdf', 'Bedingungen']) expect(text).toContain(words);
  });
});

const filesIn = async (invoice: { id: string }) => {
  await send(client, invoice);
  const mails = await stage.mails();
  return (mails.at(-1)?.attachments ?? []).map(({ filename, contentType, content }) => ({
    filename,
    contentType,
    content,
  }));
};

describe('a letter', () => {
  it('brings the files of the document that it sends', async () => {
    const draft = await aDraft(client);
    const content = Buffer.from('day;hours\n2026-11-02;8\n');
    await attached(client, draft, { name: 'hours.csv', type: 'text/csv', content });
    await attachLink(client, draft);
    const invoice = await client.issue(draft);
    const [pdf, file, ...others] = await filesIn(invoice);
    expect([pdf?.filename, others]).toEqual([`${invoice.number}.pdf`, []]);
    expect(file).toMatchObject({ filename: 'hours.csv', contentType: 'text/csv' });
    expect(file?.content.equals(content)).toBe(true);
  });

  it('brings the PDF alone where all would be too much', async () => {
    const draft = await aDraft(client);
    for (const name of ['a.pdf', 'b.pdf']) {
      await attached(client, draft, { name, content: anotherPdf(4_000_000) });
    }
    const invoice = await client.issue(draft);
    expect((await filesIn(invoice)).map(({ filename }) => filename)).toEqual([
      `${invoice.number}.pdf`,
    ]);
  });
});

/** Sends until it is answered, or is done. @returns the status, and how much was sent */
const sent = (path: string, headers: Record<string, string | number>, bytes: number) =>
  new Promise<[status: number, bytes: number]>((resolve, reject) => {
    const answered = { status: 0, written: 0 };
    const { url } = stage.service;
    const call = request(`${url}${path}`, { method: 'POST', headers }, (response) => {
      answered.status = response.statusCode ?? 0;
      response.resume();
      response.on('end', () => resolve([answered.status, answered.written]));
    });
    call.on('error', (error) =>
      answered.status === 0 ? reject(error) : resolve([answered.status, answered.written]),
    );
    const piece = Buffer.alloc(65_536, 'a');
    const more = (): void => {
      if (answered.status !== 0 || answered.written >= bytes || call.destroyed) return;
      answered.written += piece.length;
      if (call.write(piece)) setImmediate(more);
      else call.once('drain', more);
    };
    more();
  });

describe('a body that is far too large', () => {
  it('is refused without being read, whatever it says of its length', async () => {
    const draft = await aDraft(client);
    const path = `${pathOf(draft, 'attachments')}?name=a.pdf`;
    const authorization = `Bearer ${await client.bearer()}`;
    const headers = { authorization, 'content-type': 'application/pdf' };
    const all = 524_288_000;
    const [told, toldBytes] = await sent(path, { ...headers, 'content-length': all }, all);
    const [chunked, chunkedBytes] = await sent(
      path,
      { ...headers, 'transfer-encoding': 'chunked' },
      all,
    );
    expect([told, chunked]).toEqual([413, 413]);
    expect(Math.max(toldBytes, chunkedBytes)).toBeLessThan(30_000_000);
    expect(await documentOf(client, draft)).not.toHaveProperty('attachments');
  });
});
