import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { adyen } from '../../../src/gateways/adyen/adyen.gateway.js';
import type { SampleEvent } from '../../../src/payments/port/domain/gateway.js';
import type { ProviderReport } from '../../../src/payments/port/domain/provider-report.js';
import {
  adyenAt,
  adyenSaysNo,
  adyenWithoutKey,
  aPage,
  NO_ANSWERS,
  PAGE_ID,
  PAYMENT_PSP,
  sentBody,
} from './adyen-objects.js';
import { deliveredAs } from '../../../src/testing/contract/contract-trial.js';
import {
  aCheckoutRequest,
  ADYEN_ACCOUNT,
  aGateway,
  ADYEN_KEY,
  LINK,
  NOW,
} from '../gateway-builders.js';

const UNAVAILABLE = { kind: 'unavailable', code: 'gateway_unavailable' };
const page = {
  linkId: LINK,
  providerObjectId: PAGE_ID,
  amount: Money.of(1250n, 'EUR'),
  expiresAt: NOW,
};

const SETTINGS = { webhook_secret: ADYEN_KEY, merchant_account: ADYEN_ACCOUNT };

describe('settings', () => {
  it.each([
    [{}, 'GATEWAY_ADYEN_WEBHOOK_SECRET is required'],
    [{ webhook_secret: ADYEN_KEY }, 'GATEWAY_ADYEN_MERCHANT_ACCOUNT is required'],
    [{ ...SETTINGS, webhook_secret: 'hush' }, 'GATEWAY_ADYEN_WEBHOOK_SECRET has to be the hexadec'],
    [
      { ...SETTINGS, webhook_secret: 'AB' },
      'GATEWAY_ADYEN_WEBHOOK_SECRET has to be the hexadecimal',
    ],
    [
      { ...SETTINGS, webhook_secret: `${ADYEN_KEY},` },
      'GATEWAY_ADYEN_WEBHOOK_SECRET holds an empty',
    ],
    [{ ...SETTINGS, merchant_account: 'hush:a' }, 'GATEWAY_ADYEN_MERCHANT_ACCOUNT is no account'],
    [{ ...SETTINGS, capture: 'hush' }, 'GATEWAY_ADYEN_CAPTURE has to be one of auto, manual'],
    [{ ...SETTINGS, webhook_user: 'hush' }, 'GATEWAY_ADYEN_WEBHOOK_PASSWORD and the WEBHOOK_USER'],
    [{ ...SETTINGS, webhook_password: 'hush' }, 'GATEWAY_ADYEN_WEBHOOK_PASSWORD and the WEBHOOK'],
    [
      { ...SETTINGS, environment: 'live', api_key: 'hush' },
      'GATEWAY_ADYEN_API_BASE is required for live payments',
    ],
    [{ ...SETTINGS, hush: 'hush' }, 'GATEWAY_ADYEN_HUSH is not known to adyen'],
  ])('are refused by name, without their value: %j', (settings, message) => {
    const open = () => aGateway('adyen', settings);
    expect(open).toThrow(message);
    expect(open).not.toThrow(/hush/);
  });

  it('are made up for a demo, but no account for an operator who has one', () => {
    const made = { secret: (_name: string, make: () => string) => make(), folder: '' };
    const demo = (given: Record<string, string>) => ({
      ...adyen.demo?.settings(given, made),
      ...given,
    });
    expect(aGateway('adyen', demo({})).canRefund).toBe(false);
    expect(() => aGateway('adyen', demo({ api_key: 'hush' }))).toThrow(
      'MERCHANT_ACCOUNT is required',
    );
  });

  it('of an address without TLS are refused in production', () => {
    const settings = { ...SETTINGS, api_base: 'http://x.test' };
    expect(() => aGateway('adyen', settings, { production: true })).toThrow(/ADYEN_API_BASE/);
    expect(aGateway('adyen', SETTINGS, { production: true }).canRefund).toBe(false);
    expect(aGateway('adyen', { ...SETTINGS, environment: 'live' }).canRefund).toBe(false);
  });
});

