import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf } from '../books/books.js';
import {
  creditOf,
  expectBooksToAgree,
  good,
  historyOf,
  made,
} from '../documents/document-calls.js';
import {
  type Dispute,
  disputeCalls,
  inPairs,
  ISSUED,
  type Paid,
  permutations,
} from './dispute-calls.js';

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

const onlyDispute = async (): Promise<Dispute> => (await calls.disputesOf())[0]!;
const linkOf = async ({ link }: Paid) =>
  good(await client.get(`/v1/finance/payment-links/${link.id}`), 200);

describe('a dispute', () => {
  it('holds its money until it is won, and gives back money and fee', async () => {
    const of = await calls.paid();
    const before = await balancesOf(service, client);
    const due = '2026-12-24T00:00:00.000Z';
    const told = { fee: 1500, reason: 'fraudulent', evidence_due_by: due };
    expect(await calls.tell('dispute.opened', of, told)).toBe('ok');
    expect(await onlyDispute()).toMatchObject({
      status: 'open',
      amount: 11_900,
      amount_held: 11_900,
      fee: 1500,
      reason: 'fraudulent',
      evidence_due_by: due,
    });
    expect(await balancesOf(service, client)).toEqual({
      ...ISSUED,
      disputed_funds: 11_900,
      gateway_fees: 1500,
      gateway_clearing: -1500,
    });
    expect(await client.read(of.invoice)).toMatchObject({
      status: 'paid',
      amount_due: 0,
      amount_disputed: 11_900,
    });
    expect(await calls.paymentOf(of)).toMatchObject({
      status: 'recorded',
      amount_disputed: 11_900,
      amount_refundable: 0,
    });
    await expectBooksToAgree(service);
    expect(await calls.tell('dispute.won', of, { at: 90, fee: 0 })).toBe('ok');
    expect(await balancesOf(service, client)).toEqual(before);
    expect(await client.read(of.invoice)).toMatchObject({ status: 'paid', amount_disputed: 0 });
    const types = (await historyOf(client, of.invoice)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('dispute'))).toEqual([
      'dispute.opened',
      'dispute.won',
    ]);
    await expectBooksToAgree(service);
  });

  it('that is lost makes the document due again, once', async () => {
    const of = await calls.paid();
    await calls.tell('dispute.opened', of, { fee: 1500 });
    expect(await calls.tell('dispute.lost', of, { at: 90 })).toBe('ok');
    expect(await calls.tell('dispute.lost', of, { at: 95 })).toBe('ok');
    expect(await balancesOf(service, client)).toEqual({
      ...ISSUED,
      receivables: 11_900,
      gateway_fees: 1500,
      gateway_clearing: -1500,
    });
    expect(await client.read(of.invoice)).toMatchObject({
      status: 'open',
      amount_due: 11_900,
      amount_disputed: 0,
    });
    expect(await linkOf(of)).toMatchObject({ status: 'failed', failure: 'general' });
    expect(await calls.paymentOf(of)).toMatchObject({ status: 'reversed', amount_refundable: 0 });
    expect(await onlyDispute()).toMatchObject({ status: 'lost', amount_reversed: 11_900 });
    expect(await calls.pay({ ...of, id: `${of.id}2` })).toBe('ok');
    expect(await client.read(of.invoice)).toMatchObject({ status: 'paid' });
    await expectBooksToAgree(service);
  });

  it('says the same whatever the order of its reports, repeated', async () => {
    const orders = permutations(['pay', 'inquiry', 'opened', 'lost'] as const);
    const all = await Promise.all(orders.map(async () => calls.linked()));
    const seconds = { inquiry: 30, opened: 60, lost: 90 };
    await inPairs(orders, async (order, index) => {
      const of = all[index]!;
      for (const word of [...order, ...order]) {
        if (word === 'pay') await calls.pay(of);
        else await calls.tell(`dispute.${word}`, of, { at: seconds[word] });
      }
    });
    const disputes = await calls.disputesOf('?limit=100&status=lost');
    expect(disputes.length).toBe(orders.length);
    for (const one of disputes) expect(one.amount_reversed).toBe(11_900);
    for (const { invoice } of all) {
      expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    }
    expect((await balancesOf(service, client))['receivables']).toBe(11_900 * orders.length);
    await expectBooksToAgree(service);
  });

  it('stays as its last word was, also if that said nothing new', async () => {
    const of = await calls.paid();
    await calls.tell('dispute.lost', of, { at: 30 });
    await calls.tell('dispute.lost', of, { at: 90 });
    await calls.tell('dispute.won', of, { at: 60, fee: 15 });
    expect(await client.read(of.invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    const [dispute] = await calls.disputesOf(`?payment_id=${(await calls.paymentOf(of)).id}`);
    expect(dispute).toMatchObject({ status: 'lost', fee: 0 });
    const types = (await historyOf(client, of.invoice)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('dispute'))).toEqual(['dispute.lost']);
    await expectBooksToAgree(service);
  });

  it('without money is an inquiry, and refuses nothing', async () => {
    const of = await calls.paid();
    const before = await balancesOf(service, client);
    await calls.tell('dispute.inquiry', of);
    expect(await balancesOf(service, client)).toEqual(before);
    good(await calls.refund(of, { amount: 1900, method: 'gateway' }), 201);
    await calls.tell('dispute.closed', of, { at: 90 });
    expect(await onlyDispute()).toMatchObject({ status: 'closed', amount_held: 0 });
    await expectBooksToAgree(service);
  });

  it('lets what is not disputed go back, and nothing else go anywhere', async () => {
    const of = await calls.paid(13_000);
    const other = await client.anInvoice({
      customer: undefined,
      customer_id: of.invoice.customer_id,
    });
    await calls.tell('dispute.opened', of, { amount: 5000 });
    expect(await client.read(of.invoice)).toMatchObject({ amount_disputed: 3900 });
    expect(await calls.paymentOf(of)).toMatchObject({ amount_refundable: 8000 });
    const { id } = await calls.paymentOf(of);
    const move = async (from: string, to: string, amount: number) =>
      client.post(`/v1/finance/payments/${id}/allocations`, { from, to, amount });
    const refused = [
      await calls.refund(of, { amount: 8001, method: 'gateway' }),
      await move(of.invoice.id, other.id, 8001),
      await move('credit', other.id, 1),
      await client.post(`/v1/finance/payments/${id}/reverse`, {}),
    ];
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual([
      [409, 'payment_disputed'],
      [409, 'payment_disputed'],
      [409, 'payment_disputed'],
      [409, 'payment_disputed'],
    ]);
    const all = await calls.refund(of, { amount: 20_000, method: 'gateway' });
    expect(all.body['code']).toBe('amount_exceeds_refundable');
    good(await move(of.invoice.id, other.id, 3000), 200);
    good(await calls.refund(of, { amount: 8000, method: 'gateway' }), 201);
    expect((await calls.refund(of, {})).body['code']).toBe('payment_disputed');
    expect(await client.read(of.invoice)).toMatchObject({ amount_disputed: 3900 });
    await calls.tell('dispute.lost', of, { at: 90, amount: 5000 });
    expect(await calls.paymentOf(of)).toMatchObject({ amount_reversed: 5000 });
    expect(await creditOf(client, of.invoice.customer_id)).toBe(0);
    expect(await linkOf(of)).toMatchObject({ status: 'paid' });
    await expectBooksToAgree(service);
  });

  it('may be one of several on one payment, and holds what its provider took', async () => {
    const of = await calls.paid();
    await calls.tell('dispute.opened', of, { dispute: `a_${of.id}`, amount: 7000 });
    await calls.tell('dispute.opened', of, { dispute: `b_${of.id}`, amount: 7000 });
    expect(await balancesOf(service, client)).toMatchObject({ disputed_funds: 14_000 });
    expect(await client.read(of.invoice)).toMatchObject({ amount_disputed: 11_900 });
    await calls.tell('dispute.won', of, { dispute: `a_${of.id}`, amount: 7000, at: 90 });
    await calls.tell('dispute.lost', of, { dispute: `b_${of.id}`, amount: 7000, at: 91 });
    expect(await client.read(of.invoice)).toMatchObject({ amount_due: 7000, amount_disputed: 0 });
    expect(await calls.disputesOf(`?document_id=${of.invoice.id}`)).toHaveLength(2);
    expect(await calls.disputesOf('?status=won')).toHaveLength(1);
    expect(await calls.disputesOf('?gateway=gateway-a')).toEqual([]);
    await expectBooksToAgree(service);
  });

  it('gives back what it took when it is won after all, and again takes it', async () => {
    const of = await calls.paid(12_900);
    const before = await balancesOf(service, client);
    const spent = await client.anInvoice({
      customer: undefined,
      customer_id: of.invoice.customer_id,
    });
    const whole = { amount: 12_900 };
    for (let round = 0; round < 2; round += 1) {
      const at = round * 100;
      await calls.tell('dispute.opened', of, { ...whole, at: at + 10 });
      await calls.tell('dispute.lost', of, { ...whole, at: at + 20 });
      expect(await client.read(of.invoice)).toMatchObject({ amount_due: 11_900 });
      expect(await creditOf(client, of.invoice.customer_id)).toBe(0);
      await calls.tell('dispute.won', of, { ...whole, at: at + 30 });
      expect(await client.read(of.invoice)).toMatchObject({ status: 'paid' });
      expect(await creditOf(client, of.invoice.customer_id)).toBe(1000);
      expect(await linkOf(of)).toMatchObject({ status: 'paid' });
      await expectBooksToAgree(service);
    }
    await client.void(spent);
    expect(await balancesOf(service, client)).toEqual(before);
  });

  it('beside another one has the link paid again once less than all is taken', async () => {
    const of = await calls.paid();
    const [one, other] = [{ dispute: `a_${of.id}` }, { dispute: `b_${of.id}` }];
    await calls.tell('dispute.lost', of, { ...one, amount: 11_900 });
    await calls.tell('dispute.lost', of, { ...other, amount: 11_900 });
    expect(await linkOf(of)).toMatchObject({ status: 'failed' });
    await calls.tell('dispute.won', of, { ...one, amount: 11_900, at: 120 });
    expect(await linkOf(of)).toMatchObject({ status: 'failed' });
    await calls.tell('dispute.won', of, { ...other, amount: 11_900, at: 180 });
    expect(await linkOf(of)).toMatchObject({ status: 'paid' });
  });

  it('that is open again keeps what it gives back to a document from going elsewhere', async () => {
    const of = await calls.paid();
    await calls.tell('dispute.lost', of, { at: 30 });
    expect(await client.read(of.invoice)).toMatchObject({ amount_due: 11_900 });
    await calls.tell('dispute.opened', of, { at: 60, withdrawn: 0 });
    expect(await client.read(of.invoice)).toMatchObject({ amount_due: 0, amount_disputed: 11_900 });
    const { id } = await calls.paymentOf(of);
    const moved = await client.post(`/v1/finance/payments/${id}/allocations`, {
      from: of.invoice.id,
      to: 'credit',
      amount: 100,
    });
    expect(moved).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
    // A part that it holds for itself stays taken off.
    await calls.tell('dispute.opened', of, { at: 90, withdrawn: 11_900 });
    await calls.tell('dispute.won', of, { at: 95 });
    expect(await client.read(of.invoice)).toMatchObject({ amount_due: 0, amount_disputed: 0 });
    await expectBooksToAgree(service);
  });

  it('gives to credit what its document does not need any more', async () => {
    const of = await calls.paid();
    await calls.tell('dispute.lost', of);
    good(await client.pay(of.invoice, { amount: 11_900 }), 201);
    await calls.tell('dispute.won', of, { at: 90 });
    expect(await client.read(of.invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await creditOf(client, of.invoice.customer_id)).toBe(11_900);
    await expectBooksToAgree(service);
  });

  it('and the reversal that the provider reports beside it take the money once', async () => {
    const steps = ['opened', 'lost', 'reverse'] as const;
    const orders = permutations(steps);
    const all: Paid[] = [];
    for (const order of orders) {
      const of = await calls.paid();
      all.push(of);
      for (const word of order) {
        if (word === 'reverse') await calls.reverse(of, 80);
        else await calls.tell(`dispute.${word}`, of, { at: word === 'opened' ? 60 : 90 });
      }
      expect(await client.read(of.invoice)).toMatchObject({ amount_due: 11_900 });
      expect(await linkOf(of)).toMatchObject({ status: 'failed' });
      await expectBooksToAgree(service);
    }
    expect(await balancesOf(service, client)).toMatchObject({ receivables: 11_900 * all.length });
    expect(await balancesOf(service, client)).not.toHaveProperty('gateway_clearing');
    for (const of of all) {
      await calls.tell('dispute.won', of, { at: 120 });
      expect(await client.read(of.invoice)).toMatchObject({ status: 'paid' });
    }
    expect((await balancesOf(service, client))['gateway_clearing']).toBe(11_900 * all.length);
    await expectBooksToAgree(service);
  });

  it('that only asks is not lost by a reversal that was told before, and is told again', async () => {
    const of = await calls.paid();
    await calls.reverse(of);
    await calls.tell('dispute.inquiry', of, { at: 70 });
    await calls.reverse(of, 80);
    expect(await onlyDispute()).toMatchObject({ status: 'inquiry', amount_reversed: 0 });
    await calls.tell('dispute.lost', of, { at: 90 });
    await calls.tell('dispute.won', of, { at: 120 });
    expect(await client.read(of.invoice)).toMatchObject({ status: 'paid' });
    await expectBooksToAgree(service);
  });

  it('that is won after a reversal gives back a payment that can be reversed by hand', async () => {
    const of = await calls.paid();
    await calls.reverse(of);
    await calls.tell('dispute.opened', of, { at: 70 });
    await calls.tell('dispute.won', of, { at: 90 });
    const { id } = await calls.paymentOf(of);
    good(await client.post(`/v1/finance/payments/${id}/reverse`, {}), 200);
    expect(await client.read(of.invoice)).toMatchObject({ amount_due: 11_900 });
    await expectBooksToAgree(service);
  });

  it('that names another payment than before is left to a person', async () => {
    const [of, other] = [await calls.paid(), await calls.paid()];
    await calls.tell('dispute.opened', of, { dispute: `dp_${of.id}` });
    expect(await calls.tell('dispute.lost', other, { dispute: `dp_${of.id}` })).toBe('ignored');
    expect(await onlyDispute()).toMatchObject({ status: 'open' });
    expect(await calls.paymentOf(other)).toMatchObject({ amount_disputed: 0, amount_reversed: 0 });
    const items = '/v1/finance/unmatched-items';
    expect(good(await client.get<{ data: object[] }>(items), 200).data).toMatchObject([
      { provider_payment_id: other.id, amount: 11_900, direction: 'out' },
    ]);
    await expectBooksToAgree(service);
  });

  it('does not open again what a credit note settled', async () => {
    const of = await calls.paid();
    await made(client, of.invoice, 'credit-notes');
    await calls.tell('dispute.opened', of);
    await calls.tell('dispute.lost', of, { at: 90 });
    expect(await client.read(of.invoice)).toMatchObject({ amount_due: 0 });
    expect(await creditOf(client, of.invoice.customer_id)).toBe(0);
    await expectBooksToAgree(service);
  });

  it.each([
    ['dispute.lost', -5000],
    ['payment.reversed', -5000],
    ['dispute.won', 6900],
  ])(
    'may be refunded in the dashboard, and then %s: nothing is refused, or taken twice',
    async (end, clearing) => {
      const of = await calls.paid();
      await calls.tell('dispute.opened', of);
      const refunded = {
        payment_id: of.id,
        amount: 5000,
        currency: 'EUR',
        sandbox_refund_id: `re_${of.id}`,
      };
      expect(await calls.send('refund.succeeded', refunded)).toBe('ok');
      expect(await calls.tell(end, of, { at: 90 })).toBe('ok');
      expect(await balancesOf(service, client)).toMatchObject({ gateway_clearing: clearing });
      await expectBooksToAgree(service);
    },
  );

  it('of a payment that is not ours stays an unmatched item', async () => {
    const before = await calls.disputesOf();
    const of = await calls.linked();
    expect(await calls.tell('dispute.opened', of)).toBe('ignored');
    expect(await calls.disputesOf()).toEqual(before);
    await expectBooksToAgree(service);
  });
});
