import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UnmatchedReceiptBody } from '../../../src/payments/recording/wire/unmatched-receipt.js';
import { ProviderReceiptClaims } from '../../../src/payments/index.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { byOperator } from '../../../src/platform/process-identity.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { balancesOf } from '../books/books.js';
import { creditOf, expectBooksToAgree, good, historyOf } from '../documents/document-calls.js';
import {
  afresh,
  lookUpAll,
  refund,
  type RefundService,
  startRefundService,
} from './refund-calls.js';
import { next, signedByStripe, stripePayment } from '../gateways/stripe-events.js';

const RECEIPTS = '/v1/finance/unmatched-receipts';

let world: RefundService;
let client: TestClient;

beforeAll(async () => {
  world = await startRefundService();
});
afterAll(() => world.close());
beforeEach(async () => {
  world = await afresh(world);
  ({ client } = world);
});

type Body = Record<string, unknown> & { code?: string };

const open = async (status = 'open') =>
  (await client.get<{ data: UnmatchedReceiptBody[] }>(`${RECEIPTS}?status=${status}`)).body.data;

/** 119.00 that came for an invoice which was voided meanwhile. */
async function aReceipt(): Promise<UnmatchedReceiptBody> {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice);
  await client.void(invoice);
  await world.service.deliverPaid(link);
  const [receipt] = await open();
  if (!receipt) throw new Error('there is no receipt');
  return receipt;
}

const step = async (receipt: { id: string }, name: string, body: object): Promise<Answer<Body>> =>
  client.post<Body>(`${RECEIPTS}/${receipt.id}/${name}`, body);

