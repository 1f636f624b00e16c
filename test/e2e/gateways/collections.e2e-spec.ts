import { describe, expect, it } from 'vitest';
import { Collections } from '../../../src/payments/collecting/application/mandates/collections.service.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { MandateBody } from '../../../src/payments/collecting/wire/mandate.js';
import {
  ask,
  aPayer,
  anInvoiceOf,
  bank,
  client,
  collect,
  day,
  debits,
  given,
  linksOf,
  look,
  onlyDebit,
  other,
  payAll,
  round,
  service,
  stub,
  typesOf,
  withDebits,
} from './debits.js';

withDebits();

const codeOf = async (document: { id: string }, body = {}) =>
  (await collect(document, body)).body.code;

describe('an invoice that is collected by itself', () => {
  it('is debited on its due date, and paid when the bank has confirmed', async () => {
    const { customer, mandate } = await aPayer();
    const invoice = await anInvoiceOf(customer, 30);
    expect(await round()).toBe(0);
    service.clock.advance({ days: 21 });
    expect(await round()).toBe(1);
    const debit = onlyDebit();
    expect(debit).toMatchObject({ amount: 11_900, currency: 'EUR', charge_date: invoice.due_date });
    expect(await linksOf(invoice)).toMatchObject([
      { status: 'open', url: null, mandate_id: mandate.id, charge_on: invoice.due_date },
    ]);
    service.clock.advance({ days: 7 });
    await bank(debit, 'submitted');
    expect(await linksOf(invoice)).toMatchObject([{ status: 'processing' }]);
    service.clock.advance({ days: 2 });
    await bank(debit, 'confirmed');
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await linksOf(invoice)).toMatchObject([{ status: 'paid' }]);
    expect(await round()).toBe(0);
  });

  it('is due again when the debit fails after it was confirmed, and is not tried again', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    await round();
    await bank(onlyDebit(), 'submitted', 'confirmed', 'failed');
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    expect(await linksOf(invoice)).toMatchObject([{ status: 'failed', failure: 'refer_to_payer' }]);
    expect(await typesOf()).toContain('payment_link.failed');
    expect(await round()).toBe(0);
    expect((await collect(invoice)).status).toBe(201);
    expect(debits()).toHaveLength(2);
  });

  it('is debited once by two processes at once, round after round', async () => {
    const { customer } = await aPayer();
    const invoices = [await anInvoiceOf(customer, 5), await anInvoiceOf(customer, 6)];
    const begun = await Promise.all([round(), round(other), round(), round(other)]);
    expect(begun.reduce((sum, some) => sum + some)).toBe(2);
    await round(other);
    expect(debits()).toHaveLength(2);
    for (const invoice of invoices) expect(await linksOf(invoice)).toHaveLength(1);
  });

  it('whose answer was lost is found by its key, and debited once', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    stub.losesAnswer = true;
    await round();
    expect(await linksOf(invoice)).toMatchObject([{ status: 'open' }]);
    const debit = onlyDebit();
    await look();
    await bank(debit, 'submitted', 'confirmed');
    expect(onlyDebit()).toBe(debit);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });

  it('whose process died before the call is sent by the next one', async () => {
    const { customer } = await aPayer();
    await anInvoiceOf(customer, 5);
    stub.failure = 500;
    await round();
    expect(debits()).toHaveLength(0);
    stub.failure = null;
    await round();
    expect(debits()).toHaveLength(0);
    await look();
    expect(debits()).toHaveLength(1);
  });

  it('that is paid otherwise is canceled at the provider', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    await round();
    await payAll(invoice);
    expect(await linksOf(invoice)).toMatchObject([{ status: 'canceled' }]);
    await look();
    expect(onlyDebit()).toMatchObject({ status: 'cancelled' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });

  it('that is paid while the answer is lost is canceled all the same', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    stub.losesAnswer = true;
    await round();
    await payAll(invoice);
    await look();
    expect(onlyDebit()).toMatchObject({ status: 'cancelled' });
  });

  it('that is at the bank already when it is paid becomes credit', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    await round();
    const debit = onlyDebit();
    debit.status = 'submitted';
    await payAll(invoice);
    await look();
    expect(debit.status).toBe('submitted');
    await bank(debit, 'confirmed');
    const credit = await client.get<{ data: object[] }>(
      `/v1/finance/customers/${customer.id}/credit`,
    );
    expect(credit.body.data).toEqual([{ currency: 'EUR', amount: 11_900 }]);
  });

  it('is debited for the rest when a part was paid', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    await round();
    await client.pay(invoice, { amount: 5000 });
    // Not before the first one is surely gone.
    expect(await round()).toBe(0);
    await look();
    expect(debits()).toMatchObject([{ status: 'cancelled' }]);
    expect(await round()).toBe(1);
    expect(debits().map(({ amount }) => amount)).toEqual([11_900, 6900]);
    expect(await linksOf(invoice)).toMatchObject([{ status: 'canceled' }, { status: 'open' }]);
  });

  it('is left alone once somebody canceled it', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    await round();
    const [link] = await linksOf(invoice);
    expect((await client.post(`/v1/finance/payment-links/${link?.id}/cancel`)).status).toBe(200);
    await look();
    expect(onlyDebit()).toMatchObject({ status: 'cancelled' });
    expect(await round()).toBe(0);
  });

  it('has failed when the provider says no, and is not tried again', async () => {
    const { customer, name } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    Object.assign(stub.objects[`/mandates/${name}`] ?? {}, { status: 'cancelled' });
    await round();
    expect(await linksOf(invoice)).toMatchObject([
      { status: 'failed', failure: 'mandate_is_inactive' },
    ]);
    expect(await round()).toBe(0);
    await look();
    expect(debits()).toHaveLength(0);
  });

  it('is none that was overdue when that began, nor of a customer who did not ask', async () => {
    const { customer, mandate } = await aPayer({});
    await anInvoiceOf(customer, 1);
    expect(await round()).toBe(0);
    service.clock.advance({ days: 3 });
    const path = `/v1/finance/mandates/${mandate.id}`;
    const changed = await client.patch<MandateBody>(path, { collects_automatically: true });
    expect(changed.body).toMatchObject({ collects_automatically: true });
    expect(await round()).toBe(0);
    await anInvoiceOf(customer, 1);
    expect(await round()).toBe(1);
  });
});

