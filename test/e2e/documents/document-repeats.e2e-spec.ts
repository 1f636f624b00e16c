import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem } from '../expectations.js';

// The same request twice, with an Idempotency-Key: on create and issue.

const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const issue = (document: { id: string }, headers = {}) =>
  client.post<DocumentBody>(`${DOCUMENTS}/${document.id}/issue`, {}, headers);
const key = (text: string) => ({ 'Idempotency-Key': text });

describe('an Idempotency-Key', () => {
  it('gets the first answer again, byte for byte', async () => {
    const first = await client.post(DOCUMENTS, requestFor(), key('create'));
    const before = await contentsOf(service.database);
    const again = await client.post(DOCUMENTS, requestFor(), key('create'));
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('issues once, also when all calls come at once', async () => {
    const draft = await client.anInvoice({ issue: false });
    const answers = await Promise.all(Array.from({ length: 8 }, () => issue(draft, key('issue'))));
    const done = answers.filter(({ status }) => status === 200);
    // "Still running" is 409; what is answered is answered alike.
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    const later = await issue(draft, key('issue'));
    expect([later.status, later.text]).toEqual([200, done[0]?.text]);
  });

  it('is refused for another body, another document', async () => {
    const draft = await client.anInvoice({ issue: false });
    const other = await client.anInvoice({ issue: false });
    await issue(draft, key('one'));
    expectProblem(await issue(other, key('one')), 422, 'idempotency_key_reused');
    await client.post(DOCUMENTS, requestFor(), key('two'));
    const changed = await client.post(DOCUMENTS, requestFor({ unitAmount: 1 }), key('two'));
    expectProblem(changed, 422, 'idempotency_key_reused');
    expect((await client.read(other)).status).toBe('draft');
  });

  it('judges a refusal anew, so that it passes once it may', async () => {
    const late = requestFor({ due_date: '2026-01-31' });
    expectProblem(await client.post(DOCUMENTS, late), 409, 'due_date_passed');
    const draft = await client.anInvoice({ issue: false, due_date: '2026-01-31' });
    expectProblem(await issue(draft, key('late')), 409, 'due_date_passed');
    service.clock.set('2026-01-15T00:00:00Z');
    try {
      const issued = await issue(draft, key('late'));
      expect([issued.status, issued.headers.get('idempotency-replayed')]).toEqual([200, null]);
      const again = await issue(draft, key('late'));
      expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([
        issued.text,
        'true',
      ]);
    } finally {
      service.clock.set(new Date());
    }
  });

  it('is another one for another client of the account', async () => {
    const colleague = await service.aClient({ of: client });
    const mine = await client.post(DOCUMENTS, requestFor(), key('same'));
    const theirs = await colleague.post(DOCUMENTS, requestFor(), key('same'));
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body['id']).not.toBe(mine.body['id']);
  });

  it.each(['', 'x'.repeat(256), 'naïve'])('is refused as %j', async (text) => {
    const answer = await client.post(DOCUMENTS, requestFor(), key(text));
    expectProblem(answer, 400, 'invalid_idempotency_key');
  });
});
