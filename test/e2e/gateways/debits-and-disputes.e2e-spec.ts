import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AutomaticCollections } from '../../../src/payments/collecting/application/mandates/automatic-collections.js';
import type { PaymentLinkBody } from '../../../src/payments/collecting/wire/payment-link.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import type { PaymentDetail } from '../books/books.js';
import { good } from '../documents/document-calls.js';
import { refund } from '../payments/refund-calls.js';
import { decide, OWED } from '../payments/refund-meaning-calls.js';

// Money of a document goes back, or is disputed, while another debit of the rest is planned.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService({ doesJobs: false });
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const tell = async (object: string, outcome: string) =>
  good(await client.post('/v1/sandbox/outcomes', { object, outcome }), 200);
const linksOf = async ({ id }: { id: string }) =>
  good(
    await client.get<{ data: PaymentLinkBody[] }>(`/v1/finance/documents/${id}/payment-links`),
    200,
  ).data;
const debitsOf = async (document: { id: string }) =>
  (await linksOf(document)).filter(({ mandate_id: id }) => id !== null);
const paymentsOf = async ({ id }: { id: string }) =>
  good(await client.get<{ data: PaymentDetail[] }>(`/v1/finance/payments?document_id=${id}`), 200)
    .data;
const reasons = async () => {
  const rows = await service.database.query<{ reason: string }>(
    `SELECT data->>'reason' AS reason FROM events
     WHERE account_id = $1 AND type = 'collection.given_up'`,
    [uuidOf('acc', client.accountId)],
  );
  return rows.map(({ reason }) => reason);
};
const later = async (days: number) => {
  service.clock.advance({ days });
  return service.app.get(AutomaticCollections).run();
};

/** An invoice of 119.00 whose debit failed, and is to be tried again in three days. */
async function aFailedDebit() {
  good(await client.patch('/v1/finance/payment-settings', { debit_retry_days: [3] }), 200);
  const { id: customer_id } = await client.aCustomer();
  const path = `/v1/finance/customers/${customer_id}/mandates`;
  good(await client.post(path, { gateway: 'sandbox', currency: 'EUR' }), 201);
  const invoice = await client.anInvoice({ customer: undefined, customer_id });
  const { id } = good(
    await client.post<{ id: string }>(`/v1/finance/documents/${invoice.id}/collect`),
    201,
  );
  await tell(id, 'failed');
  return invoice;
}

describe('a debit that is tried again', () => {
  it.each([['dispute_opened'], ['dispute_opened', 'lost'], ['dispute_opened', 'won']])(
    'is for what is due, and not begun where money is disputed: %s %s',
    async (opened, outcome?: string) => {
      const invoice = await aFailedDebit();
      const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount: 5000 });
      await tell(String(link.id), 'paid');
      const [payment] = await paymentsOf(invoice);
      await tell(payment?.id ?? '', opened);
      const { body } = await client.get<{ data: { id: string }[] }>('/v1/finance/disputes');
      if (outcome) await tell(body.data[0]?.id ?? '', outcome);
      const isWon = outcome === 'won';
      expect(await later(3)).toBe(isWon ? 1 : 0);
      const amounts = (await debitsOf(invoice)).map(({ amount }) => amount);
      expect(amounts).toEqual(isWon ? [11_900, 6900] : [11_900]);
      expect(await reasons()).toEqual(isWon ? [] : ['disputed']);
    },
  );

  it('is not for what went back, until somebody says that it is owed again', async () => {
    const [kept, owed] = [await aFailedDebit(), await aFailedDebit()];
    for (const invoice of [kept, owed]) {
      good(await client.pay(invoice, { amount: 5000 }), 201);
      const [payment] = await paymentsOf(invoice);
      good(await refund(client, payment ?? { id: '' }, { amount: 5000 }), 201);
    }
    const { body } = await client.get<{ data: { id: string; payment_id: string }[] }>(
      '/v1/finance/refunds',
    );
    const [of] = await paymentsOf(owed);
    const back = body.data.find(({ payment_id: id }) => id === of?.id);
    await decide(client, back ?? { id: '' }, OWED);
    expect(await later(3)).toBe(2);
    expect((await debitsOf(kept)).at(-1)).toMatchObject({ amount: 6900 });
    expect((await debitsOf(owed)).at(-1)).toMatchObject({ amount: 11_900 });
  });
});
