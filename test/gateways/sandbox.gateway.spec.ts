import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import { InvalidSignature } from '../../src/payments/port/domain/gateway.js';
import type { SandboxGateway } from '../../src/gateways/sandbox/sandbox.gateway.js';
import { signStandardWebhook } from '../../src/kernel/standard-webhook.js';
import {
  aCheckoutRequest,
  aGateway,
  clockAt,
  NOW,
  NOW_SECONDS,
  SANDBOX_SECRET,
  reportOf,
} from './gateway-builders.js';

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const KEY = Buffer.from(SANDBOX_SECRET.slice('whsec_'.length), 'base64');

function gatewayWith(secret = SANDBOX_SECRET, now = NOW) {
  return aGateway('sandbox', { webhook_secret: secret }, { clock: clockAt(now) });
}

function aDelivery(body: string, unixSeconds = NOW_SECONDS, id = 'msg_1') {
  return {
    rawBody: Buffer.from(body),
    headers: signStandardWebhook([KEY], { id, unixSeconds, body }),
  };
}

function anEvent(data: object = {}, type = 'payment.succeeded') {
  const whole = {
    payment_id: 'sbx_1',
    payment_link_id: 'plink_1',
    amount: 1250,
    currency: 'EUR',
    paid_at: NOW.toISOString(),
    ...data,
  };
  return JSON.stringify({ id: 'evt_1', type, data: whole });
}

const refused = (promise: Promise<void>) =>
  expect(promise).rejects.toBeInstanceOf(InvalidSignature);

describe('verify', () => {
  // standardwebhooks.com, the specification's example.
  const vector = {
    rawBody: Buffer.from('{"test": 2432232314}'),
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  };
  const then = new Date(1_614_265_330_000);
  it('accepts the published vector', () => gatewayWith(SANDBOX_SECRET, then).verify(vector));

  it('takes any matching v1 of several, and passes over other schemes', () => {
    const all = `v1a,AAAA v1,${'A'.repeat(43)}= ${vector.headers['webhook-signature']}`;
    const headers = { ...vector.headers, 'webhook-signature': all };
    return gatewayWith(SANDBOX_SECRET, then).verify({ ...vector, headers });
  });

  it('accepts either secret during rotation', async () => {
    await gatewayWith(`${OTHER_SECRET},${SANDBOX_SECRET}`, then).verify(vector);
    await refused(gatewayWith(OTHER_SECRET, then).verify(vector));
  });

  it.each([300, -300])('accepts an age of %d s', (age) =>
    gatewayWith().verify(aDelivery('{}', NOW_SECONDS - age)),
  );

  it.each([301, -301])('refuses an age of %d s', (age) =>
    refused(gatewayWith().verify(aDelivery('{}', NOW_SECONDS - age))),
  );

  it('does not let a dot in the id move the border between id, time and body', () =>
    refused(gatewayWith().verify(aDelivery('{}', NOW_SECONDS, `msg_1.${NOW_SECONDS}`))));
});

const read = (body: string) => reportOf(gatewayWith(), aDelivery(body));

describe('parse', () => {
  it('reads a payment', () =>
    expect(read(anEvent())).toEqual({
      kind: 'paid',
      eventId: 'evt_1',
      eventType: 'payment.succeeded',
      fingerprint: null,
      linkId: 'plink_1',
      providerObjectId: null,
      providerPaymentId: 'sbx_1',
      amount: Money.of(1250n, 'EUR'),
      fee: null,
      paidAt: NOW,
    }));

  it('passes over other events', () =>
    expect(read(anEvent({}, 'payout.created'))).not.toHaveProperty('review'));

  it.each([
    ['payment.processing', 'processing'],
    ['payment.failed', 'failed'],
    ['payment.reversed', 'unpaid_again'],
  ])('reads %s', (type, kind) => {
    const at = NOW.toISOString();
    expect(read(anEvent({ at }, type))).toMatchObject({ kind, linkId: 'plink_1', at: NOW });
  });

  it.each([{ currency: 'XXX' }, { amount: 0 }])('leaves %j to a person', (data) =>
    expect(read(anEvent(data))).toMatchObject({ kind: 'irrelevant', review: expect.any(String) }),
  );
});

it('sends the payer to our own page, which knows the way back by its signature', async () => {
  const gateway = gatewayWith() as SandboxGateway;
  const { url, providerObjectId } = await gateway.createCheckout(
    aCheckoutRequest({ linkId: 'plink_1', amount: Money.of(1n, 'EUR') }),
  );
  expect(providerObjectId).toBeNull();
  const { origin, pathname, searchParams } = new URL(url ?? '');
  expect(origin + pathname).toBe('https://pay.example/v1/sandbox/sandbox/plink_1');
  const signature = searchParams.get('signature') ?? '';
  expect(searchParams.get('return_url')).toBe('https://pay.example/back');
  const judged = [
    gateway.isReturn('plink_1', 'https://pay.example/back', signature),
    gateway.isReturn('plink_2', 'https://pay.example/back', signature),
    gateway.isReturn('plink_1', 'https://evil.example/', signature),
    gateway.isReturn('plink_1', 'https://pay.example/back', ''),
  ];
  expect(judged).toEqual([true, false, false, false]);
});
