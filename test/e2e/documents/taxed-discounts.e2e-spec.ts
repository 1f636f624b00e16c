import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { closeWithBooks, made } from './document-calls.js';

const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const read = async ({ id }: { id: string }) =>
  (await client.get<DocumentBody>(`${DOCUMENTS}/${id}`)).body;

describe('a discount that names a tax', () => {
  it('is off the lines of that tax, with the code of its reason', async () => {
    const lines = [
      { description: 'Wine', unit_amount: 10_000, tax_rate: '19' },
      { description: 'Bread', unit_amount: 10_000, tax_rate: '7' },
    ];
    const discounts = [{ percent: '10', tax_rate: '7.00', reason_code: '95' }];
    const charges = [{ amount: 500, tax_rate: '19', reason_code: 'FC' }];
    const invoice = await client.anInvoice({ lines, discounts, charges });
    expect(invoice).toMatchObject({
      discounts: [
        {
          amount: 1000,
          reason: null,
          reason_code: '95',
          tax_category: 'S',
          tax_rate: '7',
          shares: [{ tax_rate: '7', amount: 1000 }],
        },
      ],
      charges: [{ reason_code: 'FC' }],
      tax_groups: [
        { tax_rate: '19', taxable_amount: 10_500, tax_amount: 1995 },
        { tax_rate: '7', taxable_amount: 9000, tax_amount: 630 },
      ],
    });
    expect(await read(invoice)).toEqual(invoice);
    const copy = await made(client, invoice, 'duplicate');
    expect(copy.discounts).toEqual(invoice.discounts);
    const note = await made(client, invoice, 'credit-notes', { amount: 1000 });
    expect(note.total).toBe(1000);
    const above = { lines, discounts: [{ amount: 10_001, tax_rate: '7' }] };
    expectProblem(await client.post(DOCUMENTS, requestFor(above)), 422, 'discount_too_large');
  });

  it('is off the charges of that tax where no line has it', async () => {
    const of = { tax_category: 'E', tax_rate: '0' };
    const invoice = await client.anInvoice({
      discounts: [
        { amount: 1000, reason: 'Insured', ...of },
        { amount: 0, reason: 'None', ...of },
      ],
      charges: [{ amount: 1500, reason: 'Insurance', ...of }],
    });
    expect(invoice).toMatchObject({
      discounts: [{ shares: [{ ...of, amount: 1000 }] }, { amount: 0, shares: [] }],
      tax_groups: [{ taxable_amount: 10_000 }, { ...of, taxable_amount: 500, tax_amount: 0 }],
      total: 12_400,
    });
    expect(await read(invoice)).toEqual(invoice);
    await made(client, invoice, 'credit-notes', { amount: 400 });
    await made(client, invoice, 'credit-notes', { lines: [{ position: 1, amount: 900 }] });
    await made(client, invoice, 'credit-notes', {});
    expect(await read(invoice)).toMatchObject({ amount_creditable: 0, status: 'paid' });
    const copy = await made(client, invoice, 'duplicate', { issue: true });
    const note = await made(client, copy, 'credit-notes', {});
    expect(note.discounts).toEqual(invoice.discounts);
  });
});