const say = async ({ id }: { id: string }, body: object) =>
  expect((await client.patch(`/v1/finance/documents/${id}`, body)).status).toBe(200);

describe('an invoice that says itself how it is collected', () => {
  const automatic = { collection_method: 'charge_automatically' };
  const byClient = { collection_method: 'send_invoice' };

  it('is left alone although its mandate collects by itself, until it says so', async () => {
    const { customer } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5, byClient);
    expect(await round()).toBe(0);
    await say(invoice, { collection_method: null });
    expect(await round()).toBe(1);
    expect(onlyDebit()).toMatchObject({ amount: 11_900, charge_date: invoice.due_date });
  });

  it('is collected although its mandate does not, also after its due date', async () => {
    const { customer } = await aPayer({});
    const [late, plain] = [await anInvoiceOf(customer, 1), await anInvoiceOf(customer, 5)];
    await anInvoiceOf(customer, 5, { ...automatic, issue: false });
    service.clock.advance({ days: 3 });
    await say(late, automatic);
    await anInvoiceOf(customer, 30, automatic);
    expect(await round()).toBe(1);
    expect(onlyDebit()).toMatchObject({ charge_date: day(0) });
    expect(await linksOf(plain)).toEqual([]);
    expect(await round()).toBe(0);
  });

  it('that is said just before it begins is left alone', async () => {
    const { customer, mandate } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    const due = {
      accountId: uuidOf('acc', client.accountId) ?? '',
      documentId: uuidOf('doc', invoice.id) ?? '',
      mandateId: uuidOf('mand', mandate.id) ?? '',
    };
    await say(invoice, byClient);
    expect(await service.app.get(Collections).collectAutomatically(due)).toBeUndefined();
    await say(invoice, automatic);
    expect(await service.app.get(Collections).collectAutomatically(due)).toBeDefined();
  });

  it('and changes its mind while it is collected is debited once, or not at all', async () => {
    const { customer } = await aPayer();
    const invoices = [await anInvoiceOf(customer, 5), await anInvoiceOf(customer, 6)];
    const [begun, more] = await Promise.all([
      round(),
      round(other),
      ...invoices.map(async (invoice) => say(invoice, byClient)),
    ]);
    expect(debits()).toHaveLength((begun ?? 0) + (more ?? 0));
    expect(await round()).toBe(0);
    for (const invoice of invoices) expect((await linksOf(invoice)).length).toBeLessThan(2);
  });

  it('does not stop what is under way, nor a call', async () => {
    const { customer } = await aPayer();
    const [invoice, called] = [await anInvoiceOf(customer, 5), await anInvoiceOf(customer, 30)];
    await round();
    await say(invoice, byClient);
    await look();
    await bank(onlyDebit(), 'submitted', 'confirmed');
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    await say(called, byClient);
    expect((await collect(called)).status).toBe(201);
  });

  it('is none that asks for nothing, nor one of another currency or account', async () => {
    const { customer } = await aPayer({});
    const [paid, voided, gone] = [
      await anInvoiceOf(customer, 5, automatic),
      await anInvoiceOf(customer, 5, automatic),
      await anInvoiceOf(customer, 5, automatic),
    ];
    await payAll(paid);
    await client.void(voided);
    await client.post(`/v1/finance/documents/${gone.id}/write-off`, {});
    await anInvoiceOf(customer, 5, { ...automatic, currency: 'GBP' });
    const stranger = await service.aClient();
    await stranger.anInvoice({ ...automatic, due_date: day(5) });
    const path = `/v1/finance/documents/${paid.id}`;
    expect((await stranger.patch(path, byClient)).status).toBe(404);
    expect(await round()).toBe(0);
  });

  it('is debited by the mandate that collects by itself, else by the newest', async () => {
    const { customer, name } = await aPayer();
    const newest = await given((await ask(customer)).body);
    const [one, two] = [await anInvoiceOf(customer, 5, automatic), await anInvoiceOf(customer, 5)];
    expect(await round()).toBe(2);
    expect(debits().map(({ links }) => links.mandate)).toEqual([name, name]);
    const path = `/v1/finance/mandates/${(await linksOf(one))[0]?.mandate_id}`;
    await client.patch(path, { collects_automatically: false });
    await anInvoiceOf(customer, 5, automatic);
    expect(await round()).toBe(1);
    expect(debits().at(-1)?.links.mandate).toBe(newest);
    expect(await linksOf(two)).toHaveLength(1);
  });
});

