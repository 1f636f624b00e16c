import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** A text grows with its table: one that outgrows the bound is parsed and planned each time. */
it('keeps the statements of everyday writes', async () => {
  const client = await service.aClient();
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const invoice = await client.issue(await client.anInvoice({ issue: false }));
  const { customer_id } = await client.anInvoice({ metadata: { order: '7' } });
  await client.anInvoice({ customer: undefined, customer_id });
  await client.pay(invoice, { amount: 100 });
  await client.post(`/v1/finance/documents/${invoice.id}/credit-notes`, {});
  const texts = sent.mock.calls.map(([query]) => query as { name?: string; text?: string });
  sent.mockRestore();
  const writes = texts.filter(({ text }) => text?.includes('INSERT INTO documents'));
  expect(writes.length).toBe(4);
  const isKept = writes.map(({ name }) => name !== undefined);
  expect(isKept).toEqual(writes.map(() => true));
});
