import { expect } from 'vitest';
import type { RefundBody, RefundedBody } from '../../../src/payments/returning/wire/refund.js';
import { RefundLookUps } from '../../../src/payments/returning/application/refunds/refund-look-ups.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import {
  type ServiceWish,
  startTestService,
  testConfig,
  type TestService,
} from '../../support/service.js';
import { PaymentsQuery } from '../../../src/payments/index.js';
import { PAYMENTS, type PaymentDetail } from '../books/books.js';
import { next, signedByStripe } from '../gateways/stripe-events.js';

export interface RefundService {
  service: TestService;
  client: TestClient;
  stub: ProviderStub;
  close(): Promise<void>;
}

/** The service with a Stripe whose API is a stub of ours. */
export async function startRefundService(wish: ServiceWish = {}): Promise<RefundService> {
  const stub = await startProviderStub();
  const gateways = testConfig(0).gateways.map((gateway) =>
    gateway.provider === 'stripe'
      ? {
          ...gateway,
          settings: { ...gateway.settings, api_key: 'sk_test', api_base: stub.apiBase },
        }
      : gateway,
  );
  const service = await startTestService({ gateways, ...wish });
  const client = await service.aClient();
  const close = async () => {
    await service.close();
    await stub.close();
  };
  return { service, client, stub, close };
}

/** The same service for the next test: a new account, and a Stripe that has done nothing yet. */
export async function afresh(world: RefundService): Promise<RefundService> {
  Object.assign(world.stub, { next: [], nextLookUps: [], refunds: [] });
  return { ...world, client: await world.service.aClient() };
}

/** An invoice of 119.00 that was paid by card, and its payment. */
export async function paidByCard(
  { service, client }: RefundService,
  amount = 11_900,
): Promise<{ invoice: DocumentBody; payment: PaymentDetail }> {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway: 'gateway-a' });
  await service.deliverPaid(link, amount);
  return { invoice, payment: await paymentOf(client, invoice) };
}

export async function paymentOf(
  client: TestClient,
  document: { id: string },
): Promise<PaymentDetail> {
  const path = `/v1/finance/documents/${document.id}/payments`;
  const { body } = await client.get<{ data: PaymentDetail[] }>(path);
  const payment = body.data.at(-1);
  if (!payment) throw new Error('there is no payment');
  return payment;
}

type Refunded = RefundedBody & { code?: string; payment: PaymentDetail };

export async function refund(
  client: TestClient,
  payment: { id: string },
  body: object = {},
  headers: Record<string, string> = {},
) {
  return client.post<Refunded>(`${PAYMENTS}/${payment.id}/refunds`, body, headers);
}

export async function readRefund(client: TestClient, { id }: { id: string }): Promise<RefundBody> {
  return (await client.get<RefundBody>(`/v1/finance/refunds/${id}`)).body;
}

/** The refunds that failed, by the event log. */
export async function failuresOf({ service, client }: RefundService) {
  return service.database.query<{ document_id: string | null; data: { refund: RefundBody } }>(
    `SELECT document_id, data FROM events WHERE account_id = $1 AND type = 'refund.failed'`,
    [uuidOf('acc', client.accountId)],
  );
}

/** A refund as events tell it: answers say also on which day it is booked, and by which notes. */
export const asTold = (refund: RefundBody) =>
  Object.fromEntries(
    Object.entries(refund).filter(([name]) => !/booked|^credit_notes$/.test(name)),
  );

/** Asks providers as the job does, once what is unknown is due. */
export async function lookUpAll({ service }: RefundService): Promise<number> {
  service.clock.advance({ hours: 2 });
  return service.app.get(RefundLookUps).run();
}

export const refundsOf = async (client: TestClient, { id }: { id: string }) =>
  (await client.get<{ data: RefundBody[] }>(`${PAYMENTS}/${id}/refunds`)).body.data;

/** An event as Stripe sends it; the answer, and what a person is told of it. */
/** @param secondsAgo when the event was made */
export async function tell(
  { service }: RefundService,
  type: string,
  object: object,
  secondsAgo = 0,
) {
  const id = `evt_${next()}`;
  const created = Math.floor(service.clock.serverNow().getTime() / 1000) - secondsAgo;
  const event = { id, object: 'event', type, created, livemode: false, data: { object } };
  const { body, headers } = signedByStripe(event, service.clock.serverNow());
  const send = async () =>
    service.call<{ status: string }>('/v1/webhooks/gateway-a', { method: 'POST', body, headers });
  const first = await send();
  // A repetition has the same answer and no further effect.
  expect((await send()).body).toEqual(first.body);
  const review = (await service.app.get(PaymentsQuery).eventsToReview()).find(
    (one) => one.event_id === id,
  );
  return { status: first.body.status, review: review?.review ?? null };
}
