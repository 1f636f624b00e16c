import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { ProviderReceiptClaims } from '../../../src/payments/index.js';
import { byOperator } from '../../../src/platform/process-identity.js';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, type PaymentDetail, receipt } from '../books/books.js';
import {
  creditOf,
  expectBooksToAgree,
  good,
  historyOf,
  made,
} from '../documents/document-calls.js';
import { next } from '../gateways/stripe-events.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

type Link = Awaited<ReturnType<TestClient['aPaymentLink']>>;

interface Told {
  id: string;
  link: { id: string };
  /** Seconds after now. */
  at?: number;
  reason?: string;
}

/** An event of the sandbox about a payment; times are seconds after now. */
function told(kind: string, { id, link, at = 0, reason }: Told) {
  const time = new Date(service.clock.now().getTime() + at * 1000).toISOString();
  const data = { payment_id: id, payment_link_id: link.id, at: time, reason };
  return sandboxDelivery(service, `payment.${kind}`, data);
}

async function send(delivery: { body: string; headers: Record<string, string> }) {
  const answer = await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
  return good(answer, 200)['status'];
}

const tell = async (kind: string, of: Told) => send(told(kind, of));

async function paid(link: Link, id: string, amount = link.amount): Promise<unknown> {
  const data = {
    payment_id: id,
    payment_link_id: link.id,
    amount,
    currency: link.currency,
    paid_at: service.clock.now().toISOString(),
  };
  return send(sandboxDelivery(service, 'payment.succeeded', data));
}

/** An invoice over 119.00, with a link. */
async function linked() {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
  return { invoice, link, id: `sbx_${next()}` };
}

const linkNow = async ({ id }: { id: string }) =>
  good(await client.get(`/v1/finance/payment-links/${id}`), 200);

const paymentOf = async ({ id }: { id: string }) => {
  const path = `/v1/finance/documents/${id}/payments`;
  const { data } = good(await client.get<{ data: PaymentDetail[] }>(path), 200);
  return data[0]!;
};

