import { createHmac } from 'node:crypto';
import Razorpay from 'razorpay';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { signRazorpay } from '../../../src/gateways/razorpay/razorpay.gateway.js';
import { type Gateway, InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import { aCheckoutRequest, LINK, NOW, NOW_SECONDS, RAZORPAY_SECRET } from '../gateway-builders.js';
import {
  anEvent,
  answers,
  aPage,
  aPayment,
  gatewayAt,
  GONE,
  PAGE,
  SILENCE,
  withoutKey,
} from './razorpay-objects.js';

const plain = () => Response.json({ error: { code: 'BAD_REQUEST_ERROR' } }, { status: 400 });
const REFUSED = { kind: 'conflict', code: 'gateway_refused' };

const verdict = async (gateway: Gateway, text: string, signature: unknown, more = {}) =>
  gateway
    .verify({
      rawBody: Buffer.from(text),
      headers: { 'x-razorpay-signature': signature as string, ...more },
    })
    .then(
      () => 'verified',
      (error: unknown) => (error instanceof InvalidSignature ? 'refused' : error),
    );

describe('signature', () => {
  const body = anEvent('payment_link.paid', { payment_link: aPage(), payment: aPayment() });
  const sign = (secret = RAZORPAY_SECRET, text = body) =>
    createHmac('sha256', secret).update(text).digest('hex');

  it("is one that Razorpay's own package takes, and takes what that would", async () => {
    const { 'x-razorpay-signature': ours = '' } = signRazorpay(RAZORPAY_SECRET, body);
    expect(Razorpay.validateWebhookSignature(body, ours, RAZORPAY_SECRET)).toBe(true);
    for (const [text, secret] of [
      [body, RAZORPAY_SECRET],
      [`${body} `, RAZORPAY_SECRET],
      [body, 'other'],
    ] as const) {
      const theirs = Razorpay.validateWebhookSignature(text, sign(), secret);
      const own = await verdict(withoutKey({ webhook_secret: secret }), text, sign());
      expect(own).toBe(theirs ? 'verified' : 'refused');
    }
  });

  it('may be of either secret while it is rotated', async () => {
    const both = withoutKey({ webhook_secret: `new,${RAZORPAY_SECRET}` });
    expect(await verdict(both, body, sign('new'))).toBe('verified');
    expect(await verdict(both, body, sign())).toBe('verified');
    expect(await verdict(both, body, sign('third'))).toBe('refused');
    expect(await verdict(withoutKey(), body, sign('new'))).toBe('refused');
  });

  it('is refused in any other form', async () => {
    const hex = sign();
    const wrong = [
      undefined,
      '',
      hex.toUpperCase(),
      `sha256=${hex}`,
      `${hex}, ${hex}`,
      `${hex}\n`,
      [hex],
      [hex, hex],
      hex.slice(0, 63),
      `${hex}0`,
      ` ${hex}`,
      sign(' '),
    ];
    for (const each of wrong) {
      expect([each, await verdict(withoutKey(), body, each)]).toEqual([each, 'refused']);
    }
  });

  it('is of the bytes: the same event written again is refused', async () => {
    const again = JSON.stringify(JSON.parse(body), null, 1);
    expect(await verdict(withoutKey(), again, sign())).toBe('refused');
  });

  it('binds no event id: whoever changes that header changes nothing', async () => {
    const [one, other] = ['evt_1', 'evt_2'].map((id) => ({
      'x-razorpay-signature': sign(),
      'x-razorpay-event-id': id,
    }));
    expect(await verdict(withoutKey(), body, sign(), other)).toBe('verified');
    const [first, second] = [one, other].map((headers) =>
      withoutKey().parse({ rawBody: Buffer.from(body), headers: headers ?? {} }),
    );
    expect(first).toEqual(second);
  });
});

const request = (over = {}) =>
  aCheckoutRequest({ amount: Money.of(1250n, 'INR'), description: 'x'.repeat(3000), ...over });

const known = () =>
  Response.json(
    {
      error: {
        code: 'BAD_REQUEST_ERROR',
        description: `payment link with given reference_id: ${LINK} already exists.`,
      },
    },
    { status: 400 },
  );

const listed = (...pages: object[]) => Response.json({ payment_links: pages });

/** Refuses the creation, and lists these, a hundred at a time. */
const knowing = (pages: object[], refusal = known) =>
  gatewayAt(({ url, method }) => {
    if (method === 'POST') return refusal();
    const skip = Number(new URL(url).searchParams.get('skip'));
    return listed(...pages.slice(skip, skip + 100));
  });

describe('checkout', () => {
  const created = { 'POST /payment_links': aPage({ status: 'created', amount_paid: 0 }) };
  const asked = async (over: object) => {
    const { sent, gateway } = gatewayAt(answers(created));
    await gateway.createCheckout(request(over));
    return JSON.parse(sent[0]?.body ?? '') as Record<string, unknown>;
  };

  it('makes a payment link with our id, and nobody is written to', async () => {
    const { sent, gateway } = gatewayAt(answers(created));
    expect(await gateway.createCheckout(request())).toEqual({
      url: 'https://rzp.test/i/1',
      providerObjectId: PAGE,
      pageExpiresAt: null,
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: 'https://api.razorpay.com/v1/payment_links',
      headers: { Authorization: `Basic ${Buffer.from('rzp_test_1:hush').toString('base64')}` },
    });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      amount: 1250,
      currency: 'INR',
      accept_partial: false,
      reference_id: LINK,
      description: 'x'.repeat(2048),
      customer: { name: 'Ada', email: 'ada@client.test' },
      notify: { sms: false, email: false },
      reminder_enable: false,
      notes: { payment_link_id: LINK },
      callback_url: 'https://pay.example/back',
      callback_method: 'get',
      expire_by: NOW_SECONDS + 16 * 60,
    });
    expect(LINK.length).toBeLessThanOrEqual(40);
  });

  it.each([
    [-3600, 16 * 60],
    [15 * 60, 16 * 60],
    [86_400, 86_400],
    [180 * 86_400, 180 * 86_400],
    [180 * 86_400 + 1, undefined],
  ])('that is to end in %d seconds ends in %s', async (wanted, given) => {
    const expiresAt = new Date(NOW.getTime() + wanted * 1000);
    const { expire_by: expireBy } = await asked({ expiresAt });
    expect(expireBy).toBe(given === undefined ? undefined : NOW_SECONDS + given);
  });

  it.each([
    [{ name: 'Zoë', email: null }, {}],
    [{ name: 'Al', email: 'al@client.test' }, { email: 'al@client.test' }],
    [{ name: "O'Hara (Sons)", email: null }, { name: "O'Hara (Sons)" }],
    [{ name: 'x'.repeat(51), email: null }, {}],
  ])('of the payer %j names what Razorpay takes', async (payer, customer) =>
    expect((await asked({ payer: { ...payer, country: null } }))['customer']).toEqual(customer),
  );

  it.each([
    ['INR', 1n, 1],
    ['JPY', 500n, 500],
    ['KWD', 12_340n, 12_340],
    ['BHD', 10n, 10],
    ['OMR', 99_990n, 99_990],
    ['USD', 12_34n, 1234],
  ])('asks for %s %s exactly', async (currency, minor, amount) =>
    expect(await asked({ amount: Money.of(minor, currency) })).toMatchObject({ amount, currency }),
  );

  it.each([
    ['KWD', 12_341n],
    ['OMR', 1n],
    ['HUF', 100_000n],
    ['ISK', 100n],
    ['VND', 100n],
    ['TND', 1000n],
  ])('asks for no %s %s', async (currency, minor) => {
    const { sent, gateway } = gatewayAt(answers(created));
    const amount = Money.of(minor, currency);
    await expect(gateway.createCheckout(request({ amount }))).rejects.toMatchObject(REFUSED);
    expect(sent).toEqual([]);
  });

  it.each([401, 403, 404, 422])('that answers %d is refused', async (status) => {
    const { gateway } = gatewayAt(() => Response.json({ error: { code: 'X' } }, { status }));
    await expect(gateway.createCheckout(request())).rejects.toMatchObject(REFUSED);
  });

  it.each(SILENCE)('that ends in %s is unknown', async (_what, answer) => {
    const { gateway } = gatewayAt(answer);
    await expect(gateway.createCheckout(request())).rejects.toMatchObject(GONE);
  });

  describe('of a reference that Razorpay knows', () => {
    const open = { status: 'created', amount_paid: 0, payments: [] };
    const others = Array.from({ length: 230 }, (_, at) => ({ id: 7, reference_id: `other-${at}` }));

    it('is the page of the answer that was lost', async () => {
      const { sent, gateway } = knowing([aPage(open)]);
      expect(await gateway.createCheckout(request())).toMatchObject({ providerObjectId: PAGE });
      expect(sent[1]).toMatchObject({
        method: 'GET',
        url: `https://api.razorpay.com/v1/payment_links?reference_id=${LINK}&count=100&skip=0`,
      });
    });

    it('is found among others, if the list is not narrowed down', async () => {
      const { sent, gateway } = knowing([...others, aPage(open)]);
      expect(await gateway.createCheckout(request())).toMatchObject({ providerObjectId: PAGE });
      expect(sent).toHaveLength(4);
    });

    it('is found whatever words refuse it', async () => {
      const { gateway } = knowing([aPage(open)], plain);
      expect(await gateway.createCheckout(request())).toMatchObject({ providerObjectId: PAGE });
    });

    it('and that is not listed yet is unknown, never refused', async () => {
      const { gateway } = knowing(others);
      await expect(gateway.createCheckout(request())).rejects.toMatchObject(GONE);
    });

    it.each([{ amount: 1251 }, { currency: 'USD' }])(
      'but is another page is refused: %j',
      async (over) => {
        const { gateway } = knowing([aPage({ ...open, ...over })]);
        await expect(gateway.createCheckout(request())).rejects.toMatchObject(REFUSED);
      },
    );

    it.each(SILENCE)('is unknown if the list ends in %s', async (_what, answer) => {
      const { gateway } = gatewayAt((call) => (call.method === 'POST' ? known() : answer()));
      await expect(gateway.createCheckout(request())).rejects.toMatchObject(GONE);
    });

    it('costs another refusal one look-up', async () => {
      const { sent, gateway } = knowing(others, plain);
      await expect(gateway.createCheckout(request())).rejects.toMatchObject(REFUSED);
      expect(sent).toHaveLength(2);
    });
  });
});
