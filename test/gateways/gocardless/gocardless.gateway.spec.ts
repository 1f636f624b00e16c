import { parse, verifySignature } from 'gocardless-nodejs';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../src/kernel/money.js';
import { signGoCardless } from '../../../src/gateways/gocardless/gocardless.gateway.js';
import { type Gateway, InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import { aCheckoutRequest, aGateway, GOCARDLESS_SECRET, LINK } from '../gateway-builders.js';
import {
  aBillingRequest,
  aProblem,
  AT,
  deliveryOf,
  goCardlessAt,
  happened,
  REQUEST,
  type SentToGoCardless,
  shows,
  withoutToken,
} from './gocardless-objects.js';
import { UNAVAILABLE } from '../mollie/mollie-objects.js';

const request = (amount = Money.of(1250n, 'EUR')) =>
  aCheckoutRequest({ amount, description: 'x'.repeat(300), returnUrl: 'https://shop.test/back' });
const page = {
  linkId: LINK,
  providerObjectId: REQUEST,
  amount: Money.of(1250n, 'EUR'),
  expiresAt: new Date(AT),
};
const CANCEL = `/billing_requests/${REQUEST}/actions/cancel`;
const URL_OF_PAGE = 'https://pay-sandbox.gocardless.com/billing/static/flow?id=BRF1';

/** Makes a request and its page, unless `over` answers instead. */
const making =
  (over: (sent: SentToGoCardless) => Response | undefined = () => undefined) =>
  (sent: SentToGoCardless): Response => {
    const own = over(sent);
    if (own) return own;
    if (sent.url.pathname === '/billing_requests') {
      const made = aBillingRequest({ status: 'pending', links: {} });
      return Response.json({ billing_requests: made }, { status: 201 });
    }
    const flow = { id: 'BRF1', authorisation_url: URL_OF_PAGE };
    return Response.json({ billing_request_flows: flow }, { status: 201 });
  };
const refusing = (reason: string, links?: object, status = 409) =>
  Response.json(aProblem(reason, links), { status });
const bodyOf = (sent: SentToGoCardless | undefined): unknown => JSON.parse(sent?.body ?? 'null');

describe('signature', () => {
  const { rawBody: body, headers } = deliveryOf([happened('payments.confirmed')]);
  const signature = String(headers['webhook-signature']);
  const verdict = async (
    gateway: Gateway,
    given: string | string[] | undefined,
    rawBody: Buffer = body,
  ) =>
    gateway.verify({ rawBody, headers: { 'webhook-signature': given } }).then(
      () => 'verified',
      (error: unknown) => (error instanceof InvalidSignature ? 'refused' : error),
    );
  const hex = (secret: string) => createHmac('sha256', secret).update(body).digest('hex');

  it("is that which GoCardless's own package accepts, and no other", async () => {
    const events = parse(body.toString(), GOCARDLESS_SECRET, signature);
    expect(events.map(({ action }) => action)).toEqual(['confirmed']);
    expect(await verdict(withoutToken(), signature)).toBe('verified');
    for (const [secret, expected] of [
      [GOCARDLESS_SECRET, 'verified'],
      ['other', 'refused'],
    ] as const) {
      const given = hex(secret);
      const theirs = () => verifySignature(body, GOCARDLESS_SECRET, given);
      if (expected === 'verified') expect(theirs).not.toThrow();
      else expect(theirs).toThrow();
      expect(await verdict(withoutToken(), given)).toBe(expected);
    }
    expect(signGoCardless(GOCARDLESS_SECRET, body)).toEqual({ 'webhook-signature': signature });
  });

  it('may be of either secret while it is changed', async () => {
    const both = withoutToken({ webhook_secret: `new,${GOCARDLESS_SECRET}` });
    expect(await verdict(both, signature)).toBe('verified');
    expect(await verdict(both, hex('new'))).toBe('verified');
    expect(await verdict(both, hex('old'))).toBe('refused');
  });

  it.each([
    undefined,
    '',
    signature.toUpperCase(),
    `sha256=${signature}`,
    `${signature}, ${signature}`,
    `${signature}\n`,
    [signature],
    signature.slice(0, 62),
    `${signature}00`,
    'g'.repeat(64),
  ])('is refused as %j', async (given) => {
    expect(await verdict(withoutToken(), given)).toBe('refused');
  });

  it('is of the bytes: the same events written again are refused', async () => {
    const again = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));
    expect(await verdict(withoutToken(), signature, again)).toBe('refused');
  });

  it('is answered in the words of GoCardless', () =>
    expect(withoutToken().answers).toEqual({
      accepted: { status: 204, text: null },
      refused: 498,
    }));
});

