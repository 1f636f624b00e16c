import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { aGateway, aPayPalEvent, LINK, reportOf } from '../gateway-builders.js';

/** Parsing looks at no signature: `verify` comes first, always. */
const read = (body: string) =>
  reportOf(aGateway('paypal', { webhook_id: 'WH-1' }), {
    rawBody: Buffer.from(body),
    headers: { 'paypal-transmission-id': 'a1b2c3d4-0000-11f1-8000-000000000000' },
  });

const ofType = (event_type: string, resource: object = {}) =>
  JSON.stringify({ ...(JSON.parse(aPayPalEvent(resource)) as object), event_type });

describe('parse', () => {
  it('reads a completed capture', () =>
    expect(read(aPayPalEvent())).toMatchObject({
      kind: 'paid',
      eventId: 'a1b2c3d4-0000-11f1-8000-000000000000',
      eventType: 'PAYMENT.CAPTURE.COMPLETED',
      linkId: LINK,
      providerPaymentId: '42311647XV020574X',
      providerObjectId: '5O190127TN364715T',
      amount: Money.of(1250n, 'EUR'),
      paidAt: new Date('2026-11-20T11:59:00Z'),
    }));

  it.each([
    ['HUF', '1250', 125_000n],
    ['TWD', '1250', 125_000n],
    ['JPY', '1250', 1250n],
    ['JPY', '1250.00', 1250n],
    ['USD', '0.01', 1n],
  ])('reads %s %s exactly', (currency_code, value, minor) =>
    expect(read(aPayPalEvent({ amount: { currency_code, value } }))).toMatchObject({
      amount: Money.of(minor, currency_code),
    }),
  );

  it.each([
    { currency_code: 'XXX', value: '1' },
    { currency_code: 'EUR', value: '12.505' },
    { currency_code: 'JPY', value: '12.5' },
    { currency_code: 'EUR', value: '-1' },
    { currency_code: 'EUR', value: '1e3' },
  ])('leaves %j to a person', (amount) =>
    expect(read(aPayPalEvent({ amount }))).toMatchObject({
      kind: 'irrelevant',
      review: expect.any(String),
    }),
  );

  it('reads an approval', () => {
    const resource = { id: '5O190127TN364715T', purchase_units: [{ custom_id: LINK }] };
    expect(read(ofType('CHECKOUT.ORDER.APPROVED', resource))).toMatchObject({
      kind: 'approved',
      linkId: LINK,
      providerObjectId: '5O190127TN364715T',
    });
  });

  it('reads money on its way, and money that does not come', () => {
    const at = expect.any(Date);
    expect(read(ofType('PAYMENT.CAPTURE.PENDING'))).toMatchObject({ kind: 'processing', at });
    const failed = { kind: 'failed', amount: null, isFinal: true, at };
    expect(read(ofType('PAYMENT.CAPTURE.DECLINED'))).toMatchObject(failed);
    expect(read(ofType('PAYMENT.CAPTURE.DENIED'))).toMatchObject(failed);
  });

  it('reads a reversal of a capture, with its amount', () => {
    const reversal = {
      id: 'REVERSAL1',
      status: 'COMPLETED',
      amount: { currency_code: 'EUR', value: '5.00' },
      links: [{ rel: 'up', href: 'https://x.test/v2/payments/captures/CAPTURE1' }],
    };
    expect(read(ofType('PAYMENT.CAPTURE.REVERSED', reversal))).toMatchObject({
      kind: 'unpaid_again',
      providerPaymentId: 'CAPTURE1',
      reference: 'REVERSAL1',
      amount: Money.of(500n, 'EUR'),
    });
  });

  it.each(['CHECKOUT.ORDER.COMPLETED', 'CATALOG.PRODUCT.CREATED'])('passes over %s', (type) => {
    expect(read(ofType(type)).kind).toBe('irrelevant');
    expect(read(ofType(type))).not.toHaveProperty('review');
  });

  it.each(['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.CAPTURE.REVERSED', 'CUSTOMER.DISPUTE.CREATED'])(
    'leaves %s to a person',
    (type) => expect(read(ofType(type))).toHaveProperty('review'),
  );
});
