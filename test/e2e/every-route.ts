import { randomUUID } from 'node:crypto';
import { dateIn } from '../../src/kernel/clock.js';
import { aReminder } from './dunning/a-reminder.js';
import { ScheduleRounds } from '../../src/schedules/index.js';
import type { TestClient } from '../support/client.js';
import type { Answer, Call } from '../support/http.js';
import { sandboxDelivery } from '../support/sandbox-delivery.js';
import type { TestService } from '../support/service.js';
import { attached } from './documents/attachment-calls.js';
import { aBankFileMapping, imported } from './bank/bank-calls.js';
import { routesOf, STREAM } from './routes.js';

export interface Route {
  method: string;
  path: string;
  /** Without the question mark. */
  query?: string;
  /** Instead of one that the route takes. */
  body?: object;
}

/** An account that has one of everything, and calls of every route that it may make. */
export interface EveryRoute {
  owner: TestClient;
  routes: Route[];
  /** @param at another service, of the same database or a copy of it */
  call(
    route: Route,
    bearer: string,
    headers?: Record<string, string>,
    at?: Pick<TestService, 'call'>,
  ): Promise<Answer>;
}

/** A payout that a provider sent today. */
export const aPayout = {
  gateway: 'gateway-a',
  provider_payout_id: 'po_1',
  amount: 1000,
  currency: 'EUR',
  sent_on: '2026-11-18',
};

