import type { LedgerFact } from '../../../../src/books/domain/ledger.js';
import type { TestClient } from '../../../support/client.js';
import type { Answer } from '../../../support/http.js';
import { sandboxDelivery } from '../../../support/sandbox-delivery.js';
import type { TestService } from '../../../support/service.js';
import { imported } from '../../bank/bank-calls.js';

/** An account in some state, and how to act in it. */
export interface Shop {
  service: TestService;
  client: TestClient;
  customer: string;
  /** Two invoices of the customer, on which something is due. */
  invoice: string;
  other: string;
  /** The day and the instant that its facts are told for. */
  day: string;
  paidAt: string;
}

/** Yields before the fact and after it; then it is undone. */
export type Way = (shop: Shop) => AsyncGenerator<void, void>;

/** A fact with each way to undo it, and the fact that does. */
interface Undoing {
  by: LedgerFact;
  ways: Record<string, Way>;
}

/** For a fact that nothing undoes: the reason. */
type Undoable = Undoing[] | { never: string };
export type AllUndoings = Record<LedgerFact, Undoable>;
/** Those of the facts of some subjects, and of no others. */
export type UndoingsOf<Subject extends string> = Pick<
  AllUndoings,
  Extract<LedgerFact, `${Subject}.${string}`>
>;

async function done<Body = { id: string }>(answer: Promise<Answer>): Promise<Body> {
  const { status, body, text } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body as Body;
}

export const post = async <Body = { id: string }>(
  { client }: Shop,
  path: string,
  body: object = {},
) => done<Body>(client.post(`/v1/finance/${path}`, body));

export async function anInvoice({ client, customer, day }: Shop): Promise<string> {
  const over = { customer: undefined, customer_id: customer, issue_date: day, due_date: day };
  return (await client.anInvoice(over)).id;
}

export async function pay(shop: Shop, amount: number, over: object = {}): Promise<string> {
  const body = { amount, method: 'bank_transfer', paid_at: shop.paidAt, ...over };
  const path = `documents/${shop.invoice}/payments`;
  return (await post<{ payment: { id: string } }>(shop, path, body)).payment.id;
}

export const reverse = async (shop: Shop, payment: string) =>
  post(shop, `payments/${payment}/reverse`, { reason: 'wrong' });

export const due = async ({ client, invoice }: Shop) =>
  (await done<{ amount_due: number }>(client.get(`/v1/finance/documents/${invoice}`))).amount_due;

/** Money for the invoice through the sandbox; `void` makes it find no document. */
async function paidThrough(shop: Shop, invoice: string, amount: number) {
  const link = await shop.client.aPaymentLink({ id: invoice }, { gateway: 'sandbox', amount });
  const payment_id = `sbx_${link.id}`;
  const paid = { payment_id, payment_link_id: link.id, amount, currency: 'EUR' };
  return {
    payment_id,
    payment_link_id: link.id,
    tell: async () => tell(shop, 'payment.succeeded', { ...paid, paid_at: shop.paidAt }),
  };
}

async function tell({ service }: Shop, type: string, data: object): Promise<void> {
  const delivery = sandboxDelivery(service, type, data);
  await done(service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery }));
}

export const takenBack = async (shop: Shop, of: object) =>
  tell(shop, 'payment.reversed', { ...of, at: shop.paidAt });

let seconds = 0;
/** Each word on a dispute is a second later: the last one counts, by the provider's own times. */
export async function disputed(
  shop: Shop,
  step: 'opened' | 'won' | 'lost',
  { payment_id }: { payment_id: string },
  over: object = {},
): Promise<void> {
  seconds += 1;
  const at = new Date(Date.parse(shop.paidAt) + seconds * 1000).toISOString();
  const of = { payment_id, dispute_id: `dp_${payment_id}`, amount: 1000, currency: 'EUR' };
  await tell(shop, `dispute.${step}`, { ...of, at, ...over });
}

export async function providersPayment(shop: Shop, amount: number) {
  const paid = await paidThrough(shop, shop.invoice, amount);
  return {
    ...paid,
    /** Its money has come: the path of the payment. */
    arrive: async () => {
      await paid.tell();
      const path = `/v1/finance/documents/${shop.invoice}/payments`;
      type Page = { data: { id: string; reference: string }[] };
      const { data } = await done<Page>(shop.client.get(path));
      return `payments/${data.find(({ reference }) => reference === paid.payment_id)!.id}`;
    },
  };
}

/** Money of an invoice that is void by now. */
export async function homeless(shop: Shop, amount: number) {
  const invoice = await anInvoice(shop);
  const paid = await paidThrough(shop, invoice, amount);
  await shop.client.void({ id: invoice });
  return {
    ...paid,
    /** It has come: the path of its receipt. */
    arrive: async () => {
      await paid.tell();
      type Page = { data: { id: string; provider_payment_id: string }[] };
      const path = '/v1/finance/unmatched-receipts?limit=100';
      const { data } = await done<Page>(shop.client.get(path));
      const receipt = data.find((one) => one.provider_payment_id === paid.payment_id)!;
      return `unmatched-receipts/${receipt.id}`;
    },
  };
}

export async function refund(shop: Shop, path: string, body: object) {
  const { refund: made } = await post<{ refund: { id: string; amount: number } }>(
    shop,
    `${path}/refunds`,
    body,
  );
  return made;
}

export const reverseRefund = async (shop: Shop, { id }: { id: string }) =>
  post(shop, `refunds/${id}/reverse`, { reason: 'wrong' });

export const bounce = async (shop: Shop, made: { id: string; amount: number }, payment: string) =>
  tell(shop, 'refund.failed', {
    sandbox_refund_id: `sbx_${made.id}`,
    refund_id: made.id,
    payment_id: payment,
    amount: made.amount,
    currency: 'EUR',
  });

/** An entry of the bank on the shop's day. */
export async function entry(shop: Shop, amount: string, over: object = {}): Promise<string> {
  const [made] = await imported(shop.client, { amount, on: shop.day, ...over });
  return made!.id;
}

export const payout = async (shop: Shop, over: object = {}) =>
  post(shop, 'payouts', {
    gateway: 'sandbox',
    provider_payout_id: `po_${shop.invoice}`,
    amount: 900,
    currency: 'EUR',
    sent_on: shop.day,
    ...over,
  });

export async function rejected({ service, client }: Shop, id: string): Promise<void> {
  const token = await client.aPortalToken({ id });
  const answer = { method: 'POST', body: { reason: 'No.' } };
  await done(service.call(`/v1/portal/${token}/reject`, answer));
}