describe('a receipt without a home', () => {
  it('is listed with its reason, and stands in the ledger and in the history', async () => {
    const receipt = await aReceipt();
    expect(receipt).toMatchObject({
      id: expect.stringMatching(/^rcpt_/),
      status: 'open',
      reason: 'document_not_payable',
      gateway: 'gateway-a',
      amount: 11_900,
      amount_open: 11_900,
      amount_refunded: 0,
      currency: 'EUR',
      document_id: expect.stringMatching(/^doc_/),
      payment_id: null,
    });
    const one = await client.get(`${RECEIPTS}/${receipt.id}`);
    expect(one.body).toEqual(receipt);
    expect(await balancesOf(world.service, client)).toEqual({
      gateway_clearing: 11_900,
      unmatched_receipts: -11_900,
    });
    const history = await historyOf(client, { id: receipt.document_id ?? '' });
    expect(history.slice(-2).map(({ type }) => type)).toEqual([
      'payment.unmatched',
      'payment_link.unmatched',
    ]);
    await expectBooksToAgree(world.service);
  });

  it('pays what is due of a document; the rest is credit', async () => {
    const receipt = await aReceipt();
    const invoice = await client.anInvoice({ unitAmount: 5000 });
    const assigned = await step(receipt, 'assign', { document_id: invoice.id });
    expect(assigned.status).toBe(200);
    expect(assigned.body).toMatchObject({
      receipt: { status: 'assigned', amount_open: 0, payment_id: expect.any(String) },
      payment: {
        amount: 11_900,
        applied: 5950,
        credited: 5950,
        method: 'card',
        gateway: 'gateway-a',
        document_id: invoice.id,
        paid_at: receipt.paid_at,
      },
    });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
    expect(await creditOf(client, invoice.customer_id)).toBe(5950);
    expect([await open(), await open('assigned')]).toEqual([[], [assigned.body['receipt']]]);
    expect(await balancesOf(world.service, client)).toMatchObject({ gateway_clearing: 11_900 });
    await expectBooksToAgree(world.service);
    // The way back leads through the gateway that took it.
    const { id } = assigned.body['payment'] as { id: string };
    expect(good(await refund(client, { id }), 201).refund).toMatchObject({
      status: 'succeeded',
      gateway: 'gateway-a',
      amount: 11_900,
    });
    expect(await balancesOf(world.service, client)).not.toHaveProperty('gateway_clearing');
    await expectBooksToAgree(world.service);
  });

  it('is open again when a wrong assignment is reversed, and is assigned once more', async () => {
    const receipt = await aReceipt();
    const [wrong, right] = [await client.anInvoice(), await client.anInvoice()];
    const before = await balancesOf(world.service, client);
    const first = await step(receipt, 'assign', { document_id: wrong.id });
    const { id } = first.body['payment'] as { id: string };
    const undo = async () => client.post(`/v1/finance/payments/${id}/reverse`, { reason: 'wrong' });
    const answers = await Promise.all([undo(), undo()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await client.read(wrong)).toMatchObject({ status: 'open', amount_due: 11_900 });
    expect(await open()).toEqual([receipt]);
    expect(await balancesOf(world.service, client)).toEqual(before);
    await expectBooksToAgree(world.service);
    const again = await step(receipt, 'assign', { document_id: right.id });
    expect(again.status).toBe(200);
    expect(await client.read(right)).toMatchObject({ status: 'paid', amount_due: 0 });
    expect((await step(receipt, 'assign', { document_id: wrong.id })).body.code).toBe(
      'receipt_settled',
    );
    await expectBooksToAgree(world.service);
  });

  it('becomes the credit of a customer, in whatever currency it came', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice);
    await world.service.deliverPaid({ ...link, currency: 'USD' });
    const [receipt] = await open();
    if (!receipt) throw new Error('there is no receipt');
    expect(receipt).toMatchObject({ reason: 'currency_mismatch', currency: 'USD' });
    const wrong = await step(receipt, 'assign', { document_id: invoice.id });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'currency_mismatch']);
    const assigned = await step(receipt, 'assign', { customer_id: invoice.customer_id });
    expect(assigned.body['payment']).toMatchObject({ document_id: null, credited: 11_900 });
    const credit = await client.get<{ data: object[] }>(
      `/v1/finance/customers/${invoice.customer_id}/credit`,
    );
    expect(credit.body.data).toEqual([{ currency: 'USD', amount: 11_900 }]);
    await expectBooksToAgree(world.service);
  });

  it('goes back through the gateway, in parts or as a whole', async () => {
    const receipt = await aReceipt();
    const part = await step(receipt, 'refunds', { amount: 1900 });
    expect(part.status).toBe(201);
    expect(part.body).toMatchObject({
      refund: { status: 'succeeded', receipt_id: receipt.id, payment_id: null, amount: 1900 },
      receipt: { status: 'open', amount_open: 10_000, amount_refunded: 1900 },
    });
    const rest = await step(receipt, 'refunds', {});
    expect(rest.body['receipt']).toMatchObject({ status: 'refunded', amount_open: 0 });
    expect(await balancesOf(world.service, client)).toEqual({});
    expect((await step(receipt, 'refunds', {})).body.code).toBe('receipt_settled');
    await expectBooksToAgree(world.service);
  });

  it('goes back by hand, out of what the provider holds or over the counter', async () => {
    const receipt = await aReceipt();
    const part = await step(receipt, 'refunds', { method: 'cash', amount: 1900 });
    expect(part.body['refund']).toMatchObject({ gateway: null, method: 'cash' });
    const done = await step(receipt, 'refunds', { method: 'card' });
    expect(done.body['refund']).toMatchObject({ gateway: null, method: 'card' });
    expect(await balancesOf(world.service, client)).toEqual({
      cash: -1900,
      gateway_clearing: 1900,
    });
    await expectBooksToAgree(world.service);
  });

  it('is not assigned while a part of it is on its way back', async () => {
    const receipt = await aReceipt();
    const invoice = await client.anInvoice();
    world.stub.next = ['broken', 'refused'];
    const unknown = await step(receipt, 'refunds', { amount: 900 });
    expect(unknown.body).toMatchObject({ refund: { status: 'unknown' } });
    const early = await step(receipt, 'assign', { document_id: invoice.id });
    expect([early.status, early.body.code]).toEqual([409, 'refund_under_way']);
    await expectBooksToAgree(world.service);
    await lookUpAll(world);
    expect((await open())[0]).toMatchObject({ amount_open: 11_900 });
    expect((await step(receipt, 'assign', { document_id: invoice.id })).status).toBe(200);
    await expectBooksToAgree(world.service);
  });

  it.each(['assign', 'refunds', 'both'])(
    'is settled once by 20 at the same time: %s',
    async (how) => {
      const receipt = await aReceipt();
      const invoice = await client.anInvoice();
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) =>
          how === 'assign' || (how === 'both' && index % 2)
            ? step(receipt, 'assign', { document_id: invoice.id })
            : step(receipt, 'refunds', { method: 'cash' }),
        ),
      );
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused.map(({ body }) => body.code)).toEqual(Array(19).fill('receipt_settled'));
      await expectBooksToAgree(world.service);
    },
  );

  it.each([
    ['assign', {}, 'one_value_required'],
    ['assign', { document_id: 'doc_x' }, 'unknown_document'],
    ['assign', { document_id: 'doc_01h455vb4pex5vsknk084sn02q' }, 'unknown_document'],
    ['assign', { customer_id: 'cus_x' }, 'invalid_id'],
    ['assign', { customer_id: 'cus_01h455vb4pex5vsknk084sn02q' }, 'unknown_customer'],
    ['assign', { document_id: 'doc_x', customer_id: 'cus_x' }, 'one_value_required'],
    ['refunds', { amount: 0 }, 'amount_out_of_range'],
    ['refunds', { amount: 11_901 }, 'amount_exceeds_refundable'],
    ['refunds', { currency: 'USD' }, 'currency_mismatch'],
    ['refunds', { from: 'credit' }, 'unknown_field'],
  ])('refuses %s %j with %s', async (name, body, code) => {
    const receipt = await aReceipt();
    const answer = await step(receipt, name, body);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect(await open()).toEqual([receipt]);
  });

  it('takes no home that takes no money, and is not the stranger’s', async () => {
    const receipt = await aReceipt();
    const voided = await step(receipt, 'assign', { document_id: receipt.document_id });
    expect([voided.status, voided.body.code]).toEqual([409, 'document_not_payable']);
    const foreign = await (await world.service.aClient()).anInvoice();
    const theirs = await step(receipt, 'assign', { document_id: foreign.id });
    expect(theirs.body.code).toBe('unknown_document');
    const stranger = await world.service.aClient();
    expect((await stranger.get(`${RECEIPTS}/${receipt.id}`)).status).toBe(404);
    expect((await client.get(`${RECEIPTS}/rcpt_x`)).status).toBe(404);
  });
});

