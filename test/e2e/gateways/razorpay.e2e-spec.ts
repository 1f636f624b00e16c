import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRazorpay } from '../../../src/gateways/razorpay/razorpay.gateway.js';
import { publicId, type Uuid } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { next } from './stripe-events.js';

const SECRET = 'secret_of_the_tests';
let stub: ProviderStub;
let service: TestService;
let client: TestClient;

beforeAll(async () => {
  stub = await startProviderStub();
  const keys = { key_id: 'rzp_test_1', key_secret: 'hush', api_base: stub.apiBase };
  service = await startTestService({
    gateways: [
      {
        name: 'razorpay',
        provider: 'razorpay',
        accounts: '*',
        settings: { webhook_secret: SECRET, currency: 'EUR', ...keys },
      },
    ],
  });
  client = await service.aClient();
});
afterAll(async () => {
  await service.close();
  await stub.close();
});

type Link = Awaited<ReturnType<typeof aLink>>['link'];
const aLink = async () => {
  const invoice = await client.anInvoice();
  return { invoice, link: await client.aPaymentLink(invoice, { gateway: 'razorpay' }) };
};
const seconds = () => Math.floor(service.clock.now().getTime() / 1000);
const deliver = async (event: string, entities: Record<string, object>) => {
  const body = JSON.stringify({
    entity: 'event',
    event,
    created_at: seconds(),
    payload: Object.fromEntries(
      Object.entries(entities).map(([name, entity]) => [name, { entity }]),
    ),
  });
  const headers = { 'content-type': 'application/json', ...signRazorpay(SECRET, body) };
  const answer = await service.call('/v1/webhooks/razorpay', { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
  return answer.body['status'];
};
/** The entities of one payment of a link. */
const entitiesOf = ({ id, amount, currency }: Link, over: object = {}) => ({
  payment: {
    id: `pay_${next()}`,
    amount,
    currency,
    status: 'captured',
    notes: [],
    fee: 119,
    created_at: seconds(),
    ...over,
  },
  payment_link: { id: 'plink_FOGqq3O6E5bkml', reference_id: id, notes: [], amount_paid: amount },
});
const aRefundOf = (payment: { id: string; currency: string }, id = `rfnd_${next()}`) => ({
  id,
  payment_id: payment.id,
  amount: 1900,
  currency: payment.currency,
  status: 'processed',
  notes: [] as object,
  created_at: seconds(),
});
const aDisputeOf = ({ id, amount, currency }: Pick<Link, 'id' | 'amount' | 'currency'>) => ({
  id: `disp_${next()}`,
  payment_id: id,
  amount,
  currency,
  reason_code: 'chargeback',
});
const itemsOf = async (paymentId: string, status = 'open') => {
  const { body } = await client.get<{ data: { provider_payment_id: string }[] }>(
    `/v1/finance/unmatched-items?status=${status}`,
  );
  return body.data.filter((item) => item.provider_payment_id === paymentId);
};

describe('a payment at Razorpay', () => {
  it('is paid on the page that Razorpay made', async () => {
    const { invoice, link } = await aLink();
    expect((link as unknown as { url: string }).url).toContain('https://razorpay.test/plink_made');
    expect((await service.deliverPaid(link)).body).toEqual({ status: 'ok' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });

  it('is one payment, whichever events tell of it and how often', async () => {
    const { invoice, link } = await aLink();
    const { payment, payment_link } = entitiesOf(link);
    const order = { id: `order_${next()}`, receipt: link.id, notes: [] };
    const told = await Promise.all([
      deliver('payment_link.paid', { payment, payment_link, order }),
      deliver('order.paid', { payment, order }),
      deliver('payment_link.paid', { payment, payment_link, order }),
    ]);
    expect(told).toEqual(['ok', 'ok', 'ok']);
    expect(await deliver('payment.captured', { payment })).toBe('ok');
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await itemsOf(payment.id)).toEqual([]);
  });

  it('that comes without its link first is for a person, until its link is told', async () => {
    const { invoice, link } = await aLink();
    const { payment, payment_link } = entitiesOf(link);
    expect(await deliver('payment.captured', { payment })).toBe('no_link_id');
    expect(await itemsOf(payment.id)).toHaveLength(1);
    expect(await deliver('payment_link.paid', { payment, payment_link })).toBe('ok');
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    expect(await itemsOf(payment.id)).toEqual([]);
    expect(await itemsOf(payment.id, 'closed')).toHaveLength(1);
  });

  it('that failed first, and was captured later under its id, stays paid', async () => {
    const { invoice, link } = await aLink();
    const notes = { payment_link_id: link.id };
    const { payment, payment_link } = entitiesOf(link, { notes });
    await deliver('payment.authorized', { payment: { ...payment, status: 'authorized' } });
    const path = `/v1/finance/payment-links/${link.id}`;
    expect((await client.get(path)).body).toMatchObject({ status: 'processing' });
    service.clock.advance({ seconds: 60 });
    await deliver('payment.failed', { payment: { ...payment, status: 'failed' } });
    expect((await client.get(path)).body).toMatchObject({ status: 'failed' });
    // Razorpay dates the payment by its beginning.
    await deliver('payment_link.paid', { payment, payment_link });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
    expect((await client.get(path)).body).toMatchObject({ status: 'paid' });
  });

  it('is given back once in its dashboard, whichever events tell of it', async () => {
    const { invoice, link } = await aLink();
    const { payment, payment_link } = entitiesOf(link);
    await deliver('payment_link.paid', { payment, payment_link });
    const refund = aRefundOf(payment);
    for (const type of ['created', 'processed']) await deliver(`refund.${type}`, { refund });
    expect(await client.read(invoice)).toMatchObject({ amount_refunded: 1900, amount_due: 1900 });
  });

  it('is given back once through the service, and its event says nothing new', async () => {
    const { invoice, link } = await aLink();
    const { payment, payment_link } = entitiesOf(link);
    await deliver('payment_link.paid', { payment, payment_link });
    const [paid] = await service.database.query<{ payment_id: string }>(
      'SELECT payment_id FROM payments WHERE reference = $1',
      [payment.id],
    );
    stub.next = ['lost'];
    const path = `/v1/finance/payments/${publicId('pay', (paid?.payment_id ?? '') as Uuid)}/refunds`;
    const { body } = await client.post<{ refund: { id: string; status: string } }>(path, {
      amount: 1900,
    });
    expect(body.refund.status).toBe('unknown');
    const [made] = stub.refunds;
    const notes = { refund_id: body.refund.id };
    await deliver('refund.processed', { refund: { ...aRefundOf(payment, made?.id), notes } });
    expect(await client.read(invoice)).toMatchObject({ amount_refunded: 1900, amount_due: 1900 });
    expect(stub.refunds).toHaveLength(1);
  });

  it('is due again when its dispute is lost', async () => {
    const { invoice, link } = await aLink();
    const { payment, payment_link } = entitiesOf(link);
    await deliver('payment_link.paid', { payment, payment_link });
    const dispute = { ...aDisputeOf(payment), phase: 'chargeback' };
    await deliver('payment.dispute.created', { dispute: { ...dispute, status: 'open' } });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    service.clock.advance({ seconds: 60 });
    await deliver('payment.dispute.lost', { dispute: { ...dispute, status: 'lost' } });
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
  });

  it('is heard by its last word, though two of one second have one name', async () => {
    const { link } = await aLink();
    const { payment, payment_link } = entitiesOf(link);
    await deliver('payment_link.paid', { payment, payment_link });
    const dispute = { ...aDisputeOf(payment), status: 'open' };
    for (const phase of ['chargeback', 'retrieval']) {
      await deliver('payment.dispute.created', { dispute: { ...dispute, phase } });
    }
    const { body } = await client.get('/v1/finance/disputes');
    expect(body.data).toContainEqual(
      expect.objectContaining({ provider_dispute_id: dispute.id, status: 'inquiry' }),
    );
  });

  it('that never came leaves its link failed, and the next page can be paid', async () => {
    const { invoice, link } = await aLink();
    const { payment_link } = entitiesOf(link);
    await deliver('payment_link.expired', { payment_link: { ...payment_link, amount_paid: 0 } });
    const { body } = await client.get(`/v1/finance/payment-links/${link.id}`);
    expect(body).toMatchObject({ status: 'failed' });
    const again = await client.aPaymentLink(invoice, { gateway: 'razorpay' });
    await service.deliverPaid(again);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
  });
});
