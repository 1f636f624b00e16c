import { createHmac } from 'node:crypto';
import { ALL_STATUSES, fresh, iso, seconds, type Spoken, type Voice, written } from './voice.js';

const DISPUTES = {
  inquiry: 'dispute.inquiry',
  open: 'dispute.opened',
  won: 'dispute.won',
  lost: 'dispute.lost',
  closed: 'dispute.closed',
};

/** standardwebhooks.com: `id.time.body`, by the key inside of the secret. */
function signer(secret: string, now: () => number) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return (id: string, value: object): Spoken => {
    const [body, time] = [written(value), seconds(now())];
    const mac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(time),
        'webhook-signature': `v1,${mac}`,
      },
    };
  };
}

/** The published shape; it only tells, and gives nothing back. */
export function standardVoice(secret: string, now: () => number): Voice {
  const signed = signer(secret, now);
  const event = (type: string, at: number, data: object) =>
    signed(fresh('msg_'), { type, timestamp: iso(at), data });
  return {
    currencies: ['EUR', 'JPY', 'KWD'],
    refunds: false,
    paymentId: () => fresh('pay-'),
    feeOf: (fee) => fee,
    paid: ({ id, link, amount, currency }, fee, at) => {
      const paid = { payment_id: id, payment_link_id: link, amount, currency };
      return event('payment.paid', at, { ...paid, ...(fee > 0 && { fee }) });
    },
    processing: ({ id, link }, at) =>
      event('payment.processing', at, { payment_id: id, payment_link_id: link }),
    failed: {
      of: 'ofPaid',
      namesPayment: true,
      isFinal: true,
      told: ({ id, link }, at) =>
        event('payment.failed', at, { payment_id: id, payment_link_id: link }),
    },
    reversed: {
      names: { fresh: () => fresh('rev-'), isRetold: true, saysAmount: true },
      namesLink: true,
      told: ({ id, link, amount, currency }, at, name) => {
        const reversal = { reversal_id: name, amount, currency };
        const of = { payment_id: id, payment_link_id: link };
        return event('payment.reversed', at, { ...of, ...reversal });
      },
    },
    dispute: {
      statuses: ALL_STATUSES,
      id: (id, which) => `dp_${which}_${id}`,
      told: ({ id: payment_id, currency }, dispute_id, word) => {
        const { status, amount, fee, at } = word;
        const dispute = { dispute_id, payment_id, amount, currency, ...(fee !== null && { fee }) };
        return { word, spoken: event(DISPUTES[status], at, dispute) };
      },
    },
    refundId: (ours) => `given_${ours}`,
    refund: ({ id, payment, amount, currency, status, at }) =>
      event(`refund.${status}`, at, { refund_id: id, payment_id: payment, amount, currency }),
    payout: (word, status, at) => event(`payout.${status}`, at, word),
  };
}

/** Ours, for development: the id of its events stands in the body. */
export function sandboxVoice(secret: string, now: () => number): Voice {
  const signed = signer(secret, now);
  const event = (type: string, data: object) => {
    const id = fresh('msg_');
    return signed(id, { id, type, data });
  };
  return {
    currencies: ['EUR', 'JPY', 'KWD'],
    paymentId: () => fresh('sbx_'),
    feeOf: (fee) => fee,
    paid: ({ id, link, amount, currency }, fee, at) => {
      const paid = { payment_id: id, payment_link_id: link, amount, currency, paid_at: iso(at) };
      return event('payment.succeeded', { ...paid, ...(fee > 0 && { fee }) });
    },
    processing: ({ id, link }, at) =>
      event('payment.processing', { payment_id: id, payment_link_id: link, at: iso(at) }),
    failed: {
      of: 'ofPaid',
      namesPayment: true,
      isFinal: true,
      told: ({ id, link }, at) =>
        event('payment.failed', { payment_id: id, payment_link_id: link, at: iso(at) }),
    },
    reversed: {
      names: { fresh: () => fresh('rev-'), isRetold: true, saysAmount: false, isOptional: true },
      namesLink: true,
      told: ({ id, link }, at, name) => {
        const of = { payment_id: id, payment_link_id: link, at: iso(at) };
        return event('payment.reversed', { ...of, ...(name !== null && { reversal_id: name }) });
      },
    },
    dispute: {
      statuses: ALL_STATUSES,
      id: (id, which) => `dp_${which}_${id}`,
      told: ({ id: payment_id, currency }, dispute_id, word) => {
        const { status, amount, fee, at } = word;
        const said = { dispute_id, payment_id, amount, currency, at: iso(at) };
        const spoken = event(DISPUTES[status], { ...said, ...(fee !== null && { fee }) });
        return { word, spoken };
      },
    },
    refundId: (ours) => `given_${ours}`,
    refund: ({ id, ours, payment, amount, currency, status, at }) =>
      event(`refund.${status}`, {
        sandbox_refund_id: id,
        ...(ours !== null && { refund_id: ours }),
        payment_id: payment,
        amount,
        currency,
        at: iso(at),
      }),
    payout: (word, status, at) => event(`payout.${status}`, { ...word, at: iso(at) }),
  };
}
