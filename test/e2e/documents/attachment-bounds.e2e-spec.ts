import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPdf, aZip, XLSX_PARTS } from '../../documents/attached-files.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  aDraft,
  anotherPdf,
  attach,
  attached,
  attachLink,
  documentOf,
} from './attachment-calls.js';
import { closeWithBooks, good } from './document-calls.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const large = () => anotherPdf(5_000_000);
const filesKept = async (of: { id: string }) =>
  ((await documentOf(client, of)).attachments ?? []).map(({ name }) => name);

describe('an attachment that is refused', () => {
  it.each([
    ['a/b.pdf'],
    ['a\r\nSet-Cookie: b.pdf'],
    ['exe.\u202efdp.pdf'],
    [`${'a'.repeat(300)}.pdf`],
    [''],
  ])('has the name %j', async (name) => {
    const draft = await aDraft(client);
    const { status, body } = await attach(client, draft, { name });
    expect([status, body]).toMatchObject([400, { code: 'invalid_query' }]);
    const link = await attachLink(client, draft, { name });
    expect(link).toMatchObject({ status: 422, body: { errors: [{ code: 'invalid_file_name' }] } });
  });

  it.each([
    ['times.exe', 'attachment_name_differs'],
    ['times', 'attachment_name_differs'],
    ['times.png', 'attachment_name_differs'],
  ])('is a PDF with the name %s', async (name, code) => {
    const draft = await aDraft(client);
    expect(await attach(client, draft, { name })).toMatchObject({ status: 422, body: { code } });
  });

  it('is of another kind than it says, or empty', async () => {
    const draft = await aDraft(client);
    const refused = (wish: Parameters<typeof attach>[2]) =>
      attach(client, draft, wish).then(({ body }) => body['code' as never]);
    const sheet = aZip(XLSX_PARTS);
    expect(await refused({ content: sheet })).toBe('invalid_attachment');
    expect(await refused({ content: aPdf(), type: 'image/png', name: 'a.png' })).toBe(
      'invalid_attachment',
    );
    expect(await refused({ content: Buffer.alloc(0) })).toBe('invalid_attachment');
    expect(await refused({ type: 'application/octet-stream' })).toBe('unsupported_media_type');
    expect(await refused({ type: 'application/xml' })).toBe('unsupported_media_type');
    expect(await refused({ type: 'text/html' })).toBe('unsupported_media_type');
    expect(await filesKept(draft)).toEqual([]);
  });

  it.each(['http://acme.example/a', 'javascript:alert(1)', 'https://u:p@acme.example', 'acme'])(
    'leads to %s',
    async (url) => {
      const draft = await aDraft(client);
      expect(await attachLink(client, draft, { url })).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'invalid_url', pointer: '/url' }] },
      });
    },
  );

  it('has the name or the bytes of another one', async () => {
    const draft = await aDraft(client);
    const content = anotherPdf();
    await attached(client, draft, { name: 'Größe.pdf', content });
    expect(await attach(client, draft, { name: 'GRO\u0308ßE.PDF' })).toMatchObject({
      status: 409,
      body: { code: 'attachment_name_taken' },
    });
    expect(await attach(client, draft, { content })).toMatchObject({
      status: 409,
      body: { code: 'attached_already' },
    });
  });
});

describe('the bounds of a document', () => {
  it('hold for two calls at once', async () => {
    const draft = await aDraft(client);
    for (let count = 0; count < 19; count += 1) {
      good(await attachLink(client, draft, { name: `Link ${count}` }), 201);
    }
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => attach(client, draft, { name: `${at}.pdf` })),
    );
    const codes = answers.map(({ status, body }) =>
      status === 201 ? 'added' : body['code' as never],
    );
    expect(codes.toSorted()).toEqual(['added', ...Array(5).fill('too_many_attachments')]);
    expect(await filesKept(draft)).toHaveLength(20);
  });

  it('are of bytes, too', async () => {
    const draft = await aDraft(client);
    await attached(client, draft, { name: 'a.pdf', content: large() });
    const answers = await Promise.all(
      ['b.pdf', 'c.pdf', 'd.pdf'].map((name) => attach(client, draft, { name, content: large() })),
    );
    const codes = answers.map(({ status, body }) =>
      status === 201 ? 'added' : body['code' as never],
    );
    expect(codes.toSorted()).toEqual(['added', 'attachments_too_large', 'attachments_too_large']);
    const full = await attach(client, draft, { name: 'e.pdf', content: anotherPdf(5_242_880) });
    expect(full).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });
});
