import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { receipt } from '../books/books.js';
import { creditOf, expectBooksToAgree, good } from '../documents/document-calls.js';
import { disputeCalls, type Paid } from './dispute-calls.js';

let service: TestService;
let client: TestClient;
let calls: ReturnType<typeof disputeCalls>;

beforeAll(async () => {
  service = await startTestService();
  calls = disputeCalls(service, () => client);
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const OWN = 1000;
const OTHER = 4000;

/** A payment that left credit, which another invoice has spent together with other credit. */
async function paidWithSpentCredit() {
  const of = await calls.paid(11_900 + OWN);
  const { customer_id } = of.invoice;
  good(await receipt(client, { amount: OTHER, currency: 'EUR', customer_id }), 201);
  const spender = await client.anInvoice({ customer: undefined, customer_id });
  const amount = OWN + OTHER;
  const allocations = [{ document_id: spender.id }];
  good(await receipt(client, { method: 'credit_balance', amount, allocations }), 201);
  return { of, spender };
}

/** All that was paid goes. */
const all = { amount: 11_900 + OWN };
const ways: Record<string, (of: Paid) => Promise<unknown>> = {
  'a reversal': async (of) => calls.reverse(of),
  'a lost dispute': async (of) => calls.tell('dispute.lost', of, all),
  'a refund in the dashboard': async (of) =>
    calls.tell('refund.succeeded', of, {
      ...all,
      sandbox_refund_id: `re_${of.id}`,
      refund_id: null,
    }),
};

describe('credit that is spent, and comes back', () => {
  it.each(Object.entries(ways))('comes back once for many copies of %s', async (_name, tell) => {
    for (let round = 0; round < 5; round += 1) {
      const { of, spender } = await paidWithSpentCredit();
      await Promise.all(Array.from({ length: 12 }, async () => tell(of)));
      expect(await client.read(of.invoice)).toMatchObject({ amount_due: 11_900 });
      expect(await client.read(spender)).toMatchObject({ amount_paid: OTHER });
      expect(await creditOf(client, of.invoice.customer_id)).toBe(0);
    }
    await expectBooksToAgree(service);
  });
});
