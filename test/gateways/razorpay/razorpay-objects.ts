import { signRazorpay } from '../../../src/gateways/razorpay/razorpay.gateway.js';
import type { ProviderReport } from '../../../src/payments/port/domain/provider-report.js';
import { aGateway, LINK, NOW_SECONDS, RAZORPAY_SECRET, reportOf } from '../gateway-builders.js';

export const PAY = 'pay_FOGsH8uHkF2FbR';
export const PAGE = 'plink_FOGqq3O6E5bkml';
export const REFUND_ID = 'rfnd_01k9x3v7e8f2r4t6y8w0a1b2c3';
const RAZORPAY_KEY = { key_id: 'rzp_test_1', key_secret: 'hush' };
export const GONE = { kind: 'unavailable', code: 'gateway_unavailable' };

/** A payment of 12.50 INR as Razorpay's API shows it. */
export const aPayment = (over: object = {}) => ({
  id: PAY,
  entity: 'payment',
  amount: 1250,
  base_amount: 1250,
  currency: 'INR',
  status: 'captured',
  order_id: 'order_FOGs9Hz3ZaAjsm',
  amount_refunded: 0,
  refund_status: null,
  captured: true,
  notes: [],
  fee: 30,
  tax: 4,
  fee_bearer: 'platform',
  error_code: null,
  error_reason: null,
  created_at: NOW_SECONDS - 60,
  ...over,
});
export const anOrder = (over: object = {}) => ({
  id: 'order_FOGs9Hz3ZaAjsm',
  entity: 'order',
  amount: 1250,
  currency: 'INR',
  receipt: LINK,
  notes: { payment_link_id: LINK },
  status: 'paid',
  ...over,
});
export const aPage = (over: object = {}) => ({
  id: PAGE,
  amount: 1250,
  amount_paid: 1250,
  currency: 'INR',
  accept_partial: false,
  reference_id: LINK,
  notes: { payment_link_id: LINK },
  short_url: 'https://rzp.test/i/1',
  status: 'paid',
  payments: [{ payment_id: PAY, plink_id: PAGE, status: 'captured', amount: 1250 }],
  created_at: NOW_SECONDS - 600,
  updated_at: NOW_SECONDS,
  cancelled_at: 0,
  expired_at: 0,
  ...over,
});
export const aRefund = (over: object = {}) => ({
  id: 'rfnd_FgRAHdNOM4ZVbO',
  entity: 'refund',
  amount: 500,
  currency: 'INR',
  payment_id: PAY,
  notes: { refund_id: REFUND_ID },
  receipt: null,
  status: 'processed',
  created_at: NOW_SECONDS - 10,
  ...over,
});
export const aDispute = (over: object = {}) => ({
  id: 'disp_AHfqOvkldwsbqt',
  entity: 'dispute',
  payment_id: PAY,
  amount: 1250,
  currency: 'INR',
  amount_deducted: 0,
  reason_code: 'goods_not_received',
  respond_by: NOW_SECONDS + 3600,
  status: 'open',
  phase: 'chargeback',
  created_at: NOW_SECONDS - 5,
  ...over,
});
export const aSettlement = (over: object = {}) => ({
  id: 'setl_7IZKKI4Pnt2kEe',
  entity: 'settlement',
  amount: 50_000,
  status: 'processed',
  fees: 0,
  tax: 0,
  utr: '1597813219e1pq6w',
  created_at: NOW_SECONDS - 1,
  ...over,
});

/** An event with its entities, each under its own name. */
export const anEvent = (event: string, entities: Record<string, unknown>, over: object = {}) =>
  JSON.stringify({
    entity: 'event',
    account_id: 'acc_BFQ7uQEaa7j2z7',
    event,
    contains: Object.keys(entities),
    payload: Object.fromEntries(
      Object.entries(entities).map(([name, entity]) => [name, { entity }]),
    ),
    created_at: NOW_SECONDS,
    ...over,
  });

export const withoutKey = (settings = {}) =>
  aGateway('razorpay', { webhook_secret: RAZORPAY_SECRET, ...settings });
export const read = (body: string, settings = {}): ProviderReport =>
  reportOf(withoutKey(settings), {
    rawBody: Buffer.from(body),
    headers: signRazorpay(RAZORPAY_SECRET, body),
  });

interface SentCall {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** A gateway with a key, whose calls are answered by `answer` and kept in `sent`. */
export function gatewayAt(answer: (call: SentCall) => Response | Promise<Response>, settings = {}) {
  const sent: SentCall[] = [];
  const fetch = (async (url: string, init: Omit<SentCall, 'url'>) => {
    const call = { url, ...init };
    sent.push(call);
    return answer(call);
  }) as unknown as typeof globalThis.fetch;
  const own = { webhook_secret: RAZORPAY_SECRET, ...RAZORPAY_KEY, ...settings };
  return { sent, gateway: aGateway('razorpay', own, { fetch }) };
}

/** Answers by the end of the path, such as `GET /payments/pay_1`; anything else is a 400. */
export const answers =
  (table: Record<string, unknown>) =>
  ({ url, method }: { url: string; method: string }): Response => {
    const { pathname } = new URL(url);
    const found = table[`${method} ${pathname.replace('/v1', '')}`];
    if (found === undefined) {
      return Response.json({ error: { code: 'BAD_REQUEST_ERROR' } }, { status: 400 });
    }
    return found instanceof Response ? found : Response.json(found);
  };

/** Every way in which a call may come to nothing that can be known. */
export const SILENCE: [string, () => Response | Promise<Response>][] = [
  ['a network failure', () => Promise.reject(new Error('hush'))],
  ...[302, 429, 500, 502, 503].map((status): [string, () => Response] => [
    String(status),
    () => Response.json({ error: { code: 'SERVER_ERROR' } }, { status }),
  ]),
  ['an answer that is no JSON', () => new Response('<html>')],
  ['an answer of another shape', () => Response.json({ id: 7 })],
];
