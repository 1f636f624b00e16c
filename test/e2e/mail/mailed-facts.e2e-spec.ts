import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { AutomaticCollections } from '../../../src/payments/collecting/application/mandates/automatic-collections.js';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { good } from '../documents/document-calls.js';
import { linkIn, type MailStage, mailStage, messagesOf, send, wish } from './mail-calls.js';

let stage: MailStage;
let client: TestClient;

beforeAll(async () => {
  stage = await mailStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  client = await stage.service.aClient();
  await client.patch('/v1/finance/seller', { name: 'Acme', email: 'office@acme.example' });
});

const answer = async (document: { id: string }, step: string, body: object) => {
  const token = await client.aPortalToken(document);
  good(await stage.service.call(`/v1/portal/${token}/${step}`, { method: 'POST', body }), 200);
};
const subjects = async () => (await stage.mails()).map(({ subject }) => subject);

/** It was due two days ago. */
const overdue = async () => {
  const invoice = await client.anInvoice({ payment_terms_days: 10 });
  stage.service.clock.advance({ days: 12 });
  return invoice;
};

describe('of what happens, one message each', () => {
  it('tells what the account wants told, and nothing of before', async () => {
    const early = await client.anInvoice();
    await client.pay(early);
    await wish(client, { send_documents: true, send_receipts: true, tell_answers: true });
    const invoice = await client.anInvoice();
    const quote = await client.aQuote();
    const other = await client.aQuote();
    await client.pay(invoice);
    await answer(quote, 'accept', { name: 'Ada Lovelace' });
    await answer(other, 'reject', { reason: 'Too expensive' });
    expect((await subjects()).toSorted()).toEqual(
      [
        `Invoice ${invoice.number} from Acme`,
        `Quote ${quote.number} from Acme`,
        `Quote ${other.number} from Acme`,
        `Receipt for Invoice ${invoice.number}`,
        `Ada Lovelace has accepted: Quote ${quote.number}`,
        `Globex GmbH has rejected: Quote ${other.number}`,
      ].toSorted(),
    );
    await Promise.all([stage.run(), stage.run()]);
    expect(await stage.mails()).toEqual([]);
    expect(await messagesOf(client, early)).toEqual([]);
  });

  it('tells the seller what a client answered, in the client’s words', async () => {
    await wish(client, { tell_answers: true });
    const quote = await client.aQuote();
    await answer(quote, 'reject', { reason: 'Too expensive,\nthis year.' });
    const [mail] = await stage.mails();
    expect(mail).toMatchObject({
      to: { value: [{ address: 'office@acme.example' }] },
      replyTo: { value: [{ address: 'accounts@globex.example' }] },
    });
    expect(mail?.text).toContain('Too expensive,\nthis year.');
    expect(mail?.attachments).toEqual([]);
  });

  it('confirms a payment with a receipt, for each document that it paid', async () => {
    await wish(client, { send_receipts: true });
    const { id: customer } = await client.aCustomer();
    const of = { customer: undefined, customer_id: customer };
    const [one, two] = [await client.anInvoice(of), await client.anInvoice(of)];
    const body = {
      amount: 5000,
      method: 'bank_transfer',
      allocations: [
        { document_id: one.id, amount: 2000 },
        { document_id: two.id, amount: 3000 },
      ],
    };
    const made = await client.post('/v1/finance/payments', { customer_id: customer, ...body });
    expect([made.status, made.body['code']]).toEqual([201, undefined]);
    const mails = await stage.mails();
    expect(mails.map(({ text }) => /payment of (\S+)\./.exec(text ?? '')?.[1]).toSorted()).toEqual([
      '€20.00',
      '€30.00',
    ]);
    const receipt = mails.find(({ text }) => text?.includes('€20.00'))!;
    expect(receipt.attachments[0]?.filename).toBe(`${one.number}-receipt.pdf`);
    expect(textOf(receipt.attachments[0]!.content)).toContain('€20.00');
    const page = await stage.service.call(linkIn(receipt, '/receipt'));
    expect(page.status).toBe(200);
  });

  it('does not confirm credit that is spent', async () => {
    const paid = await client.anInvoice();
    good(await client.pay(paid, { amount: 11_900 + 2500, on_overpayment: 'credit' }), 201);
    await wish(client, { send_receipts: true });
    const next = await client.anInvoice({ customer: undefined, customer_id: paid.customer_id });
    good(await client.pay(next, { amount: 2500, method: 'credit_balance' }), 201);
    expect(await stage.mails()).toEqual([]);
  });

  it('says why a fact has no message: there is no address', async () => {
    await wish(client, { send_documents: true });
    const invoice = await client.anInvoice({ customer: { name: 'Globex' } });
    expect(await stage.mails()).toEqual([]);
    expect(await messagesOf(client, invoice)).toMatchObject([
      { kind: 'document', status: 'failed', reason: 'no_address', to: [] },
    ]);
  });

  it('is not lost while the service that would read it is down, nor sent by two', async () => {
    const { database, clock } = stage.service;
    await wish(client, { send_documents: true });
    const invoices = await Promise.all(Array.from({ length: 10 }, () => client.anInvoice()));
    const others = [await mailStage({ database, clock }), await mailStage({ database, clock })];
    try {
      const all = await Promise.all([stage, ...others].map((one) => one.mails()));
      expect(
        all
          .flat()
          .map(({ subject }) => subject)
          .toSorted(),
      ).toEqual(invoices.map(({ number }) => `Invoice ${number} from Acme`).toSorted());
    } finally {
      for (const one of others) await one.close();
    }
  });

  it('may be turned off again', async () => {
    await wish(client, { send_documents: true });
    await wish(client, { send_documents: false });
    await client.anInvoice();
    expect(await stage.mails()).toEqual([]);
  });
});

