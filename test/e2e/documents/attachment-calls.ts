import type { AttachedBody } from '../../../src/documents/wire/attachment.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { aPdf } from '../../documents/attached-files.js';
import type { TestClient } from '../../support/client.js';
import { good, pathOf } from './document-calls.js';

const PDF = 'application/pdf';

/** No two of them are the same file. */
let made = 0;
export const anotherPdf = (bytes = 0): Buffer => {
  made += 1;
  return aPdf(`% ${made}${' '.repeat(bytes)}\n`);
};

interface FileWish {
  name?: string;
  content?: Buffer;
  type?: string;
  headers?: Record<string, string>;
  [parameter: string]: unknown;
}

/** `POST .../attachments` of a PDF that no other test has. */
export function attach(client: TestClient, to: { id: string }, wish: FileWish = {}) {
  const { content = anotherPdf(), type = PDF, headers = {}, name = 'times.pdf', ...words } = wish;
  const query = new URLSearchParams({ name, ...(words as Record<string, string>) });
  return client.post<AttachedBody>(`${pathOf(to, 'attachments')}?${query}`, content, {
    'Content-Type': type,
    ...headers,
  });
}

export async function attached(client: TestClient, to: { id: string }, wish: FileWish = {}) {
  return good(await attach(client, to, wish), 201);
}

export const attachLink = (client: TestClient, to: { id: string }, body: object = {}) =>
  client.post<AttachedBody>(pathOf(to, 'attachments/links'), {
    url: 'https://acme.example/terms',
    name: 'Terms',
    ...body,
  });

export const fileOf = (client: TestClient, of: { id: string }, id: string, headers = {}) =>
  client.get(pathOf(of, `attachments/${id}/file`), headers);

/** An invoice that is not issued. */
export const aDraft = (client: TestClient, wish: object = {}): Promise<DocumentBody> =>
  client.anInvoice({ issue: false, ...wish });

export async function documentOf(client: TestClient, of: { id: string }): Promise<DocumentBody> {
  return good(await client.get<DocumentBody>(pathOf(of)), 200);
}
