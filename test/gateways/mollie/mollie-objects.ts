import { signMollie } from '../../../src/gateways/mollie/mollie.gateway.js';
import type {
  NamedObject,
  ProviderReport,
} from '../../../src/payments/port/domain/provider-report.js';
import { aGateway, LINK, MOLLIE_SECRET, reportOf } from '../gateway-builders.js';

export const TIME = '2026-11-20T12:00:00+00:00';
export const LATER = '2026-11-20T13:00:00.0Z';
export const PAYMENT = 'tr_5B8cwPMGnU6qLbRvo7qEZo';
export const KEY = { api_key: 'test_hush' };
export const UNAVAILABLE = { kind: 'unavailable', code: 'gateway_unavailable' };

/** A payment of 12.50 EUR as Mollie's API shows it. */
export const aPayment = (over: object = {}) => ({
  resource: 'payment',
  id: PAYMENT,
  mode: 'test',
  status: 'paid',
  amount: { currency: 'EUR', value: '12.50' },
  metadata: { payment_link_id: LINK },
  createdAt: TIME,
  paidAt: LATER,
  ...over,
});
export const aRefund = (over: object = {}) => ({
  resource: 'refund',
  id: 're_4qqhO89gsT',
  paymentId: PAYMENT,
  status: 'refunded',
  amount: { currency: 'EUR', value: '5.00' },
  metadata: { refund_id: 'rfnd_1' },
  createdAt: LATER,
  ...over,
});
export const aChargeback = (over: object = {}) => ({
  resource: 'chargeback',
  id: 'chb_n9z0tp',
  paymentId: PAYMENT,
  amount: { currency: 'EUR', value: '12.50' },
  reason: { code: 'AC01', description: 'Account identifier incorrect' },
  createdAt: LATER,
  reversedAt: null,
  ...over,
});
export const anEvent = (type: string, entity?: object, over: object = {}) =>
  JSON.stringify({
    resource: 'event',
    id: 'event_GvJ8WHrp5isUdRub9CJyH',
    type,
    entityId: PAYMENT,
    createdAt: LATER,
    ...(entity && { _embedded: { entity } }),
    ...over,
  });

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** A gateway with a key, whose calls are answered by `answer` and kept in `sent`. */
export function gatewayAt(
  answer: (sent: Sent) => Response | Promise<Response>,
  settings = {},
  baseUrl = 'https://pay.example',
) {
  const sent: Sent[] = [];
  const fetch = (async (url: string, init: Omit<Sent, 'url'>) => {
    const call = { url, ...init };
    sent.push(call);
    return answer(call);
  }) as unknown as typeof globalThis.fetch;
  const own = { webhook_secret: MOLLIE_SECRET, ...KEY, ...settings };
  return { sent, gateway: aGateway('mollie', own, { fetch, baseUrl }) };
}
export const withoutKey = (settings = {}) =>
  aGateway('mollie', { webhook_secret: MOLLIE_SECRET, ...settings });
export const read = (body: string, settings = {}): ProviderReport =>
  reportOf(withoutKey(settings), {
    rawBody: Buffer.from(body),
    headers: signMollie(MOLLIE_SECRET, body),
  });
export const named = (over: Partial<NamedObject> = {}): NamedObject => ({
  kind: 'named',
  objectId: PAYMENT,
  eventId: null,
  eventType: 'payment',
  at: null,
  isSigned: false,
  ...over,
});