describe('settings', () => {
  it.each([
    ['sandbox_hush', 'live'],
    ['live_hush', 'sandbox'],
  ])('with the token %s refuse %s', (access_token, environment) => {
    const open = () => aGateway('gocardless', { webhook_secret: 'a', access_token, environment });
    expect(open).toThrow('GATEWAY_GOCARDLESS_ACCESS_TOKEN is of the other ENVIRONMENT');
    expect(open).not.toThrow('hush');
  });

  it('refuse an address without TLS in production', () => {
    const settings = { webhook_secret: 'a' };
    const unsafe = { ...settings, api_base: 'http://x.test' };
    const production = { production: true };
    expect(() => aGateway('gocardless', unsafe, production)).toThrow('GATEWAY_GOCARDLESS_API_BASE');
    expect(() => aGateway('gocardless', settings, production)).not.toThrow();
  });
});

describe('checkout', () => {
  it('makes a billing request once, with our id, and a page for it', async () => {
    const { sent, gateway } = goCardlessAt(making());
    expect(await gateway.createCheckout(request())).toEqual({
      url: URL_OF_PAGE,
      providerObjectId: REQUEST,
      pageExpiresAt: null,
    });
    expect(sent.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'POST /billing_requests',
      'POST /billing_request_flows',
    ]);
    expect(sent.map(({ headers }) => headers['Idempotency-Key'])).toEqual([LINK, `${LINK}-flow`]);
    expect(sent[0]?.headers).toMatchObject({
      Authorization: 'Bearer sandbox_hush',
      'Content-Type': 'application/json',
      'GoCardless-Version': '2015-07-06',
    });
    const metadata = { payment_link_id: LINK };
    expect(bodyOf(sent[0])).toEqual({
      billing_requests: {
        payment_request: {
          amount: 1250,
          currency: 'EUR',
          description: 'x'.repeat(100),
          metadata,
        },
        metadata,
      },
    });
    expect(bodyOf(sent[1])).toEqual({
      billing_request_flows: {
        redirect_uri: 'https://shop.test/back',
        exit_uri: 'https://shop.test/back',
        language: 'de',
        prefilled_customer: {
          company_name: 'Ada',
          email: 'ada@client.test',
          country_code: 'GB',
        },
        links: { billing_request: REQUEST },
      },
    });
  });

  it('tells nothing of a payer of whom nothing is known', async () => {
    const { sent, gateway } = goCardlessAt(making());
    const payer = { name: '', email: null, country: null };
    await gateway.createCheckout({ ...request(), payer, language: 'ja' });
    expect(bodyOf(sent[1])).toMatchObject({ billing_request_flows: { prefilled_customer: {} } });
    expect(sent[1]?.body).not.toContain('language');
  });

  it.each([
    ['EUR', 1n, 1],
    ['GBP', 123_456_789n, 123_456_789],
    ['EUR', 10_000_000_000_000n, 10_000_000_000_000],
  ])('asks for %s %d exactly', async (currency, minor, amount) => {
    const { sent, gateway } = goCardlessAt(making());
    await gateway.createCheckout(request(Money.of(minor, currency)));
    expect(bodyOf(sent[0])).toMatchObject({
      billing_requests: { payment_request: { amount, currency } },
    });
  });

  it.each(['USD', 'AUD', 'SEK', 'JPY', 'KWD', 'CHF'])('asks for no %s', async (currency) => {
    const { sent, gateway } = goCardlessAt(making());
    const asked = gateway.createCheckout(request(Money.of(1250n, currency)));
    await expect(asked).rejects.toMatchObject({ kind: 'conflict', code: 'gateway_refused' });
    expect(sent).toEqual([]);
  });

  it('finds the same request again by its key, with a page', async () => {
    const conflict = { conflicting_resource_id: REQUEST };
    const { sent, gateway } = goCardlessAt(
      making(({ method, url }) => {
        if (method === 'GET') return shows({ [url.pathname]: aBillingRequest() })({ url } as never);
        return url.pathname === '/billing_requests'
          ? refusing('idempotent_creation_conflict', conflict)
          : undefined;
      }),
    );
    expect(await gateway.createCheckout(request())).toMatchObject({ providerObjectId: REQUEST });
    expect(sent.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'POST /billing_requests',
      `GET /billing_requests/${REQUEST}`,
      'POST /billing_request_flows',
    ]);
  });

  it('finds the same page again by its key', async () => {
    const conflict = { conflicting_resource_id: 'BRF1' };
    const { sent, gateway } = goCardlessAt(
      making(({ url }) =>
        url.pathname === '/billing_request_flows'
          ? refusing('idempotent_creation_conflict', conflict)
          : undefined,
      ),
    );
    expect(await gateway.createCheckout(request())).toMatchObject({ url: URL_OF_PAGE });
    expect(sent[2]?.url.pathname).toBe('/billing_request_flows/BRF1/actions/initialise');
  });

  it.each([
    ['of another link', { metadata: { payment_link_id: 'plink_other' } }],
    ['without a note of ours', { metadata: {} }],
    ['that cannot be read', { status: 7 }],
    ['that is not there', undefined],
  ])('believes no conflict with a request %s', async (_what, over) => {
    const conflict = { conflicting_resource_id: REQUEST };
    const { sent, gateway } = goCardlessAt(
      making((call) => {
        if (call.method === 'GET') {
          return shows(over ? { [call.url.pathname]: aBillingRequest(over) } : {})(call);
        }
        return call.url.pathname === '/billing_requests'
          ? refusing('idempotent_creation_conflict', conflict)
          : undefined;
      }),
    );
    await expect(gateway.createCheckout(request())).rejects.toMatchObject(UNAVAILABLE);
    expect(sent).toHaveLength(2);
  });

  it.each(['BRQ/../x', 'PM1', 7, undefined])(
    'makes no address of %j, whatever conflicts',
    async (id) => {
      const conflict = { conflicting_resource_id: id };
      for (const at of ['/billing_requests', '/billing_request_flows']) {
        const { sent, gateway } = goCardlessAt(
          making(({ url }) =>
            url.pathname === at ? refusing('idempotent_creation_conflict', conflict) : undefined,
          ),
        );
        await expect(gateway.createCheckout(request())).rejects.toMatchObject(UNAVAILABLE);
        expect(sent.every(({ url }) => /^\/billing_request(s|_flows)$/.test(url.pathname))).toBe(
          true,
        );
      }
    },
  );

  it.each(['/billing_requests', '/billing_request_flows'])(
    'that fails at %s is refused by a clear no, and else unavailable',
    async (at) => {
      const answers: [string, () => Response][] = [
        ...[400, 401, 403, 404, 422].map((status): [string, () => Response] => [
          'gateway_refused',
          () => refusing('amount_too_high', undefined, status),
        ]),
        ...[302, 408, 409, 425, 429, 500, 503].map((status): [string, () => Response] => [
          'gateway_unavailable',
          () => refusing('no', undefined, status),
        ]),
        ['gateway_unavailable', () => new Response('<html>')],
        ['gateway_unavailable', () => Response.json({ billing_requests: { id: 'x' } })],
        ['gateway_unavailable', () => Response.json({ billing_request_flows: { id: 'BRF1' } })],
      ];
      for (const [code, answer] of answers) {
        const { gateway } = goCardlessAt(
          making(({ url }) => (url.pathname === at ? answer() : undefined)),
        );
        const error: unknown = await gateway.createCheckout(request()).catch((one) => one);
        expect(error).toMatchObject({ code });
        expect(JSON.stringify(error) + String(error)).not.toContain('hush');
        if (code === 'gateway_refused') {
          expect(error).toMatchObject({ context: { provider_code: 'amount_too_high' } });
        }
      }
    },
  );
});

