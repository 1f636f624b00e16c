import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { signGoCardless } from '../../../src/gateways/gocardless/gocardless.gateway.js';
import { CheckoutLookUps } from '../../../src/payments/inbox/application/checkouts/checkout-look-ups.js';
import { AutomaticCollections } from '../../../src/payments/collecting/application/mandates/automatic-collections.js';
import type { MandateBody } from '../../../src/payments/collecting/wire/mandate.js';
import type { PaymentLinkBody } from '../../../src/payments/collecting/wire/payment-link.js';
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
export let stub: GoCardlessStub;
export let service: TestService;
/** Another process on the same database. */
export let other: TestService;
export let client: TestClient;

/** A service with a gateway of GoCardless, whose API is a stub; each test has an account of its own. */
export function withDebits(): void {
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
  beforeEach(async () => {
    client = await service.aClient();
    Object.assign(stub, { failure: null, calls: [], losesAnswer: false, debits: new Map() });
    await service.database.query('DELETE FROM checkout_look_ups');
    await service.database.query(
      "UPDATE debit_retries SET status = 'dropped', settled_at = now() WHERE status = 'planned'",
    );
    await service.database.query('UPDATE mandates SET automatic_since = NULL, next_look_at = NULL');
  });
}

export const actAs = (another: TestClient): void => {
  client = another;
};
export const ask = async (customer: { id: string }, body: object = {}) =>
  client.post<MandateBody>(`/v1/finance/customers/${customer.id}/mandates`, {
    gateway: 'gocardless',
    currency: 'EUR',
    ...body,
  });
export const deliver = async (events: readonly object[]) => {
  const body = JSON.stringify({ events, meta: { webhook_id: `WB${next()}` } });
  const headers = { 'content-type': 'application/json', ...signGoCardless(SECRET, body) };
  expect(
    (await service.call('/v1/webhooks/gocardless', { method: 'POST', body, headers })).status,
  ).toBe(204);
};
/** An event of now. */
export const tells = (name: string, links: object) => {
  service.clock.advance({ seconds: 60 });
  const event = happened(name, {
    id: `EV${next()}`,
    created_at: service.clock.now().toISOString(),
    links,
  });
  stub.events.unshift(event as (typeof stub.events)[number]);
  return event;
};
export const readMandate = async ({ id }: { id: string }) =>
  (await client.get<MandateBody>(`/v1/finance/mandates/${id}`)).body;

/** The customer agrees at the page; `name` is that of GoCardless. */
export async function given(mandate: MandateBody, status = 'active') {
  const name = `MD${next()}`;
  stub.objects[`/mandates/${name}`] = {
    id: name,
    status,
    scheme: 'sepa_core',
    reference: 'ACME-7Q2M9',
    next_possible_charge_date: service.clock.now().toISOString().slice(0, 10),
    metadata: { mandate_id: mandate.id },
    links: { customer_bank_account: 'BA123' },
  };
  stub.objects['/customer_bank_accounts/BA123'] = { id: 'BA123', account_number_ending: '11' };
  await deliver([tells('mandates.active', { mandate: name })]);
  return name;
}

/** A customer who has everything collected, and what was agreed to. */
export async function aPayer(body: object = { collects_automatically: true }) {
  const customer = await client.aCustomer();
  const asked = await ask(customer, body);
  expect(asked.status).toBe(201);
  return { customer, mandate: asked.body, name: await given(asked.body) };
}
export const day = (days: number) =>
  new Date(service.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
export const anInvoiceOf = async (customer: { id: string }, dueIn = 30, wish: object = {}) => {
  const lines = [{ description: 'Work', unit_amount: 10_000, tax_rate: '19' }];
  return client.anInvoice({
    customer_id: customer.id,
    customer: undefined,
    due_date: day(dueIn),
    lines,
    ...wish,
  });
};
export const round = async (of = service) => of.app.get(AutomaticCollections).run();
export const look = async (minutes = 5) => {
  service.clock.advance({ seconds: minutes * 60 });
  await service.app.get(CheckoutLookUps).run();
};
export const linksOf = async ({ id }: { id: string }) =>
  (await client.get<{ data: PaymentLinkBody[] }>(`/v1/finance/documents/${id}/payment-links`)).body
    .data;
export const collect = async ({ id }: { id: string }, body: object = {}, headers = {}) =>
  client.post<PaymentLinkBody & { code?: string }>(
    `/v1/finance/documents/${id}/collect`,
    body,
    headers,
  );
export const debits = (): StubDebit[] => [...stub.debits.values()];
export const onlyDebit = (): StubDebit => {
  const [debit, ...others] = debits();
  if (!debit || others.length > 0) throw new Error(`${stub.debits.size} debits`);
  return debit;
};
export const bank = async (debit: StubDebit, ...actions: string[]) => {
  for (const action of actions) {
    debit.status = action;
    await deliver([tells(`payments.${action}`, { payment: debit.id })]);
  }
};
export const typesOf = async () => {
  const rows = await service.database.query<{ type: string }>(
    'SELECT type FROM events WHERE account_id = $1',
    [uuidOf('acc', client.accountId)],
  );
  return rows.map(({ type }) => type);
};
export const payAll = async (document: { id: string }) =>
  expect((await client.pay(document, { amount: 11_900 })).body['status']).toBe('paid');
