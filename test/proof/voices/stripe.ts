import {
  ALL_STATUSES,
  type Charge,
  type DisputeWord,
  fresh,
  hex,
  plain,
  type RefundWord,
  seconds,
  type Spoken,
  type Voice,
  written,
} from './voice.js';

const STATUS = {
  inquiry: 'warning_needs_response',
  open: 'needs_response',
  won: 'won',
  lost: 'lost',
  closed: 'warning_closed',
};

const intent = ({ id, link, amount, currency }: Charge) => ({
  id,
  object: 'payment_intent',
  amount,
  currency: currency.toLowerCase(),
  metadata: { payment_link_id: link },
});

const refundObject = (word: RefundWord) => ({
  id: word.id,
  object: 'refund',
  amount: word.amount,
  currency: word.currency.toLowerCase(),
  payment_intent: word.payment,
  status: word.status,
  created: seconds(word.at),
  metadata: word.ours === null ? {} : { refund_id: word.ours },
});

/** docs.stripe.com/webhooks and docs.stripe.com/api/events. */
export function stripeVoice(
  secret: string,
  now: () => number,
  objects: Record<string, object>,
): Voice {
  const event = (type: string, at: number, object: object): Spoken => {
    const body = written({
      id: fresh('evt_'),
      object: 'event',
      type,
      created: seconds(at),
      data: { object },
    });
    const time = seconds(now());
    const signature = `t=${time},v1=${hex(secret, `${time}.${body}`)}`;
    return { body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } };
  };
  return {
    currencies: ['EUR', 'JPY', 'KWD'],
    hasShortThousandths: true,
    paymentId: () => fresh('pi_'),
    feeOf: (fee) => fee,
    paid: (charge, fee, at) => {
      const { amount } = charge;
      const currency = charge.currency.toLowerCase();
      const latest_charge = fee > 0 ? { balance_transaction: { fee, currency } } : 'ch_1';
      const object = { ...intent(charge), amount_received: amount, latest_charge };
      return event('payment_intent.succeeded', at, object);
    },
    processing: (charge, at) => event('payment_intent.processing', at, intent(charge)),
    failed: {
      of: 'ofPaid',
      namesPayment: true,
      isFinal: false,
      told: ({ id, link }, at) => {
        const charge = { object: 'charge', payment_intent: id, failure_code: 'insufficient_funds' };
        const metadata = { payment_link_id: link };
        return event('charge.failed', at, { id: fresh('py_'), ...charge, metadata });
      },
    },
    dispute: {
      statuses: ALL_STATUSES,
      id: (payment, which) => `du_${which}_${payment}`,
      told: (charge, id, word) => {
        const { currency } = charge;
        const moves = movements(word, currency.toLowerCase());
        const object = {
          id,
          object: 'dispute',
          amount: word.amount,
          currency: currency.toLowerCase(),
          payment_intent: charge.id,
          status: STATUS[word.status],
          reason: 'fraudulent',
          balance_transactions: moves,
        };
        const isOver = word.status !== 'open' && word.status !== 'inquiry';
        const type = `charge.dispute.${isOver ? 'closed' : 'created'}`;
        const held = { withdrawn: word.status === 'won' ? 0 : word.amount };
        // Of several events in one second, that with more movements was said later.
        const heard = { ...word, at: word.at + moves.length, ...(moves.length > 0 && held) };
        const fee = moves.length > 0 ? word.fee : null;
        return { word: { ...heard, fee }, spoken: event(type, word.at, object) };
      },
    },
    refundId: (ours) => `re_${plain(ours)}`,
    refund: (word) => event('refund.updated', word.at, refundObject(word)),
    refundedInAll: ({ id, amount, currency }, refunded, at) =>
      event('charge.refunded', at, {
        id: fresh('ch_'),
        object: 'charge',
        amount,
        amount_refunded: refunded,
        currency: currency.toLowerCase(),
        payment_intent: id,
      }),
    showRefunds: ({ id: payment, currency }, refunds) => {
      const data = refunds.map((one) => refundObject({ ...one, payment, currency }));
      objects[`/v1/refunds of ${payment}`] = { object: 'list', has_more: false, data };
    },
  };
}

/** Told with the fee: the money that was taken, and what came back of it. */
function movements({ status, amount, fee }: DisputeWord, currency: string): object[] {
  if (fee === null || status === 'inquiry' || status === 'closed') return [];
  const taken = { amount: -amount, fee, currency };
  return status === 'won' ? [taken, { amount, fee: 0, currency }] : [taken];
}
