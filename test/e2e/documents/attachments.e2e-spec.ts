import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttachmentList } from '../../../src/documents/wire/attachment.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  aDraft,
  anotherPdf,
  attach,
  attached,
  attachLink,
  documentOf,
  fileOf,
} from './attachment-calls.js';
import { closeWithBooks, good, historyOf, made, pathOf } from './document-calls.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
/** The database refuses a change that nobody may make. */
const change = (sql: string) =>
  service.database.query(sql).then(
    () => 'done',
    () => 'refused',
  );
const filesKept = async (of: { id: string }) => {
  const { data } = good(await client.get<AttachmentList>(pathOf(of, 'attachments')), 200);
  return data.map(({ name }) => name);
};
const rows = async () => {
  const [counted] = await service.database.query<{ rows: bigint }>(
    'SELECT count(*) AS rows FROM attachment_files',
  );
  return counted?.rows;
};

describe('a file that is attached to a draft', () => {
  it('is told of by the document, and is read again as it was sent', async () => {
    const draft = await aDraft(client);
    expect(draft).not.toHaveProperty('attachments');
    const content = anotherPdf();
    const { status, body, headers } = await attach(client, draft, {
      content,
      description: 'Time sheet',
      reference: 'TS-1',
    });
    expect(status).toBe(201);
    const { document_id: of, ...attachment } = body;
    expect(attachment).toEqual({
      id: expect.stringMatching(/^att_/) as string,
      name: 'times.pdf',
      description: 'Time sheet',
      reference: 'TS-1',
      media_type: 'application/pdf',
      size: content.length,
      sha256: digest(content),
    });
    expect(headers.get('location')).toBe(
      `${service.url}/v1/finance/documents/${of}/attachments/${attachment.id}`,
    );
    const changed = await documentOf(client, draft);
    expect(changed.attachments).toEqual([attachment]);
    expect(changed.version).toBe(draft.version + 1);
    const path = pathOf(draft, `attachments/${attachment.id}`);
    expect((await client.get(path)).body).toEqual(attachment);
    const file = await fileOf(client, draft, attachment.id);
    expect(file.bytes.equals(content)).toBe(true);
  });

  it('is sent so that a browser saves it and runs nothing of it', async () => {
    const draft = await aDraft(client);
    const { id, sha256 } = await attached(client, draft, {
      name: 'Größe "1".pdf'.replaceAll('"', ''),
    });
    const { headers } = await fileOf(client, draft, id);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Gr??e 1.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.pdf`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      etag: `"${sha256}"`,
      'cache-control': 'private, no-store',
    });
    const again = await fileOf(client, draft, id, { 'If-None-Match': `"${sha256}"` });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('may be a link, which has no file', async () => {
    const draft = await aDraft(client);
    const { id, ...link } = good(await attachLink(client, draft), 201);
    expect(link).toEqual({
      name: 'Terms',
      url: 'https://acme.example/terms',
      document_id: draft.id,
    });
    expect(await fileOf(client, draft, id)).toMatchObject({
      status: 404,
      body: { code: 'attachment_not_a_file' },
    });
  });

  it('stands in the history, with who added it and took it away', async () => {
    const draft = await aDraft(client);
    await attached(client, draft, { name: 'a.pdf' });
    const { id, sha256 } = await attached(client, draft, { name: 'b.pdf' });
    await client.delete(pathOf(draft, `attachments/${id}`));
    const [, , added, taken] = await historyOf(client, draft);
    expect(added).toMatchObject({ type: 'document.updated', actor: { type: 'client' } });
    const at = '/attachments/1';
    expect(added?.changes).toContainEqual({ field: `${at}/name`, from: null, to: 'b.pdf' });
    expect(added?.changes).toContainEqual({ field: `${at}/sha256`, from: null, to: sha256 });
    expect(taken?.changes).toContainEqual({ field: `${at}/name`, from: 'b.pdf', to: null });
    expect(taken?.changes.every(({ field }) => field.startsWith(at))).toBe(true);
  });

  it('stays when the draft is changed or replaced, and goes with it', async () => {
    const draft = await aDraft(client, { external_id: 'attached-1' });
    await attached(client, draft);
    await client.patch(pathOf(draft), { notes: 'Changed', buyer_reference: 'B' });
    expect(await filesKept(draft)).toEqual(['times.pdf']);
    const { kind, lines } = await documentOf(client, draft);
    const line = { description: lines[0]?.description, unit_amount: 100, tax_rate: '19' };
    const put = await client.put<DocumentBody>('/v1/finance/documents/by-external-id/attached-1', {
      kind,
      customer_id: draft.customer_id,
      lines: [line],
    });
    expect(good(put, 200).attachments).toMatchObject([{ name: 'times.pdf' }]);
    const before = await rows();
    await client.delete(pathOf(draft));
    expect(await rows()).toBe((before ?? 0n) - 1n);
  });

  it('is no part of a request about the document', async () => {
    const draft = await aDraft(client);
    const { attachments } = await documentOf(client, draft);
    const answer = await client.patch(pathOf(draft), { attachments: attachments ?? [] });
    expect(answer).toMatchObject({ status: 422 });
  });
});

describe('an attachment is only as it was asked for', () => {
  it('once, however often it is sent with one key', async () => {
    const draft = await aDraft(client);
    const wish = { content: anotherPdf(), headers: { 'Idempotency-Key': 'attach-1' } };
    const [one, two] = await Promise.all([
      attach(client, draft, wish),
      attach(client, draft, wish),
    ]);
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.body).toEqual(one.body);
    expect(await filesKept(draft)).toHaveLength(1);
  });

  it('of the version that was read', async () => {
    const draft = await aDraft(client);
    await client.patch(pathOf(draft), { notes: 'x' });
    const stale = { 'If-Match': `"${draft.version}"` };
    expect((await attach(client, draft, { headers: stale })).status).toBe(412);
    const { id } = await attached(client, draft);
    expect((await client.delete(pathOf(draft, `attachments/${id}`), stale)).status).toBe(412);
    expect(await filesKept(draft)).toHaveLength(1);
  });

  it('with the scopes of documents, in one account', async () => {
    const draft = await aDraft(client);
    const { id } = await attached(client, draft);
    const reader = await service.aClient({ scopes: ['documents:read'], of: client });
    expect((await fileOf(reader, draft, id)).status).toBe(200);
    expect((await attach(reader, draft)).status).toBe(403);
    expect((await reader.delete(pathOf(draft, `attachments/${id}`))).status).toBe(403);
    const stranger = await service.aClient();
    expect((await fileOf(stranger, draft, id)).body).toMatchObject({ code: 'document_not_found' });
    expect((await attach(stranger, draft)).status).toBe(404);
    const theirs = await aDraft(stranger);
    expect((await fileOf(stranger, theirs, id)).body).toMatchObject({
      code: 'attachment_not_found',
    });
  });
});

describe('a document that is issued', () => {
  it('keeps what it has, and takes nothing more', async () => {
    const draft = await aDraft(client);
    const { id, sha256 } = await attached(client, draft);
    const invoice = await client.issue(draft);
    expect(invoice.attachments).toMatchObject([{ id }]);
    const late = await attach(client, draft, { name: 'late.pdf' });
    const gone = await client.delete(pathOf(draft, `attachments/${id}`));
    for (const refused of [late, gone, await attachLink(client, draft)]) {
      expect(refused).toMatchObject({ status: 409, body: { code: 'document_not_draft' } });
    }
    const file = await fileOf(client, draft, id);
    expect(digest(file.bytes)).toBe(sha256);
    const where = `WHERE document_id = (SELECT document_id FROM documents WHERE number = '${invoice.number}'
      ORDER BY issued_at DESC LIMIT 1)`;
    expect(await change(`DELETE FROM attachment_files ${where}`)).toBe('refused');
    expect(await change(`UPDATE attachment_files SET content = content ${where}`)).toBe('refused');
  });

  it('has the file that is sent in the same moment, or never', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const draft = await aDraft(client);
      const [issued, sent] = await Promise.all([
        client.post<DocumentBody>(pathOf(draft, 'issue')),
        attach(client, draft),
      ]);
      expect(issued.status).toBe(200);
      const kept = (issued.body.attachments ?? []).map(({ id }) => id);
      expect(kept).toEqual(sent.status === 201 ? [sent.body.id] : []);
      if (sent.status !== 201) expect(sent.body).toMatchObject({ code: 'document_not_draft' });
      expect((await documentOf(client, draft)).attachments ?? []).toHaveLength(kept.length);
      outcomes.add(`${sent.status}`);
    }
    expect([...outcomes].every((status) => ['201', '409'].includes(status))).toBe(true);
  });
});

describe('a copy', () => {
  it.each(['duplicate', 'revise'] as const)('by %s has files of its own', async (step) => {
    const draft = await aDraft(client);
    const { id, sha256 } = await attached(client, draft);
    await attachLink(client, draft);
    await client.issue(draft);
    const copy = await made(client, draft, step);
    const [file, link] = copy.attachments ?? [];
    expect([file, link]).toMatchObject([{ name: 'times.pdf', sha256 }, { name: 'Terms' }]);
    expect(file?.id).not.toBe(id);
    expect(digest((await fileOf(client, copy, file?.id ?? '')).bytes)).toBe(sha256);
    await client.delete(pathOf(copy, `attachments/${file?.id}`));
    expect(digest((await fileOf(client, draft, id)).bytes)).toBe(sha256);
  });

  it('that is an invoice of a quote has them, also where it is issued at once', async () => {
    const quote = await client.aQuote({ issue: false });
    const { sha256 } = await attached(client, quote);
    await client.issue(quote);
    const invoice = await made(client, quote, 'convert', { issue: true });
    expect(invoice.status).toBe('open');
    expect(invoice.attachments).toMatchObject([{ sha256 }]);
  });

  it('that is a credit note has none', async () => {
    const draft = await aDraft(client);
    await attached(client, draft);
    const invoice = await client.issue(draft);
    expect(await aCreditNote(client, invoice)).not.toHaveProperty('attachments');
  });
});

describe('a client', () => {
  it('finds the files on the page, and gets them with the token of the document', async () => {
    const draft = await aDraft(client);
    const { id, sha256 } = await attached(client, draft, { description: 'Hours <of November>' });
    await attachLink(client, draft);
    const invoice = await client.issue(draft);
    const [token, other] = [
      await client.aPortalToken(invoice),
      await client.aPortalToken(await client.anInvoice()),
    ];
    const page = await service.call(`/v1/portal/${token}`, { headers: { accept: 'text/html' } });
    expect(page.text).toContain(`/v1/portal/documents/${token}/attachments/${id}`);
    expect(page.text).toContain('Hours &lt;of November>');
    expect(page.text).toContain('href="https://acme.example/terms"');
    const file = await service.call(`/v1/portal/documents/${token}/attachments/${id}`);
    expect([file.status, digest(file.bytes)]).toEqual([200, sha256]);
    expect(file.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    const json = await service.call(`/v1/portal/${token}`, {
      headers: { accept: 'application/json' },
    });
    expect(json.body).toMatchObject({ attachments: [{ id }, { name: 'Terms' }] });
    const wrong = await service.call(`/v1/portal/documents/${other}/attachments/${id}`);
    expect(wrong).toMatchObject({ status: 404, body: { code: 'attachment_not_found' } });
    const none = await service.call(`/v1/portal/documents/pt_none/attachments/${id}`);
    expect(none).toMatchObject({ status: 404, body: { code: 'portal_link_not_found' } });
  });
});
