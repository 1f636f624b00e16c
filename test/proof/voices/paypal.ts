import { type KeyObject, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  ALL_STATUSES,
  type Charge,
  decimal,
  type DisputeWord,
  fresh,
  iso,
  plain,
  type Spoken,
  type Voice,
  written,
} from './voice.js';

const CERTIFICATE =
  'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-00000000-00000000-00000000';
const OUTCOMES = {
  won: 'RESOLVED_SELLER_FAVOUR',
  lost: 'RESOLVED_BUYER_FAVOUR',
  closed: 'ACCEPTED',
} as const;

interface Means {
  key: KeyObject;
  webhookId: string;
  now: () => number;
  /** The objects that its API shows, by path. */
  objects: Record<string, object>;
}

const money = (minor: number, currency: string) => ({
  currency_code: currency,
  value: decimal(minor, currency),
});

const upTo = (payment: string) => [
  { rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${payment}` },
];

const capture = ({ id, link, amount, currency }: Charge, status: string, at: number) => ({
  id,
  status,
  amount: money(amount, currency),
  custom_id: link,
  update_time: iso(at),
});

/** developer.paypal.com/api/rest/webhooks: each event is asked about, so its object is shown, too. */
export function payPalVoice({ key, webhookId, now, objects }: Means): Voice {
  const disputes = new Map<string, DisputeWord>();
  const refundedAt = new Map<string, number>();
  const event = (type: string, at: number, resource: object): Spoken => {
    const body = written({
      id: fresh('WH-'),
      event_type: type,
      create_time: iso(at),
      resource,
    });
    const [id, time] = [fresh('t-'), iso(now())];
    const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': sign('RSA-SHA256', signed, key).toString('base64'),
        'paypal-cert-url': CERTIFICATE,
        'paypal-auth-algo': 'SHA256withRSA',
      },
    };
  };
  return {
    currencies: ['EUR', 'JPY'],
    isAsked: true,
    paymentId: () => fresh('CAP').toUpperCase(),
    feeOf: (fee) => fee,
    paid: (charge, fee, at) => {
      const resource = capture(charge, 'COMPLETED', at);
      const told = { seller_receivable_breakdown: { paypal_fee: money(fee, charge.currency) } };
      objects[`/v2/payments/captures/${charge.id}`] = { ...resource, ...(fee > 0 && told) };
      return event('PAYMENT.CAPTURE.COMPLETED', at, resource);
    },
    processing: (charge, at) =>
      event('PAYMENT.CAPTURE.PENDING', at, capture(charge, 'PENDING', at)),
    failed: {
      of: 'ofTry',
      namesPayment: true,
      isFinal: true,
      told: (charge, at) => {
        const resource = capture(charge, 'DECLINED', at);
        objects[`/v2/payments/captures/${charge.id}`] = resource;
        return event('PAYMENT.CAPTURE.DENIED', at, resource);
      },
    },
    reversed: {
      names: { fresh: () => fresh('REV').toUpperCase(), isRetold: true, saysAmount: true },
      namesLink: false,
      told: ({ id: payment, amount, currency }, at, name) => {
        const id = name ?? '';
        const of = { status: 'COMPLETED', amount: money(amount, currency), links: upTo(payment) };
        objects[`/v2/payments/refunds/${id}`] = { id, ...of };
        return event('PAYMENT.CAPTURE.REVERSED', at, { id, ...of });
      },
    },
    dispute: {
      statuses: ALL_STATUSES,
      id: (payment, which) => `PP-D-${which}-${payment}`,
      told: (charge, id, word) => {
        const { currency } = charge;
        const path = `/v1/customer/disputes/${id}`;
        const said = { ...word, fee: word.fee === 0 ? null : word.fee };
        const last = disputes.get(id);
        const resource = payPalDispute(charge.id, id, said, (minor) => money(minor, currency));
        // It is asked, and shows how the dispute stands, whatever the event said.
        const isOld = last !== undefined && last.at > said.at;
        if (!isOld) {
          disputes.set(id, said);
          objects[path] = resource;
        }
        const isOver = word.status in OUTCOMES;
        const type = `CUSTOMER.DISPUTE.${isOver ? 'RESOLVED' : last ? 'UPDATED' : 'CREATED'}`;
        return { word: isOld ? last : said, spoken: event(type, word.at, resource) };
      },
    },
    refundId: (ours) => `R-${plain(ours)}`,
    refund: ({ id, ours, payment, amount, currency, status, at }) => {
      const resource = {
        id,
        status: status === 'succeeded' ? 'COMPLETED' : 'FAILED',
        amount: money(amount, currency),
        ...(ours !== null && { custom_id: ours }),
        links: upTo(payment),
      };
      // It shows how the refund stands, whatever an event of before says.
      if ((refundedAt.get(id) ?? at) <= at) {
        refundedAt.set(id, at);
        objects[`/v2/payments/refunds/${id}`] = resource;
      }
      return event('PAYMENT.CAPTURE.REFUNDED', at, resource);
    },
  };
}

function payPalDispute(
  payment: string,
  id: string,
  { status, amount, fee, at }: DisputeWord,
  money: (minor: number) => object,
): object {
  const outcome = OUTCOMES[status as keyof typeof OUTCOMES] as string | undefined;
  const charged = { affected_party: 'SELLER', reason: 'DISPUTE_FEE', type: 'DEBIT' };
  return {
    dispute_id: id,
    update_time: iso(at),
    disputed_transactions: [{ seller_transaction_id: payment }],
    reason: 'UNAUTHORISED',
    status: outcome ? 'RESOLVED' : 'OPEN',
    dispute_amount: money(amount),
    dispute_life_cycle_stage: status === 'inquiry' ? 'INQUIRY' : 'CHARGEBACK',
    ...(outcome && { dispute_outcome: { outcome_code: outcome } }),
    ...(fee !== null && { money_movements: [{ ...charged, amount: money(fee) }] }),
  };
}
