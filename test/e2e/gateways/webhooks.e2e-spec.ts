import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type Link, next, signedByStripe, stripePayment } from './stripe-events.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

async function deliverStripe(event: object, over: { secret?: string; body?: string } = {}) {
  const { body, headers } = signedByStripe(event, service.clock.now(), over.secret);
  return service.call<{ status: string; code?: string }>('/v1/webhooks/gateway-a', {
    method: 'POST',
    body: over.body ?? body,
    headers,
  });
}

const reported = (link: Parameters<typeof stripePayment>[0], intent?: string) =>
  stripePayment(link, service.clock.now(), intent);

const linkStatus = async (link: Link) =>
  (await client.get(`/v1/finance/payment-links/${link.id}`)).body['status'];

const eventTypes = async (documentId: string): Promise<string[]> => {
  const invoice = await client.read({ id: documentId });
  const rows = await service.database.query<{ type: string }>(
    `SELECT e.type FROM events e JOIN documents d USING (account_id, document_id)
     WHERE d.number = $1 ORDER BY e.sequence`,
    [invoice.number],
  );
  return rows.map(({ type }) => type);
};

describe.each(['gateway-a', 'gateway-b', 'sandbox'])('a paid event at %s', (gateway) => {
  it('marks the link paid and records the payment, once', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway, amount: 5000 });
    expect((await service.deliverPaid(link)).body).toEqual({ status: 'ok' });
    expect(await linkStatus(link)).toBe('paid');
    const paid = await client.read(invoice);
    expect(paid).toMatchObject({ amount_paid: 5000, amount_due: 6900, status: 'partially_paid' });
    const payments = await client.get<{ data: object[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    const method = { 'gateway-a': 'card', 'gateway-b': 'wallet', sandbox: 'other' }[gateway];
    expect(payments.body.data).toEqual([
      expect.objectContaining({ gateway, method, payment_link_id: link.id, amount: 5000 }),
    ]);
  });

  it('moves nothing when it is unsigned, changed, or signed for another time', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway });
    const { body, headers } = service.paidDelivery(link);
    const path = `/v1/webhooks/${gateway}`;
    const json = { 'content-type': 'application/json' };
    const answers = [
      await service.call(path, { method: 'POST', body, headers: json }),
      await service.call(path, { method: 'POST', body: `${body} `, headers }),
      await service.call(path, { method: 'POST' }),
    ];
    service.clock.advance({ days: 30 });
    answers.push(await service.call(path, { method: 'POST', body, headers }));
    service.clock.advance({ days: -30 });
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      const { request_id: _own, ...problem } = answer.body;
      expect(problem).toEqual({
        type: 'urn:quittance:problem:invalid_signature',
        title: 'Bad Request',
        status: 400,
        detail: expect.any(String),
        instance: path,
        code: 'invalid_signature',
      });
    }
    expect(await linkStatus(link)).toBe('open');
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 0 });
  });

  it('answers the same delivery again with ok, and changes nothing more', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway });
    const { body, headers } = service.paidDelivery(link);
    const send = () => service.call(`/v1/webhooks/${gateway}`, { method: 'POST', body, headers });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.map(({ text }) => text)).toEqual(Array(20).fill('{"status":"ok"}'));
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900, status: 'paid' });
    const payments = await client.get<{ data: unknown[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    expect(payments.body.data).toHaveLength(1);
  });
});

