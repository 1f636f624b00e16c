import { expect } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import type { TestService } from '../../support/service.js';
import type { PaymentDetail } from '../books/books.js';
import { good } from '../documents/document-calls.js';
import { next } from '../gateways/stripe-events.js';

/** The balances that an invoice over 119.00 leaves beside its receivable. */
export const ISSUED = { revenue: -10_000, tax_payable: -1900 };

export interface Dispute {
  id: string;
  status: string;
  payment_id: string | null;
  receipt_id: string | null;
  amount: number;
  amount_held: number;
  amount_reversed: number;
  amount_lost: number;
  fee: number;
  reason: string;
  evidence_due_by: string | null;
}

export interface Paid {
  invoice: { id: string; customer_id: string };
  link: { id: string; amount: number; currency: string };
  id: string;
}

/** The word of the sandbox; times are seconds after now. */
export interface Told {
  at?: number;
  dispute?: string;
  amount?: number;
  [field: string]: unknown;
}

/** Calls of a provider that disputes payments, and what the account sees of it. */
export function disputeCalls(service: TestService, clientOf: () => TestClient) {
  const send = async (type: string, data: object) => {
    const delivery = sandboxDelivery(service, type, data);
    const answer = await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    return good(answer, 200)['status'];
  };
  const timeAt = (at: number) => new Date(service.clock.now().getTime() + at * 1000).toISOString();
  const pay = async ({ link, id }: Paid, amount = link.amount) =>
    send('payment.succeeded', {
      payment_id: id,
      payment_link_id: link.id,
      amount,
      currency: link.currency,
      paid_at: timeAt(0),
    });
  /** An invoice over 119.00, with a link that is not paid. */
  const linked = async (): Promise<Paid> => {
    const invoice = await clientOf().anInvoice();
    const link = await clientOf().aPaymentLink(invoice, { gateway: 'sandbox' });
    return { invoice, link, id: `sbx_${next()}` };
  };
  const paymentOf = async ({
    invoice,
  }: Paid): Promise<PaymentDetail & { amount_disputed: number }> => {
    const path = `/v1/finance/documents/${invoice.id}/payments`;
    const { data } = good(
      await clientOf().get<{ data: (PaymentDetail & { amount_disputed: number })[] }>(path),
      200,
    );
    return data[0]!;
  };
  return {
    send,
    pay,
    linked,
    paymentOf,
    /** The same, and its money came. */
    async paid(amount?: number): Promise<Paid> {
      const made = await linked();
      expect(await pay(made, amount)).toBe('ok');
      return made;
    },
    refund: async (of: Paid, body: object) => {
      const { id } = await paymentOf(of);
      return clientOf().post(`/v1/finance/payments/${id}/refunds`, body);
    },
    tell: async (type: string, { link, id }: Paid, { at = 60, dispute, ...more }: Told = {}) =>
      send(type, {
        payment_id: id,
        dispute_id: dispute ?? `dp_${id}`,
        amount: link.amount,
        currency: link.currency,
        at: timeAt(at),
        ...more,
      }),
    reverse: async ({ id }: Paid, at = 60) =>
      send('payment.reversed', { payment_id: id, at: timeAt(at), reversal_id: `rev_${id}` }),
    /** All of it is gone, and the word has no name. */
    fail: async ({ id }: Paid, at = 60) =>
      send('payment.failed', { payment_id: id, at: timeAt(at) }),
    /** The events that left items of a payment which are open, whoever has them. */
    async openItemsOf({ id }: Pick<Paid, 'id'>): Promise<string[]> {
      const rows = await service.database.query<{ type: string }>(
        `SELECT event_type AS type FROM unmatched_items i
         LEFT JOIN unmatched_item_steps s USING (account_id, item_id)
         WHERE provider_payment_id = $1 AND coalesce(s.status, 'open') = 'open' ORDER BY type`,
        [id],
      );
      return rows.map(({ type }) => type);
    },
    async disputesOf(filter = ''): Promise<Dispute[]> {
      const path = `/v1/finance/disputes${filter}`;
      return good(await clientOf().get<{ data: Dispute[] }>(path), 200).data;
    },
  };
}

export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

export async function inPairs<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => unknown,
) {
  for (let start = 0; start < items.length; start += 2) {
    await Promise.all(items.slice(start, start + 2).map((item, i) => work(item, start + i)));
  }
}
