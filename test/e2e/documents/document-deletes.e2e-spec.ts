import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, historyOf, made, pathOf } from './document-calls.js';
import { contentsOf, expectProblem } from '../expectations.js';

// A draft may be deleted, an issued document never.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const aDraft = (wish: object = {}) => client.anInvoice({ issue: false, ...wish });
const remove = (of: { id: string }, headers = {}) => client.delete(pathOf(of), headers);

describe('deleting', () => {
  it('takes a draft away, once', async () => {
    const draft = await aDraft({ lines: 3 });
    const answer = await remove(draft);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectProblem(await remove(draft), 404, 'document_not_found');
    expectProblem(await client.get(pathOf(draft)), 404, 'document_not_found');
    const lines = await service.database.query(
      'SELECT 1 FROM document_lines l WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE (d.account_id, d.document_id) = (l.account_id, l.document_id))',
    );
    expect(lines).toEqual([]);
  });

  it.each(['invoice', 'quote'] as const)('never takes an issued %s', async (kind) => {
    const document = await client.anInvoice({ kind });
    const before = await contentsOf(service.database);
    const problem = expectProblem(await remove(document), 409, 'document_not_draft');
    expect(problem['document_status']).toBe('open');
    expect(problem['detail']).toMatch(/void/i);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('puts back the quote that the draft was made of', async () => {
    const quote = await client.aQuote();
    const token = await client.aPortalToken(quote);
    const draft = await made(client, quote, 'convert');
    expect((await client.read(quote)).status).toBe('converted');
    expect((await remove(draft)).status).toBe(204);
    expect(await client.read(quote)).toMatchObject({
      status: 'open',
      follow_ups: [],
      status_transitions: { converted_at: null },
    });
    await service.call(`/v1/portal/${token}/accept`, { method: 'POST' });
    const again = await made(client, quote, 'convert');
    await remove(again);
    expect((await client.read(quote)).status).toBe('accepted');
    expect((await historyOf(client, quote)).map(({ type }) => type)).toEqual([
      'document.created',
      'document.issued',
      'document.converted',
      'document.conversion_undone',
      'document.accepted',
      'document.converted',
      'document.conversion_undone',
    ]);
    await made(client, quote, 'convert', { issue: true });
    expect((await client.read(quote)).status).toBe('converted');
  });

  it('takes a draft that was duplicated, and leaves the duplicate', async () => {
    const draft = await aDraft();
    const copy = await made(client, draft, 'duplicate');
    expect((await remove(draft)).status).toBe(204);
    expect((await client.read(copy)).total).toBe(draft.total);
    expect((await remove(copy)).status).toBe(204);
  });

  it('takes a revision, and leaves what it was of', async () => {
    const invoice = await client.anInvoice();
    const revision = await made(client, invoice, 'revise');
    expect((await remove(revision)).status).toBe(204);
    expect(await client.read(invoice)).toMatchObject({ status: 'open', follow_ups: [] });
    await made(client, invoice, 'revise', { issue: true });
    expect((await client.read(invoice)).status).toBe('void');
  });

  it('frees the external id', async () => {
    const draft = await aDraft({ external_id: 'shop-7' });
    await remove(draft);
    expect((await aDraft({ external_id: 'shop-7' })).external_id).toBe('shop-7');
  });

  it('races with issuing, and one of them wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const draft = await aDraft();
      const [gone, issued] = await Promise.all([
        remove(draft),
        client.post(pathOf(draft, 'issue')),
      ]);
      expect([
        [204, 404],
        [409, 200],
      ]).toContainEqual([gone.status, issued.status]);
    }
  });
});