describe('a reminder', () => {
  it('comes once for each day of the settings, until nothing is due', async () => {
    await wish(client, { reminder_days: [-2, 1, 5] });
    const invoice = await client.anInvoice({ payment_terms_days: 10 });
    const seen: (string | undefined)[] = [];
    for (let day = 0; day < 20; day += 1) {
      for (const mail of await stage.mails()) {
        seen.push(`${day}: ${/Payment (is|was) due/.exec(mail.text ?? '')?.[1]}`);
      }
      if (day === 13) good(await client.pay(invoice, { amount: 11_900 }), 201);
      stage.service.clock.advance({ days: 1 });
    }
    expect(seen).toEqual(['8: is', '11: was']);
  });

  it('tells of a debit to come, instead of asking for payment', async () => {
    await wish(client, { reminder_days: [-2] });
    const automatic = { collection_method: 'charge_automatically', payment_terms_days: 2 };
    const invoice = await client.anInvoice(automatic);
    const path = `/v1/finance/customers/${invoice.customer_id}/mandates`;
    good(await client.post(path, { gateway: 'sandbox', currency: 'EUR' }), 201);
    const [mail] = await stage.mails();
    expect(mail?.text).toContain('will be debited on');
    expect(mail?.text).not.toMatch(/Payment (is|was) due/);
  });

  it('tells of the next try of a debit that failed, and asks once there is none', async () => {
    await wish(client, { reminder_days: [1, 6] });
    good(await client.patch('/v1/finance/payment-settings', { debit_retry_days: [4] }), 200);
    const invoice = await client.anInvoice({ payment_terms_days: 0 });
    const path = `/v1/finance/customers/${invoice.customer_id}/mandates`;
    good(await client.post(path, { gateway: 'sandbox', currency: 'EUR' }), 201);
    good(await client.post(`/v1/finance/documents/${invoice.id}/collect`), 201);
    const fail = async () => {
      const { body } = await client.get<{ data: { id: string }[] }>(
        `/v1/finance/documents/${invoice.id}/payment-links`,
      );
      const object = body.data.at(-1)?.id;
      good(await client.post('/v1/sandbox/outcomes', { object, outcome: 'failed' }), 200);
    };
    await fail();
    stage.service.clock.advance({ days: 2 });
    const [told] = await stage.mails();
    expect(told?.text).toContain('will be debited on');
    expect(told?.text).not.toMatch(/Payment (is|was) due/);
    stage.service.clock.advance({ days: 3 });
    await stage.service.app.get(AutomaticCollections).run();
    await fail();
    stage.service.clock.advance({ days: 2 });
    const [asked] = await stage.mails();
    expect(asked?.text).toMatch(/Payment was due/);
  });

  it('asks nobody for what is on its way, and only for the rest', async () => {
    await wish(client, { reminder_days: [1] });
    const onItsWay = async (amount: number) => {
      const invoice = await client.anInvoice({ payment_terms_days: 0 });
      const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount });
      const at = stage.service.clock.now().toISOString();
      const data = { payment_id: `sbx_${link.id}`, payment_link_id: link.id, at };
      const told = sandboxDelivery(stage.service, 'payment.processing', data);
      good(await stage.service.call('/v1/webhooks/sandbox', { method: 'POST', ...told }), 200);
      return invoice;
    };
    const whole = await onItsWay(11_900);
    const part = await onItsWay(5000);
    stage.service.clock.advance({ days: 2 });
    const mails = await stage.mails();
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining(String(part.number)),
    ]);
    expect(mails[0]?.text).toContain('On its way: €50.00');
    expect(mails[0]?.text).toContain('Amount due: €69.00');
    const asked = await client.post(`/v1/finance/documents/${whole.id}/send`, { kind: 'reminder' });
    expect(asked).toMatchObject({ status: 409, body: { code: 'document_not_sendable' } });
  });

  it('is one for several days that a stop has missed, however many rounds come then', async () => {
    await wish(client, { reminder_days: [1, 2, 3] });
    await client.anInvoice({ payment_terms_days: 0 });
    stage.service.clock.advance({ days: 3 });
    expect(await stage.mails()).toHaveLength(1);
    for (let round = 0; round < 3; round += 1) {
      stage.service.clock.advance({ seconds: 700 });
      expect(await stage.mails()).toEqual([]);
    }
  });

  it('is not sent for invoices that were late before', async () => {
    await overdue();
    await wish(client, { reminder_days: [1, 3] });
    expect(await stage.mails()).toEqual([]);
  });

  it('is not sent if the money comes before it leaves', async () => {
    await wish(client, { reminder_days: [1] });
    const invoice = await overdue();
    stage.catcher.refuse = () => ({ responseCode: 451, message: 'Later' });
    await stage.run();
    stage.catcher.refuse = () => null;
    await client.pay(invoice, { amount: 11_900 });
    stage.service.clock.advance({ seconds: 120 });
    expect(await stage.mails()).toEqual([]);
    expect(await messagesOf(client, invoice)).toMatchObject([
      { kind: 'reminder', status: 'canceled', reason: 'document_not_sendable' },
    ]);
  });

  it('is not sent for what went back, until somebody says that it is owed again', async () => {
    await wish(client, { reminder_days: [1, 3] });
    const invoice = await client.anInvoice({ payment_terms_days: 2 });
    const paid = good(await client.pay(invoice, { amount: 11_900 }), 201);
    const { id } = paid['payment'] as { id: string };
    const refunds = `/v1/finance/payments/${id}/refunds`;
    const made = good(
      await client.post<{ refund: { id: string } }>(refunds, { amount: 1000 }),
      201,
    );
    stage.service.clock.advance({ days: 4 });
    expect(await stage.mails()).toEqual([]);
    expect(await messagesOf(client, invoice)).toEqual([]);
    const asked = await client.post(`/v1/finance/documents/${invoice.id}/send`, {
      kind: 'reminder',
    });
    expect(asked).toMatchObject({ status: 409, body: { code: 'document_not_sendable' } });
    const decision = `/v1/finance/refunds/${made.refund.id}/meaning`;
    good(await client.post(decision, { meaning: 'owed_again' }), 200);
    stage.service.clock.advance({ days: 1 });
    const [mail, ...others] = await stage.mails();
    expect(others).toEqual([]);
    expect(mail?.text).toMatch(/Partially refunded:?\s+€10\.00/);
    expect(mail?.text).toMatch(/Amount due:?\s+€10\.00/);
  });

  it('can be refused by one click, and then comes no more', async () => {
    await wish(client, { reminder_days: [1, 5] });
    await overdue();
    const [mail] = await stage.mails();
    const path = linkIn(mail!, '/stop-reminders');
    expect(mail?.headers.get('list')).toMatchObject({
      unsubscribe: { url: `${stage.service.url}${path}` },
      'unsubscribe-post': { name: 'List-Unsubscribe=One-Click' },
    });
    const asked = await stage.service.call(path, { headers: { accept: 'text/html' } });
    expect(asked).toMatchObject({ status: 200 });
    expect(asked.text).toContain('<button type="submit">');
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
    const press = async (body: string) =>
      stage.service.call(path, { method: 'POST', headers, body });
    expect(await press('List-Unsubscribe=One-Click')).toMatchObject({ status: 200 });
    const led = await press('');
    expect([led.status, led.headers.get('location')]).toEqual([303, `${path}?stopped=true`]);
    stage.service.clock.advance({ days: 5 });
    expect(await stage.mails()).toEqual([]);
    const next = await client.anInvoice();
    const again = await client.post(`/v1/finance/documents/${next.id}/send`, { kind: 'reminder' });
    expect(again).toMatchObject({ status: 409, body: { code: 'reminders_refused' } });
    await send(client, next);
    expect(await stage.mails()).toHaveLength(1);
  });

  it.each([
    ['v@example.com', 'V@Example.COM'],
    ['v@bücher.example', 'v@xn--bcher-kva.example'],
  ])('refused at %s comes to none of its spellings: %s', async (address, other) => {
    const refuse = async (to: string) => {
      const invoice = await client.anInvoice();
      await send(client, invoice, { kind: 'reminder', to: [to] });
      const [mail] = await stage.mails();
      const path = linkIn(mail!, '/stop-reminders');
      good(await stage.service.call(path, { method: 'POST', body: {} }), 200);
    };
    await refuse(address);
    const invoice = await client.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}/send`;
    for (const to of [address, other]) {
      const asked = await client.post(path, { kind: 'reminder', to: [to] });
      expect(asked).toMatchObject({ status: 409, body: { code: 'reminders_refused' } });
    }
    await wish(client, { reminder_days: [1] });
    const late = await client.anInvoice({
      customer: { name: 'Globex', email: other },
      payment_terms_days: 0,
    });
    stage.service.clock.advance({ days: 2 });
    expect(await stage.mails()).toEqual([]);
    expect(await messagesOf(client, late)).toMatchObject([
      { status: 'canceled', reason: 'reminders_refused' },
    ]);
  });

  it('refused before only plain addresses were taken holds for the plain one', async () => {
    const invoice = await client.anInvoice();
    const message = await send(client, invoice, { kind: 'reminder', to: ['v@example.com'] });
    const [mail] = await stage.mails();
    await stage.service.database.query(
      'UPDATE mail_messages SET recipients = $2 WHERE message_id = $1',
      [uuidOf('msg', message.id), ['Vera <V@Example.com>']],
    );
    const path = linkIn(mail!, '/stop-reminders');
    good(await stage.service.call(path, { method: 'POST', body: {} }), 200);
    const asked = { kind: 'reminder', to: ['v@example.com'] };
    expect(await client.post(`/v1/finance/documents/${invoice.id}/send`, asked)).toMatchObject({
      status: 409,
      body: { code: 'reminders_refused' },
    });
  });
});

it('Addresses that were stored before only plain ones were taken get nothing, and it is told.', async () => {
  await wish(client, { send_documents: true });
  const invoice = await client.anInvoice({ issue: false });
  await stage.service.database.query(
    `UPDATE customers SET profile = profile || '{"email":"<v@example.com>"}'
     WHERE customer_id = $1`,
    [uuidOf('cus', String(invoice.customer_id))],
  );
  good(await client.post(`/v1/finance/documents/${invoice.id}/issue`), 200);
  expect(await stage.mails()).toEqual([]);
  expect(await messagesOf(client, invoice)).toMatchObject([
    { status: 'failed', reason: 'invalid_address', to: [] },
  ]);
  const asked = await client.post(`/v1/finance/documents/${invoice.id}/send`);
  expect(asked).toMatchObject({ status: 422, body: { code: 'recipient_required' } });
});
