import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPayPalDemoCertificates } from '../../src/demo/paypal-demo-certificates.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { Money } from '../../src/kernel/money.js';
import {
  type Delivery,
  type Gateway,
  InvalidSignature,
  SAMPLE_EVENTS,
} from '../../src/payments/port/domain/gateway.js';
import type { ProviderReport } from '../../src/payments/port/domain/provider-report.js';
import { paymentIdAt, PROVIDER_NAMES } from './all-gateways.js';
import {
  aGateway,
  LINK,
  NOW,
  SETTINGS,
  settingsOfPayPal,
  signedAgain,
  signedInside,
} from './gateway-builders.js';

/*
 * Only the provider's own host is asked, at the path of the object, whatever a signed delivery names.
 * Each text of each event is replaced by each of many that lead elsewhere.
 */

/** One in so many: it has no part in common with how many there are for each text. */
const STEP = process.env['TEST_FULL'] ? 1 : 5;
const AMOUNT = Money.of(12_50n, 'EUR');
const API_SETTINGS: Record<string, Record<string, string>> = {
  stripe: { api_key: 'sk_test' },
  paypal: { client_id: 'a', client_secret: 'b' },
  mollie: { api_key: 'test_key' },
  gocardless: { access_token: 'token' },
  adyen: { api_key: 'key' },
  razorpay: { key_id: 'rzp_test_1', key_secret: 'key' },
};

let folder = '';
let payPal: Record<string, string> = {};
let own: { base: string; server: Server };
let elsewhere: { port: number; server: Server };
/** Connections to anywhere but a provider's own host. */
let connections = 0;
let asked: string[] = [];
/** Ids that were asked about later, as each is once. */
let followedIds = new Set<string>();

const listening = async (server: Server) => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-hostile-names-'));
  const environment = 'sandbox';
  const files = await createPayPalDemoCertificates({ folder, environment, now: NOW });
  payPal = settingsOfPayPal(files);
  const api = createHttpServer((_request, response) => response.writeHead(404).end('{}'));
  own = { base: `http://127.0.0.1:${await listening(api)}`, server: api };
  const socket = createServer((one) => {
    connections += 1;
    one.destroy();
  });
  elsewhere = { port: await listening(socket), server: socket };
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  own.server.close();
  elsewhere.server.close();
});
beforeEach(() => {
  connections = 0;
  asked = [];
  followedIds = new Set();
});

/** The loopback is really called; any other host is only noted. */
const fetch = (async (url: string, init?: RequestInit) => {
  asked.push(String(url));
  if (new URL(url).hostname !== '127.0.0.1') throw new Error('no network in this test');
  return globalThis.fetch(url, init);
}) as typeof globalThis.fetch;

function gatewayOf(provider: string, over: Record<string, string> = {}): Gateway {
  const api = API_SETTINGS[provider];
  const settings = provider === 'paypal' ? payPal : SETTINGS[provider];
  return aGateway(
    provider,
    { ...settings, ...api, ...(api && { api_base: own.base }), ...over },
    { fetch },
  );
}

function hostile(): string[] {
  const { port } = elsewhere;
  const host = `127.0.0.1:${port}`;
  return [
    `http://${host}/v1/objects/1`,
    `https://${host}/v1/notifications/certs/CERT-1`,
    `//${host}/1`,
    `@${host}/1`,
    `user:password@${host}/1`,
    `.${host}/1`,
    `:${port}/1`,
    `\\\\${host}\\1`,
    `x\r\nHost: ${host}`,
    `x\n${host}`,
    '..',
    '.',
    '../../v1/accounts',
    '..%2f..%2fv1%2faccounts',
    '%2e%2e/%2e%2e',
    'x/../../y',
    'x?expand=y',
    'x#y',
    'x;y',
    'http://[::1]/1',
    'http://0x7f000001/1',
    'http://2130706433/1',
    `http://127。0。0。1:${port}/1`,
    'https://аpi.stripe.com/v1/objects/1',
    'file:///etc/passwd',
    'javascript:1',
    '\u0000',
    ' ',
    '',
  ];
}

