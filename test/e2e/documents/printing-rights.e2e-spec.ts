import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestFor, type TestClient } from '../../support/client.js';
import { rightsIn, rightsTable } from '../../support/printing-rights.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { type OpenApi, resolved, type Schema } from '../schema-check.js';
import { good } from './document-calls.js';

// A client that only makes documents says nothing on the documents of others.

const SELLER = '/v1/finance/seller';
const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let document: OpenApi;
let office: TestClient;
let clerk: TestClient;
beforeAll(async () => {
  service = await startTestService();
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
  office = await service.aClient();
  const scopes = ['documents:read', 'documents:write', 'payments:read', 'payments:write'] as const;
  clerk = await service.aClient({ of: office, scopes: [...scopes, 'refunds:write'] });
});
afterAll(() => service.close());

describe('a scope', () => {
  it('is settings:write for all that is on each document, or that the books stand on', () => {
    const rights = rightsIn(document);
    const wide = rights.filter(({ reach }) => reach === 'each document' || reach === 'the books');
    expect(wide.length).toBeGreaterThan(10);
    expect(wide.filter(({ scope }) => scope !== 'settings:write')).toEqual([]);
  });

  it('stands in docs/security.md for each route that prints', async () => {
    const page = await readFile(new URL('../../../docs/security.md', import.meta.url), 'utf8');
    expect(page).toContain(rightsTable(rightsIn(document)));
  });
});

describe('a client that only makes documents', () => {
  it('changes no field of the seller', async () => {
    const schema = resolved(document, '#/components/schemas/PatchSellerRequest') as Schema;
    const fields = Object.keys(schema.properties ?? {});
    expect(fields).toEqual(expect.arrayContaining(['template', 'document_notes', 'time_zone']));
    for (const field of fields) {
      const refused = await clerk.patch(SELLER, { [field]: null });
      expectProblem(refused, 403, 'insufficient_scope');
    }
  });

  it('names no payee, in whichever way a document is made', async () => {
    const draft = good(await clerk.post<{ id: string }>(DOCUMENTS, requestFor({})), 201);
    const payee = { name: 'Our new bank' };
    for (const refused of [
      await clerk.post(DOCUMENTS, requestFor({ payee })),
      await clerk.patch(`${DOCUMENTS}/${draft.id}`, { payee }),
      await clerk.patch(`${DOCUMENTS}/${draft.id}`, { payee: null }),
      await clerk.put(`${DOCUMENTS}/by-external-id/E-7`, requestFor({ payee })),
    ]) {
      expectProblem(refused, 403, 'insufficient_scope');
    }
    const batch = { documents: [requestFor({ payee })] };
    const { results } = good(
      await clerk.post<{ results: { status: number }[] }>(`${DOCUMENTS}/batch`, batch),
      200,
    );
    expect(results.map(({ status }) => status)).toEqual([403]);
    expect(good(await office.post(DOCUMENTS, requestFor({ payee })), 201)).toMatchObject({ payee });
  });

  it('has no word on what others make', async () => {
    const marked = { name: 'MARK', email: 'mark@globex.example', notes: 'MARK' };
    const { notes: _, ...customer } = marked;
    good(await clerk.post('/v1/finance/customers', customer), 201);
    good(
      await clerk.post('/v1/finance/items', {
        name: 'MARK',
        description: 'MARK',
        tax_rate: '19',
      }),
      201,
    );
    good(await clerk.post('/v1/finance/tax-rates', { name: 'MARK', tax_rate: '19' }), 201);
    good(await clerk.post(DOCUMENTS, requestFor({ notes: 'MARK', issue: true })), 201);
    const invoice = await office.anInvoice();
    const token = await office.aPortalToken(invoice);
    const page = await service.call(`/v1/portal/${token}`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.text).toContain(invoice.number ?? '?');
    expect(page.text).not.toContain('MARK');
  });
});
