import {
  type Charge,
  decimal,
  fresh,
  hex,
  iso,
  plain,
  type Spoken,
  type Voice,
  written,
} from './voice.js';

const money = (minor: number, currency: string) => ({
  currency,
  value: decimal(minor, currency),
});

const payment = ({ id, link, amount, currency }: Charge, status: string, at: number) => ({
  resource: 'payment',
  id,
  mode: 'test',
  status,
  amount: money(amount, currency),
  metadata: { payment_link_id: link },
  createdAt: iso(at),
});

/** docs.mollie.com/reference/webhooks-new. */
export function mollieVoice(secret: string): Voice {
  const event = (type: string, at: number, entity: { id: string }): Spoken => {
    const body = written({
      resource: 'event',
      id: fresh('event_'),
      type,
      entityId: entity.id,
      createdAt: iso(at),
      _embedded: { entity },
    });
    const signature = `sha256=${hex(secret, body)}`;
    return {
      body,
      headers: { 'content-type': 'application/json', 'x-mollie-signature': signature },
    };
  };
  return {
    currencies: ['EUR', 'JPY'],
    paymentId: () => fresh('tr_'),
    feeOf: () => 0,
    paid: (charge, _fee, at) =>
      event('payment.paid', at, { ...payment(charge, 'paid', at), paidAt: iso(at) } as never),
    processing: (charge, at) => event('payment.pending', at, payment(charge, 'pending', at)),
    failed: {
      of: 'ofPaid',
      namesPayment: true,
      isFinal: true,
      told: (charge, at) => {
        const failed = { ...payment(charge, 'failed', at), failedAt: iso(at) };
        return event('payment.failed', at, failed);
      },
    },
    dispute: {
      statuses: ['lost', 'won'],
      id: (id, which) => `chb_${which}${id}`,
      told: (charge, id, word) => {
        const isBack = word.status === 'won';
        const entity = {
          resource: 'chargeback',
          id,
          paymentId: charge.id,
          amount: money(word.amount, charge.currency),
          // The money is gone at once, and may come back.
          createdAt: iso(isBack ? word.at - 1000 : word.at),
          reversedAt: isBack ? iso(word.at) : null,
        };
        const type = isBack ? 'chargeback.reversed' : 'chargeback.received';
        return { word: { ...word, fee: null }, spoken: event(type, word.at, entity) };
      },
    },
    refundId: (ours) => `re_${plain(ours)}`,
    refund: ({ id, ours, payment: paymentId, amount, currency, status, at }) =>
      event(status === 'succeeded' ? 'refund.refunded' : 'refund.failed', at, {
        resource: 'refund',
        id,
        paymentId,
        amount: money(amount, currency),
        status: status === 'succeeded' ? 'refunded' : 'failed',
        metadata: ours === null ? null : { refund_id: ours },
        createdAt: iso(at),
      } as never),
  };
}
