import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { type Gateway, InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import { aGateway, LINK, NOW_SECONDS, STRIPE_SECRET } from '../gateway-builders.js';

const CREATED = '2026-11-20T11:59:00.000Z';
const unavailable = { kind: 'unavailable', code: 'gateway_unavailable' };

const aThinEvent = (over: object = {}) => ({
  id: 'evt_test_65R9Ijk8dKEYZcXeRWn16R9A7j1FSQ3w3TGDPLLGSM4CW0',
  object: 'v2.core.event',
  type: 'v1.payment_intent.succeeded',
  created: CREATED,
  livemode: false,
  related_object: { id: 'pi_1', type: 'payment_intent', url: 'https://evil.test/v1/other' },
  ...over,
});
const anIntent = (over: object = {}) => ({
  id: 'pi_1',
  object: 'payment_intent',
  amount_received: 1250,
  currency: 'eur',
  metadata: { payment_link_id: LINK },
  ...over,
});

function gatewayAt(answer: () => Response | Promise<Response>) {
  const urls: string[] = [];
  const fetch = (async (url: string) => {
    urls.push(url);
    return answer();
  }) as unknown as typeof globalThis.fetch;
  const settings = { webhook_secret: STRIPE_SECRET, api_key: 'sk_hush' };
  return { urls, gateway: aGateway('stripe', settings, { fetch }) };
}
const withoutKey = (settings = {}) =>
  aGateway('stripe', { webhook_secret: STRIPE_SECRET, ...settings });
const parse = (event: object, gateway: Gateway = withoutKey()) =>
  gateway.parse({ rawBody: Buffer.from(JSON.stringify(event)), headers: {} })[0];

async function lookUp(gateway: Gateway, event: object = aThinEvent()) {
  const named = parse(event);
  if (named?.kind !== 'named') throw new Error('not named');
  return gateway.lookUp(named);
}

describe('a thin event', () => {
  it("with a signature of Stripe's own package names its object, by a path of ours", async () => {
    const payload = JSON.stringify(aThinEvent());
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: STRIPE_SECRET,
      timestamp: NOW_SECONDS,
    });
    const delivery = {
      rawBody: Buffer.from(payload),
      headers: { 'stripe-signature': signature },
    };
    await withoutKey().verify(delivery);
    expect(withoutKey().parse(delivery)).toEqual([
      {
        kind: 'named',
        objectId: '/v1/payment_intents/pi_1',
        eventId: aThinEvent().id,
        eventType: 'v1.payment_intent.succeeded',
        at: new Date(CREATED),
        isSigned: true,
      },
    ]);
  });

  it('is read as the whole event is, with its object as it is now', async () => {
    const { urls, gateway } = gatewayAt(() => Response.json(anIntent()));
    expect(await lookUp(gateway)).toEqual([
      {
        kind: 'paid',
        eventId: aThinEvent().id,
        eventType: 'v1.payment_intent.succeeded',
        fingerprint: null,
        linkId: LINK,
        providerObjectId: null,
        providerPaymentId: 'pi_1',
        amount: Money.of(1250n, 'EUR'),
        fee: null,
        paidAt: new Date(CREATED),
      },
    ]);
    expect(urls).toEqual(['https://api.stripe.com/v1/payment_intents/pi_1']);
  });

  it.each([
    ['v1.checkout.session.completed', 'checkout.session', 'cs_test_1', '/v1/checkout/sessions/'],
    ['v1.charge.refunded', 'charge', 'ch_1', '/v1/charges/'],
    ['v1.charge.dispute.created', 'dispute', 'du_1', '/v1/disputes/'],
    ['v1.refund.updated', 'refund', 're_1', '/v1/refunds/'],
  ])('%s names a %s', (type, of, id, path) => {
    const event = aThinEvent({ type, related_object: { id, type: of } });
    expect(parse(event)).toMatchObject({ kind: 'named', objectId: `${path}${id}` });
  });

  it('that does not concern us is of no effect', () => {
    const event = aThinEvent({ type: 'v2.core.account.created', related_object: null });
    expect(parse(event)).toMatchObject({ kind: 'irrelevant', eventId: event.id });
  });

  it('of the other mode is for a person, and makes no call', () => {
    const live = withoutKey({ environment: 'live' });
    expect(parse(aThinEvent(), live)).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
    });
  });

  it.each([
    { related_object: null },
    { related_object: { id: 'pi_1', type: 'customer' } },
    { related_object: { id: 'pi_1/../../v1/balance', type: 'payment_intent' } },
    { related_object: { id: 'pi_1?expand=x', type: 'payment_intent' } },
    { created: 1 },
    { created: 'yesterday' },
    { id: '' },
  ])('of another form is refused: %j', (over) => {
    expect(() => parse(aThinEvent(over))).toThrow(InvalidSignature);
  });

  it('cannot be looked up without a key', () =>
    expect(lookUp(withoutKey())).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'gateway_key_missing',
    }));

  it.each<[string, () => Response | Promise<Response>]>([
    ['a network failure', () => Promise.reject(new Error('hush'))],
    ...[302, 401, 403, 404, 429, 500].map((status): [string, () => Response] => [
      String(status),
      () => Response.json({}, { status }),
    ]),
    ['an answer that is no JSON', () => new Response('<html>')],
    ['another object', () => Response.json(anIntent({ id: 'pi_2' }))],
    ['an object of another shape', () => Response.json({ id: 'pi_1', amount_received: 'x' })],
  ])('comes again after %s', async (_what, answer) => {
    await expect(lookUp(gatewayAt(answer).gateway)).rejects.toMatchObject(unavailable);
  });
});