/** Closes a page that GoCardless does not cancel, as its request stands. */
const refused = (status: string | undefined) =>
  goCardlessAt((sent) => {
    if (sent.method === 'POST') return refusing('cannot_be_cancelled', undefined, 422);
    const found = status && { [sent.url.pathname]: aBillingRequest({ status }) };
    return shows(found || {})(sent);
  }).gateway.cancelCheckout(page);

describe('closing a page', () => {
  it('cancels its billing request', async () => {
    const { sent, gateway } = goCardlessAt(() => Response.json({ billing_requests: {} }));
    await gateway.cancelCheckout(page);
    expect(sent).toMatchObject([
      { method: 'POST', headers: { 'Idempotency-Key': `${REQUEST}-cancel` } },
    ]);
    expect(sent[0]?.url.pathname).toBe(CANCEL);
    await withoutToken().cancelCheckout(page);
  });

  it.each(['fulfilled', 'fulfilling', 'cancelled', undefined])(
    'leaves one that is %s as it is',
    async (status) => expect(await refused(status)).toBeUndefined(),
  );

  it.each(['pending', 'ready_to_fulfil', 'novel'])('says so if one stays %s', async (status) =>
    expect(refused(status)).rejects.toMatchObject(UNAVAILABLE),
  );

  it.each([401, 403, 409, 429, 500])('is undecided after %d', async (status) => {
    const { gateway } = goCardlessAt(() => refusing('no', undefined, status));
    await expect(gateway.cancelCheckout(page)).rejects.toMatchObject(UNAVAILABLE);
  });
});
