import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { signStandardWebhook } from '../../../src/kernel/standard-webhook.js';
import type { PayoutBody, PayoutDetailBody } from '../../../src/bank/wire/payout.js';
import type { TestClient } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { anOwnName } from '../gateways/own-gateways.js';
import { balancesOf } from './bank-calls.js';

export const PAYOUTS = '/v1/finance/payouts';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const KEY = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

/** A client with a sandbox of its own, so that all in a payout is its own. */
export async function aShop(service: TestService) {
  const client = await service.aClient({ timeZone: 'Europe/Berlin' });
  const settings = { webhook_secret: SECRET };
  const body = { name: anOwnName(), provider: 'sandbox', settings };
  const { body: made } = await client.post<{ id: string }>('/v1/finance/gateways', body);
  return shopAt(service, client, made.id);
}

export type Shop = Awaited<ReturnType<typeof aShop>>;

/** An event of a sandbox, which may be sent again. */
function anEvent(type: string, data: object) {
  const id = `msg_${randomUUID()}`;
  return { id, body: JSON.stringify({ id, type, data }) };
}

/** Really signed events of a sandbox, and what becomes of them. */
export function shopAt(service: TestService, client: TestClient, gateway: string) {
  const deliver = async ({ id, body }: { id: string; body: string }) => {
    const unixSeconds = Math.floor(service.clock.now().getTime() / 1000);
    const signed = signStandardWebhook([KEY], { id, unixSeconds, body });
    const headers = { 'content-type': 'application/json', ...signed };
    return service.call(`/v1/webhooks/${gateway}`, { method: 'POST', body, headers });
  };
  const told = async (type: string, data: object) => {
    const answer = await deliver(anEvent(type, data));
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body['status'];
  };
  /** An invoice over 119.00 is paid there; the fee is told only if it is given. */
  const paid = async (fee?: number, payment_id = `sbx_${randomUUID()}`) => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway });
    const paid_at = service.clock.now().toISOString();
    const money = { amount: 11_900, currency: 'EUR', fee };
    await told('payment.succeeded', { payment_id, payment_link_id: link.id, ...money, paid_at });
    return payment_id;
  };
  const payouts = async () => (await client.get<{ data: PayoutBody[] }>(PAYOUTS)).body.data;
  const only = async () => {
    const [payout, ...others] = await payouts();
    if (!payout || others.length > 0) throw new Error(`${others.length + 1} payouts, or none`);
    return (await client.get<PayoutDetailBody>(`${PAYOUTS}/${payout.id}`)).body;
  };
  const items = async (status = 'open') =>
    (
      await client.get<{ data: { told: string; amount: number; direction: string }[] }>(
        `/v1/finance/unmatched-items?status=${status}`,
      )
    ).body.data;
  return { client, gateway, event: anEvent, deliver, told, paid, payouts, only, items };
}

/** All that the books say of the only payout, but for words and days that one of event and file tells. */
export async function payoutBooksOf(client: TestClient) {
  const { data } = (await client.get<{ data: PayoutBody[] }>(PAYOUTS)).body;
  expect(data).toHaveLength(1);
  const path = `${PAYOUTS}/${data[0]?.id}`;
  const { lines, ...payout } = (await client.get<PayoutDetailBody>(path)).body;
  const { status, amount, fee, booked_fee, currency, sent_on, failed_on } = payout;
  const { body } = await client.get<{ data: unknown[] }>('/v1/finance/unmatched-items');
  return {
    payout: { status, amount, fee, booked_fee, currency, sent_on, failed_on },
    lines: lines.map(({ payment_id, ...line }) => ({
      ...line,
      payment_id: payment_id && 'ours',
      provider_id: payment_id ? 'ours' : line.provider_id,
    })),
    balances: await balancesOf(client),
    items: body.data,
  };
}

/** A payout over a payment of 119.00 less 2.50, and a fee of 0.20. */
export const paidOut = (paymentId: string, over: object = {}) => ({
  payout_id: 'po_1',
  amount: 11_630,
  currency: 'EUR',
  sent_on: '2026-11-17',
  arrives_on: '2026-11-19',
  descriptor: 'MYSHOP',
  lines: [
    { kind: 'payment', amount: 11_900, fee: 250, provider_id: paymentId },
    { kind: 'fee', amount: -20, provider_id: 'fee_1' },
  ],
  at: '2026-11-17T08:00:00Z',
  ...over,
});
