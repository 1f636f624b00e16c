import { type MockInstance, afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LineFields } from '../../../src/documents/wire/document.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// Small requests that once cost seconds: each is refused by counting, before anything is judged.

const DOCUMENTS = '/v1/finance/documents';
const LARGEST_ANSWER_BYTES = 65_536;

const many = (count: number, item: string) => Array<string>(count).fill(item).join(',');
const times = (count: number, item: object) => Array.from({ length: count }, () => item);
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');

let service: TestService;
let client: TestClient;
/** How often a line was judged. */
let judged: MockInstance<typeof LineFields._zod.run>;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  await client.bearer();
  judged = vi.spyOn(LineFields._zod, 'run');
});
afterAll(() => service.close());

const asJson = { 'content-type': 'application/json' };

describe('a bomb is refused while it is counted', () => {
  it.each<[string, string, string, string]>([
    ['690,000 lines', DOCUMENTS, `{"lines":[${many(690_000, '{}')}]}`, 'body_too_complex'],
    ['690,000 lists', DOCUMENTS, `{"lines":[${many(690_000, '[]')}]}`, 'body_too_complex'],
    [
      'a million address lines',
      DOCUMENTS,
      `{"customer":{"address":[${many(1_000_000, '1')}]}}`,
      'body_too_complex',
    ],
    [
      'lists in a text',
      DOCUMENTS,
      `{"lines":[{"description":[${many(400_000, '{}')}]}]}`,
      'body_too_complex',
    ],
    ['150,000 unknown names', DOCUMENTS, `{${names(150_000)}}`, 'body_too_complex'],
    [
      '150,000 names of metadata',
      DOCUMENTS,
      `{"metadata":{${names(150_000)}}}`,
      'body_too_complex',
    ],
    [
      'the same in a preview',
      `${DOCUMENTS}/preview`,
      `{"lines":[${many(690_000, '{}')}]}`,
      'body_too_complex',
    ],
    ['names to a payment', `${DOCUMENTS}/doc_x/payments`, `{${names(8000)}}`, 'body_too_complex'],
    ['names to a step', `${DOCUMENTS}/doc_x/issue`, `{${names(8000)}}`, 'body_too_complex'],
    [
      'credit lines',
      `${DOCUMENTS}/doc_x/credit-notes`,
      `{"lines":[${many(30_000, '{}')}]}`,
      'body_too_complex',
    ],
    ['two amounts', `${DOCUMENTS}/doc_x/payments`, '{"amount":1,"amount":50}', 'duplicate_key'],
  ])('%s', async (_, path, body, code) => {
    judged.mockClear();
    const answer = await client.post(path, body, asJson);
    expectProblem(answer, 400, code);
    expect(answer.bytes.length).toBeLessThan(1000);
    expect(judged).not.toHaveBeenCalled();
  });

  it('99 KB of names at the token endpoint, from anybody', async () => {
    for (const [body, headers, status] of [
      [`{${names(8000)}}`, asJson, 413],
      [`{${names(1500)}}`, asJson, 400],
      [
        names(1500).replaceAll(/"|:1/g, '').replaceAll(',', '=1&'),
        { 'content-type': 'application/x-www-form-urlencoded' },
        400,
      ],
    ] as const) {
      judged.mockClear();
      const answer = await service.call('/v1/auth/token', { method: 'POST', body, headers });
      expect(answer.status).toBe(status);
      expect(answer.bytes.length).toBeLessThan(1000);
      expect(judged).not.toHaveBeenCalled();
    }
  });

  it('1,500 parameters of a query', async () => {
    judged.mockClear();
    const query = Array.from({ length: 1500 }, (_, index) => `k${index}=1`).join('&');
    expectProblem(await client.get(`${DOCUMENTS}?${query}`), 400, 'invalid_query');
    expect(judged).not.toHaveBeenCalled();
  });
});

describe('what fits and is wrong', () => {
  const WRONG = ['description', 'quantity', 'unit', 'unit_amount', 'tax_rate', 'tax_category'];
  const long = 'x'.repeat(9000);
  const quoting = '\u0001'.repeat(60);

  it.each<[string, string, string, object, number]>([
    ['a list that is too long', 'POST', DOCUMENTS, { lines: times(10_001, {}) }, 1],
    [
      'tolerances',
      'PATCH',
      '/v1/finance/payment-settings',
      { underpayment_tolerance: times(201, {}) },
      1,
    ],
    ['allocations', 'POST', '/v1/finance/payments', { allocations: times(101, {}) }, 1],
    [
      '1,000 wrong lines',
      'POST',
      DOCUMENTS,
      { lines: times(1000, Object.fromEntries(WRONG.map((name) => [name, []]))) },
      20,
    ],
    [
      '1,000 lines of unknown names',
      'POST',
      DOCUMENTS,
      { lines: times(1000, { a: 1, b: 1, c: 1, d: 1 }) },
      30,
    ],
    [
      'names that are long',
      'POST',
      DOCUMENTS,
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${long}${index}`, 1])),
      0,
    ],
    [
      'a wrong pattern that is long',
      'POST',
      '/v1/finance/numbering',
      { id: 'a', kind: 'invoice', pattern: `{SEQ}${long}{${long}}` },
      1,
    ],
    [
      'long names in lines',
      'POST',
      DOCUMENTS,
      { lines: times(150, { ['ü'.repeat(5000)]: 1 }) },
      110,
    ],
    [
      'names that grow when they are quoted',
      'POST',
      DOCUMENTS,
      { customer: quoting, [quoting.slice(0, 59).replaceAll('\u0001', '\u2028')]: 1 },
      2,
    ],
  ])('gets a short answer: %s', async (_, method, path, body, mostJudged) => {
    judged.mockClear();
    const send = method === 'PATCH' ? client.patch.bind(client) : client.post.bind(client);
    const answer = await send(path, body);
    expect([400, 422]).toContain(answer.status);
    expect(answer.bytes.length).toBeLessThan(LARGEST_ANSWER_BYTES);
    const errors = (answer.body['errors'] ?? []) as unknown[];
    expect(errors.length).toBeLessThanOrEqual(100);
    expect(judged.mock.calls.length).toBeLessThanOrEqual(mostJudged);
  });

  it('is told that there is more', async () => {
    const wrong = await client.post(DOCUMENTS, { lines: times(1000, {}) });
    expect(expectProblem(wrong, 422, 'validation_failed')).toMatchObject({
      errors_truncated: true,
      detail: 'More than 100 fields are wrong; errors lists the first of them.',
    });
    expect(wrong.body['errors']).toHaveLength(100);
    const few = await client.post(DOCUMENTS, { lines: times(50, {}) });
    expect(expectProblem(few, 422, 'validation_failed')).not.toHaveProperty('errors_truncated');
    expect(few.body['errors']).toHaveLength(50);
  });

  it('judges each line of a document that is right, once', async () => {
    judged.mockClear();
    expect((await client.anInvoice({ lines: 100, issue: false })).lines).toHaveLength(100);
    expect(judged).toHaveBeenCalledTimes(100);
  });
});