const claim = async (accountId: string, paymentId: string) =>
  world.service.app
    .get(ProviderReceiptClaims)
    .claim(byOperator(uuidOf('acc', accountId) ?? ''), 'gateway-a', paymentId);

describe('a receipt of no account', () => {
  it('is given to one account, once', async () => {
    const intent = next();
    const nobodys = { id: `plink_${'0'.repeat(26)}`, amount: 700, currency: 'EUR' };
    const { session } = stripePayment(nobodys, world.service.clock.now(), intent);
    const { body, headers } = signedByStripe(session, world.service.clock.now());
    const sent = { method: 'POST', body, headers };
    const answer = await world.service.call('/v1/webhooks/gateway-a', sent);
    expect(answer.body).toEqual({ status: 'ignored' });
    expect(await open()).toEqual([]);

    const other = await world.service.aClient();
    const claims = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        claim((index % 2 ? client : other).accountId, `pi_${intent}`),
      ),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const found = await Promise.all(
      [client, other].map(async (each) => each.get<{ data: UnmatchedReceiptBody[] }>(RECEIPTS)),
    );
    const receipts = found.flatMap(({ body: { data } }) => data);
    expect(receipts).toMatchObject([{ amount: 700, reason: 'unknown_link', document_id: null }]);
    await expectBooksToAgree(world.service);
  });

  it.each([
    ['an unknown payment', 'pi_nobody', 'receipt_not_found'],
    ['one that has its home', null, 'receipt_not_found'],
  ])('%s cannot be claimed', async (_name, given, code) => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice);
    await world.service.deliverPaid(link);
    const [row] = await world.service.database.query<{ id: string }>(
      'SELECT provider_payment_id AS id FROM provider_receipts ORDER BY received_at DESC LIMIT 1',
    );
    await expect(claim(client.accountId, given ?? row?.id ?? '')).rejects.toMatchObject({ code });
  });

  it('that is one’s own already cannot be claimed by another', async () => {
    const receipt = await aReceipt();
    await expect(claim(client.accountId, receipt.provider_payment_id)).rejects.toMatchObject({
      code: 'receipt_settled',
    });
  });
});

it('lists page by page', async () => {
  const invoice = await client.anInvoice();
  const links = [1, 2, 3].map(async () => client.aPaymentLink(invoice, { amount: 100 }));
  const made = await Promise.all(links);
  await client.void(invoice);
  for (const link of made) await world.service.deliverPaid(link);
  const first = await client.get<{ data: object[]; next_cursor: string }>(`${RECEIPTS}?limit=2`);
  const second = await client.get<{ data: object[]; has_more: boolean }>(
    `${RECEIPTS}?limit=2&cursor=${first.body.next_cursor}`,
  );
  expect([...first.body.data, ...second.body.data]).toEqual(await open());
  expect([second.body.data.length, second.body.has_more]).toEqual([1, false]);
});
