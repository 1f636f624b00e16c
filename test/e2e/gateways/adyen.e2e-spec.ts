import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Item, withSignature } from '../../gateways/adyen/adyen-objects.js';
import { ADYEN_ACCOUNT, ADYEN_KEY } from '../../gateways/gateway-builders.js';
import { RefundLookUps } from '../../../src/payments/returning/application/refunds/refund-look-ups.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { paymentOf, readRefund, refund } from '../payments/refund-calls.js';
import { next } from './stripe-events.js';

/** Adyen's API on the loopback: it makes pages, and receives refunds. */
const calls: string[] = [];
const api = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = JSON.parse((await text(request)) || '{}') as object;
  const [, , kind, id] = (request.url ?? '').split('/');
  calls.push(`${request.method} ${request.url}`);
  const made = String(next()).padStart(8, '0');
  const page = { id: `PL${made}`, status: 'active', url: `https://test.adyen.link/PL${made}` };
  const refund = { status: 'received', paymentPspReference: id, pspReference: `R${made}` };
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...asked, ...(kind === 'paymentLinks' ? page : refund) }));
}

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    api.listen(0, '127.0.0.1', resolve);
  });
  const api_base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const own = { webhook_secret: ADYEN_KEY, merchant_account: ADYEN_ACCOUNT };
  const of = (name: string, settings: Record<string, string>) => ({
    name,
    provider: 'adyen',
    accounts: '*',
    settings: { ...own, ...settings },
  });
  service = await startTestService({
    gateways: [
      of('adyen', { api_key: 'AQE_hush', api_base, environment: 'sandbox' }),
      of('by-hand', { capture: 'manual', api_key: 'AQE_hush', api_base }),
    ],
  });
  client = await service.aClient();
});
afterAll(async () => {
  await service.close();
  api.closeAllConnections();
  api.close();
});

const post = async (items: readonly object[], gateway: string, live = 'false') =>
  service.call<{ code?: string }>(`/v1/webhooks/${gateway}`, {
    method: 'POST',
    body: JSON.stringify({
      live,
      notificationItems: items.map((item) => ({ NotificationRequestItem: item })),
    }),
    headers: { 'content-type': 'application/json' },
  });

async function aLink(gateway = 'adyen') {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway });
  const psp = `PSP${next()}`.padEnd(16, '0');
  const item = (over: Partial<Item> = {}): Item => {
    service.clock.advance({ seconds: 60 });
    return withSignature({
      pspReference: psp,
      merchantAccountCode: ADYEN_ACCOUNT,
      merchantReference: link.id,
      amount: { value: link.amount, currency: link.currency },
      eventCode: 'AUTHORISATION',
      success: 'true',
      eventDate: service.clock.now().toISOString(),
      ...over,
    });
  };
  const later = (eventCode: string, over: Partial<Item> = {}) =>
    item({ eventCode, originalReference: psp, pspReference: `L${psp}`, ...over });
  const statusOf = async () =>
    (await client.get<{ status: string }>(`/v1/finance/payment-links/${link.id}`)).body.status;
  const tell = async (...items: Item[]) => {
    const { status, text: said } = await post(items, gateway);
    return [status, said];
  };
  const read = async () => client.read(invoice);
  return { invoice, link, psp, item, later, statusOf, tell, read };
}
const ACCEPTED = [200, '[accepted]'];
const itemsOf = async (psp: string) => {
  const path = '/v1/finance/unmatched-items?limit=50';
  const { body } = await client.get<{ data: { provider_payment_id: string | null }[] }>(path);
  return body.data.filter((one) => one.provider_payment_id === psp);
};