describe('checkout', () => {
  it('makes a page once, with our id as its reference', async () => {
    const { sent, gateway } = adyenAt(() => Response.json(aPage(), { status: 201 }));
    const expiresAt = new Date('2026-11-27T12:00:00.123Z');
    const request = aCheckoutRequest({ description: 'x'.repeat(300), expiresAt });
    expect(await gateway.createCheckout(request)).toEqual({
      url: `https://test.adyen.link/${PAGE_ID}`,
      providerObjectId: PAGE_ID,
      pageExpiresAt: new Date('2026-11-21T12:00:00Z'),
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: 'https://checkout-test.adyen.com/v72/paymentLinks',
      headers: { 'X-API-Key': 'AQE_hush', 'Idempotency-Key': LINK },
    });
    expect(sentBody(sent[0])).toEqual({
      merchantAccount: ADYEN_ACCOUNT,
      reference: LINK,
      amount: { value: 1250, currency: 'EUR' },
      description: 'x'.repeat(280),
      returnUrl: 'https://pay.example/back',
      expiresAt: '2026-11-27T12:00:00Z',
      reusable: false,
      manualCapture: false,
      shopperLocale: 'de-DE',
      shopperEmail: 'ada@client.test',
      countryCode: 'GB',
    });
  });

  it('names nobody and no language that it does not know', async () => {
    const { sent, gateway } = adyenAt(() => Response.json(aPage()), { capture: 'manual' });
    const payer = { name: 'Ada', email: null, country: null };
    await gateway.createCheckout(aCheckoutRequest({ payer, language: 'mt' }));
    expect(sent[0]?.body).not.toMatch(/shopper|countryCode/);
    expect(sentBody(sent[0])).toMatchObject({ manualCapture: true });
  });

  it('lasts seventy days at most, by the same date all day', async () => {
    const { sent, gateway } = adyenAt(() => Response.json(aPage()));
    await gateway.createCheckout(aCheckoutRequest({ expiresAt: new Date('2030-01-01T00:00:00Z') }));
    expect(sentBody(sent[0])).toMatchObject({ expiresAt: '2027-01-29T00:00:00Z' });
  });

  it('is made at the address of the company, where it is live', async () => {
    const api_base = 'https://1797a841fbb37ca7-Acme-checkout-live.adyenpayments.com/checkout/';
    const live = { environment: 'live', api_base };
    const { sent, gateway } = adyenAt(() => Response.json(aPage()), live);
    await gateway.createCheckout(aCheckoutRequest());
    expect(sent[0]?.url).toBe(`${api_base}v72/paymentLinks`);
  });

  it.each([400, 401, 403, 404, 422])(
    'that answers %d is refused, with the code',
    async (status) => {
      const { gateway } = adyenAt(() => adyenSaysNo(status));
      const refused = gateway.createCheckout(aCheckoutRequest());
      await expect(refused).rejects.toMatchObject({
        code: 'gateway_refused',
        context: { provider_status: status, provider_code: '14_0002' },
      });
      await expect(refused).rejects.not.toThrow(/hush/);
    },
  );

  it.each(NO_ANSWERS)('is unknown after %s', async (_what, answer) => {
    const { gateway } = adyenAt(answer);
    await expect(gateway.createCheckout(aCheckoutRequest())).rejects.toMatchObject(UNAVAILABLE);
  });

  it.each([
    { reference: 'plink_another' },
    { merchantAccount: 'Another' },
    { id: '../payments' },
    { url: 'javascript:alert(1)' },
    { url: undefined },
    { status: 'teleported' },
  ])('is not made up from an answer about another page: %j', async (over) => {
    const { gateway } = adyenAt(() => Response.json(aPage(over)));
    await expect(gateway.createCheckout(aCheckoutRequest())).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('a page that is closed', () => {
  it('is made to expire', async () => {
    const { sent, gateway } = adyenAt(() => Response.json(aPage({ status: 'expired' })));
    await gateway.cancelCheckout(page);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      method: 'PATCH',
      url: `https://checkout-test.adyen.com/v72/paymentLinks/${PAGE_ID}`,
      headers: { 'X-API-Key': 'AQE_hush' },
    });
    expect(sentBody(sent[0])).toEqual({ status: 'expired' });
  });

  it.each(['completed', 'expired', 'paid', 'paymentPending'])(
    'stays as it is when Adyen refuses, and it is %s',
    async (status) => {
      const { sent, gateway } = adyenAt(({ method }) =>
        method === 'PATCH' ? adyenSaysNo(422) : Response.json(aPage({ status })),
      );
      await gateway.cancelCheckout(page);
      expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'GET']);
    },
  );

  it('is not closed while it is active, whatever the answer', async () => {
    for (const first of [adyenSaysNo(401), adyenSaysNo(422), Response.json(aPage())]) {
      const { gateway } = adyenAt(({ method }) =>
        method === 'PATCH' ? first.clone() : Response.json(aPage()),
      );
      await expect(gateway.cancelCheckout(page)).rejects.toMatchObject(UNAVAILABLE);
    }
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ...NO_ANSWERS,
    ['a key that is refused', () => adyenSaysNo(401)],
    ['an unknown page', () => adyenSaysNo(404)],
    ['another page', () => Response.json(aPage({ id: 'PLANOTHER', status: 'expired' }))],
  ])('is unknown after %s', async (_what, answer) => {
    const { gateway } = adyenAt(answer);
    await expect(gateway.cancelCheckout(page)).rejects.toMatchObject(UNAVAILABLE);
  });

  it('without a key is let be', async () => {
    await expect(adyenWithoutKey().cancelCheckout(page)).resolves.toBe(undefined);
  });
});

