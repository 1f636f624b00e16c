import { signGoCardless } from '../../../src/gateways/gocardless/gocardless.gateway.js';
import type { Delivery } from '../../../src/payments/port/domain/gateway.js';
import type { NamedObject } from '../../../src/payments/port/domain/provider-report.js';
import { aGateway, GOCARDLESS_SECRET, LINK } from '../gateway-builders.js';

export const AT = '2026-11-20T12:00:00.000Z';
export const DEBIT = 'PM00070Z69DWXV';
export const REQUEST = 'BRQ0000X7FG6Y1B';
const MADE_AT = '2026-11-18T09:00:00.000Z';

/** A payment of 12.50 EUR as GoCardless's API shows it. */
export const aDebit = (over: object = {}) => ({
  id: DEBIT,
  status: 'confirmed',
  amount: 1250,
  amount_refunded: 0,
  currency: 'EUR',
  created_at: MADE_AT,
  charge_date: '2026-11-20',
  description: 'Invoice INV-2026-00001',
  reference: null,
  metadata: { payment_link_id: LINK },
  links: { creditor: 'CR123' },
  fx: { fx_currency: null, fx_amount: null, exchange_rate: null },
  ...over,
});
export const aReturn = (over: object = {}) => ({
  id: 'RF00123',
  status: 'paid',
  amount: 500,
  currency: 'EUR',
  created_at: AT,
  metadata: { refund_id: 'rfnd_1' },
  links: { payment: DEBIT },
  ...over,
});
export const aTransfer = (over: object = {}) => ({
  id: 'PO00123',
  status: 'paid',
  amount: 98_70,
  deducted_fees: 130,
  currency: 'EUR',
  arrival_date: '2026-11-23',
  created_at: MADE_AT,
  payout_type: 'merchant',
  reference: 'MYSHOP-8BA1',
  fx: { fx_currency: 'EUR', fx_amount: null },
  ...over,
});
/** The items of that payout, in tenths of a cent: 120.00 of payments, and 21.30 that went off. */
export const someItems = () => [
  { type: 'payment_paid_out', amount: '12000.0', taxes: [], links: { payment: DEBIT } },
  { type: 'payment_refunded', amount: '-500.0', links: { payment: DEBIT, refund: 'RF00123' } },
  { type: 'payment_charged_back', amount: '-1500.0', links: { payment: 'PM2' } },
  { type: 'gocardless_fee', amount: '-129.6', taxes: [], links: { payment: DEBIT } },
  { type: 'app_fee', amount: '-0.1', links: {} },
];
export const aBillingRequest = (over: object = {}) => ({
  id: REQUEST,
  status: 'fulfilled',
  metadata: { payment_link_id: LINK },
  links: { payment_request_payment: DEBIT, customer: 'CU123' },
  ...over,
});

let count = 0;
/** An event as webhooks and the list of events both show it; `name` is `payments.confirmed`. */
export function happened(name: string, over: object = {}) {
  const [resource_type, action] = name.split('.');
  count += 1;
  return {
    id: `EV${String(count).padStart(8, '0')}`,
    created_at: AT,
    resource_type,
    action,
    links: { payment: DEBIT },
    details: { origin: 'bank', cause: 'refer_to_payer', description: 'A sentence.' },
    metadata: {},
    ...over,
  };
}

export const aCancellation = (origin: string) =>
  happened('billing_requests.cancelled', {
    links: { billing_request: REQUEST },
    details: { origin, cause: 'gone' },
  });

export function deliveryOf(events: readonly object[], over: object = {}): Delivery {
  const body = JSON.stringify({ events, meta: { webhook_id: 'WB123' }, ...over });
  const headers = signGoCardless(GOCARDLESS_SECRET, body);
  return { rawBody: Buffer.from(body), headers };
}

export interface SentToGoCardless {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** A gateway with a token, whose calls are answered by `answer` and kept in `sent`. */
export function goCardlessAt(
  answer: (sent: SentToGoCardless) => Response | Promise<Response>,
  settings = {},
) {
  const sent: SentToGoCardless[] = [];
  const fetch = (async (url: string, init: Omit<SentToGoCardless, 'url'>) => {
    const call = { ...init, url: new URL(url) };
    sent.push(call);
    return answer(call);
  }) as unknown as typeof globalThis.fetch;
  const own = { webhook_secret: GOCARDLESS_SECRET, access_token: 'sandbox_hush', ...settings };
  return { sent, gateway: aGateway('gocardless', own, { fetch }) };
}

/** Answers by path, in GoCardless's envelope: `/payments/PM1`, or `/events` with a list. */
export function shows(objects: Record<string, unknown>) {
  return ({ url }: SentToGoCardless): Response => {
    const [, collection = ''] = url.pathname.split('/');
    const found = objects[url.pathname];
    if (found === undefined) return Response.json(aProblem('resource_not_found'), { status: 404 });
    const meta = { cursors: { before: null, after: null }, limit: 500 };
    return Response.json({ [collection]: found, ...(Array.isArray(found) && { meta }) });
  };
}

export const aProblem = (reason: string, links?: object) => ({
  error: {
    message: 'A sentence with hush',
    type: 'invalid_state',
    code: 422,
    errors: [{ reason, message: 'A sentence with hush', ...(links && { links }) }],
  },
});

export const withoutToken = (settings = {}) =>
  aGateway('gocardless', { webhook_secret: GOCARDLESS_SECRET, ...settings });

export const toldOf = (...events: object[]) => withoutToken().parse(deliveryOf(events));

/** The report of an event whose object is looked up. */
export async function lookedUpOf(event: object, objects: Record<string, unknown>) {
  const [named] = toldOf(event);
  if (named?.kind !== 'named') throw new Error('it names no object');
  const [report, ...others] = await goCardlessAt(shows(objects)).gateway.lookUp(named);
  if (!report || others.length > 0) throw new Error('not one report');
  return report;
}

export const aName = (over: Partial<NamedObject> = {}): NamedObject => ({
  kind: 'named',
  objectId: `payments/${DEBIT}`,
  eventId: 'EV1',
  eventType: 'payments.confirmed',
  at: new Date(AT),
  reason: null,
  isSigned: true,
  ...over,
});