describe('Stripe', () => {
  it('reports one payment by two events, each five times, shuffled, 20 at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await client.anInvoice();
      const link = await client.aPaymentLink(invoice);
      const { session, intent } = reported(link);
      const deliveries = Array.from({ length: 10 }, (_, index) => (index % 2 ? session : intent));
      const shuffled = [...deliveries, ...deliveries].sort(() => Math.random() - 0.5);
      const answers = await Promise.all(shuffled.map((event) => deliverStripe(event)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(answers.map(({ body }) => body.status)).toEqual(Array(20).fill('ok'));
      expect(await linkStatus(link)).toBe('paid');
      expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900, amount_due: 0 });
      expect((await eventTypes(invoice.id)).filter((type) => type === 'payment.recorded')).toEqual([
        'payment.recorded',
      ]);
    }
  });

  it('refuses another secret, and the signature of another body', async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    const { session } = reported(link);
    const wrong = await deliverStripe(session, { secret: 'whsec_somebody_else' });
    const changed = JSON.stringify(session).replace('11900', '11901');
    const other = await deliverStripe(session, { body: changed });
    expect([wrong.status, other.status]).toEqual([400, 400]);
    expect(await linkStatus(link)).toBe('open');
  });

  it('answers no_link_id for a payment that names no link of ours, and keeps no receipt', async () => {
    const { intent } = reported({ amount: 700, currency: 'EUR' });
    expect((await deliverStripe(intent)).body).toEqual({ status: 'no_link_id' });
    const { id } = intent.data.object as { id: string };
    expect(
      await service.database.query(
        'SELECT 1 FROM provider_receipts WHERE provider_payment_id = $1',
        [id],
      ),
    ).toEqual([]);
  });

  it('books a payment whose first event named no link and whose second did', async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    const number = next();
    const nameless = reported({ amount: link.amount, currency: 'EUR' }, number);
    const named = reported(link, number);
    expect((await deliverStripe(nameless.intent)).body).toEqual({ status: 'no_link_id' });
    expect((await deliverStripe(named.session)).body).toEqual({ status: 'ok' });
    expect(await linkStatus(link)).toBe('paid');
  });

  it('ignores other types and pending payments', async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    const { session } = reported(link);
    const unpaid = { ...session.data.object, payment_status: 'unpaid' };
    const pending = { ...session, id: `evt_${next()}`, data: { object: unpaid } };
    const other = { ...session, id: `evt_${next()}`, type: 'customer.created' };
    expect((await deliverStripe(pending)).body).toEqual({ status: 'ignored' });
    expect((await deliverStripe(other)).body).toEqual({ status: 'ignored' });
    expect(await linkStatus(link)).toBe('processing');
  });

  it('has a thin event sent again while there is no key to look its object up', async () => {
    const thin = { id: `evt_${next()}`, object: 'v2.core.event', created: '2026-11-20T12:00:00Z' };
    const related_object = { id: `pi_${next()}`, type: 'payment_intent' };
    const answers = await Promise.all([
      deliverStripe({ ...thin, type: 'v1.payment_intent.succeeded', related_object }),
      deliverStripe({ ...thin, type: 'v2.core.account.created' }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code ?? body.status])).toEqual([
      [503, 'gateway_key_missing'],
      [200, 'ignored'],
    ]);
  });

  it('keeps money for an unknown link, and ignores it twice', async () => {
    const unknown = 'plink_01h455vb4pex5vsknk084sn02q';
    const { session, intent } = reported({ id: unknown, amount: 900, currency: 'EUR' });
    expect((await deliverStripe(session)).body).toEqual({ status: 'ignored' });
    expect((await deliverStripe(intent)).body).toEqual({ status: 'ignored' });
    const rows = await service.database.query(
      `SELECT amount, unmatched_reason, account_id FROM provider_receipts WHERE link_reference = $1`,
      [unknown],
    );
    expect(rows).toEqual([{ amount: 900n, unmatched_reason: 'unknown_link', account_id: null }]);
  });

  it('keeps money for an unknown link once when it arrives ten times at once', async () => {
    const unknown = 'plink_01h455vb4pex5vsknk084sn02r';
    const { session } = reported({ id: unknown, amount: 900, currency: 'EUR' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliverStripe(session)));
    expect(answers.map(({ body }) => body.status)).toEqual(Array(10).fill('ignored'));
  });

  it('lists money in another currency, and for a document that takes none, with the reason', async () => {
    const owner = await service.aClient();
    const open = await owner.aPaymentLink(await owner.anInvoice());
    const voided = await owner.anInvoice();
    const late = await owner.aPaymentLink(voided);
    await owner.post(`/v1/finance/documents/${voided.id}/void`);
    const dollars = reported({ ...open, currency: 'USD' });
    expect((await deliverStripe(dollars.session)).body).toEqual({ status: 'ignored' });
    expect((await deliverStripe(reported(late).session)).body).toEqual({ status: 'ignored' });
    const { body } = await owner.get<{ data: { reason: string; amount: number }[] }>(
      '/v1/finance/unmatched-receipts',
    );
    expect(body.data.map(({ reason, amount }) => [reason, amount])).toEqual([
      ['document_not_payable', 11_900],
      ['currency_mismatch', 11_900],
    ]);
    expect(await owner.read(voided)).toMatchObject({ amount_paid: 0, status: 'void' });
    expect((await client.get('/v1/finance/unmatched-receipts')).text).not.toContain(open.id);
  });

  it('turns what is above the amount due into customer credit', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice);
    await client.pay(invoice, { amount: 10_000 });
    expect((await deliverStripe(reported(link).session)).body).toEqual({ status: 'ok' });
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900, amount_due: 0 });
    const credit = await client.get(`/v1/finance/customers/${invoice.customer_id}/credit`);
    expect(credit.body['data']).toEqual([{ currency: 'EUR', amount: 10_000 }]);
    expect(await eventTypes(invoice.id)).toEqual([
      'document.created',
      'document.issued',
      'payment_link.created',
      'payment.recorded',
      'document.partially_paid',
      'payment.recorded',
      'payment_link.paid',
      'document.paid',
      'document.overpaid',
    ]);
  });

  it('cannot pay the link of another gateway', async () => {
    const link = await client.aPaymentLink(await client.anInvoice(), { gateway: 'gateway-b' });
    expect((await deliverStripe(reported(link).session)).body).toEqual({ status: 'ignored' });
    expect(await linkStatus(link)).toBe('open');
  });

  it('closes the links of a document that is voided or rejected', async () => {
    const voided = await client.anInvoice();
    const rejected = await client.anInvoice();
    const links = [await client.aPaymentLink(voided), await client.aPaymentLink(rejected)];
    await client.post(`/v1/finance/documents/${voided.id}/void`);
    const token = await client.aPortalToken(rejected);
    await service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'no' } });
    expect(await Promise.all(links.map(linkStatus))).toEqual(['canceled', 'canceled']);
  });

  it('pays or voids, never both, when the two arrive together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const invoice = await client.anInvoice();
      const link = await client.aPaymentLink(invoice);
      const [webhook, voided] = await Promise.all([
        deliverStripe(reported(link).session),
        client.post(`/v1/finance/documents/${invoice.id}/void`),
      ]);
      const { status, amount_paid: amountPaid } = await client.read(invoice);
      if (voided.status === 200) {
        expect([webhook.body.status, status, amountPaid]).toEqual(['ignored', 'void', 0]);
      } else {
        expect([webhook.body.status, status, amountPaid]).toEqual(['ok', 'paid', 11_900]);
      }
    }
  });
});