describe('a document', () => {
  it('is collected on a day that is asked for, once for an Idempotency-Key', async () => {
    const { customer } = await aPayer({});
    const invoice = await anInvoiceOf(customer);
    const body = { charge_date: day(7) };
    const key = { 'Idempotency-Key': 'collect' };
    const [one, again] = [await collect(invoice, body, key), await collect(invoice, body, key)];
    expect(one.status).toBe(201);
    expect(again.body).toEqual(one.body);
    expect(onlyDebit()).toMatchObject({
      charge_date: day(7),
      metadata: { payment_link_id: one.body.id, collected_by: 'mandate' },
    });
  });

  it('whose answer was lost is answered as open, and debited once', async () => {
    const { customer } = await aPayer({});
    const invoice = await anInvoiceOf(customer);
    stub.losesAnswer = true;
    const answer = await collect(invoice);
    expect([answer.status, answer.body.status]).toEqual([201, 'open']);
    await look();
    expect(debits()).toHaveLength(1);
  });

  it('is refused with a code that says why', async () => {
    const { customer, name } = await aPayer({});
    const invoice = await anInvoiceOf(customer);
    expect(await codeOf(await client.anInvoice())).toBe('mandate_not_active');
    const far = { charge_date: day(91) };
    expect(await codeOf(invoice, far)).toBe('charge_date_out_of_range');
    expect(await codeOf(invoice, { charge_date: day(-1) })).toBe('charge_date_out_of_range');
    const lines = [{ description: 'Work', unit_amount: 10_000, tax_rate: '19' }];
    const wish = { customer_id: customer.id, customer: undefined, currency: 'GBP', lines };
    expect(await codeOf(await client.anInvoice(wish))).toBe('mandate_currency_mismatch');
    expect((await collect(invoice)).status).toBe(201);
    expect(await codeOf(invoice)).toBe('collection_under_way');
    const paid = await anInvoiceOf(customer);
    await payAll(paid);
    expect(await codeOf(paid)).toBe('document_not_payable');
    Object.assign(stub.objects[`/mandates/${name}`] ?? {}, { status: 'cancelled' });
    expect(await codeOf(await anInvoiceOf(customer))).toBe('gateway_refused');
  });
});
