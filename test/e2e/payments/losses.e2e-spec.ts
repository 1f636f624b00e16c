import { afterAll, beforeAll, beforeEach, expect, describe, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, receipt } from '../books/books.js';
import { expectBooksToAgree, good } from '../documents/document-calls.js';
import { disputeCalls, ISSUED } from './dispute-calls.js';

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

describe('a loss', () => {
  it('is what had gone back before the dispute, once spent credit is back', async () => {
    const of = await calls.paid(20_000);
    const ofThem = { customer: undefined, customer_id: of.invoice.customer_id };
    const other = await client.anInvoice(ofThem);
    const spend = { method: 'credit_balance', amount: 8100 };
    good(await receipt(client, { ...spend, allocations: [{ document_id: other.id }] }), 201);
    const from = of.invoice.id;
    good(await calls.refund(of, { amount: 900, from, method: 'gateway' }), 201);
    await calls.tell('dispute.opened', of, { amount: 20_000 });
    await calls.tell('dispute.lost', of, { amount: 20_000, at: 90 });
    expect(await client.read(of.invoice)).toMatchObject({ amount_due: 11_900 });
    expect(await client.read(other)).toMatchObject({ amount_due: 11_900 });
    expect((await calls.disputesOf())[0]).toMatchObject({ amount_lost: 900 });
    expect(await balancesOf(service, client)).toMatchObject({ payment_losses: 900 });
    await expectBooksToAgree(service);
  });

  it.each(['dispute.lost', 'payment.reversed'])(
    'after %s is asked for when the refund that it was for comes back',
    async (type) => {
      const of = await calls.paid();
      const given = good(await calls.refund(of, { amount: 3000, method: 'cash' }), 201);
      await calls.tell(type, of, { at: 90 });
      expect(await balancesOf(service, client)).toMatchObject({ payment_losses: 3000 });
      const { id } = given['refund'] as { id: string };
      good(await client.post(`/v1/finance/refunds/${id}/reverse`, {}), 200);
      expect(await client.read(of.invoice)).toMatchObject({ amount_due: 11_900, amount_paid: 0 });
      expect(await balancesOf(service, client)).toEqual({ ...ISSUED, receivables: 11_900 });
      await expectBooksToAgree(service);
    },
  );

  it('and the refund come back together, or neither', async () => {
    const of = await calls.paid();
    const given = good(await calls.refund(of, { amount: 3000, method: 'cash' }), 201);
    await calls.tell('payment.reversed', of, { at: 90 });
    const before = await balancesOf(service, client);
    // The second half cannot be written.
    await service.database.query(
      `CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'broken off'; END $$;
       CREATE TRIGGER break_off BEFORE INSERT ON provider_reversals FOR EACH ROW EXECUTE FUNCTION break_off()`,
    );
    const { id } = given['refund'] as { id: string };
    const reverse = () => client.post(`/v1/finance/refunds/${id}/reverse`, {});
    expect((await reverse()).status).toBe(500);
    await service.database.query('DROP FUNCTION break_off() CASCADE');
    expect(await balancesOf(service, client)).toEqual(before);
    good(await reverse(), 200);
    expect(await balancesOf(service, client)).toEqual({ ...ISSUED, receivables: 11_900 });
    await expectBooksToAgree(service);
  });

  it.each([
    ['all of it', 5000, { amount_open: 5000, amount_reversed: 0 }, 6900],
    // The payment gave 3000 of that, and is given them first.
    ['and a part of its payment', 8000, { amount_open: 5000, amount_reversed: 0 }, 6900],
  ])(
    'that a receipt gave goes back to it once the rest is assigned: %s',
    async (_, taken, ...after) => {
      const of = await calls.linked();
      await client.void(of.invoice);
      await calls.pay(of);
      await calls.tell('dispute.lost', of, { amount: 5000 });
      const path = '/v1/finance/unmatched-receipts';
      const [found] = good(await client.get<{ data: { id: string }[] }>(path), 200).data;
      const home = await client.anInvoice();
      const { id } = found!;
      good(await client.post(`${path}/${id}/assign`, { document_id: home.id }), 200);
      if (taken > 5000) await calls.tell('dispute.lost', of, { amount: taken, at: 90 });
      expect(await client.read(home)).toMatchObject({ amount_paid: 11_900 - taken });
      expect(await calls.tell('dispute.won', of, { amount: taken, at: 95 })).toBe('ok');
      const [ofReceipt, paid] = after;
      expect(good(await client.get(`${path}/${id}`), 200)).toMatchObject({
        status: 'assigned',
        ...ofReceipt,
      });
      expect(await client.read(home)).toMatchObject({ amount_paid: paid });
      expect((await calls.disputesOf())[0]).toMatchObject({ status: 'won', amount_reversed: 0 });
      await expectBooksToAgree(service);
    },
  );
});
