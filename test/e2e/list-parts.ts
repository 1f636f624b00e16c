import { expect } from 'vitest';
import type { TestClient } from '../support/client.js';
import { type OpenApi, resolved, type Schema } from './schema-check.js';

/** A page of any list. */
export interface AnyPage {
  data: Record<string, unknown>[];
  has_more: boolean;
  next_cursor: string | null;
}

/** The part of an answer that these names are about; written without a look at how the service does it. */
function partOf(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => partOf(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    if (names.includes(key)) return [[key, inner]];
    const deeper = names.filter((name) => name.startsWith(`${key}.`));
    if (deeper.length === 0) return [];
    return [
      [
        key,
        partOf(
          inner,
          deeper.map((name) => name.slice(key.length + 1)),
        ),
      ],
    ];
  });
  return Object.fromEntries(entries);
}

/** The parts of the entries of a page. An id is always among them. */
export const partsOfPage = (page: AnyPage, names: readonly string[]): AnyPage => ({
  ...page,
  data: page.data.map((entry) => partOf(entry, ['id', ...names])) as AnyPage['data'],
});

/** All names of fields of a schema, also those within others, as the OpenAPI document tells them. */
export function namesIn(document: OpenApi, schema: Schema, depth = 3): string[] {
  const { $ref, anyOf = [], allOf = [], oneOf = [], items, properties = {} } = schema;
  const found = Object.entries(properties).flatMap(([name, inner]) => [
    name,
    ...(depth > 1 ? namesIn(document, inner, depth - 1).map((one) => `${name}.${one}`) : []),
  ]);
  const others = [...anyOf, ...allOf, ...oneOf, ...(items ? [items] : [])];
  if ($ref) others.push(resolved(document, $ref) as Schema);
  const more = others.flatMap((one) => namesIn(document, one, depth));
  return [...new Set([...found, ...more])];
}

export async function answerOf(
  client: TestClient,
  path: string,
  query: Record<string, string>,
): Promise<AnyPage> {
  const answer = await client.get<AnyPage>(`${path}?${new URLSearchParams(query)}`);
  expect([path, query, answer.status === 200 ? null : answer.body]).toEqual([path, query, null]);
  return answer.body;
}
