import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Documents } from '../../../src/documents/index.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { DomainError } from '../../../src/kernel/domain-error.js';
import type { Problem } from '../../../src/platform/http/problem.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { DOCUMENTS, pageOf } from './list-calls.js';

interface Results {
  results: { status: number; document?: DocumentBody; problem?: Problem }[];
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const customer = { name: 'Globex' };
const good = { customer, lines: [{ description: 'Work', unit_amount: 1000 }], issue: true };
const wrong = { customer, lines: [{ description: 'Work', unit_amount: 1.5, quantity: 'x' }] };
const named = { ...good, external_id: 'D-1' };

const many = (length: number) => Array.from({ length }, () => good);

const send = async (documents: unknown, key?: string) =>
  client.post<Results>(`${DOCUMENTS}/batch`, { documents }, key ? { 'idempotency-key': key } : {});
const count = async () => (await pageOf(client, { limit: 100 })).data.length;
const ofAnyRequest = ({ text }: { text: string }) => text.replaceAll(/"request_id":"[^"]+"/g, '');
const statusesOf = ({ results }: Results) => results.map(({ status }) => status);

/** The service breaks once, before it makes the document at this place. */
function breakAt(place: number, error: Error) {
  const documents = service.app.get(Documents);
  const create = documents.create.bind(documents);
  let calls = 0;
  return vi.spyOn(documents, 'create').mockImplementation(async (...given) => {
    calls += 1;
    if (calls === place) throw error;
    return create(...given);
  });
}

describe('a batch', () => {
  it('makes each document or says why not, in order', async () => {
    const { status, body } = await send([
      good,
      wrong,
      'x',
      null,
      named,
      named,
      { ...good, total: 1 },
    ]);
    expect(status).toBe(200);
    expect(statusesOf(body)).toEqual([201, 422, 422, 422, 201, 409, 422]);
    const [first, second, third, , fifth, sixth, seventh] = body.results;
    expect(first?.document).toMatchObject({ status: 'open', total: 1000 });
    expect(await client.read(first!.document!)).toMatchObject({ number: first?.document?.number });
    expect(second?.problem?.code).toBe('validation_failed');
    expect(pointersOf(second!.problem!)).toEqual([
      '/documents/1/lines/0/quantity',
      '/documents/1/lines/0/unit_amount',
    ]);
    expect(pointersOf(third!.problem!)).toEqual(['/documents/2']);
    expect(sixth?.problem).toMatchObject({
      code: 'external_id_taken',
      document_id: fifth?.document?.id,
    });
    expect(pointersOf(seventh!.problem!)).toEqual(['/documents/6/total']);
    expect(await count()).toBe(2);
  });

  it('has at least one document and at most a hundred', async () => {
    expectProblem(await send([]), 422, 'too_few_items');
    expectProblem(await send(many(101)), 422, 'too_many_items');
    expectProblem(await send({}), 422, 'invalid_list');
    expectProblem(await send(undefined), 422, 'required');
    const { body } = await send(many(100));
    expect(statusesOf(body)).toEqual(Array(100).fill(201));
    expect(await count()).toBe(100);
  });
});

describe('the key of a batch', () => {
  it('gets the same answer again', async () => {
    const first = await send([good, wrong, named, named], 'a key');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await send([good, wrong, named, named], 'a key');
    // A refusal is judged anew, under the id of its own request.
    expect([again.status, ofAnyRequest(again)]).toEqual([200, ofAnyRequest(first)]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await count()).toBe(2);
  });

  it('makes only the rest if the service broke in between', async () => {
    const fault = breakAt(3, new Error('killed'));
    expectProblem(await send([good, named, good, wrong], 'a key'), 500, 'internal_error');
    expect(await count()).toBe(2);
    fault.mockRestore();
    const rest = await send([good, named, good, wrong], 'a key');
    const { body, headers } = rest;
    expect(statusesOf(body)).toEqual([201, 201, 201, 422]);
    expect(headers.get('idempotency-replayed')).toBeNull();
    expect(await count()).toBe(3);
    const again = await send([good, named, good, wrong], 'a key');
    expect(ofAnyRequest(again)).toBe(ofAnyRequest(rest));
    expect(await count()).toBe(3);
  });

  it('makes each once if it is sent twice at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send([good, good, good], 'a key')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await count()).toBe(3);
  });

  it('is refused with another batch, which makes nothing', async () => {
    await send([wrong, good], 'a key');
    for (const other of [[good, good], [wrong], [good, good, good]]) {
      expectProblem(await send(other, 'a key'), 422, 'idempotency_key_reused');
    }
    expect(await count()).toBe(1);
  });
});

describe('an outage', () => {
  it('ends the batch: what follows is not tried, and the key settles it', async () => {
    const away = DomainError.unavailable('database_unavailable', 'The database did not answer.');
    const fault = breakAt(2, away);
    const { body } = await send([good, good, good], 'a key');
    expect(statusesOf(body)).toEqual([201, 503, 503]);
    expect(body.results[2]?.problem?.code).toBe('database_unavailable');
    expect(fault).toHaveBeenCalledTimes(2);
    fault.mockRestore();
    expect(statusesOf((await send([good, good, good], 'a key')).body)).toEqual([201, 201, 201]);
    expect(await count()).toBe(3);
  });
});
