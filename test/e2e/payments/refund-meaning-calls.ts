import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { RefundBody, RefundedBody } from '../../../src/payments/returning/wire/refund.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { good } from '../documents/document-calls.js';
import { type RefundService, tell } from './refund-calls.js';

export const SETTINGS = '/v1/finance/payment-settings';
export const LOWERS = { meaning: 'lowers_document' };
export const OWED = { meaning: 'owed_again' };
export const BY_HAND = { method: 'bank_transfer' };

export const warningsOf = ({ warnings = [] }: RefundedBody) => warnings.map(({ code }) => code);

export const notesOf = async (client: TestClient, of: RefundBody) =>
  Promise.all(of.credit_notes.map((note) => client.read(note)));

export const decide = async (client: TestClient, of: { id: string }, body: object) =>
  client.post<RefundedBody & { code?: string }>(`/v1/finance/refunds/${of.id}/meaning`, body);

/** The meaning of refunds of the account that do not say it. */
export const setMeaning = async (client: TestClient, refund_meaning: string | null) =>
  good(await client.patch(SETTINGS, { refund_meaning }), 200);

/** An invoice that was paid by bank transfer. */
export async function paidByHand(
  client: TestClient,
  wish: DocumentWish = {},
  amount = 11_900,
): Promise<DocumentBody> {
  const invoice = await client.anInvoice(wish);
  good(await client.pay(invoice, { amount }), 201);
  return invoice;
}

/** Somebody gives money back in the provider's dashboard. */
export async function dashboardRefund(
  world: RefundService,
  payment: { id: string },
  amount: number,
  id = 're_dash',
) {
  const path = `/v1/finance/payments/${payment.id}`;
  const { reference } = good(await world.client.get<{ reference: string }>(path), 200);
  const object = { id, object: 'refund', payment_intent: reference, amount, currency: 'eur' };
  return tell(world, 'refund.updated', { ...object, status: 'succeeded' });
}

/** The first refund of a payment. */
export async function firstRefund(client: TestClient, payment: { id: string }) {
  const path = `/v1/finance/payments/${payment.id}/refunds`;
  const [first] = good(await client.get<{ data: RefundBody[] }>(path), 200).data;
  if (!first) throw new Error('there is no refund');
  return first;
}
