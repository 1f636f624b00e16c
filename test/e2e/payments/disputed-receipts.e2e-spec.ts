import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { ProviderReceiptClaims } from '../../../src/payments/index.js';
import { byOperator } from '../../../src/platform/process-identity.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf } from '../books/books.js';
import { expectBooksToAgree, good } from '../documents/document-calls.js';
import { type Dispute, disputeCalls } from './dispute-calls.js';

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

const path = '/v1/finance/unmatched-receipts';

/** Money that came for an invoice that is void, and the receipt's path. */
async function unmatched() {
  const of = await calls.linked();
  await client.void(of.invoice);
  await calls.pay(of);
  const { data } = good(await client.get<{ data: { id: string }[] }>(path), 200);
  return { of, receipt: `${path}/${data[0]!.id}` };
}

const onlyDispute = async (): Promise<Dispute> => (await calls.disputesOf())[0]!;

describe('a dispute', () => {
  it('of money that found no document holds its receipt', async () => {
    const { of } = await unmatched();
    await calls.tell('dispute.opened', of, { amount: 5000 });
    const list = async () =>
      good(await client.get<{ data: Record<string, unknown>[] }>(path), 200).data;
    const [found] = await list();
    expect(found).toMatchObject({ amount_disputed: 5000 });
    const home = await client.anInvoice();
    const assigned = await client.post(`${path}/${found!['id']}/assign`, { document_id: home.id });
    const back = await client.post(`${path}/${found!['id']}/refunds`, {
      amount: 6901,
      method: 'cash',
    });
    expect([assigned, back].map(({ body }) => body['code'])).toEqual([
      'payment_disputed',
      'payment_disputed',
    ]);
    expect((await onlyDispute()).receipt_id).toBe(found!['id']);
    await calls.tell('dispute.lost', of, { amount: 5000, at: 90 });
    expect((await list())[0]).toMatchObject({ amount_open: 6900, amount_reversed: 5000 });
    await calls.tell('dispute.won', of, { amount: 5000, at: 95 });
    expect((await list())[0]).toMatchObject({ amount_open: 11_900, amount_disputed: 0 });
    good(await client.post(`${path}/${found!['id']}/assign`, { document_id: home.id }), 200);
    await expectBooksToAgree(service);
  });

  it('of a receipt that is assigned holds what a refund of it gives again', async () => {
    const { of, receipt } = await unmatched();
    const byHand = { amount: 2975, method: 'bank_transfer' };
    const { refund } = good(
      await client.post<{ refund: { id: string } }>(`${receipt}/refunds`, byHand),
      201,
    );
    good(await client.post(`${receipt}/assign`, { customer_id: of.invoice.customer_id }), 200);
    await calls.tell('dispute.opened', of);
    good(await client.post(`/v1/finance/refunds/${refund.id}/reverse`, { reason: 'wrong' }), 200);
    const refused = await client.post(`${receipt}/refunds`, {});
    expect(refused).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
    await calls.tell('dispute.won', of, { at: 90 });
    const back = await client.post(`${receipt}/refunds`, {});
    expect(back).toMatchObject({ status: 201, body: { refund: { amount: 2975 } } });
    await expectBooksToAgree(service);
  });

  it('takes what comes back of a refund for what was lost of the receipt', async () => {
    const { of, receipt } = await unmatched();
    const now = async () => good(await client.get(receipt), 200);
    const byHand = { amount: 2975, method: 'bank_transfer' };
    const { refund } = good(
      await client.post<{ refund: { id: string } }>(`${receipt}/refunds`, byHand),
      201,
    );
    const before = await balancesOf(service, client);
    await calls.tell('dispute.lost', of);
    expect(await balancesOf(service, client)).toMatchObject({ payment_losses: 2975 });
    good(await client.post(`/v1/finance/refunds/${refund.id}/reverse`, { reason: 'wrong' }), 200);
    expect(await now()).toMatchObject({
      status: 'closed',
      amount_open: 0,
      amount_reversed: 11_900,
    });
    const { payment_losses, unmatched_receipts } = await balancesOf(service, client);
    expect([payment_losses, unmatched_receipts]).toEqual([undefined, undefined]);
    await calls.tell('dispute.won', of, { at: 90 });
    expect(await now()).toMatchObject({ status: 'open', amount_open: 11_900, amount_reversed: 0 });
    const after = await balancesOf(service, client);
    expect(after['unmatched_receipts']).toBe((before['unmatched_receipts'] ?? 0) - 2975);
    expect(after['payment_losses']).toBeUndefined();
    await expectBooksToAgree(service);
  });

  it('that is won gives a receipt no more than the reversal before it took', async () => {
    const { of, receipt } = await unmatched();
    const byHand = { amount: 2900, method: 'bank_transfer', paid_from: 'cash' };
    good(await client.post(`${receipt}/refunds`, byHand), 201);
    await calls.reverse(of);
    await calls.tell('dispute.lost', of, { at: 70 });
    expect(await balancesOf(service, client)).toMatchObject({ payment_losses: 2900 });
    expect(await onlyDispute()).toMatchObject({ amount_reversed: 11_900, amount_lost: 2900 });
    await calls.tell('dispute.won', of, { at: 90 });
    expect(await onlyDispute()).toMatchObject({ amount_reversed: 0, amount_lost: 0 });
    expect(good(await client.get<{ data: object[] }>(path), 200).data).toMatchObject([
      { amount_open: 9000, amount_refunded: 2900 },
    ]);
    expect(await balancesOf(service, client)).not.toHaveProperty('payment_losses');
    await expectBooksToAgree(service);
  });

  it('has no part of a reversal without a name that another took over, whatever ends that one', async () => {
    const { of } = await unmatched();
    await calls.fail(of);
    await calls.tell('dispute.opened', of, { dispute: 'dp_half', amount: 5950, at: 70 });
    await calls.reverse(of, 80);
    expect(await onlyDispute()).toMatchObject({ status: 'lost', amount_reversed: 5950 });
    await calls.tell('dispute.lost', of, { dispute: 'dp_whole', at: 90 });
    expect(await balancesOf(service, client)).toMatchObject({
      gateway_clearing: -5950,
      payment_losses: 5950,
    });
    await expectBooksToAgree(service);
  });

  it.each([
    ['opened', { status: 'open', amount_open: 11_900, amount_disputed: 11_900 }],
    ['lost', { status: 'closed', amount_open: 0, amount_reversed: 11_900 }],
  ])('that is %s before somebody claims its money is met by the claim', async (word, shown) => {
    const of = await calls.linked();
    await calls.pay({ ...of, link: { ...of.link, id: 'plink_01h455vb4pex5vsknk084sn02q' } });
    expect(await calls.tell(`dispute.${word}`, of, { fee: 1500 })).toBe('ignored');
    const by = byOperator(uuidOf('acc', client.accountId) ?? '');
    await service.app.get(ProviderReceiptClaims).claim(by, 'sandbox', of.id);
    const { data } = good(
      await client.get<{ data: object[] }>(`${path}?status=${shown.status}`),
      200,
    );
    expect(data).toMatchObject([shown]);
    expect(await onlyDispute()).toMatchObject({ status: word === 'lost' ? word : 'open' });
    expect((await balancesOf(service, client))['gateway_clearing']).toBe(-1500);
    expect(await calls.openItemsOf(of)).toEqual([]);
    await expectBooksToAgree(service);
  });
});
