import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';
import { type OpenApi, type Operation, resolved, type Schema } from '../schema-check.js';

// A name in a description is one that the call has: a field, a parameter, or a word of one.

/** Names of other calls, and of the ledger. */
const OF_OTHERS: Record<string, string[]> = {
  createItem: ['item_id'],
  listUnmatchedReceipts: ['unmatched_receipts'],
  recordPayout: ['payout_id'],
  updateClient: ['rotate'],
};

interface Names {
  fields: Set<string>;
  words: Set<string>;
}

function collect(api: OpenApi, given: unknown, names: Names, seen = new Set<object>()): void {
  if (typeof given !== 'object' || given === null || seen.has(given)) return;
  seen.add(given);
  if ('$ref' in given) return collect(api, resolved(api, String(given.$ref)), names, seen);
  const { properties = {}, enum: words = [] } = given as Schema;
  for (const word of words) names.words.add(String(word));
  for (const name of Object.keys(properties)) names.fields.add(name);
  for (const part of Object.values(given)) collect(api, part, names, seen);
}

function namesIn(api: OpenApi, ...given: unknown[]): Names {
  const names = { fields: new Set<string>(), words: new Set<string>() };
  for (const one of given) collect(api, one, names);
  return names;
}

function wrongIn(api: OpenApi, operation: Operation): string[] {
  const { operationId = '', description = '', parameters = [], requestBody, responses } = operation;
  const asked = namesIn(api, parameters, requestBody);
  for (const { name } of parameters) asked.fields.add(name);
  const { fields, words } = namesIn(api, responses);
  const known = [asked.fields, asked.words, fields, words, new Set(OF_OTHERS[operationId])];
  const all = [...description.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
  const given = [...description.matchAll(/\bWith `([a-z_]+)`/g)].map(([, name = '']) => name);
  return [
    ...all.filter((name) => !known.some((set) => set.has(name))),
    ...given.filter((name) => !asked.fields.has(name)),
  ].map((name) => `${operationId}: ${name}`);
}

describe('the description of a call', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('names what the call has', async () => {
    const { body: api } = await service.call<OpenApi>('/v1/openapi.json');
    const operations = Object.values(api.paths).flatMap((item) => Object.values(item));
    expect(operations.length).toBeGreaterThan(150);
    expect(operations.flatMap((operation) => wrongIn(api, operation))).toEqual([]);
  });

  it('is refused with the name of an action in the place of a field', () => {
    const api = { paths: {} } as OpenApi;
    const schema = { enum: ['claim_tax_relief'], properties: { due: {} } };
    const operation = {
      operationId: 'writeOff',
      description: 'With `claim_tax_relief`, `due` is claimed; `nothing` is not.',
      responses: { 200: { content: { 'application/json': { schema } } } },
    } as unknown as Operation;
    expect(wrongIn(api, operation)).toEqual(['writeOff: nothing', 'writeOff: claim_tax_relief']);
  });
});
