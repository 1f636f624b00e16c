import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestFor, type TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { DOCUMENTS, ifMatch, pathOf } from './document-calls.js';
import { expectAsDescribed, type OpenApi } from '../schema-check.js';

// Every route of documents answers as the OpenAPI document says: when it is done, and when not.

let service: TestService;
let client: TestClient;
let document: OpenApi;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
});
afterAll(() => service.close());

const RICH = {
  lines: [
    {
      description: 'A',
      quantity: '1.5',
      unit: 'HUR',
      unit_amount: 999,
      tax_rate: '19',
      discount: { percent: '3' },
      charges: [{ amount: 1, reason: 'r' }],
    },
    { description: 'B', unit_amount: 100, tax_category: 'AE', tax_exemption_reason: 'Reverse' },
  ],
  discount: { amount: 10, reason: 'Round' },
  charges: [{ amount: 500, tax_rate: '7' }],
  notes: 'Notes',
  language: 'de',
  metadata: { a: 'b' },
  cash_rounding: 5,
};

it('in every state and step', async () => {
  const seen = new Set<string>();
  const see = (method: string, step: string, answer: Answer, status: number) => {
    const isOfAll = step === 'preview' || step === '' || step.startsWith('body/');
    const path = isOfAll ? DOCUMENTS : `${DOCUMENTS}/{id}`;
    const whole = step && step !== 'id' ? `${path}/${step.replace('body/', '')}` : path;
    expect([method, whole, answer.status, answer.text]).toEqual([
      method,
      whole,
      status,
      expect.any(String),
    ]);
    expectAsDescribed(document, method, whole, answer);
    if (status < 300) seen.add(`${method} ${whole}`);
  };
  const stale = ifMatch('"99"');
  const a = async (wish: object = {}) => client.anInvoice({ ...RICH, ...wish });

  const created = await client.post(DOCUMENTS, requestFor({ ...RICH, external_id: 'x' }));
  see('post', '', created, 201);
  see('post', '', await client.post(DOCUMENTS, requestFor({ external_id: 'x' })), 409);
  see('post', '', await client.post(DOCUMENTS, requestFor({ discount: {} })), 422);
  see('post', 'preview', await client.post(`${DOCUMENTS}/preview`, requestFor(RICH)), 200);
  see('post', 'preview', await client.post(`${DOCUMENTS}/preview`, {}), 422);
  see('post', 'body/validate', await client.post(`${DOCUMENTS}/validate`, requestFor()), 200);
  see('get', '', await client.get(`${DOCUMENTS}?limit=2`), 200);

  const draft = await a({ issue: false });
  see('get', 'id', await client.get(pathOf(draft)), 200);
  see('post', 'validate', await client.post(pathOf(draft, 'validate')), 200);
  see('patch', 'id', await client.patch(pathOf(draft), { notes: null }), 200);
  see('patch', 'id', await client.patch(pathOf(draft), {}, stale), 412);
  see('patch', 'id', await client.patch(pathOf(draft), {}, ifMatch('1')), 400);
  see('delete', 'id', await client.delete(pathOf(draft), stale), 412);
  see('post', 'issue', await client.post(pathOf(draft, 'issue'), {}, stale), 412);
  see('post', 'issue', await client.post(pathOf(draft, 'issue')), 200);
  see('post', 'issue', await client.post(pathOf(draft, 'issue')), 409);
  see('delete', 'id', await client.delete(pathOf(draft)), 409);
  see('delete', 'id', await client.delete(pathOf(await a({ issue: false }))), 204);
  see('delete', 'id', await client.delete(pathOf({ id: 'doc_x' })), 404);

  const lost = await a();
  see('post', 'write-off', await client.post(pathOf(lost, 'write-off')), 200);
  see('post', 'tax-relief', await client.post(pathOf(lost, 'tax-relief')), 200);
  see('post', 'tax-relief', await client.post(pathOf(lost, 'tax-relief')), 409);
  const back = 'write-off/reverse';
  see('post', back, await client.post(pathOf(lost, back)), 200);
  see('post', back, await client.post(pathOf(lost, back)), 409);
  see('post', 'void', await client.post(pathOf(draft, 'void'), {}, stale), 412);
  see('post', 'void', await client.post(pathOf(draft, 'void')), 200);
  see('post', 'void', await client.post(pathOf(draft, 'void')), 409);
  see('post', 'duplicate', await client.post(pathOf(draft, 'duplicate')), 201);
  const quote = await a({ kind: 'quote' });
  const revised = await client.post<{ id: string }>(pathOf(quote, 'revise'), { issue: true });
  see('post', 'revise', revised as unknown as Answer, 201);
  see('post', 'revise', await client.post(pathOf(quote, 'revise')), 409);
  see('get', 'changes', await client.get(pathOf(revised.body, 'changes')), 200);
  see('post', 'convert', await client.post(pathOf(revised.body, 'convert')), 201);
  see('post', 'convert', await client.post(pathOf(revised.body, 'convert')), 409);
  see('get', 'id', await client.get(pathOf(revised.body)), 200);

  const invoice = await a();
  await client.pay(invoice, { amount: 100 });
  const lines = [{ position: 1, quantity: '0.5' }];
  const note = await client.post(pathOf(invoice, 'credit-notes'), { lines });
  see('post', 'credit-notes', note, 201);
  see(
    'post',
    'credit-notes',
    await client.post(pathOf(invoice, 'credit-notes'), { amount: 0 }),
    422,
  );
  see('post', 'credit-notes', await client.post(pathOf(quote, 'credit-notes')), 409);
  see('get', 'id', await client.get(pathOf({ id: String(note.body['id']) })), 200);
  see('get', 'id', await client.get(pathOf(invoice)), 200);
  for (const step of ['calculation', 'history', 'changes']) {
    see('get', step, await client.get(pathOf(invoice, step)), 200);
    see('get', step, await client.get(pathOf({ id: 'doc_x' }, step)), 404);
  }

  // Things that hang on a document have tests of their own.
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags?.includes('documents'))
      .map(([method]) => `${method} ${path}`),
  );
  const others =
    /\/(pdf|xml|attachments|portal-tokens|payment-links|payments|batch|by-external-id)(\/|$)/;
  expect(described.filter((name) => !others.test(name) && !seen.has(name))).toEqual([]);
  expect(seen.size).toBeGreaterThan(14);
});
