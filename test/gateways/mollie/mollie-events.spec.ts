import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { signMollie } from '../../../src/gateways/mollie/mollie.gateway.js';
import { InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import { aCheckoutRequest, LINK, MOLLIE_SECRET } from '../gateway-builders.js';
import {
  aChargeback,
  anEvent,
  aPayment,
  aRefund,
  gatewayAt,
  LATER,
  named,
  PAYMENT,
  read,
  TIME,
  UNAVAILABLE,
  withoutKey,
} from './mollie-objects.js';

const created = () =>
  Response.json({ id: PAYMENT, _links: { checkout: { href: 'https://mollie.test/pay' } } });
const request = (amount = Money.of(1250n, 'EUR')) =>
  aCheckoutRequest({ amount, description: 'x'.repeat(300), returnUrl: 'https://shop.test/back' });

describe('signed event', () => {
  it('with a full payload is read without a call', () => {
    expect(read(anEvent('payment.paid', aPayment()))).toMatchObject({
      kind: 'paid',
      eventId: 'event_GvJ8WHrp5isUdRub9CJyH',
      providerPaymentId: PAYMENT,
      paidAt: new Date(LATER),
    });
  });

  it('with a simple payload names its payment', () => {
    const body = anEvent('payment.paid');
    const delivery = { rawBody: Buffer.from(body), headers: signMollie(MOLLIE_SECRET, body) };
    expect(withoutKey().parse(delivery)).toEqual([
      named({
        isSigned: true,
        eventId: 'event_GvJ8WHrp5isUdRub9CJyH',
        eventType: 'payment.paid',
      }),
    ]);
    const wrong = anEvent('payment.paid', undefined, { entityId: 'tr_a/../b' });
    expect(() => read(wrong)).toThrow(InvalidSignature);
  });

  it.each([
    ['pending', { kind: 'processing', linkId: LINK, at: new Date(TIME) }],
    ['authorized', { kind: 'processing' }],
    ['failed', { kind: 'failed', reason: 'failed', at: new Date(LATER), isFinal: true }],
    ['canceled', { kind: 'failed', reason: 'canceled', at: new Date(LATER) }],
    ['expired', { kind: 'failed', reason: 'expired', at: new Date(LATER) }],
    ['open', { kind: 'irrelevant' }],
  ])('of a payment that is %s', (status, expected) => {
    const over = { status, paidAt: null, [`${status}At`]: LATER };
    expect(read(anEvent(`payment.${status}`, aPayment(over)))).toMatchObject(expected);
  });

  it('says why a payment failed', () => {
    const over = { status: 'failed', details: { failureReason: 'insufficient_funds' } };
    expect(read(anEvent('payment.failed', aPayment(over)))).toMatchObject({
      reason: 'insufficient_funds',
    });
  });

  it.each([
    ['refunded', 'succeeded'],
    ['queued', 'pending'],
    ['pending', 'pending'],
    ['processing', 'pending'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('of a refund that is %s', (status, outcome) => {
    expect(read(anEvent(`refund.${status}`, aRefund({ status })))).toMatchObject({
      kind: 'refund',
      refundId: 'rfnd_1',
      providerRefundId: 're_4qqhO89gsT',
      providerPaymentId: PAYMENT,
      outcome: { status: outcome },
    });
  });

  it('of a chargeback takes the money, until it is reversed', () => {
    expect(read(anEvent('chargeback.received', aChargeback()))).toMatchObject({
      kind: 'dispute',
      status: 'lost',
      disputeId: 'chb_n9z0tp',
      reason: 'AC01',
      at: new Date(LATER),
    });
    const reversed = aChargeback({ reversedAt: '2026-11-25T00:00:00+00:00' });
    expect(read(anEvent('chargeback.reversed', reversed))).toMatchObject({
      kind: 'dispute',
      status: 'won',
      at: new Date('2026-11-25T00:00:00Z'),
    });
  });

  it('of a refund or a chargeback with a simple payload is for a person', () => {
    for (const type of ['refund.refunded', 'chargeback.received']) {
      const body = anEvent(type, undefined, { entityId: 're_4qqhO89gsT' });
      expect(read(body)).toMatchObject({
        kind: 'irrelevant',
        review: expect.any(String),
        moved: { direction: 'out', reference: 're_4qqhO89gsT' },
      });
    }
  });

  it.each([
    ['live', 'test', 'irrelevant'],
    ['sandbox', 'live', 'irrelevant'],
    ['live', 'live', 'paid'],
    ['sandbox', 'test', 'paid'],
  ])('at a %s gateway of a %s payment is %s', (environment, mode, kind) => {
    const report = read(anEvent('payment.paid', aPayment({ mode })), { environment });
    expect(report.kind).toBe(kind);
    if (kind === 'irrelevant') expect(report).toMatchObject({ moved: { direction: 'in' } });
  });

  it.each(['-12.50', '12.505', '0.00', '1e3', '', 'x'])('of %j is for a person', (value) => {
    const amount = { currency: 'EUR', value };
    expect(read(anEvent('payment.paid', aPayment({ amount })))).toMatchObject({
      kind: 'irrelevant',
      moved: { direction: 'in', providerPaymentId: PAYMENT, amount: null },
    });
  });

  it('of anything else is of no effect', () =>
    expect(read(anEvent('payout.completed', { id: 'po_1' })).kind).toBe('irrelevant'));
});

describe('checkout', () => {
  it('makes a payment once, with our id, and the address of its webhook', async () => {
    const { sent, gateway } = gatewayAt(created);
    expect(await gateway.createCheckout(request())).toEqual({
      url: 'https://mollie.test/pay',
      providerObjectId: PAYMENT,
      pageExpiresAt: null,
    });
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: 'https://api.mollie.com/v2/payments',
      headers: { 'Idempotency-Key': LINK, 'Content-Type': 'application/json' },
    });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      amount: { currency: 'EUR', value: '12.50' },
      description: 'x'.repeat(255),
      redirectUrl: 'https://shop.test/back',
      webhookUrl: 'https://pay.example/v1/webhooks/gateway',
      locale: 'de_AT',
      metadata: { payment_link_id: LINK },
    });
  });

  it('names no webhook that Mollie cannot reach, and no language that it does not speak', async () => {
    const { sent, gateway } = gatewayAt(created);
    await gateway.createCheckout({ ...request(), webhookUrl: null, language: 'ja' });
    expect(sent[0]?.body).not.toMatch(/webhookUrl|locale/);
  });

  it.each([
    ['JPY', 1250n, '1250'],
    ['ISK', 1250n, '1250'],
    ['EUR', 1n, '0.01'],
    ['USD', 10_00n, '10.00'],
    ['HUF', 125_000n, '1250.00'],
  ])('writes %s %s exactly', async (currency, minor, value) => {
    const { sent, gateway } = gatewayAt(created);
    await gateway.createCheckout(request(Money.of(minor, currency)));
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ amount: { currency, value } });
  });

  it.each([
    ['KWD', 1250n],
    ['RUB', 1250n],
    ['HUF', 1250n],
    ['TWD', 1n],
  ])('asks for no %s %s, which Mollie does not take or rounds', async (currency, minor) => {
    const { sent, gateway } = gatewayAt(created);
    await expect(gateway.createCheckout(request(Money.of(minor, currency)))).rejects.toMatchObject({
      kind: 'conflict',
      code: 'gateway_refused',
    });
    expect(sent).toEqual([]);
  });

  it.each([
    [422, 'gateway_refused'],
    [401, 'gateway_refused'],
    [500, 'gateway_unavailable'],
    [429, 'gateway_unavailable'],
  ])('that answers %d is %s', async (status, code) => {
    const { gateway } = gatewayAt(() => Response.json({ status }, { status }));
    await expect(gateway.createCheckout(request())).rejects.toMatchObject({ code });
  });

  it('is not made up from an answer without an address', async () => {
    const { gateway } = gatewayAt(() => Response.json({ id: PAYMENT, _links: {} }));
    await expect(gateway.createCheckout(request())).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('refund', () => {
  it('is not taken for one of another payment', async () => {
    const { gateway } = gatewayAt(() => Response.json(aRefund({ paymentId: 'tr_another' })));
    const asked = gateway.lookUpRefund({
      refundId: 'rfnd_1',
      providerPaymentId: PAYMENT,
      amount: Money.of(500n, 'EUR'),
      providerRefundId: 're_4qqhO89gsT',
      isOurs: true,
    });
    await expect(asked).rejects.toMatchObject(UNAVAILABLE);
  });
});