describe('a page that is looked up', () => {
  const updatedAt = '2026-11-20T11:00:00+01:00';
  const lookUp = async (over: object) => {
    const { sent, gateway } = adyenAt(() => Response.json(aPage({ updatedAt, ...over })));
    expect(gateway.tellsCheckouts).toBe(true);
    const reports = await gateway.lookUpCheckout(page);
    expect(sent).toMatchObject([
      { method: 'GET', url: `https://checkout-test.adyen.com/v72/paymentLinks/${PAGE_ID}` },
    ]);
    return reports;
  };

  it('while nobody has paid is without news', async () => {
    expect(await lookUp({ status: 'active' })).toEqual([]);
  });

  it.each(['completed', 'paid', 'paymentPending'])(
    'that is %s has its money on its way',
    async (status) => {
      expect(await lookUp({ status })).toEqual([
        {
          eventId: `${PAGE_ID}:${status}`,
          eventType: `paymentLink.${status}`,
          fingerprint: null,
          kind: 'processing',
          linkId: LINK,
          providerObjectId: PAGE_ID,
          at: new Date(updatedAt),
        },
      ]);
    },
  );

  it('that is expired has failed, before there was a payment', async () => {
    expect(await lookUp({ status: 'expired', updatedAt: 'never' })).toMatchObject([
      { kind: 'failed', reason: 'expired', isFinal: true, providerPaymentId: null, at: NOW },
    ]);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ...NO_ANSWERS,
    ...[400, 401, 403, 404, 422].map((status): [string, () => Response] => [
      String(status),
      () => adyenSaysNo(status),
    ]),
    ['another page', () => Response.json(aPage({ id: 'PLANOTHER' }))],
    ['the page of another link', () => Response.json(aPage({ reference: 'plink_another' }))],
  ])('is unknown after %s', async (_what, answer) => {
    const { gateway } = adyenAt(answer);
    await expect(gateway.lookUpCheckout(page)).rejects.toMatchObject(UNAVAILABLE);
  });

  it.each(['..', 'PL/../x', 'PL?x', '', 'PL%2f', 'x'.repeat(65)])(
    'is not asked about under %j, which never was its id',
    async (providerObjectId) => {
      const { sent, gateway } = adyenAt(() => Response.json(aPage()));
      const wrong = { ...page, providerObjectId };
      await expect(gateway.lookUpCheckout(wrong)).rejects.toMatchObject(UNAVAILABLE);
      await expect(gateway.cancelCheckout(wrong)).rejects.toMatchObject(UNAVAILABLE);
      expect(sent).toEqual([]);
    },
  );

  it('cannot be without a key', async () => {
    expect(adyenWithoutKey().tellsCheckouts).toBe(false);
    expect(await adyenWithoutKey().lookUpCheckout(page)).toEqual([]);
  });
});

describe('samples', () => {
  const of = { linkId: LINK, paymentId: PAYMENT_PSP, amount: Money.of(1250n, 'EUR') };

  it.each<[SampleEvent, object]>([
    ['processing', { kind: 'processing', linkId: LINK }],
    ['failed', { kind: 'failed', linkId: LINK }],
    ['reversed', { kind: 'unpaid_again', providerPaymentId: PAYMENT_PSP }],
    ['dispute.inquiry', { kind: 'dispute', status: 'inquiry', disputeId: `D${PAYMENT_PSP}` }],
    ['dispute.opened', { kind: 'dispute', status: 'open', disputeId: `D${PAYMENT_PSP}` }],
    ['dispute.won', { kind: 'dispute', status: 'won', disputeId: `D${PAYMENT_PSP}` }],
    ['dispute.lost', { kind: 'dispute', status: 'lost', providerPaymentId: PAYMENT_PSP }],
  ])('play %s', async (event, expected) => {
    const gateway = aGateway('adyen', SETTINGS);
    const sample = gateway.sampleEventDelivery(event, of, NOW);
    if (!sample) throw new Error('no sample');
    await gateway.verify(deliveredAs(sample));
    expect(gateway.parse(deliveredAs(sample))).toMatchObject([expected]);
  });

  it('of what is paid are a capture, where it is captured by hand', async () => {
    const gateway = aGateway('adyen', { ...SETTINGS, capture: 'manual', environment: 'live' });
    const sample = gateway.samplePaidDelivery({ id: LINK, amount: of.amount }, NOW);
    await gateway.verify(deliveredAs(sample));
    const [report] = gateway.parse(deliveredAs(sample)) as ProviderReport[];
    expect(report).toMatchObject({ kind: 'paid', eventType: 'CAPTURE', linkId: LINK });
  });

  it('are answered in the words that Adyen asks for', () => {
    expect(adyenWithoutKey().answers).toEqual({ accepted: { status: 200, text: '[accepted]' } });
  });
});
