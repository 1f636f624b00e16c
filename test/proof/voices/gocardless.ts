import { type Charge, fresh, hex, iso, plain, type Spoken, type Voice, written } from './voice.js';

/** developer.gocardless.com/api-reference, "Events": they name objects, which its API shows. */
export function goCardlessVoice(secret: string, objects: Record<string, object>): Voice {
  // No payment of these runs is collected twice: the list of its events says nothing more.
  objects['/events'] = { events: [], meta: { cursors: { before: null, after: null } } };
  const event = (of: string, action: string, at: number, links: object): Spoken => {
    const details = { origin: 'gocardless', cause: `${of}_${action}` };
    const happened = { id: fresh('EV').toUpperCase(), created_at: iso(at), action, details };
    const body = written({ events: [{ ...happened, resource_type: of, links }] });
    return {
      body,
      headers: { 'content-type': 'application/json', 'webhook-signature': hex(secret, body) },
    };
  };
  const refundedAt = new Map<string, number>();
  const payment = ({ id, link, amount, currency }: Charge, action: string, at: number) => {
    const shown = { id, created_at: iso(at), status: 'confirmed', amount, currency };
    const payments = { ...shown, amount_refunded: 0, metadata: { payment_link_id: link } };
    objects[`/payments/${id}`] ??= { payments };
    return event('payments', action, at, { payment: id });
  };
  return {
    currencies: ['EUR', 'GBP'],
    isAsked: true,
    isSilent: true,
    paymentId: () => fresh('PM').toUpperCase(),
    feeOf: () => 0,
    paid: (charge, _fee, at) => payment(charge, 'confirmed', at),
    processing: (charge, at) => payment(charge, 'submitted', at),
    failed: {
      of: 'ofPaid',
      namesPayment: true,
      isFinal: true,
      told: (charge, at) => payment(charge, 'failed', at),
    },
    dispute: {
      statuses: ['lost', 'won'],
      isWhole: true,
      id: (id) => `${id}:chargeback`,
      told: (charge, _id, word) => {
        const action = word.status === 'won' ? 'chargeback_cancelled' : 'charged_back';
        const spoken = payment(charge, action, word.at);
        return { word: { ...word, amount: charge.amount, fee: null }, spoken };
      },
    },
    refundId: (ours) => `RF${plain(ours)}`,
    refund: ({ id, ours, payment: of, amount, currency, status, at }) => {
      const refunds = {
        id,
        amount,
        currency,
        created_at: iso(at),
        status: status === 'succeeded' ? 'paid' : 'bounced',
        metadata: ours === null ? {} : { refund_id: ours },
        links: { payment: of },
      };
      // It shows how the refund stands, whatever an event of before says.
      if ((refundedAt.get(id) ?? at) <= at) {
        refundedAt.set(id, at);
        objects[`/refunds/${id}`] = { refunds };
      }
      return event('refunds', status === 'succeeded' ? 'paid' : 'failed', at, { refund: id });
    },
  };
}
