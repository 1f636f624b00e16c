import { expect } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';

export const DOCUMENTS = '/v1/finance/documents';

export type Query = Record<string, string | number | boolean>;

export interface DocumentPageBody {
  data: DocumentBody[];
  has_more: boolean;
  next_cursor: string | null;
}

export const idsOf = (documents: { id: string }[]) => documents.map(({ id }) => id);

export const pathOf = (query: Query) =>
  `${DOCUMENTS}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`;

export async function pageOf(client: TestClient, query: Query = {}): Promise<DocumentPageBody> {
  const answer = await client.get<DocumentPageBody>(pathOf(query));
  // Its answer, if it had to be refused.
  const problem = answer.status === 200 ? null : answer.body;
  expect([query, problem]).toEqual([query, null]);
  return answer.body;
}

/** Every page in order; `between` is called before each further one. */
export async function pagesOf(
  client: TestClient,
  query: Query & { limit: number },
  between: () => Promise<unknown> = async () => undefined,
): Promise<DocumentBody[]> {
  const seen: DocumentBody[] = [];
  let cursor: string | null = null;
  do {
    const next: DocumentPageBody = await pageOf(client, { ...query, ...(cursor && { cursor }) });
    expect(next.has_more).toBe(next.next_cursor !== null);
    // A page is full, or the last.
    expect(
      next.data.length === query.limit || (!next.has_more && next.data.length < query.limit),
    ).toBe(true);
    seen.push(...next.data);
    cursor = next.next_cursor;
    if (cursor) await between();
  } while (cursor);
  return seen;
}