describe('a payment at Adyen', () => {
  it('is paid on the page that Adyen made, and booked once, answered in its words', async () => {
    const { link, item, tell, read, statusOf } = await aLink();
    expect(link).toMatchObject({ url: expect.stringContaining('https://test.adyen.link/PL') });
    expect(calls).toContain('POST /v72/paymentLinks');
    const paid = item();
    const answer = await post([paid], 'adyen');
    expect([answer.status, answer.text]).toEqual(ACCEPTED);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await tell(paid)).toEqual(ACCEPTED);
    expect(await tell({ ...paid, eventDate: 'changed' })).toEqual(ACCEPTED);
    expect(await read()).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await statusOf()).toBe('paid');
  });

  it('of which one item is forged is not booked, and neither is the rest', async () => {
    const { item, read, psp } = await aLink();
    const forged = { ...item(), amount: { value: 1, currency: 'EUR' } };
    const answer = await post([item(), forged], 'adyen');
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_signature']);
    expect(await read()).toMatchObject({ amount_paid: 0 });
    expect(await itemsOf(psp)).toEqual([]);
  });

  it('is told with much else in one call', async () => {
    const [one, other] = [await aLink(), await aLink()];
    const report = one.item({ eventCode: 'REPORT_AVAILABLE', pspReference: 'REPORT1' });
    const refused = one.item({ success: 'false', pspReference: `T${one.psp}`, reason: 'Refused' });
    expect(await one.tell(refused, one.item(), report, other.item())).toEqual(ACCEPTED);
    expect(await one.read()).toMatchObject({ status: 'paid' });
    expect(await other.read()).toMatchObject({ status: 'paid' });
  });

  it('under a mode that somebody forged is for a person, and then is booked all the same', async () => {
    const { item, psp, read, tell } = await aLink();
    const paid = item();
    const answer = await post([paid], 'adyen', 'true');
    expect([answer.status, answer.text]).toEqual(ACCEPTED);
    expect(await read()).toMatchObject({ amount_paid: 0 });
    expect(await itemsOf(psp)).toMatchObject([{ status: 'open', direction: 'in', amount: 11_900 }]);
    await tell(paid);
    expect(await read()).toMatchObject({ status: 'paid' });
    expect(await itemsOf(psp)).toHaveLength(1);
  });

  it('that is captured by hand is on its way until then', async () => {
    const { item, later, tell, read, statusOf } = await aLink('by-hand');
    await tell(item());
    expect([await statusOf(), (await read()).amount_paid]).toEqual(['processing', 0]);
    await tell(later('CAPTURE'));
    expect([await statusOf(), (await read()).amount_paid]).toEqual(['paid', 11_900]);
    const other = await aLink('by-hand');
    await other.tell(other.item());
    await other.tell(other.later('CANCELLATION'));
    expect([await other.statusOf(), (await other.read()).amount_paid]).toEqual(['failed', 0]);
  });

  it('whose capture fails, or that is canceled, is due again, in whatever order that is told', async () => {
    const { item, later, tell, read } = await aLink();
    await tell(item());
    await tell(later('CAPTURE_FAILED'));
    expect(await read()).toMatchObject({ status: 'open', amount_due: 11_900 });
    const other = await aLink();
    const paid = other.item();
    await other.tell(other.later('CAPTURE_FAILED'));
    await other.tell(paid);
    expect(await other.read()).toMatchObject({ status: 'open', amount_due: 11_900 });
    const canceled = await aLink();
    await canceled.tell(canceled.item());
    await canceled.tell(canceled.later('CANCELLATION', { amount: { value: 0, currency: 'EUR' } }));
    expect(await canceled.read()).toMatchObject({ status: 'open', amount_due: 11_900 });
    expect(await canceled.statusOf()).toBe('failed');
  });
});

const part = (reference: string, value = 5950) => ({
  pspReference: reference,
  amount: { value, currency: 'EUR' },
});
const amountsOf = async (invoice: { id: string }) => {
  const path = `/v1/finance/documents/${invoice.id}/payments`;
  const { body } = await client.get<{ data: { amount: number; reference: string }[] }>(path);
  return body.data.map(({ amount, reference }) => [amount, reference]);
};

describe('a payment that is captured in parts', () => {
  it('is booked once for each capture, also of the same amount, however often they come', async () => {
    const { invoice, psp, item, later, tell, read, statusOf } = await aLink('by-hand');
    const [one, other] = [`A${psp}`, `B${psp}`].map((name) => later('CAPTURE', part(name)));
    await tell(item());
    await tell(one!);
    expect([await statusOf(), (await read()).amount_paid]).toEqual(['paid', 5950]);
    await Promise.all([tell(other!), tell(one!), tell(other!)]);
    await tell(one!, other!);
    expect(await read()).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await amountsOf(invoice)).toEqual([
      [5950, psp],
      [5950, `${psp}/B${psp}`],
    ]);
    expect(await itemsOf(psp)).toEqual([]);
    await expectBooksToAgree(service);
    const { id } = await paymentOf(client, invoice);
    const calls = await client.get<{ data: { event_types: string[] }[] }>(
      `/v1/finance/gateway-events?payment_id=${id}`,
    );
    expect(calls.body.data[0]).toMatchObject({ event_types: ['CAPTURE'] });
  });

  it('in one call counts whole, and what is too much is credit', async () => {
    const { psp, later, tell, read } = await aLink('by-hand');
    const parts = ['A', 'B', 'C'].map((name) => later('CAPTURE', part(`${name}${psp}`)));
    await tell(...parts);
    expect(await read()).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    await expectBooksToAgree(service);
  });

  it('has a capture told with another amount judged by a person', async () => {
    const { psp, later, tell, read } = await aLink('by-hand');
    await tell(later('CAPTURE', part(`A${psp}`)), later('CAPTURE', part(`B${psp}`)));
    await tell(later('CAPTURE', part(`B${psp}`, 100)), later('CAPTURE', part(`A${psp}`, 100)));
    expect(await read()).toMatchObject({ amount_paid: 11_900 });
    expect([...(await itemsOf(psp)), ...(await itemsOf(`${psp}/B${psp}`))]).toHaveLength(2);
  });

  it('is due again by the capture that failed', async () => {
    const { invoice, psp, later, tell, read } = await aLink('by-hand');
    await tell(later('CAPTURE', part(`A${psp}`, 3000)), later('CAPTURE', part(`B${psp}`, 8900)));
    await tell(later('CAPTURE_FAILED', part(`B${psp}`, 8900)));
    expect(await read()).toMatchObject({ status: 'partially_paid', amount_due: 8900 });
    const further = await paymentOf(client, invoice);
    expect(further).toMatchObject({ amount: 8900 });
    expect(await itemsOf(psp)).toEqual([]);
    await expectBooksToAgree(service);
  });

  it('is refunded at the payment, and its event settles the refund', async () => {
    const { invoice, psp, later, tell, read } = await aLink('by-hand');
    await tell(later('CAPTURE', part(`A${psp}`)), later('CAPTURE', part(`B${psp}`)));
    const { body } = await refund(client, await paymentOf(client, invoice), { amount: 1000 });
    expect(calls).toContain(`POST /v72/payments/${psp}/refunds`);
    expect(body.refund).toMatchObject({ status: 'pending' });
    const { id, provider_refund_id: name } = await readRefund(client, body.refund);
    const told = part(name ?? '', 1000);
    await tell(later('REFUND', { ...told, merchantReference: id }));
    expect((await readRefund(client, body.refund)).status).toBe('succeeded');
    expect(await read()).toMatchObject({ amount_refunded: 1000 });
    await expectBooksToAgree(service);
  });

  it('keeps to one payment where the first capture is from before', async () => {
    const { invoice, item, psp, later, tell } = await aLink();
    await tell(item({ amount: { value: 5950, currency: 'EUR' } }));
    await tell(later('CAPTURE', part(`A${psp}`)), later('CAPTURE', part(`B${psp}`)));
    expect(await amountsOf(invoice)).toEqual([[5950, psp]]);
  });
});

