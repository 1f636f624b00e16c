import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import Stripe from 'stripe';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { Money } from '../../../src/kernel/money.js';

import { type Delivery, InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import {
  aCheckoutRequest,
  aGateway,
  clockAt,
  LINK,
  NOW,
  NOW_SECONDS,
  signedAgain,
  STRIPE_SECRET as SECRET,
  reportOf,
} from '../gateway-builders.js';

const official = new Stripe('sk_test_unused');

/** Signed by Stripe's own library. */
function aDelivery(body: unknown, timestamp = NOW_SECONDS, secret = SECRET): Delivery {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const header = official.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { rawBody: Buffer.from(payload), headers: { 'stripe-signature': header } };
}

function anEvent(type: string, object: object, over: object = {}): object {
  return { id: 'evt_1', type, created: NOW_SECONDS, livemode: false, data: { object }, ...over };
}

function aSession(over: object = {}): object {
  return {
    id: 'cs_test_1',
    payment_status: 'paid',
    payment_intent: 'pi_1',
    amount_total: 1250,
    currency: 'eur',
    metadata: { payment_link_id: LINK },
    ...over,
  };
}

function anIntent(over: object = {}): object {
  return {
    id: 'pi_1',
    amount_received: 1250,
    currency: 'eur',
    metadata: { payment_link_id: LINK },
    ...over,
  };
}

function gatewayWith(settings: Record<string, string> = {}, now = NOW) {
  return aGateway('stripe', { webhook_secret: SECRET, ...settings }, { clock: clockAt(now) });
}

const read = (body: unknown, settings = {}) => reportOf(gatewayWith(settings), aDelivery(body));

const refused = (each: Delivery, settings = {}) =>
  expect(gatewayWith(settings).verify(each)).rejects.toBeInstanceOf(InvalidSignature);

describe('verify', () => {
  const body = anEvent('checkout.session.completed', aSession());
  const delivery = aDelivery(body);
  const header = String(delivery.headers['stripe-signature']);
  const withHeader = (value: string): Delivery => ({
    ...delivery,
    headers: { 'stripe-signature': value },
  });
  it('accepts what the official library signs', () => gatewayWith().verify(delivery));

  it('accepts the published vector', () =>
    gatewayWith({}, new Date(1_492_774_577_000)).verify({
      rawBody: Buffer.from('{"id":"evt_test_webhook","object":"event"}'),
      headers: {
        'stripe-signature':
          't=1492774577,v1=88a022085c6bdb887b02cb26ff76dd681234d9675c0f22844059f55552a8883a',
      },
    }));

  it('signs what the official library accepts', () => {
    const payload = JSON.stringify(body);
    const [ours] = Object.values(signedAgain('stripe', payload, ''));
    const event = official.webhooks.constructEvent(payload, ours ?? '', SECRET, Infinity);
    expect(event.id).toBe('evt_1');
  });

  it.each([0, 300, -300])('accepts an age of %d s', (age) =>
    gatewayWith().verify(aDelivery(body, NOW_SECONDS - age)),
  );

  it.each([301, -301, 86_400, -86_400])('refuses an age of %d s', (age) =>
    refused(aDelivery(body, NOW_SECONDS - age)),
  );

  it('accepts either secret during rotation, and neither of another endpoint', async () => {
    const both = gatewayWith({ webhook_secret: `whsec_new, ${SECRET}` });
    await both.verify(delivery);
    await both.verify(aDelivery(body, NOW_SECONDS, 'whsec_new'));
    await refused(aDelivery(body, NOW_SECONDS, 'whsec_other'));
  });

  it('takes any matching v1 of several', () =>
    gatewayWith().verify(withHeader(header.replace('v1=', `v1=${'0'.repeat(64)},v1=`))));

  it('never takes v0', () => refused(withHeader(header.replace('v1=', 'v0='))));

  it('refuses a doubled timestamp', async () => {
    await refused(withHeader(`${header},t=${NOW_SECONDS}`));
    await refused(withHeader(`t=1, ${header}`));
  });

  it('refuses hex that Buffer would shorten, and wrong lengths', async () => {
    await refused(withHeader(header.replace(/.$/, 'g')));
    await refused(withHeader(`${header}00`));
    await refused(withHeader(header.toUpperCase().replace('T=', 't=').replace('V1=', 'v1=')));
  });

  it('refuses a header of any length, and more signatures than anyone sends', async () => {
    await refused(withHeader(`${header},${'x'.repeat(2048)}`));
    await refused(withHeader(`${header}${`,v1=${'0'.repeat(64)}`.repeat(16)}`));
  });

  it('does not accept the empty key', () => {
    const empty = createHmac('sha256', '').update(`${NOW_SECONDS}.{}`).digest('hex');
    return refused({
      rawBody: Buffer.from('{}'),
      headers: { 'stripe-signature': `t=${NOW_SECONDS},v1=${empty}` },
    });
  });
});

describe('parse', () => {
  it('gives one payment one id, whichever event reports it', () => {
    const session = read(anEvent('checkout.session.completed', aSession()));
    const later = read(anEvent('checkout.session.async_payment_succeeded', aSession()));
    const intent = read(anEvent('payment_intent.succeeded', anIntent()));
    const paid = { kind: 'paid', linkId: LINK, providerPaymentId: 'pi_1', paidAt: NOW };
    const amount = Money.of(1250n, 'EUR');
    expect(session).toMatchObject({ ...paid, amount, providerObjectId: 'cs_test_1' });
    expect(later).toMatchObject({ ...paid, amount });
    expect(intent).toMatchObject({ ...paid, amount, providerObjectId: null, fingerprint: null });
  });

  it('reads an expanded PaymentIntent', () =>
    expect(
      read(anEvent('checkout.session.completed', aSession({ payment_intent: { id: 'pi_1' } }))),
    ).toMatchObject({ kind: 'paid', providerPaymentId: 'pi_1' }));

  it.each([undefined, null, {}, { payment_link_id: 7 }, { payment_link_id: 'a b' }])(
    'reads no link id from metadata %j',
    (metadata) =>
      expect(read(anEvent('payment_intent.succeeded', anIntent({ metadata })))).toMatchObject({
        kind: 'paid',
        linkId: null,
      }),
  );

  it.each([
    ['checkout.session.completed', aSession({ payment_status: 'unpaid' })],
    ['payment_intent.processing', anIntent()],
  ])('reads money on its way from %s', (type, object) =>
    expect(read(anEvent(type, object))).toMatchObject({
      kind: 'processing',
      linkId: LINK,
      at: NOW,
    }),
  );

  it.each([
    ['checkout.session.async_payment_failed', aSession(), 'async_payment_failed', true],
    [
      'payment_intent.payment_failed',
      anIntent({ last_payment_error: { code: 'card_declined', decline_code: 'no_funds' } }),
      'no_funds',
      false,
    ],
    ['payment_intent.canceled', anIntent({ cancellation_reason: 'abandoned' }), 'abandoned', true],
    [
      'charge.failed',
      { ...anIntent({ id: 'ch_1', failure_code: 'bank_declined' }), payment_intent: 'pi_1' },
      'bank_declined',
      false,
    ],
  ])('reads a payment that failed from %s', (type, object, reason, isFinal) =>
    expect(read(anEvent(type, object))).toMatchObject({
      kind: 'failed',
      linkId: LINK,
      providerPaymentId: 'pi_1',
      amount: null,
      reason,
      isFinal,
      at: NOW,
    }),
  );

  it.each([
    ['checkout.session.completed', nothingToPay()],
    ['checkout.session.expired', {}],
    ['charge.failed', { payment_intent: null }],
    ['customer.created', {}],
  ])('passes over %s %j', (type, over) => {
    const report = read(anEvent(type, aSession(over)));
    expect(report.kind).toBe('irrelevant');
    expect(report).not.toHaveProperty('review');
  });

  it.each([
    ['checkout.session.completed', aSession({ payment_intent: null })],
    ['checkout.session.completed', aSession({ currency: 'usdc' })],
    ['checkout.session.completed', aSession({ currency: 'isk', amount_total: 1250 })],
    ['payment_intent.succeeded', anIntent({ amount_received: 10_000_000_000_001 })],
    ['charge.refunded', {}],
    ['charge.dispute.created', {}],
  ])('leaves money it cannot book to a person: %s %j', (type, object) =>
    expect(read(anEvent(type, object))).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
    }),
  );

  it('leaves a test payment at a live gateway to a person', () => {
    const event = anEvent('checkout.session.completed', aSession());
    expect(read(event, { environment: 'live' })).toHaveProperty('review');
    expect(read(event, { environment: 'sandbox' }).kind).toBe('paid');
    expect(read({ ...event, livemode: true }, { environment: 'live' }).kind).toBe('paid');
  });

  it.each([
    ['isk', 1200, 12n],
    ['ugx', 1200, 12n],
    ['mga', 12, 1200n],
    ['jpy', 12, 12n],
    ['kwd', 1230, 1230n],
  ])('converts %s %d exactly', (currency, units, minor) =>
    expect(
      read(anEvent('payment_intent.succeeded', anIntent({ currency, amount_received: units }))),
    ).toMatchObject({ amount: Money.of(minor, currency.toUpperCase()) }),
  );
});

