import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.js';
import type { OpenApi } from '../schema-check.js';

// Rules for all operations of the OpenAPI document, also for those that come later.

/** They store nothing, or may be repeated without harm. */
const WITHOUT_KEY = [
  'POST /v1/finance/documents/preview',
  'POST /v1/finance/documents/validate',
  'POST /v1/finance/documents/{id}/validate',
  'DELETE /v1/finance/documents/{id}/portal-tokens',
  'DELETE /v1/finance/documents/{id}/portal-tokens/{token_id}',
];
/** There is no route that reads one of them. */
const WITHOUT_LOCATION = [
  'POST /v1/finance/documents/{id}/portal-tokens',
  'POST /v1/finance/vat-methods',
];
const LONGEST_SUMMARY = 70;
const MOST_WORDS = 25;
/** The description of a refusal has only its codes. */
const CODES = /^[a-z_]+(, [a-z_]+)*$/;

let document: OpenApi;
beforeAll(async () => {
  const service = await startTestService();
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
  await service.close();
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

/** Every summary and description, of operations and of schemas. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && /^(summary|description)$/.test(key) ? inner : textsIn(inner),
  );
}

describe('every operation', () => {
  it('takes an Idempotency-Key if a client writes with it', () => {
    const writes = operations().filter(
      ({ name, operation }) => !name.startsWith('GET ') && operation.security?.length,
    );
    const keyless = writes.filter(
      ({ operation }) => !operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(writes.length).toBeGreaterThan(30);
    expect(keyless.map(({ name }) => name)).toEqual(WITHOUT_KEY);
  });

  it('tells where the thing is read that it creates', () => {
    const creating = operations().filter(({ operation }) => operation.responses['201']);
    const silent = creating.filter(
      ({ operation }) => !('Location' in (operation.responses['201']?.headers ?? {})),
    );
    expect(creating.length).toBeGreaterThan(15);
    expect(silent.map(({ name }) => name)).toEqual(WITHOUT_LOCATION);
  });

  it('has a short summary that is no sentence of its own', () => {
    const odd = operations().filter(
      ({ operation: { summary = '' } }) =>
        summary.length > LONGEST_SUMMARY || !/^[A-Z].*[^.]$/.test(summary),
    );
    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  it('is described in short sentences, and so is every schema', () => {
    const texts = textsIn(document).filter((text) => !CODES.test(text));
    const sentences = texts.flatMap((text) => text.split(/(?<=[.;]) /));
    expect(sentences.length).toBeGreaterThan(500);
    const long = sentences.filter((sentence) => sentence.split(/\s+/).length > MOST_WORDS);
    expect(long).toEqual([]);
  });
});
