import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { signGoCardless } from '../../../src/gateways/gocardless/gocardless.gateway.js';
import { CheckoutLookUps } from '../../../src/payments/application/checkouts/checkout-look-ups.js';
import { AutomaticCollections } from '../../../src/payments/application/mandates/automatic-collections.js';
import { MandateLookUps } from '../../../src/payments/application/mandates/mandate-look-ups.js';
import type { MandateBody } from '../../../src/payments/http/mandate.dto.js';
import type { PaymentLinkBody } from '../../../src/payments/http/payment.dto.js';
import { happened } from '../../gateways/gocardless/gocardless-objects.js';
import type { TestClient } from '../../support/client.js';
import {
  type GoCardlessStub,
  startGoCardlessStub,
  type StubDebit,
} from '../../support/gocardless-api.js';
import { startTestService, type TestService } from '../../support/service.js';
import { next } from './stripe-events.js';

const SECRET = 'secret_of_the_tests';
let stub: GoCardlessStub;
let service: TestService;
/** Another process on the same database. */
let other: TestService;
let client: TestClient;

beforeAll(async () => {
  stub = await startGoCardlessStub();
  const settings = {
    webhook_secret: SECRET,
    access_token: 'sandbox_token',
    api_base: stub.apiBase,
  };
  const gateways = [{ name: 'gocardless', provider: 'gocardless', accounts: '*', settings }];
  const wish = { gateways, checkoutLookUpSeconds: 60, doesJobs: false };
  service = await startTestService(wish);
  other = await startTestService({ ...wish, clock: service.clock, database: service.database });
});
afterAll(async () => {
  await other.close();
  await service.close();
  await stub.close();
});
/** Each in an account of its own: what is collected by itself is all that there is. */
beforeEach(async () => {
  client = await service.aClient();
  Object.assign(stub, { failure: null, calls: [], losesAnswer: false, debits: new Map() });
  await service.database.query('DELETE FROM checkout_look_ups');
  await service.database.query('UPDATE mandates SET automatic_since = NULL, next_look_at = NULL');
});

const ask = async (customer: { id: string }, body: object = {}) =>
  client.post<MandateBody>(`/v1/finance/customers/${customer.id}/mandates`, {
    gateway: 'gocardless',
    currency: 'EUR',
    ...body,
  });
const deliver = async (events: readonly object[]) => {
  const body = JSON.stringify({ events, meta: { webhook_id: `WB${next()}` } });
  const headers = { 'content-type': 'application/json', ...signGoCardless(SECRET, body) };
  expect(
    (await service.call('/v1/webhooks/gocardless', { method: 'POST', body, headers })).status,
  ).toBe(204);
};
/** An event of now. */
const tells = (name: string, links: object) => {
  service.clock.advance({ seconds: 60 });
  const event = happened(name, {
    id: `EV${next()}`,
    created_at: service.clock.now().toISOString(),
    links,
  });
  stub.events.unshift(event as (typeof stub.events)[number]);
  return event;
};
const readMandate = async ({ id }: { id: string }) =>
  (await client.get<MandateBody>(`/v1/finance/mandates/${id}`)).body;

/** The customer agrees at the page; `name` is that of GoCardless. */
async function given(mandate: MandateBody, status = 'active') {
  const name = `MD${next()}`;
  stub.objects[`/mandates/${name}`] = {
    id: name,
    status,
    scheme: 'sepa_core',
    next_possible_charge_date: service.clock.now().toISOString().slice(0, 10),
    metadata: { mandate_id: mandate.id },
    links: { customer_bank_account: 'BA123' },
  };
  stub.objects['/customer_bank_accounts/BA123'] = { id: 'BA123', account_number_ending: '11' };
  await deliver([tells('mandates.active', { mandate: name })]);
  return name;
}