/** As an account configures it. */
const aGatewayOfItsOwn = {
  name: 'own-shop',
  provider: 'standard-webhooks',
  settings: { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
};

export const anItemOfSale = { name: 'Consulting', tax_rate: '19' };
export const aTaxRate = { name: 'VAT', tax_rate: '19' };

const FILE = Buffer.from('day;hours\n');

/** Of routes that take no call without one, by the end of their paths. */
const QUERIES: Record<string, string> = { xml: 'profile=peppol', attachments: 'name=hours.csv' };

/** Routes with an id of ours of something that an account has; every account has every month. */
export const hasOwnId = ({ path }: Route) =>
  /^\/v1\/(finance|events|webhook-endpoints).*\/:/.test(path) &&
  !/\/:(month|external_id)/.test(path);

export async function everyRouteOf(service: TestService): Promise<EveryRoute> {
  const owner = await service.aClient();
  const draft = await owner.anInvoice({ issue: false });
  const attachment = await attached(owner, draft);
  const invoice = await owner.issue(draft);
  await owner.put('/v1/finance/customers/by-external-id/E-1', { name: 'Globex' });
  await owner.anInvoice({ issue: false, external_id: 'E-1' });
  const payment = await owner.pay(invoice);
  const link = await owner.aPaymentLink(invoice);
  const sandbox = await owner.aPaymentLink(invoice, { gateway: 'sandbox' });
  const token = await owner.aPortalToken(invoice);
  const series = { id: 'own', kind: 'invoice', pattern: 'OWN-{SEQ}' };
  await owner.post('/v1/finance/numbering', series);
  const tokens = await owner.get<{ data: { id: string }[] }>(
    `/v1/finance/documents/${invoice.id}/portal-tokens`,
  );
  const { id: paymentId } = payment.body['payment'] as { id: string };
  const refunded = await owner.post(`/v1/finance/payments/${paymentId}/refunds`, { amount: 100 });
  const voided = await owner.anInvoice();
  const lateLink = await owner.aPaymentLink(voided);
  await owner.void(voided);
  await service.deliverPaid(lateLink);
  const receipts = await owner.get<{ data: { id: string }[] }>('/v1/finance/unmatched-receipts');
  const [entry] = await imported(owner, { amount: '1.00' });
  const payout = await owner.post<{ id: string }>('/v1/finance/payouts', aPayout);
  // Another one: a walk may rotate or revoke it.
  const client = await service.aClient({ of: owner });
  const audit = await owner.get<{ data: { id: string }[] }>('/v1/audit');
  const rate = await owner.post<{ id: string }>('/v1/finance/tax-rates', aTaxRate);
  const message = await owner.post<{ id: string }>(`/v1/finance/documents/${invoice.id}/send`);
  const item = await owner.post<{ id: string }>('/v1/finance/items', anItemOfSale);
  const own = await owner.post<{ id: string }>('/v1/finance/gateways', aGatewayOfItsOwn);
  const schedule = await aSchedule(service, owner, invoice.customer_id);
  const mandate = await owner.post<{ id: string }>(
    `/v1/finance/customers/${invoice.customer_id}/mandates`,
    { gateway: 'sandbox', currency: 'EUR' },
  );
  const calls = await owner.get<{ data: { id: string }[] }>('/v1/finance/gateway-events');
  const hook = await owner.post<{ id: string }>('/v1/webhook-endpoints', {
    url: 'https://shop.example.com/hook',
  });
  const test = await owner.post<{ event_id: string }>(`/v1/webhook-endpoints/${hook.body.id}/test`);
  const happened = await owner.get<{ data: { id: string }[] }>('/v1/events');
  const ids: Record<string, string> = {
    'webhook-endpoints/:id': hook.body.id,
    'deliveries/:event_id': test.body.event_id,
    'events/:id': happened.body.data[0]?.id ?? '',
    'clients/:id': client.id,
    'audit/:id': audit.body.data[0]?.id ?? '',
    'refunds/:id': (refunded.body['refund'] as { id: string }).id,
    'gateway-events/:id': calls.body.data[0]?.id ?? '',
    'unmatched-items/:id': await anItem(service, owner),
    'disputes/:id': await aDispute(service, owner),
    'unmatched-receipts/:id': receipts.body.data[0]?.id ?? '',
    'bank-statements/:id': entry?.statement_id ?? '',
    'bank-entries/:id': entry?.id ?? '',
    'bank-file-mappings/:id': await aBankFileMapping(owner),
    'payouts/:id': payout.body.id,
    'by-external-id/:external_id': 'E-1',
    'documents/:id': invoice.id,
    'attachments/:attachment_id': attachment.id,
    'gateways/:id': own.body.id,
    'customers/:id': invoice.customer_id,
    'items/:id': item.body.id,
    'runs/:id': (await owner.post<{ id: string }>('/v1/finance/integrity/runs')).body.id,
    'reminders/:id': (await aReminder(service, owner, { email: undefined })).reminder,
    'schedules/:id': schedule.id,
    'periods/:start': schedule.start_date,
    'mandates/:id': mandate.body.id,
    'messages/:id': message.body.id,
    'mail/:id': message.body.id,
    'tax-rates/:id': rate.body.id,
    'payments/:id': paymentId,
    'payment-links/:id': link.id,
    'portal-tokens/:token_id': tokens.body.data[0]?.id ?? '',
    'numbering/:series_id': series.id,
    'periods/:month': '2020-01',
    'portal/:token': token,
    'documents/:token': token,
    'webhooks/:gateway': link.gateway,
    'sandbox/:gateway': 'sandbox',
    'problems/:code': 'document_not_found',
  };
  const filled = (path: string) =>
    path.replace(':link', sandbox.id).replace(/([a-z-]+)\/(:\w+)/g, (whole, folder: string) => {
      const id = ids[whole];
      if (!id) throw new Error(`every-route.ts has no id for ${whole} of ${path}; make one`);
      return `${folder}/${id}`;
    });
  const credentials = { client_id: owner.id, client_secret: owner.secret };
  /** A body that each route takes; the others get an empty one. */
  const bodies: Record<string, object> = {
    '/v1/auth/token': credentials,
    '/v1/auth/revoke': { ...credentials, token: 'unknown' },
    '/v1/finance/bank-entries/:id/book': { ledger_account: 'bank_fees' },
    '/v1/finance/bank-entries/:id/confirm': { customer_id: 'cus_01h455vb4pex5vsknk084sn02q' },
    '/v1/finance/customers/:id/mandates': { gateway: 'sandbox', currency: 'EUR' },
    '/v1/finance/documents/:id/attachments/links': { url: 'https://acme.example', name: 'Link' },
    '/v1/finance/documents/:id/payments': { amount: 100, method: 'cash' },
    '/v1/finance/documents/:id/payment-links': { gateway: 'gateway-a' },
    '/v1/finance/gateways': { ...aGatewayOfItsOwn, name: 'another' },
    '/v1/finance/gateways/:id/rotate-secret': { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    '/v1/finance/payments/:id/allocations': { from: invoice.id, to: 'credit', amount: 1 },
    '/v1/finance/payouts': { ...aPayout, provider_payout_id: 'po_2' },
    '/v1/finance/refunds/:id/meaning': { meaning: 'owed_again' },
    '/v1/finance/schedules': aScheduleOf(service, invoice.customer_id),
    '/v1/finance/schedules/preview': aScheduleOf(service, invoice.customer_id),
    '/v1/finance/schedules/:id/usage': { meter: 'calls', quantity: '1' },
    '/v1/finance/schedules/:id/move': { runs_on: dateIn('UTC', service.clock.now()) },
    '/v1/finance/unmatched-items/:id/close': { reason: 'Seen to.' },
    '/v1/finance/unmatched-items/:id/reopen': { reason: 'Not yet.' },
    '/v1/finance/unmatched-receipts/:id/assign': { customer_id: invoice.customer_id },
    '/v1/webhook-endpoints': { url: 'https://shop.example.com/hook' },
    '/v1/webhook-endpoints/:id/replay': { from: '2020-01-01T00:00:00Z', which: 'failed' },
    '/v1/test-clock/advance': { days: 1 },
    '/v1/sandbox/outcomes': { object: sandbox.id, outcome: 'failed' },
    '/v1/portal/:token/reject': { reason: 'Too late.' },
  };
  const requestOf = ({ method, path, body: own }: Route, bearer: string): Call => {
    if (path === '/v1/webhooks/:gateway') return { method, ...service.paidDelivery(link) };
    const isPublic = /^\/v1\/(auth|portal)/.test(path);
    const headers = isPublic ? undefined : { authorization: `Bearer ${bearer}` };
    if (method === 'POST' && path.endsWith('/attachments')) {
      return { method, body: FILE, headers: { ...headers, 'content-type': 'text/csv' } };
    }
    const isRead = method === 'GET' || method === 'DELETE';
    const body = isRead ? undefined : (own ?? bodies[path] ?? {});
    return { method, body, headers };
  };
  const answered = routesOf(service.app).filter(({ path }) => path !== STREAM);
  return {
    owner,
    routes: answered.map((route) => {
      const query = QUERIES[route.path.split('/').at(-1) ?? ''];
      return query === undefined ? route : { ...route, query };
    }),
    call: async (route, bearer, headers, at = service) => {
      const request = requestOf(route, bearer);
      const path = `${filled(route.path)}?${route.query ?? ''}`;
      return at.call(path, { ...request, headers: { ...request.headers, ...headers } });
    },
  };
}

/** From today on. */
export const aScheduleOf = (service: TestService, customerId: string) => ({
  name: 'Retainer',
  document: {
    customer_id: customerId,
    lines: [{ description: 'Calls', meter: 'calls', unit_amount: 2 }],
  },
  recurrence: { every: 'month' },
  action: 'draft',
  start_date: dateIn('UTC', service.clock.now()),
});

/** One whose first period failed: nothing was used. */
async function aSchedule(service: TestService, owner: TestClient, customerId: string) {
  const body = aScheduleOf(service, customerId);
  const made = await owner.post<{ id: string; start_date: string }>('/v1/finance/schedules', body);
  await service.app.get(ScheduleRounds).run();
  const usage = { meter: 'calls', quantity: '1' };
  await owner.post(`/v1/finance/schedules/${made.body.id}/usage`, usage);
  return made.body;
}

/** Money that went back of a payment of the account, of a currency that nobody knows. */
/** A dispute of a payment of its own. */
async function aDispute(service: TestService, owner: TestClient): Promise<string> {
  const link = await owner.aPaymentLink(await owner.anInvoice(), { gateway: 'sandbox' });
  const at = service.clock.now().toISOString();
  const money = { payment_id: randomUUID(), amount: link.amount, currency: link.currency };
  for (const delivery of [
    sandboxDelivery(service, 'payment.succeeded', {
      ...money,
      payment_link_id: link.id,
      paid_at: at,
    }),
    sandboxDelivery(service, 'dispute.opened', { ...money, dispute_id: randomUUID(), at }),
  ]) {
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
  }
  const disputes = await owner.get<{ data: { id: string }[] }>('/v1/finance/disputes');
  return disputes.body.data[0]?.id ?? '';
}

export async function anItem(service: TestService, owner: TestClient): Promise<string> {
  const link = await owner.aPaymentLink(await owner.anInvoice(), { gateway: 'sandbox' });
  const payment_id = randomUUID();
  const of = { payment_id, payment_link_id: link.id, amount: link.amount, currency: link.currency };
  const paid_at = service.clock.now().toISOString();
  const back = { ...of, amount: 100, sandbox_refund_id: randomUUID(), currency: 'XXX' };
  for (const delivery of [
    sandboxDelivery(service, 'payment.succeeded', { ...of, paid_at }),
    sandboxDelivery(service, 'refund.succeeded', back),
  ]) {
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
  }
  const items = await owner.get<{ data: { id: string }[] }>('/v1/finance/unmatched-items');
  return items.body.data[0]?.id ?? '';
}