/** Bodies in the forms that name an object, beside the samples, which say most by themselves. */
function bodiesOf(provider: string, gateway: Gateway): string[] {
  const of = { linkId: LINK, paymentId: paymentIdAt(provider, '1234ABCD'), amount: AMOUNT };
  const told = SAMPLE_EVENTS.flatMap((event) => {
    const sample = gateway.sampleEventDelivery(event, of, NOW);
    return sample ? [sample.body] : [];
  });
  return [...told, ...(NAMING[provider] ?? []).map((body) => JSON.stringify(body))];
}

const created = NOW.toISOString();
const thin = (type: string, id: string, kind: string) => ({
  id: 'evt_1',
  object: 'v2.core.event',
  type,
  created,
  related_object: { id, type: kind, url: `/v1/${kind}s/${id}` },
});
const named = (resource_type: string, action: string, links: object) => ({
  events: [{ id: 'EV1', created_at: created, resource_type, action, links }],
});
/** Events that say little: what they name is looked up. */
const NAMING: Record<string, object[]> = {
  stripe: [
    thin('v1.payment_intent.succeeded', 'pi_1', 'payment_intent'),
    thin('v1.checkout.session.completed', 'cs_1', 'checkout.session'),
    thin('v1.charge.refunded', 'ch_1', 'charge'),
    thin('v1.refund.updated', 're_1', 'refund'),
    thin('v1.charge.dispute.created', 'du_1', 'dispute'),
  ],
  paypal: [
    {
      id: 'WH-1',
      event_type: 'CHECKOUT.ORDER.APPROVED',
      create_time: created,
      resource: { id: '5O1', status: 'APPROVED', purchase_units: [{ custom_id: LINK }] },
    },
  ],
  mollie: [{ resource: 'event', id: 'event_1', type: 'payment.paid', entityId: 'tr_1234ABCD' }],
  gocardless: [
    named('payments', 'confirmed', { payment: 'PM1' }),
    named('refunds', 'paid', { refund: 'RF1' }),
    named('payouts', 'paid', { payout: 'PO1' }),
    named('billing_requests', 'fulfilled', {
      billing_request: 'BRQ1',
      payment_request_payment: 'PM1',
    }),
  ],
};

/** The body over and over, each time with one text in it replaced. */
function withEachText(value: unknown, others: readonly string[]): unknown[] {
  if (typeof value === 'string') return [...others];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    withEachText(inner, others).map((other) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other },
    ),
  );
}

function signed(provider: string, text: string): Delivery {
  const body = provider === 'adyen' ? signedInside(text) : text;
  return { rawBody: Buffer.from(body), headers: signedAgain(provider, body, folder) };
}

/** All that the service asks because of a delivery, at once and later. */
async function followed(gateway: Gateway, delivery: Delivery): Promise<void> {
  await gateway.verify(delivery);
  for (const told of gateway.parse(delivery)) {
    const reports = told.kind === 'named' ? await gateway.lookUp(told) : [told];
    for (const report of reports) {
      await refusedOrDone(askLater(gateway, report));
      await refusedOrDone(gateway.confirm(report));
    }
  }
}

/** Refunds and pages are asked about by the ids that deliveries told. */
async function askLater(gateway: Gateway, report: ProviderReport): Promise<void> {
  const { providerPaymentId, providerRefundId, providerObjectId } = report as {
    providerPaymentId?: string | null;
    providerRefundId?: string | null;
    providerObjectId?: string | null;
  };
  const ids = [providerPaymentId, providerRefundId, providerObjectId].join(' ');
  if (followedIds.has(ids)) return;
  followedIds.add(ids);
  if (providerPaymentId) {
    const refundId = LINK.replace('plink', 'rfnd');
    const refund = { refundId, providerPaymentId, amount: AMOUNT };
    await refusedOrDone(gateway.refund({ ...refund, providerRefundId: null, isOurs: true }));
    const known = { ...refund, providerRefundId: providerRefundId ?? null, isOurs: true };
    await refusedOrDone(gateway.lookUpRefund(known));
    await refusedOrDone(gateway.lookUpRefund({ ...known, providerRefundId: null }));
  }
  if (providerObjectId) {
    const page = { linkId: LINK, providerObjectId, amount: AMOUNT, expiresAt: NOW };
    await refusedOrDone(gateway.lookUpCheckout(page));
    await refusedOrDone(gateway.cancelCheckout(page));
  }
}