/** A customer who has everything collected, and what was agreed to. */
async function aPayer(body: object = { collects_automatically: true }) {
  const customer = await client.aCustomer();
  const asked = await ask(customer, body);
  expect(asked.status).toBe(201);
  return { customer, mandate: asked.body, name: await given(asked.body) };
}
const day = (days: number) =>
  new Date(service.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const anInvoiceOf = async (customer: { id: string }, dueIn = 30) => {
  const lines = [{ description: 'Work', unit_amount: 10_000, tax_rate: '19' }];
  return client.anInvoice({
    customer_id: customer.id,
    customer: undefined,
    due_date: day(dueIn),
    lines,
  });
};
const round = async (of = service) => of.app.get(AutomaticCollections).run();
const look = async (minutes = 5) => {
  service.clock.advance({ seconds: minutes * 60 });
  await service.app.get(CheckoutLookUps).run();
};
const linksOf = async ({ id }: { id: string }) =>
  (await client.get<{ data: PaymentLinkBody[] }>(`/v1/finance/documents/${id}/payment-links`)).body
    .data;
const collect = async ({ id }: { id: string }, body: object = {}, headers = {}) =>
  client.post<PaymentLinkBody & { code?: string }>(
    `/v1/finance/documents/${id}/collect`,
    body,
    headers,
  );
const debits = (): StubDebit[] => [...stub.debits.values()];
const onlyDebit = (): StubDebit => {
  const [debit, ...others] = debits();
  if (!debit || others.length > 0) throw new Error(`${stub.debits.size} debits`);
  return debit;
};
const bank = async (debit: StubDebit, ...actions: string[]) => {
  for (const action of actions) {
    debit.status = action;
    await deliver([tells(`payments.${action}`, { payment: debit.id })]);
  }
};
const typesOf = async () => {
  const rows = await service.database.query<{ type: string }>(
    'SELECT type FROM events WHERE account_id = $1',
    [uuidOf('acc', client.accountId)],
  );
  return rows.map(({ type }) => type);
};
const payAll = async (document: { id: string }) =>
  expect((await client.pay(document, { amount: 11_900 })).body['status']).toBe('paid');

describe('a mandate', () => {
  it('is asked for at a page, and is active once the customer has agreed', async () => {
    const customer = await client.aCustomer();
    const { body } = await ask(customer);
    expect(body).toMatchObject({
      status: 'pending',
      customer_id: customer.id,
      collects_automatically: false,
    });
    expect(body.url).toContain('https://pay.test/BRF');
    await given(body);
    expect(await readMandate(body)).toMatchObject({
      status: 'active',
      scheme: 'sepa_core',
      account_ending: '11',
      url: null,
    });
    expect(await typesOf()).toEqual(
      expect.arrayContaining(['mandate.created', 'mandate.activated']),
    );
    const list = await client.get<{ data: MandateBody[] }>(
      `/v1/finance/mandates?customer_id=${customer.id}&status=active`,
    );
    expect(list.body.data.map(({ id }) => id)).toEqual([body.id]);
  });

  it('of which no event came is looked up', async () => {
    const { body } = await ask(await client.aCustomer());
    const [row] = await service.database.query<{ provider_request_id: string }>(
      'SELECT provider_request_id FROM mandates WHERE account_id = (SELECT max(account_id::text)::uuid FROM mandates)',
    );
    const name = `MD${next()}`;
    const metadata = { mandate_id: body.id };
    stub.objects[`/mandates/${name}`] = { id: name, status: 'active', metadata, links: {} };
    Object.assign(stub.objects[`/billing_requests/${row?.provider_request_id}`] ?? {}, {
      status: 'fulfilled',
      links: { mandate_request_mandate: name },
    });
    service.clock.advance({ hours: 1 });
    await service.app.get(MandateLookUps).run();
    expect(await readMandate(body)).toMatchObject({ status: 'active', provider_mandate_id: name });
  });

  it('that the payer cancels at the bank ends, and collects nothing more', async () => {
    const { customer, mandate, name } = await aPayer();
    const invoice = await anInvoiceOf(customer, 5);
    Object.assign(stub.objects[`/mandates/${name}`] ?? {}, { status: 'cancelled' });
    await deliver([tells('mandates.cancelled', { mandate: name })]);
    expect(await readMandate(mandate)).toMatchObject({
      status: 'canceled',
      failure: 'refer_to_payer',
    });
    expect(await round()).toBe(0);
    const answer = await collect(invoice);
    expect([answer.status, answer.body.code]).toEqual([409, 'mandate_not_active']);
    expect(await typesOf()).toContain('mandate.ended');
  });

  it('is canceled at the provider first', async () => {
    const { mandate, name } = await aPayer();
    const cancel = async () =>
      client.post<MandateBody & { code: string }>(`/v1/finance/mandates/${mandate.id}/cancel`);
    stub.failure = 503;
    expect((await cancel()).body.code).toBe('gateway_unavailable');
    expect(await readMandate(mandate)).toMatchObject({ status: 'active' });
    stub.failure = null;
    expect((await cancel()).body.status).toBe('canceled');
    expect(stub.objects[`/mandates/${name}`]).toMatchObject({ status: 'cancelled' });
    expect((await cancel()).body.code).toBe('mandate_over');
  });

  it('that GoCardless does not make has failed', async () => {
    const customer = await client.aCustomer();
    stub.failure = 503;
    const answer = await ask(customer);
    expect(answer.status).toBe(503);
    const { body } = await client.get<{ data: MandateBody[] }>('/v1/finance/mandates');
    expect(body.data).toMatchObject([{ status: 'failed', failure: 'gateway_unavailable' }]);
  });

  it('needs a gateway that keeps mandates', async () => {
    const customer = await client.aCustomer();
    const answer = await ask(customer, { gateway: 'nobody' });
    expect(answer.body).toMatchObject({ code: 'gateway_not_found' });
  });

  it('is of its account alone', async () => {
    const { customer, mandate } = await aPayer();
    const invoice = await anInvoiceOf(customer);
    const stranger = await service.aClient();
    for (const answer of [
      await stranger.get(`/v1/finance/mandates/${mandate.id}`),
      await stranger.post(`/v1/finance/mandates/${mandate.id}/cancel`),
      await stranger.patch(`/v1/finance/mandates/${mandate.id}`, { collects_automatically: false }),
      await stranger.post(`/v1/finance/customers/${customer.id}/mandates`, {
        gateway: 'gocardless',
        currency: 'EUR',
      }),
      await stranger.post(`/v1/finance/documents/${invoice.id}/collect`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await stranger.get('/v1/finance/mandates')).body['data']).toEqual([]);
  });
});

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
    const codeOf = async (document: { id: string }, body = {}) =>
      (await collect(document, body)).body.code;
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
