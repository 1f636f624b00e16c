import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { permutations } from '../payments/dispute-calls.js';
import { balancesOf } from './bank-calls.js';
import { aShop, paidOut, type Shop, shopAt } from './reported-payouts.js';

/*
 * A payment, what is taken back or refunded of it, and a payout with both and with fees, which comes
 * back: told in every order, the books end the same.
 */

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ rateLimit: null });
});
afterAll(() => closeWithBooks(service));

interface Told {
  of: Shop;
  payment: string;
  link: string;
  /** The fee that the provider tells with the payment itself. */
  fee: number | undefined;
}
type Fact = (told: Told) => Promise<unknown>;

const payout = ({ payment }: Told, at: string, hasRefund: boolean) => ({
  ...paidOut(payment, { at }),
  payout_id: `po_${payment}`,
  amount: hasRefund ? 10_630 : 11_630,
  lines: [
    ...paidOut(payment).lines,
    ...(hasRefund ? [{ kind: 'refund', amount: -1000, provider_id: `back_${payment}` }] : []),
  ],
});
const refunds = new Set<string>();
const FACTS: Record<string, Fact> = {
  paid: async ({ of, payment, link, fee }) =>
    of.told('payment.succeeded', {
      payment_id: payment,
      payment_link_id: link,
      amount: 11_900,
      currency: 'EUR',
      fee,
      paid_at: '2026-11-15T08:00:00Z',
    }),
  reversed: async ({ of, payment, link }) =>
    of.told('payment.reversed', {
      payment_id: payment,
      payment_link_id: link,
      reversal_id: `rev_${payment}`,
      at: '2026-11-16T08:00:00Z',
    }),
  refunded: async ({ of, payment }) =>
    of.told('refund.succeeded', {
      sandbox_refund_id: `back_${payment}`,
      payment_id: payment,
      amount: 1000,
      currency: 'EUR',
      at: '2026-11-16T08:00:00Z',
    }),
  payout: async (told) =>
    told.of.told('payout.paid', payout(told, '2026-11-17T08:00:00Z', refunds.has(told.payment))),
  failed: async (told) =>
    told.of.told('payout.failed', {
      ...payout(told, '2026-11-19T08:00:00Z', refunds.has(told.payment)),
      reason: 'account_closed',
    }),
};

async function endingOf(order: readonly string[], isShared: boolean, fee?: number) {
  const own = await aShop(service);
  const of = isShared ? shopAt(service, own.client, 'sandbox') : own;
  const payment = `sbx_${randomUUID()}`;
  if (order.includes('refunded')) refunds.add(payment);
  const invoice = await of.client.anInvoice();
  const link = await of.client.aPaymentLink(invoice, { gateway: of.gateway });
  const told = { of, payment, link: link.id, fee };
  for (const fact of order) await FACTS[fact]?.(told);
  const [only, ...others] = await of.payouts();
  const { status, amount_due, amount_paid } = await of.client.read(invoice);
  const [operator] = await service.database.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM unmatched_items i WHERE subject LIKE '%' || $1 || '%'
       AND coalesce((SELECT status FROM unmatched_item_steps s
         WHERE s.item_id = i.item_id ORDER BY step DESC LIMIT 1), 'open') = 'open'`,
    [payment],
  );
  return {
    payout: only && [only.status, only.amount, only.booked_fee],
    others: others.length,
    invoice: [status, amount_due, amount_paid],
    balances: await balancesOf(of.client),
    items: [(await of.items()).length, operator?.open],
  };
}

const SETS: [facts: string[], fee?: number][] = [
  [['paid', 'payout', 'failed']],
  [['paid', 'payout'], 250],
  [['paid', 'reversed', 'payout', 'failed']],
  [['paid', 'refunded', 'payout', 'failed']],
];

describe.each([
  ['an account', false],
  ['several accounts', true],
])('at a gateway of %s', (_whose, isShared) => {
  it.each(SETS)('%j end the same in every order', { timeout: 240_000 }, async (facts, fee) => {
    const expected = await endingOf(facts, isShared, fee);
    expect(expected.items).toEqual([0, 0]);
    expect(expected.payout?.[2]).toBe(fee === undefined ? 270 : 20);
    for (const order of permutations(facts)) {
      expect([order, await endingOf(order, isShared, fee)]).toEqual([order, expected]);
    }
  });
});

it('books the fee of a payment once, if both come at once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const of = await aShop(service);
    const id = `sbx_once_${round}`;
    await Promise.all([
      of.paid(undefined, id),
      of.told('payout.paid', paidOut(id)),
      of.told('payout.paid', paidOut(id)),
    ]);
    expect((await of.only()).booked_fee).toBe(270);
    expect(await balancesOf(of.client)).toMatchObject({ gateway_fees: 270 });
  }
});