const sessionMade = () => Response.json({ id: 'cs_1', url: 'https://checkout.stripe.com/c/1' });

describe('createCheckout', () => {
  const request = aCheckoutRequest({ expiresAt: new Date(NOW.getTime() + 3_600_000) });
  interface Seen {
    url: string;
    headers: Record<string, string>;
    form: URLSearchParams;
  }
  const withAnswer = (answer: () => Response | Promise<Response>) => {
    const seen: Seen[] = [];
    const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
      const form = new URLSearchParams(String(init?.body));
      seen.push({ url: String(input), headers: init?.headers as Record<string, string>, form });
      return answer();
    };
    const settings = { webhook_secret: SECRET, api_key: 'sk_hush' };
    const gateway = aGateway('stripe', settings, { fetch: fetch as typeof globalThis.fetch });
    return { gateway, seen };
  };
  it('calls nothing without a key', async () =>
    expect(await gatewayWith().createCheckout(request)).toEqual({
      url: null,
      providerObjectId: null,
    }));

  it('sends the link id on the session, on its PaymentIntent and as Idempotency-Key', async () => {
    const { gateway, seen } = withAnswer(sessionMade);
    expect(await gateway.createCheckout(request)).toEqual({
      url: 'https://checkout.stripe.com/c/1',
      providerObjectId: 'cs_1',
      pageExpiresAt: null,
    });
    const [call] = seen;
    expect(call?.url).toBe('https://api.stripe.com/v1/checkout/sessions');
    expect(call?.headers['Idempotency-Key']).toBe(LINK);
    expect(call?.form.get('metadata[payment_link_id]')).toBe(LINK);
    expect(call?.form.get('payment_intent_data[metadata][payment_link_id]')).toBe(LINK);
    expect(call?.form.get('expires_at')).toBe(String(NOW_SECONDS + 3600));
  });

  it.each([
    [Money.of(12n, 'ISK'), '1200'],
    [Money.of(1200n, 'MGA'), '12'],
    [Money.of(1230n, 'KWD'), '1230'],
    [Money.of(12n, 'JPY'), '12'],
  ])('asks for %s as %s', async (amount, unitAmount) => {
    const { gateway, seen } = withAnswer(sessionMade);
    await gateway.createCheckout({ ...request, amount });
    expect(seen[0]?.form.get('line_items[0][price_data][unit_amount]')).toBe(unitAmount);
  });

  it.each([Money.of(1231n, 'KWD'), Money.of(1201n, 'MGA')])('refuses %s', async (amount) => {
    const { gateway, seen } = withAnswer(sessionMade);
    await expect(gateway.createCheckout({ ...request, amount })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'gateway_refused',
    });
    expect(seen).toEqual([]);
  });

  it.each([
    [60_000, 1_860],
    [86_400_000, null],
  ])('keeps a link that ends in %d ms inside what Stripe allows', async (ms, seconds) => {
    const { gateway, seen } = withAnswer(sessionMade);
    await gateway.createCheckout({ ...request, expiresAt: new Date(NOW.getTime() + ms) });
    const sent = seen[0]?.form.get('expires_at') ?? null;
    expect(sent).toBe(seconds === null ? null : String(NOW_SECONDS + seconds));
  });

  it.each([
    ['network', () => Promise.reject(new Error('Bearer sk_hush')), 'unavailable'],
    ['500', () => new Response('sk_hush', { status: 500 }), 'unavailable'],
    ['429', () => new Response('', { status: 429 }), 'unavailable'],
    ['302', () => new Response('', { status: 302, headers: { location: '/' } }), 'unavailable'],
    ['nonsense', () => new Response('<html>'), 'unavailable'],
    [
      '401',
      () => Response.json({ error: { message: 'sk_hush', code: 'bad' } }, { status: 401 }),
      'conflict',
    ],
  ])('turns %s into a domain error that hides the key', async (_name, answer, kind) => {
    const error = await withAnswer(answer)
      .gateway.createCheckout(request)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ kind });
    expect(JSON.stringify(error) + String(error)).not.toContain('hush');
  });
});

function nothingToPay(): object {
  return { payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 };
}
