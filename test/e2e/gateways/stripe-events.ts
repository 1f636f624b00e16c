import Stripe from 'stripe';

/** The secret of gateway-a in the test service. */
const SECRET = 'whsec_of_the_tests';

export interface Link {
  id: string;
  document_id: string;
  amount: number;
  currency: string;
}

let counter = 0;
/** A text that no other call gives. */
export const next = () => `${Date.now()}${(counter += 1)}`;

/** One Stripe payment of a link, as the two events that Stripe sends for it. */
export function stripePayment(
  link: Pick<Link, 'amount' | 'currency'> & { id?: string },
  now: Date,
  intent = next(),
) {
  const metadata = link.id === undefined ? {} : { payment_link_id: link.id };
  const created = Math.floor(now.getTime() / 1000);
  const currency = link.currency.toLowerCase();
  const event = (type: string, object: object) => ({
    id: `evt_${next()}`,
    object: 'event',
    type,
    created,
    livemode: false,
    data: { object },
  });
  return {
    session: event('checkout.session.completed', {
      id: `cs_test_${intent}`,
      object: 'checkout.session',
      payment_status: 'paid',
      payment_intent: `pi_${intent}`,
      amount_total: link.amount,
      currency,
      metadata,
    }),
    intent: event('payment_intent.succeeded', {
      id: `pi_${intent}`,
      object: 'payment_intent',
      amount: link.amount,
      amount_received: link.amount,
      currency,
      metadata,
    }),
  };
}

/** Body and headers, signed by Stripe's own package: an independent signer. */
export function signedByStripe(event: object, now: Date, secret = SECRET) {
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(now.getTime() / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  return { body: payload, headers };
}
