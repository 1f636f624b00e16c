import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkedBooks } from '../support/books.js';
import type { TestClient } from '../support/client.js';
import type { Answer } from '../support/http.js';
import { startTestService, type TestService } from '../support/service.js';

// Every payment of one account, of every kind, given back twice at the same time.

let service: TestService;
let client: TestClient;
let payments: { id: string; amount: number; gateway: string | null }[];

const PAYMENTS = '/v1/finance/payments';
const OF_EACH_KIND = 12;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** By hand, with a rest in credit, over two documents, all in credit, and through a gateway. */
async function anAccountWithPayments(): Promise<void> {
  client = await service.aClient();
  for (let made = 0; made < OF_EACH_KIND; made += 1) {
    const invoice = await client.anInvoice();
    const ofSame = { customer: undefined, customer_id: invoice.customer_id };
    await client.pay(invoice);
    await client.pay(await client.anInvoice(), { amount: 15_000, on_overpayment: 'credit' });
    const other = await client.anInvoice(ofSame);
    const money = { amount: 15_000, currency: 'EUR', method: 'cash' };
    const allocations = [invoice, other].map(({ id }) => ({ document_id: id }));
    await client.post(PAYMENTS, { ...money, allocations });
    await client.post(PAYMENTS, { ...money, customer_id: invoice.customer_id });
    const link = await client.aPaymentLink(await client.anInvoice(), { gateway: 'sandbox' });
    await service.deliverPaid(link);
  }
  const list = await client.get<{ data: typeof payments }>(`${PAYMENTS}?limit=100`);
  payments = list.body.data;
  expect(payments).toHaveLength(5 * OF_EACH_KIND);
}

async function atOnce(calls: (() => Promise<Answer>)[]): Promise<number> {
  const answers = await Promise.all(calls.map(async (call) => call()));
  const refused = answers.filter(({ status }) => status >= 400);
  expect(refused.filter(({ status }) => status !== 409 && status !== 422)).toEqual([]);
  return answers.length - refused.length;
}

async function integrity(): Promise<unknown> {
  return checkedBooks(service, client);
}

/** Of money that the provider still has, though its payment was reversed. */
async function openReceipts(): Promise<unknown[]> {
  const { body } = await client.get<{ data: { reason: string; amount: number }[] }>(
    '/v1/finance/unmatched-receipts?status=open&limit=100',
  );
  return body.data.map(({ reason, amount }) => ({ reason, amount }));
}

const reverse = (id: string) => client.post(`${PAYMENTS}/${id}/reverse`);
const refund = (id: string, body: object = {}) => client.post(`${PAYMENTS}/${id}/refunds`, body);

describe('of every payment, at the same time', () => {
  it('two refunds in full: exactly one succeeds', async () => {
    await anAccountWithPayments();
    const succeeded = await Promise.all(
      payments.map(async ({ id }) => atOnce([async () => refund(id), async () => refund(id)])),
    );
    expect(succeeded).toEqual(payments.map(() => 1));
    for (const { id, amount } of payments) {
      const { body } = await client.get(`${PAYMENTS}/${id}`);
      expect(body).toMatchObject({ status: 'refunded', amount_refunded: amount });
    }
    expect(await integrity()).toMatchObject({ differences: [] });
  });

  it('five refunds of 40 %: exactly two succeed', async () => {
    await anAccountWithPayments();
    const succeeded = await Promise.all(
      payments.map(async ({ id, amount }) => {
        const part = { amount: Math.floor((amount * 2) / 5) };
        return atOnce(Array.from({ length: 5 }, () => async () => refund(id, part)));
      }),
    );
    expect(succeeded).toEqual(payments.map(() => 2));
    expect(await integrity()).toMatchObject({ differences: [] });
  });

  it('a refund and a reversal: one of them succeeds, and the provider keeps what it has', async () => {
    await anAccountWithPayments();
    const reversed = await Promise.all(
      payments.map(async (payment, index) => {
        const { id } = payment;
        const calls = [async () => refund(id), async () => reverse(id)];
        expect(await atOnce(index % 2 ? calls : calls.toReversed())).toBe(1);
        const { body } = await client.get<{ status: string }>(`${PAYMENTS}/${id}`);
        expect(['refunded', 'reversed']).toContain(body.status);
        return body.status === 'reversed' && payment.gateway ? [payment] : [];
      }),
    );
    const kept = reversed.flat().map(({ amount }) => ({ reason: 'payment_reversed', amount }));
    expect(await openReceipts()).toEqual(kept);
    expect(await integrity()).toMatchObject({ differences: [] });
  });

  it('a refund of a document and a move away from it: one of them succeeds', async () => {
    await anAccountWithPayments();
    const details = await Promise.all(
      payments.map(async ({ id }) => client.get(`${PAYMENTS}/${id}`)),
    );
    const paying = details.flatMap(({ body }) => {
      const { id, allocations } = body as { id: string; allocations: { document_id: string }[] };
      return allocations.slice(0, 1).map(({ document_id: from }) => ({ id, from }));
    });
    expect(paying).toHaveLength(4 * OF_EACH_KIND);
    const succeeded = await Promise.all(
      paying.map(async ({ id, from }) =>
        atOnce([
          async () => refund(id, { from }),
          async () => client.post(`${PAYMENTS}/${id}/allocations`, { from, to: 'credit' }),
        ]),
      ),
    );
    expect(succeeded).toEqual(paying.map(() => 1));
    expect(await integrity()).toMatchObject({ differences: [] });
  });
});