describe('money on its way', () => {
  it('is said by the link and the portal, and a second checkout asks first', async () => {
    const { invoice, link, id } = await linked();
    expect(await tell('processing', { id, link })).toBe('ignored');
    expect(await linkNow(link)).toMatchObject({
      status: 'processing',
      processing_at: expect.any(String),
    });
    const again = { gateway: 'sandbox' };
    const path = `/v1/finance/documents/${invoice.id}/payment-links`;
    const asked = await client.post(path, again);
    expect([asked.status, asked.body['code']]).toEqual([409, 'payment_processing']);
    good(await client.post(path, { ...again, despite_processing: true }), 201);
    const canceled = await client.post(`/v1/finance/payment-links/${link.id}/cancel`, {});
    expect(canceled.body['code']).toBe('payment_link_not_open');
    const { token } = good(
      await client.post<{ token: string }>(`/v1/finance/documents/${invoice.id}/portal-tokens`, {}),
      201,
    );
    const json = await service.call(`/v1/portal/${token}`, {
      headers: { accept: 'application/json' },
    });
    expect(json.body['payments_processing']).toEqual([
      { amount: 11_900, currency: 'EUR', since: expect.any(String) },
    ]);
    const page = await service.call(`/v1/portal/${token}`, { headers: { accept: 'text/html' } });
    expect(page.text).toContain('is on its way');
    expect(await paid(link, id)).toBe('ok');
    expect(await linkNow(link)).toMatchObject({ status: 'paid' });
    // Late: what was said last of the money counts.
    expect(await tell('processing', { id, link, at: -60 })).toBe('ignored');
    expect(await linkNow(link)).toMatchObject({ status: 'paid' });
    const types = (await historyOf(client, invoice)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('payment_link.'))).toEqual([
      'payment_link.created',
      'payment_link.processing',
      'payment_link.created',
      'payment_link.paid',
    ]);
    await expectBooksToAgree(service);
  });

  it('may not come, and come later', async () => {
    const { invoice, link, id } = await linked();
    await tell('processing', { id, link });
    expect(await tell('failed', { id, link, at: 10, reason: 'no_funds' })).toBe('ignored');
    expect(await linkNow(link)).toMatchObject({ status: 'failed', failure: 'no_funds' });
    await tell('processing', { id, link });
    expect(await linkNow(link)).toMatchObject({ status: 'failed' });
    expect(await paid(link, `sbx_${next()}`)).toBe('ok');
    expect(await linkNow(link)).toMatchObject({ status: 'paid', failure: 'no_funds' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    await expectBooksToAgree(service);
  });
});

describe('a payment that a provider takes back', () => {
  it('is reversed once, and the document is due again', async () => {
    const { invoice, link, id } = await linked();
    await paid(link, id);
    const failed = told('failed', { id, link, at: 60, reason: 'insufficient_funds' });
    expect([await send(failed), await send(failed)]).toEqual(['ok', 'ok']);
    expect(await tell('reversed', { id, link, at: 90 })).toBe('ok');
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    expect(await linkNow(link)).toMatchObject({
      status: 'failed',
      failure: 'insufficient_funds',
      paid_at: expect.any(String),
    });
    expect(await paymentOf({ id: invoice.id })).toMatchObject({
      status: 'reversed',
      amount_refunded: 0,
      amount_reversed: 11_900,
      amount_refundable: 0,
    });
    const balances = await balancesOf(service, client);
    expect(balances).toMatchObject({ receivables: 11_900 });
    expect(balances).not.toHaveProperty('gateway_clearing');
    const reversed = (await historyOf(client, invoice)).filter(
      ({ type }) => type === 'payment.reversed',
    );
    expect(reversed).toMatchObject([{ actor: { type: 'gateway', id: 'sandbox' } }]);
    expect(await paid(link, `sbx_${next()}`)).toBe('ok');
    expect(await linkNow(link)).toMatchObject({ status: 'paid' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    await expectBooksToAgree(service);
  });

  it('is reversed also when the failure comes first, but not by a try before it', async () => {
    const { invoice, link, id } = await linked();
    expect(await tell('failed', { id, link, at: -60 })).toBe('ignored');
    expect(await paid(link, id)).toBe('ok');
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    const second = await linked();
    const gone = { id: second.id, link: second.link };
    expect(await tell('reversed', { ...gone, at: 60 })).toBe('ignored');
    expect(await paid(second.link, second.id)).toBe('ok');
    expect(await client.read(second.invoice)).toMatchObject({ status: 'open' });
    expect(await linkNow(second.link)).toMatchObject({ status: 'failed' });
    await expectBooksToAgree(service);
  });

  it('has its reports in any order at the same time', async () => {
    const made = await Promise.all([linked(), linked(), linked(), linked()]);
    const all = made.flatMap(({ link, id }) => [
      paid(link, id),
      tell('reversed', { id, link, at: 60 }),
      tell('reversed', { id, link, at: 61 }),
    ]);
    await Promise.all(all);
    for (const { invoice } of made) {
      expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    }
    await expectBooksToAgree(service);
  });

  it('meets a failure that comes while it is being recorded', async () => {
    const { invoice, link, id } = await linked();
    const other = await service.database.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM documents WHERE number = $1 FOR UPDATE', [invoice.number]);
    const recording = paid(link, id);
    await service.database.untilBlocked();
    // It names no link, so nothing but the payment itself holds it back.
    const reversing = tell('reversed', { id, link: { id: '' }, at: 60 });
    await Promise.race([reversing, service.database.untilBlocked(2)]);
    await other.query('COMMIT');
    await other.end();
    expect([await recording, await reversing]).toEqual(['ok', 'ok']);
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    await expectBooksToAgree(service);
  });

  it('takes along what its credit paid since, the newest first', async () => {
    const { invoice, link, id } = await linked();
    const ofThem = { customer: undefined, customer_id: invoice.customer_id };
    await paid(link, id, 20_000);
    const [older, newer] = [await client.anInvoice(ofThem), await client.anInvoice(ofThem)];
    const spend = async (document: { id: string }, amount: number) =>
      receipt(client, {
        method: 'credit_balance',
        amount,
        allocations: [{ document_id: document.id }],
      });
    good(await spend(older, 5000), 201);
    good(await spend(newer, 3000), 201);
    expect(await tell('reversed', { id, link, at: 60 })).toBe('ok');
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    expect(await client.read(newer)).toMatchObject({ amount_due: 11_900 });
    expect(await client.read(older)).toMatchObject({ amount_due: 11_900 });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
    expect(await balancesOf(service, client)).toEqual({
      receivables: 35_700,
      revenue: -30_000,
      tax_payable: -5700,
    });
    await expectBooksToAgree(service);
  });

  it('leaves credit that is of other money as far as it can', async () => {
    const { invoice, link, id } = await linked();
    const ofThem = { customer: undefined, customer_id: invoice.customer_id };
    await paid(link, id, 12_900);
    const other = { amount: 400, currency: 'EUR', customer_id: invoice.customer_id };
    good(await receipt(client, other), 201);
    const paidFrom = await client.anInvoice(ofThem);
    const spent = {
      method: 'credit_balance',
      amount: 1300,
      allocations: [{ document_id: paidFrom.id }],
    };
    good(await receipt(client, spent), 201);
    await tell('reversed', { id, link, at: 60 });
    // 100 of credit was there, and 900 came back.
    expect(await client.read(paidFrom)).toMatchObject({ amount_paid: 400 });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
    await expectBooksToAgree(service);
  });

  it('loses what had gone back to the payer before', async () => {
    const { invoice, link, id } = await linked();
    await paid(link, id);
    const payment = await paymentOf(invoice);
    const back = { amount: 3000, method: 'gateway' };
    good(await client.post(`/v1/finance/payments/${payment.id}/refunds`, back), 201);
    await tell('reversed', { id, link, at: 60 });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900, amount_refunded: 3000 });
    expect(await balancesOf(service, client)).toMatchObject({
      gateway_clearing: -3000,
      payment_losses: 3000,
      receivables: 11_900,
    });
    await expectBooksToAgree(service);
  });

  it('loses credit that went back to the payer by way of another payment', async () => {
    const { invoice, link, id } = await linked();
    await paid(link, id, 12_900);
    const payment = await paymentOf(invoice);
    const other = await client.anInvoice({ customer: undefined, customer_id: invoice.customer_id });
    const { body } = await client.pay(other, { amount: 11_900 });
    const by = (body as { payment: { id: string } }).payment.id;
    const back = { amount: 1000, method: 'cash', from: 'credit' };
    good(await client.post(`/v1/finance/payments/${by}/refunds`, back), 201);
    await tell('reversed', { id, link, at: 60 });
    expect(await paymentOf(invoice)).toMatchObject({ status: 'reversed', amount_refundable: 0 });
    expect(await linkNow(link)).toMatchObject({ status: 'failed' });
    expect(await balancesOf(service, client)).toMatchObject({ payment_losses: 1000 });
    const again = await client.post(`/v1/finance/payments/${payment.id}/refunds`, { amount: 1 });
    expect(again.body['code']).toBe('payment_reversed');
    await expectBooksToAgree(service);
  });

  it('does not open again what a credit note settled', async () => {
    const { invoice, link, id } = await linked();
    await paid(link, id);
    await made(client, invoice, 'credit-notes');
    expect(await creditOf(client, invoice.customer_id)).toBe(11_900);
    await tell('reversed', { id, link, at: 60 });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0 });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
    await expectBooksToAgree(service);
  });

  it('is followed where its money is now: moved, written off', async () => {
    const { invoice, link, id } = await linked();
    await paid(link, id);
    const payment = await paymentOf(invoice);
    const other = await client.anInvoice({ customer: undefined, customer_id: invoice.customer_id });
    const move = { from: invoice.id, to: other.id, amount: 5000 };
    good(await client.post(`/v1/finance/payments/${payment.id}/allocations`, move), 200);
    good(await client.post(`/v1/finance/documents/${invoice.id}/write-off`, {}), 200);
    await tell('reversed', { id, link, at: 60 });
    expect(await client.read(other)).toMatchObject({ amount_due: 11_900 });
    expect(await balancesOf(service, client)).toMatchObject({
      bad_debt: 11_900,
      receivables: 11_900,
    });
    await expectBooksToAgree(service);
  });

  it('is claimed by nobody, if it was of no account', async () => {
    const { link, id } = await linked();
    await paid({ ...link, id: 'plink_01h455vb4pex5vsknk084sn02q' }, id);
    await tell('reversed', { id, link: { id: '' }, at: 60 });
    const by = byOperator(uuidOf('acc', client.accountId) ?? '');
    const claim = service.app.get(ProviderReceiptClaims).claim(by, 'sandbox', id);
    await expect(claim).rejects.toMatchObject({ code: 'receipt_settled' });
    await expectBooksToAgree(service);
  });

  it('is a receipt that is closed, where no document had taken it, or its payment', async () => {
    const [lost, assigned] = [await linked(), await linked()];
    for (const { invoice, link, id } of [lost, assigned]) {
      await client.void(invoice);
      await paid(link, id);
    }
    const path = '/v1/finance/unmatched-receipts';
    const receipts = async (status: string) =>
      good(
        await client.get<{ data: { id: string; provider_payment_id: string }[] }>(
          `${path}?status=${status}`,
        ),
        200,
      ).data;
    const home = await client.anInvoice();
    const found = (await receipts('open')).find((one) => one.provider_payment_id === assigned.id)!;
    good(await client.post(`${path}/${found.id}/assign`, { document_id: home.id }), 200);
    for (const { link, id } of [lost, assigned]) await tell('reversed', { id, link, at: 60 });
    expect(await receipts('open')).toEqual([]);
    expect(await receipts('closed')).toMatchObject([{ amount_open: 0, amount_reversed: 11_900 }]);
    expect(await client.read(home)).toMatchObject({ status: 'open', amount_due: 11_900 });
    expect(await balancesOf(service, client)).toMatchObject({ receivables: 11_900 });
    await expectBooksToAgree(service);
  });
});
