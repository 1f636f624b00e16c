import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryRunner } from 'typeorm';
import { OpeningEntries1763800100000 } from '../../migrations/1763800100000-opening-entries.js';
import { aCreditNote } from '../support/documents.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const ledger = async () =>
  service.database.query(
    `SELECT fact, fact_id, debit, credit, amount, currency, document_id, customer_id, effective_on
     FROM transfers ORDER BY fact, fact_id, debit, credit, amount, document_id`,
  );

/** What the service did before it had a ledger, in every order that its rules allow. */
async function history() {
  const client = await service.aClient();
  const post = async (document: { id: string }, step: string, body = {}) => {
    const answer = await client.post(`/v1/finance/documents/${document.id}/${step}`, body);
    expect(answer.status).toBeLessThan(300);
  };
  const invoice = async (over = {}) => client.anInvoice({ taxRate: '7.7', ...over });

  await invoice({ issue: false });
  await client.aQuote();
  const paid = await invoice({ currency: 'JPY', issue_date: '2026-01-15' });
  await client.pay(paid, { amount: 12_000, on_overpayment: 'credit' });
  const rounded = await invoice({ cash_rounding: 5, unitAmount: 10_001 });
  await client.pay(rounded, { amount: 1, paid_at: '2026-03-31T23:59:59Z' });
  await client.void(await invoice());

  const lost = await invoice();
  await client.pay(lost, { amount: 1000 });
  const note = await aCreditNote(client, lost, { amount: 300 });
  await post(lost, 'write-off');
  await client.pay(lost, { amount: 2000 });
  await client.void(note);
  const given = await invoice();
  await post(given, 'write-off');
  await client.void(given);

  const credited = await invoice({ cash_rounding: 5, unitAmount: 9999 });
  await client.pay(credited, { amount: 10_000 });
  await client.void(await aCreditNote(client, credited, { amount: 500 }));
  await aCreditNote(client, credited);
  const other = { customer: undefined, customer_id: credited.customer_id };
  const next = await invoice(other);
  await client.pay(next, { amount: 1500, method: 'credit_balance' });

  const linked = await invoice();
  const link = await client.aPaymentLink(linked);
  await service.deliverPaid(link, link.amount + 5);
  const gone = await invoice();
  const late = await client.aPaymentLink(gone);
  await client.void(gone);
  await service.deliverPaid(late);
  return client;
}

describe('the opening entries', () => {
  it('are the ledger that the same facts would have written', async () => {
    await history();
    const written = await ledger();
    expect(new Set(written.map((one) => (one as { fact: string }).fact)).size).toBe(7);
    await service.database.query('ALTER TABLE transfers DISABLE TRIGGER USER');
    await service.database.query('DELETE FROM transfers');
    const query = async (sql: string) => service.database.query(sql);
    await new OpeningEntries1763800100000().up({ query } as unknown as QueryRunner);
    expect(await ledger()).toEqual(written);
  });
});
