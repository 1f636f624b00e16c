import { describe, expect, it } from 'vitest';
import { CURRENCIES, minorDigits } from '../../../src/kernel/currency.js';
import { LARGEST_AMOUNT_MINOR, Money } from '../../../src/kernel/money.js';
import { adyenAmount, moneyOfAdyen } from '../../../src/gateways/adyen/adyen-amount.js';
import {
  ADYEN_REFUND,
  adyenAt,
  adyenSaysNo,
  adyenWithoutKey,
  aPage,
  NO_ANSWERS,
  PAYMENT_PSP,
  PSP,
  sentBody,
} from './adyen-objects.js';
import { aCheckoutRequest, ADYEN_ACCOUNT } from '../gateway-builders.js';

const UNAVAILABLE = { kind: 'unavailable', code: 'gateway_unavailable' };
const request = (over: object = {}) => ({
  refundId: ADYEN_REFUND,
  providerPaymentId: PAYMENT_PSP,
  amount: Money.of(500n, 'EUR'),
  providerRefundId: null,
  isOurs: true,
  ...over,
});
const received = (over: object = {}) => ({
  merchantAccount: ADYEN_ACCOUNT,
  paymentPspReference: PAYMENT_PSP,
  reference: ADYEN_REFUND,
  pspReference: PSP,
  status: 'received',
  amount: { currency: 'EUR', value: 500 },
  ...over,
});

describe('refund', () => {
  it('is only received, under our id', async () => {
    const { sent, gateway } = adyenAt(() => Response.json(received(), { status: 201 }));
    expect(gateway).toMatchObject({ canRefund: true, tellsRefunds: false, refundKeyHours: 168 });
    expect(await gateway.refund(request())).toEqual({ status: 'pending', providerRefundId: PSP });
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: `https://checkout-test.adyen.com/v72/payments/${PAYMENT_PSP}/refunds`,
      headers: { 'Idempotency-Key': ADYEN_REFUND, 'X-API-Key': 'AQE_hush' },
    });
    expect(sentBody(sent[0])).toEqual({
      merchantAccount: ADYEN_ACCOUNT,
      amount: { value: 500, currency: 'EUR' },
      reference: ADYEN_REFUND,
    });
  });

  it.each([400, 401, 403, 404, 422])(
    'that answers %d is refused, with the code',
    async (status) => {
      const { gateway } = adyenAt(() => adyenSaysNo(status, '167'));
      expect(await gateway.refund(request())).toEqual({ status: 'failed', reason: '167' });
    },
  );

  it.each<[string, () => Response | Promise<Response>]>([
    ...NO_ANSWERS,
    ...[408, 409, 425].map((status): [string, () => Response] => [
      String(status),
      () => adyenSaysNo(status),
    ]),
    ...[
      { reference: 'rfnd_another' },
      { paymentPspReference: 'ANOTHER' },
      { merchantAccount: 'Another' },
      { amount: { currency: 'EUR', value: 501 } },
      { amount: { currency: 'USD', value: 500 } },
      { status: 'succeeded' },
      { pspReference: '' },
    ].map((over): [string, () => Response] => [
      JSON.stringify(over),
      () => Response.json(received(over)),
    ]),
  ])('is unknown after %s', async (_what, answer) => {
    const { gateway } = adyenAt(answer);
    await expect(gateway.refund(request())).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is not asked for where it cannot be said, or of what never was a payment', async () => {
    const { sent, gateway } = adyenAt(() => Response.json(received()));
    const wrong = [{ amount: Money.of(1n, 'IDR') }, { amount: Money.of(5n, 'MGA') }];
    for (const over of [...wrong, { providerPaymentId: '../x' }, { providerPaymentId: '..' }]) {
      expect(await gateway.refund(request(over))).toEqual({ status: 'failed', reason: 'refused' });
    }
    expect(sent).toEqual([]);
  });

  it('waits for its event, as nobody can be asked', async () => {
    const { sent, gateway } = adyenAt(() => Response.json(received()));
    expect(await gateway.lookUpRefund(request({ providerRefundId: PSP }))).toEqual({
      status: 'pending',
      providerRefundId: PSP,
    });
    expect(sent).toEqual([]);
  });

  it('cannot be without a key', async () => {
    const gateway = adyenWithoutKey();
    expect(gateway.canRefund).toBe(false);
    await expect(gateway.refund(request())).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('amounts', () => {
  const NOT_LISTED =
    'AFN BIF BTN CDF ERN IRR KPW LBP LRD LSL MGA SDG SSP SYP TJS TMT VED VES ZWG'.split(' ');
  const LISTED = CURRENCIES.filter((currency) => !NOT_LISTED.includes(currency));

  it.each(NOT_LISTED)('of %s are refused before any call, and not read', async (currency) => {
    const { sent, gateway } = adyenAt(() => Response.json(aPage()));
    const amount = Money.of(100_00n, currency);
    await expect(gateway.createCheckout(aCheckoutRequest({ amount }))).rejects.toMatchObject({
      kind: 'conflict',
      code: 'gateway_refused',
    });
    expect(sent).toEqual([]);
    expect(moneyOfAdyen({ value: 100, currency })).toBe(undefined);
  });

  it.each([
    ['EUR', 1n, 1],
    ['JPY', 1250n, 1250],
    ['KWD', 1231n, 1231],
    ['ISK', 1250n, 125_000],
    ['CLP', 1250n, 125_000],
    ['IDR', 125_000n, 1250],
    ['CVE', 125_000n, 1250],
    ['UGX', 1250n, 1250],
    ['GNF', 1250n, 1250],
    ['HUF', 1250n, 1250],
    ['CLP', LARGEST_AMOUNT_MINOR, Number(LARGEST_AMOUNT_MINOR) * 100],
  ])('of %s %s are %s there', (currency, minor, value) => {
    expect(adyenAmount(Money.of(minor, currency))).toEqual({ value, currency });
  });

  it.each([
    ['IDR', 1250_50n],
    ['CVE', 1n],
  ])('of %s %s have a part that Adyen does not know', (currency, minor) => {
    expect(() => adyenAmount(Money.of(minor, currency))).toThrow(/cannot take/);
  });

  it.each(LISTED)('of %s come back as they went', (currency) => {
    const whole = 10n ** BigInt(minorDigits(currency));
    for (const minor of [
      whole,
      1234n * whole,
      LARGEST_AMOUNT_MINOR - (LARGEST_AMOUNT_MINOR % whole),
    ]) {
      const there = adyenAmount(Money.of(minor, currency));
      expect(Number.isSafeInteger(there.value)).toBe(true);
      expect(moneyOfAdyen(there)?.toString()).toBe(Money.of(minor, currency).toString());
    }
  });

  it('of all currencies that we know are listed, or refused', () => {
    expect(LISTED.length + NOT_LISTED.length).toBe(CURRENCIES.length);
  });
});
