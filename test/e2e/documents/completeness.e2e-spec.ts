import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { ValidationBody } from '../../../src/einvoices/wire/e-invoice-validation.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { closeWithBooks, historyOf, made, pathOf } from './document-calls.js';

// The law's particulars are told when a document is tried, and refused where the account says so.

const DOCUMENTS = '/v1/finance/documents';
const SELLER = '/v1/finance/seller';
const COMPLETE = { address: ['Torstraße 49'], city: 'Berlin', country: 'DE' };
const MISSING = ['/customer/address', '/customer/city', '/customer/country', '/customer/tax_id'];

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
  await client.patch(SELLER, { ...COMPLETE, tax_id: 'DE136695976' });
});

const line = (over: object = {}) => ({ description: 'Advice', unit_amount: 90_000, ...over });
/** Reverse charge for a buyer of whom only the name is known. */
const incomplete = (over: object = {}) => ({
  customer: { name: 'Globex' },
  supply_date: '2026-11-01',
  lines: [line({ tax_category: 'AE' })],
  ...over,
});
const complete = () =>
  incomplete({ customer: { ...COMPLETE, name: 'Globex', tax_id: 'ATU13585627' } });

const warned = ({ warnings = [] }: Partial<Pick<DocumentBody, 'warnings'>>) =>
  warnings.map(({ pointer }) => pointer);
const post = async <Body = DocumentBody>(path: string, body: object = {}) =>
  client.post<Body>(path, body);

describe('what the law misses', () => {
  it('is told by validation, preview and issue, with its rule', async () => {
    const validated = await post<ValidationBody>(`${DOCUMENTS}/validate`, incomplete());
    expect(validated.body).toMatchObject({ valid: false, strict: false });
    expect(warned(validated.body)).toEqual(MISSING);
    expect(validated.body.warnings.at(-1)).toMatchObject({
      code: 'tax_id_required',
      rule: 'BR-AE-02',
    });
    expect(warned((await post(`${DOCUMENTS}/preview`, incomplete())).body)).toEqual(MISSING);
    const issued = await post(DOCUMENTS, incomplete({ issue: true }));
    expect([issued.status, warned(issued.body)]).toEqual([201, MISSING]);
    expect((await historyOf(client, issued.body)).flatMap(({ warnings }) => warnings)).toEqual([]);
    const again = await post<ValidationBody>(pathOf(issued.body, 'validate'));
    expect(again.body).toEqual(validated.body);
  });

  it('is nothing in a complete document, and all of it where no buyer is named', async () => {
    const validate = async (body: object) =>
      (await post<ValidationBody>(`${DOCUMENTS}/validate`, body)).body;
    expect(await validate(complete())).toEqual({ valid: true, strict: false, warnings: [] });
    const { customer: _, ...nobody } = incomplete();
    expect(warned(await validate(nobody))).toEqual(['/customer', ...MISSING]);
    const issued = await post(DOCUMENTS, { ...complete(), issue: true });
    expect([issued.status, 'warnings' in issued.body]).toEqual([201, false]);
  });

  it('is judged of a draft with the parties of today', async () => {
    const customer = await client.aCustomer({ name: 'Globex', country: null });
    const body = incomplete({ customer: undefined, customer_id: customer.id });
    const draft = (await post(DOCUMENTS, body)).body;
    const path = pathOf(draft, 'validate');
    expect(warned((await post<ValidationBody>(path)).body)).toEqual(MISSING);
    const named = { ...COMPLETE, tax_id: 'ATU13585627' };
    await client.patch(`/v1/finance/customers/${customer.id}`, named);
    expect((await post<ValidationBody>(path)).body.valid).toBe(true);
    await client.patch(SELLER, { tax_id: 'DE136695975' });
    expect(warned((await post<ValidationBody>(path)).body)).toEqual(['/seller/tax_id']);
    expect((await post(pathOf(draft, 'issue'))).body).toMatchObject({
      warnings: [{ code: 'invalid_tax_id', rule: 'BR-CO-09' }],
    });
  });

  it('belongs to the account: others find no document', async () => {
    const draft = (await post(DOCUMENTS, incomplete())).body;
    const other = await service.aClient();
    expectProblem(await other.post(pathOf(draft, 'validate')), 404, 'document_not_found');
  });
});