describe('money that goes back', () => {
  it('at our request is pending until its event, and may come back', async () => {
    const { invoice, psp, item, later, tell, read } = await aLink();
    await tell(item());
    const { body } = await refund(client, await paymentOf(client, invoice), { amount: 1900 });
    const { refund: made } = body;
    const statusNow = async () => (await readRefund(client, made)).status;
    expect(made).toMatchObject({ status: 'pending', provider_refund_id: expect.any(String) });
    expect(calls).toContain(`POST /v72/payments/${psp}/refunds`);
    const event = (code: string) =>
      later(code, {
        merchantReference: made.id,
        pspReference: String(made.provider_refund_id),
        amount: { value: 1900, currency: 'EUR' },
      });
    await tell(event('REFUND'));
    expect(await statusNow()).toBe('succeeded');
    expect(await read()).toMatchObject({ amount_refunded: 1900, amount_due: 1900 });
    await tell(event('REFUND_FAILED'));
    expect(await statusNow()).toBe('returned');
    expect(await read()).toMatchObject({ amount_refunded: 0, amount_due: 0 });
  });

  it('is never sent twice while nobody answers for it', async () => {
    const { invoice, psp, item, tell } = await aLink();
    await tell(item());
    const { body } = await refund(client, await paymentOf(client, invoice), { amount: 1900 });
    service.clock.advance({ days: 3 });
    await service.app.get(RefundLookUps).run();
    expect((await readRefund(client, body.refund)).status).toBe('pending');
    expect(calls.filter((call) => call.includes(psp))).toHaveLength(1);
  });

  it('in the dashboard is booked from its event', async () => {
    const { item, later, tell, read } = await aLink();
    await tell(item());
    await tell(later('REFUND', { amount: { value: 900, currency: 'EUR' } }));
    expect(await read()).toMatchObject({ amount_refunded: 900 });
  });

  it('by a chargeback is due again, and comes back when that is reversed', async () => {
    const { item, later, tell, read } = await aLink();
    await tell(item());
    const seen = [];
    for (const code of [
      'REQUEST_FOR_INFORMATION',
      'NOTIFICATION_OF_CHARGEBACK',
      'CHARGEBACK',
      'CHARGEBACK_REVERSED',
      'SECOND_CHARGEBACK',
    ]) {
      await tell(later(code));
      seen.push((await read()).amount_due);
    }
    expect(seen).toEqual([0, 0, 11_900, 0, 11_900]);
  });

  it('in part by a chargeback, and then whole by its capture that fails, is due whole', async () => {
    const { item, later, tell, read } = await aLink();
    await tell(item());
    await tell(later('CHARGEBACK', { amount: { value: 8925, currency: 'EUR' } }));
    expect(await read()).toMatchObject({ amount_due: 8925 });
    const failed = later('CAPTURE_FAILED');
    await tell(failed);
    expect(await read()).toMatchObject({ amount_due: 11_900 });
    await tell(failed);
    expect(await read()).toMatchObject({ amount_due: 11_900 });
  });

  it('leaves books that agree', async () => expectBooksToAgree(service));
});