/** @throws what is no answer of ours */
async function refusedOrDone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (error instanceof InvalidSignature || error instanceof DomainError) return;
    throw error;
  });
}

/** Of all that was asked, what is not at the provider's own host, or not at the path that it says. */
function strayed(base: string): string[] {
  return asked.filter((text) => {
    const { href, username, hash, pathname } = new URL(text);
    const isOwn = text.startsWith(`${base}/`) && href === text && username === '' && hash === '';
    return !isOwn || /%2f|%5c|%2e/i.test(pathname);
  });
}

describe.each(PROVIDER_NAMES)('%s', (provider) => {
  it('is asked at its own host alone, whatever its events name', { timeout: 120_000 }, async () => {
    const gateway = gatewayOf(provider);
    const bodies = bodiesOf(provider, gateway);
    expect(bodies.length).toBeGreaterThan(4);
    for (const body of bodies) {
      const all = withEachText(JSON.parse(body), hostile());
      const others = all.filter((_, index) => index % STEP === 0);
      await Promise.all(
        others.map(async (other) =>
          refusedOrDone(followed(gateway, signed(provider, JSON.stringify(other)))),
        ),
      );
    }
    expect([connections, [...new Set(strayed(own.base))]]).toEqual([0, []]);
  });

  it('is asked about what a true delivery names, if it has an API', async () => {
    const gateway = gatewayOf(provider);
    for (const body of bodiesOf(provider, gateway)) {
      await refusedOrDone(followed(gateway, signed(provider, body)));
    }
    expect(asked.length > 0).toBe(provider in API_SETTINGS);
    expect(strayed(own.base)).toEqual([]);
  });
});

const at = (url: string): Delivery => {
  const delivery = signed('paypal', '{}');
  return { ...delivery, headers: { ...delivery.headers, 'paypal-cert-url': url } };
};

const withoutCertificates = () => gatewayOf('paypal', { certificates: '', demo_key: '' });

describe('the certificate of PayPal', () => {
  const path = '/v1/notifications/certs/CERT-1';

  it('is fetched from no other place than its own', async () => {
    const gateway = withoutCertificates();
    const { port } = elsewhere;
    const host = 'api.sandbox.paypal.com';
    const urls = [
      ...hostile(),
      ...hostile().map((text) => `https://${host}/v1/notifications/certs/${text}`),
      ...hostile().map((text) => `https://${host}${text}`),
      `https://127.0.0.1:${port}${path}`,
      `https://${host}:${port}${path}`,
      `https://${host}@127.0.0.1:${port}${path}`,
      `https://127.0.0.1:${port}\\@${host}${path}`,
      `https://${host}.evil.test${path}`,
      `https://evil.test/${host}${path}`,
      `https://${host}%2eevil.test${path}`,
      `https://${host}\u3002evil.test${path}`,
      `https://api.sandbox.p\u0430ypal.com${path}`,
      `https://${host}${path}/../../../../v2/checkout/orders/1`,
      `https://${host}${path}?next=https://127.0.0.1:${port}`,
      `https://${host}${path}#@127.0.0.1:${port}`,
      `http://${host}${path}`,
      `HTTPS://${host}${path}`,
      `https://${host.toUpperCase()}${path}`,
      `https://api.paypal.com${path}`,
    ];
    for (const url of urls) {
      const verdict = gateway.verify(at(url));
      await expect(verdict, url).rejects.toBeInstanceOf(InvalidSignature);
    }
    expect([connections, asked]).toEqual([0, []]);
  });

  it('is fetched from there', async () => {
    const url = `https://api.sandbox.paypal.com${path}`;
    await expect(withoutCertificates().verify(at(url))).rejects.toMatchObject({
      code: 'gateway_unavailable',
    });
    expect(asked).toEqual([url]);
  });
});