describe('a strict account', () => {
  beforeEach(async () => {
    await client.patch(SELLER, { strict: true });
  });

  it('refuses to issue with all that is missing, whatever way, and takes no number', async () => {
    const draft = (await post(DOCUMENTS, incomplete())).body;
    const quote = (await post(DOCUMENTS, incomplete({ kind: 'quote', issue: true }))).body;
    expect(quote.status).toBe('open');
    // A duplicate has no day of supply: that belongs to one supply only.
    const undated = [...MISSING, '/supply_date'];
    for (const [refused, pointers] of [
      [await post(DOCUMENTS, incomplete({ issue: true })), MISSING],
      [await post(pathOf(draft, 'issue')), MISSING],
      [await post(pathOf(draft, 'duplicate'), { issue: true }), undated],
      [await post(pathOf(quote, 'convert'), { issue: true }), MISSING],
    ] as const) {
      expectProblem(refused, 422, 'validation_failed');
      expect(pointersOf(refused.body)).toEqual(pointers);
    }
    expect((await client.read(draft)).status).toBe('draft');
    const issued = await post(DOCUMENTS, { ...complete(), issue: true });
    expect(issued.body).toMatchObject({ number: 'INV-00001', status: 'open' });
  });

  it('lets credit notes on its invoices and documents from elsewhere pass with warnings', async () => {
    await client.patch(SELLER, { strict: false });
    const invoice = (await post(DOCUMENTS, incomplete({ issue: true }))).body;
    await client.patch(SELLER, { strict: true });
    const note = await made(client, invoice, 'credit-notes', { amount: 100 });
    expect(warned(note)).toEqual(MISSING);
    const elsewhere = { issue: true, issue_date: '2026-10-01', number: 'OLD-1' };
    const imported = await post(DOCUMENTS, incomplete(elsewhere));
    expect([imported.status, warned(imported.body)]).toEqual([201, MISSING]);
  });

  it('may be made so with settings:write only', async () => {
    const scopes = ['documents:write', 'documents:read'];
    const clerk = await service.aClient({ of: client, scopes });
    expectProblem(await clerk.patch(SELLER, { strict: false }), 403, 'insufficient_scope');
  });
});

describe('the taxes that are said', () => {
  it('are said by sellers with a VAT number, line by line', async () => {
    const lines = [line(), line({ tax_rate: '19' }), line({ tax_category: 'E' }), line()];
    const draft = (await post(DOCUMENTS, complete())).body;
    for (const refused of [
      await post(DOCUMENTS, requestFor({ lines })),
      await post(`${DOCUMENTS}/preview`, requestFor({ lines })),
      await post(`${DOCUMENTS}/validate`, requestFor({ lines })),
      await client.patch(pathOf(draft), { lines }),
    ]) {
      expectProblem(refused, 422, 'validation_failed');
      expect(pointersOf(refused.body)).toEqual(['/lines/0/tax_rate', '/lines/3/tax_rate']);
    }
    await client.patch(SELLER, { tax_id: '30/123/45678' });
    const local = await post(DOCUMENTS, requestFor({ lines }));
    expect(local.body.lines.map(({ tax_category: category }) => category)).toEqual([
      'Z',
      'S',
      'E',
      'Z',
    ]);
  });

  it('are not of category O beside another one', async () => {
    const outside = line({ tax_category: 'O' });
    const lines = [line({ tax_rate: '19' }), outside];
    const charges = [{ amount: 1, reason: 'Toll', tax_category: 'O' }];
    for (const [body, at] of [
      [{ lines }, '/lines/1/tax_category'],
      [{ lines: [line({ tax_rate: '19' })], charges }, '/charges/0/tax_category'],
    ] satisfies [object, string][]) {
      const refused = await post(DOCUMENTS, requestFor({ issue: false, ...body }));
      expectProblem(refused, 422, 'tax_category_alone');
      expect(pointersOf(refused.body)).toEqual([at]);
    }
    expect((await post(DOCUMENTS, requestFor({ lines: [outside], charges }))).status).toBe(201);
  });
});
