import {
  ALL_STATUSES,
  type Charge,
  fresh,
  hex,
  plain,
  seconds,
  type Spoken,
  type Voice,
  written,
} from './voice.js';

const payment = ({ id, link, amount, currency }: Charge, status: string, at: number) => ({
  id,
  entity: 'payment',
  amount,
  currency,
  status,
  notes: { payment_link_id: link },
  created_at: seconds(at),
});

/** razorpay.com/docs/webhooks/payloads. */
export function razorpayVoice(secret: string): Voice {
  const event = (type: string, at: number, entities: Record<string, object>): Spoken => {
    const payload = Object.fromEntries(
      Object.entries(entities).map(([name, entity]) => [name, { entity }]),
    );
    const told = { entity: 'event', event: type, contains: Object.keys(entities), payload };
    const body = written({ ...told, created_at: seconds(at) });
    return {
      body,
      headers: { 'content-type': 'application/json', 'x-razorpay-signature': hex(secret, body) },
    };
  };
  return {
    currencies: ['EUR', 'JPY', 'KWD'],
    hasShortThousandths: true,
    paymentId: () => fresh('pay_'),
    feeOf: (fee) => fee,
    paid: (charge, fee, at) => {
      const told = fee > 0 ? { fee, base_currency: charge.currency } : {};
      return event('payment.captured', at, {
        payment: { ...payment(charge, 'captured', at), ...told },
      });
    },
    processing: (charge, at) =>
      event('payment.authorized', at, { payment: payment(charge, 'authorized', at) }),
    failed: {
      of: 'ofTry',
      namesPayment: false,
      isFinal: false,
      told: (charge, at) => event('payment.failed', at, { payment: payment(charge, 'failed', at) }),
    },
    dispute: {
      statuses: ALL_STATUSES,
      id: (id, which) => `disp_${which}${plain(id)}`,
      told: (charge, id, word) => {
        const isOver = word.status !== 'open' && word.status !== 'inquiry';
        const dispute = {
          id,
          payment_id: charge.id,
          amount: word.amount,
          currency: charge.currency,
          amount_deducted: word.status === 'lost' ? word.amount : 0,
          reason_code: 'chargeback',
          phase: word.status === 'inquiry' ? 'retrieval' : 'chargeback',
          status: isOver ? word.status : 'open',
          created_at: seconds(word.at),
        };
        const type = `payment.dispute.${isOver ? word.status : 'created'}`;
        const entities = { payment: payment(charge, 'captured', word.at), dispute };
        // Only a lost one takes its money.
        const withdrawn = dispute.amount_deducted;
        const said = { ...word, fee: null, withdrawn };
        return { word: said, spoken: event(type, word.at, entities) };
      },
    },
    refundId: (ours) => `rfnd_${plain(ours)}`,
    refund: ({ id, ours, payment: of, amount, currency, status, at }) =>
      event(status === 'succeeded' ? 'refund.processed' : 'refund.failed', at, {
        refund: {
          id,
          payment_id: of,
          amount,
          currency,
          status: status === 'succeeded' ? 'processed' : 'failed',
          notes: ours === null ? [] : { refund_id: ours },
          created_at: seconds(at),
        },
      }),
  };
}
