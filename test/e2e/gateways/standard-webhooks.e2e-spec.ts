import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { next } from './stripe-events.js';

const SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const NAME = 'standard-webhooks';
let service: TestService;
let client: TestClient;

beforeAll(async () => {
  const settings = { webhook_secret: SECRET };
  const gateways = [{ name: NAME, provider: NAME, accounts: '*', settings }];
  service = await startTestService({ gateways });
  client = await service.aClient();
});
afterAll(() => service.close());

/** Signed by the official package, some time after what came before. */
async function send(type: string, data: object, id = `msg_${next()}`, change = '') {
  service.clock.advance({ seconds: 60 });
  const now = service.clock.now();
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(id, now, body),
  };
  const answer = await service.call<{ status: string; code?: string }>(`/v1/webhooks/${NAME}`, {
    method: 'POST',
    body: body + change,
    headers,
  });
  return answer.body.code ?? answer.body.status;
}
async function aLink() {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway: NAME });
  const { id: payment_link_id, amount, currency } = link;
  const ofLink = { payment_id: `p-${next()}`, payment_link_id };
  const money = { payment_id: ofLink.payment_id, amount, currency };
  const statusOf = async () =>
    (await client.get<{ status: string }>(`/v1/finance/payment-links/${link.id}`)).body.status;
  const stands = async () => {
    const path = `/v1/finance/disputes?gateway=${NAME}&limit=1`;
    const { body } = await client.get<{ data: { status: string }[] }>(path);
    return [body.data.map(({ status }) => status), (await client.read(invoice)).amount_due];
  };
  return { invoice, link, ofLink, money, statusOf, stands };
}

describe('a payment that the sender tells of', () => {
  it('has a link without an address, and is booked once', async () => {
    const { invoice, link, ofLink, money, statusOf } = await aLink();
    expect(link).toMatchObject({ url: null });
    expect(await send('payment.processing', ofLink)).toBe('ignored');
    expect(await statusOf()).toBe('processing');
    const paid = { ...ofLink, ...money, fee: 50 };
    expect(await send('payment.paid', paid, 'msg_same', ' ')).toBe('invalid_signature');
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 0 });
    expect(await send('payment.paid', paid, 'msg_same')).toBe('ok');
    expect(await send('payment.paid', paid, 'msg_same')).toBe('ok');
    expect(await send('payment.paid', paid)).toBe('ok');
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await statusOf()).toBe('paid');
  });

  it('that failed leaves its link failed, and one that is reversed is due again', async () => {
    const failing = await aLink();
    await send('payment.failed', { ...failing.ofLink, reason: 'declined' });
    expect(await failing.statusOf()).toBe('failed');
    const { invoice, ofLink, money } = await aLink();
    await send('payment.paid', { ...ofLink, ...money });
    await send('payment.reversed', { ...ofLink, ...money, reversal_id: `r-${next()}` });
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
  });

  it('is refunded as its refunds say', async () => {
    const { invoice, ofLink, money } = await aLink();
    await send('payment.paid', { ...ofLink, ...money });
    const refund = { ...money, refund_id: `f-${next()}`, amount: 1900 };
    await send('refund.pending', refund);
    expect(await client.read(invoice)).toMatchObject({ amount_refunded: 0 });
    await send('refund.succeeded', refund);
    expect(await client.read(invoice)).toMatchObject({ amount_refunded: 1900, amount_due: 1900 });
    await send('refund.failed', { ...refund, reason: 'closed' });
    expect(await client.read(invoice)).toMatchObject({ amount_refunded: 0, status: 'paid' });
  });

  it('is disputed as its disputes say', async () => {
    const { ofLink, money, stands } = await aLink();
    await send('payment.paid', { ...ofLink, ...money });
    const dispute = { ...money, dispute_id: `d-${next()}` };
    const seen = [];
    for (const type of ['inquiry', 'opened', 'lost', 'won']) {
      await send(`dispute.${type}`, dispute);
      seen.push(await stands());
    }
    expect(seen).toEqual([
      [['inquiry'], 0],
      [['open'], 0],
      [['lost'], 11_900],
      [['won'], 0],
    ]);
    const other = await aLink();
    await send('payment.paid', { ...other.ofLink, ...other.money });
    const closed = { ...other.money, dispute_id: `d-${next()}` };
    await send('dispute.inquiry', closed);
    await send('dispute.closed', closed);
    expect(await other.stands()).toEqual([['closed'], 0]);
  });
});

it('knows nothing of a type that is unknown', async () =>
  expect(await send('payout.created', {})).toBe('ignored'));
