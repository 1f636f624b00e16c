import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentWriter } from '../../../src/documents/application/document-writer.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { closeWithBooks, good, pathOf } from './document-calls.js';

// A module that was added listens to facts of documents, beside those of the house.

describe('a listener of documents', () => {
  let service: TestService;
  let client: TestClient;
  let writer: DocumentWriter;
  beforeAll(async () => {
    service = await startTestService();
    client = await service.aClient();
    writer = service.app.get(DocumentWriter);
  });
  afterAll(() => closeWithBooks(service));

  it('of tax relief leaves the tax in the books', async () => {
    const heard: unknown[] = [];
    writer.onTaxRelief((_tx, { document }) => heard.push(document.state.id));
    const invoice = await client.anInvoice();
    good(await client.post(pathOf(invoice, 'write-off'), { tax_relief: true }), 200);
    expect(heard).toHaveLength(1);
    const path = `/v1/finance/ledger?document_id=${invoice.id}&fact=document.tax_relieved`;
    expect(good(await client.get<{ data: object[] }>(path), 200).data).toHaveLength(1);
  });

  it.each([
    ['is asynchronous', async () => Promise.reject(new Error('too late'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('that %s takes its payment along, and the service goes on', async (_, listener) => {
    const invoice = await client.anInvoice();
    let isOn = true;
    writer.on('document.paid', () => (isOn ? listener() : undefined));
    expectProblem(await client.pay(invoice, { amount: invoice.amount_due }), 500, 'internal_error');
    isOn = false;
    expect((await client.pay(invoice, { amount: invoice.amount_due })).status).toBe(201);
    const payments = await client.get<{ data: object[] }>(pathOf(invoice, 'payments'));
    expect(good(payments, 200).data).toHaveLength(1);
  });
});
