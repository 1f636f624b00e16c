import { createHash, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPayPalDemoCertificates } from '../../../src/demo/paypal-demo-certificates.js';
import { type Delivery, InvalidSignature } from '../../../src/payments/port/domain/gateway.js';
import { signPayPal } from '../../../src/gateways/paypal/paypal.gateway.js';
import { builtInRoots } from '../../../src/gateways/paypal/paypal-certificates.js';
import { PAYPAL_INTERMEDIATES } from '../../../src/gateways/paypal/paypal-intermediates.js';
import { aGateway, aPayPalEvent, clockAt, NOW, reportOf } from '../gateway-builders.js';
import { aCertificate, forgeCrc, type Issued } from './paypal-test-chain.js';

const CN = 'CN=messageverificationcerts.sandbox.paypal.com';
const DAY_MS = 86_400_000;
const CERT_URL = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1';

let folder = '';
let root: Issued;
let middle: Issued;
let leaf: Issued;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-paypal-'));
  root = await aCertificate('CN=Test root', { ca: true });
  middle = await aCertificate('CN=Test middle', { ca: true, issuer: root });
  leaf = await aCertificate(CN, { issuer: middle });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, ...pems: string[]): string {
  const path = join(folder, `${name}-${crc32(pems.join())}.pem`);
  writeFileSync(path, pems.join('\n'));
  return path;
}

function aDelivery(
  key: KeyObject,
  { body = aPayPalEvent(), time = NOW.toISOString(), headers = {} as Record<string, string> } = {},
): Delivery {
  const signed = signPayPal(key, {
    webhookId: 'WH-1',
    environment: 'sandbox',
    time,
    body,
    transmissionId: 'a1b2c3d4-0000-11f1-8000-000000000000',
  });
  return {
    rawBody: Buffer.from(body),
    headers: { ...signed, 'paypal-cert-url': CERT_URL, ...headers },
  };
}

/** Pinned signing certificates, or none, and what the certificate URL serves. */
function gatewayWith(
  trust: {
    known?: string[];
    anchors?: string[];
    serve?: (url: string, init?: RequestInit) => unknown;
    at?: Date;
  } = {},
) {
  const calls: string[] = [];
  const settings = {
    webhook_id: 'WH-1',
    environment: 'sandbox',
    anchors: file('anchors', ...(trust.anchors ?? [root.pem])),
    certificates: file('known', middle.pem, ...(trust.known ?? [])),
  };
  const fetch = (async (url: string, init?: RequestInit) => {
    calls.push(url);
    if (!trust.serve) throw new Error('no network in this test');
    return trust.serve(url, init);
  }) as typeof globalThis.fetch;
  const gateway = aGateway('paypal', settings, { fetch, clock: clockAt(trust.at ?? NOW) });
  return { gateway, calls };
}

const pinned = (at = NOW) => gatewayWith({ known: [leaf.pem], at }).gateway;
const refused = (promise: Promise<unknown>) =>
  expect(promise).rejects.toBeInstanceOf(InvalidSignature);
const undecided = (promise: Promise<unknown>) =>
  expect(promise).rejects.toMatchObject({ kind: 'unavailable', code: 'gateway_unavailable' });

describe('signature', () => {
  it('verifies against the pinned certificate without any call', async () => {
    const { gateway, calls } = gatewayWith({ known: [leaf.pem] });
    await gateway.verify(aDelivery(leaf.key));
    expect(calls).toEqual([]);
  });

  it('is what PayPal documents: id|time|webhook id|decimal CRC32 of the raw body', async () => {
    const [id, time, body] = ['8d1f-1', '2026-11-20T11:58:00Z', aPayPalEvent()];
    const signed = Buffer.from(`${id}|${time}|WH-1|${crc32(body).toString(10)}`);
    await pinned().verify({
      rawBody: Buffer.from(body),
      headers: {
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': sign('RSA-SHA256', signed, leaf.key).toString('base64'),
        'paypal-cert-url': CERT_URL,
        'paypal-auth-algo': 'SHA256withRSA',
      },
    });
  });

  it('signs id, time, our webhook id and the decimal CRC32', async () => {
    const other = aGateway('paypal', {
      webhook_id: 'WH-2',
      environment: 'sandbox',
      anchors: file('anchors', root.pem),
      certificates: file('known', middle.pem, leaf.pem),
    });
    await refused(other.verify(aDelivery(leaf.key)));
    const delivery = aDelivery(leaf.key);
    for (const header of ['paypal-transmission-id', 'paypal-transmission-time']) {
      const value = header.endsWith('id') ? 'b' : new Date(NOW.getTime() - 1).toISOString();
      await refused(
        pinned().verify({ ...delivery, headers: { ...delivery.headers, [header]: value } }),
      );
    }
  });

  it.each([0, 4 * DAY_MS, -300_000])('accepts an age of %d ms', (age) =>
    pinned().verify(aDelivery(leaf.key, { time: new Date(NOW.getTime() - age).toISOString() })),
  );

  it.each([4 * DAY_MS + 1, -300_001])('refuses an age of %d ms', (age) =>
    refused(
      pinned().verify(aDelivery(leaf.key, { time: new Date(NOW.getTime() - age).toISOString() })),
    ),
  );

  it.each(['2026-99-99T00:00:00Z', '2026-11-20T12:00:00', '2026-11-20', '0'])(
    'refuses the time %s',
    (time) => refused(pinned().verify(aDelivery(leaf.key, { time }))),
  );

  it.each(['SHA1withRSA', 'sha256withrsa', 'none'])('refuses the algorithm %s', (algorithm) =>
    refused(pinned().verify(aDelivery(leaf.key, { headers: { 'paypal-auth-algo': algorithm } }))),
  );

  it('is bound to the CRC32 only: a forged body verifies, under another fingerprint', async () => {
    const honest = aDelivery(leaf.key);
    const filler = 'abcdefghijklmnop'.repeat(4);
    const greedy = aPayPalEvent({
      amount: { currency_code: 'EUR', value: '9999.00' },
      note: filler,
    });
    const body = forgeCrc(greedy, filler, crc32(honest.rawBody), crc32);
    const forged = { ...honest, rawBody: Buffer.from(body) };
    await pinned().verify(forged);
    const [one, other] = [honest, forged].map((each) => reportOf(pinned(), each));
    expect(other?.kind === 'paid' && other.amount.toString()).toBe('9999.00 EUR');
    expect(other?.eventId).toBe(one?.eventId);
    expect(one?.fingerprint).toBe(createHash('sha256').update(honest.rawBody).digest('hex'));
    expect(other?.fingerprint).not.toBe(one?.fingerprint);
  });
});

const serving = (...pems: string[]) => gatewayWith({ serve: () => new Response(pems.join('\n')) });

describe('certificate', () => {
  it('is fetched once, without following redirects', async () => {
    let options: RequestInit | undefined;
    const { gateway, calls } = gatewayWith({
      serve: (_url, init) => {
        options = init;
        return new Response(leaf.pem);
      },
    });
    await Promise.all([1, 2, 3].map(() => gateway.verify(aDelivery(leaf.key))));
    await gateway.verify(aDelivery(leaf.key));
    expect(calls).toEqual([CERT_URL]);
    expect(options?.redirect).toBe('manual');
  });

  it('may bring its own intermediates, which prove themselves', async () => {
    const second = await aCertificate('CN=Second', { ca: true, issuer: root });
    const below = await aCertificate(CN, { issuer: second });
    await serving(below.pem, second.pem).gateway.verify(aDelivery(below.key));
    await refused(serving(below.pem).gateway.verify(aDelivery(below.key)));
  });

  it('is refused from a chain with the right names and other keys', async () => {
    const fakeRoot = await aCertificate('CN=Test root', { ca: true });
    const fakeMiddle = await aCertificate('CN=Test middle', { ca: true, issuer: fakeRoot });
    const fake = await aCertificate(CN, { issuer: fakeMiddle });
    const { gateway } = serving(fake.pem, fakeMiddle.pem, fakeRoot.pem);
    await refused(gateway.verify(aDelivery(fake.key)));
  });

  it('is refused when it signs itself', async () => {
    const alone = await aCertificate(CN);
    await refused(serving(alone.pem).gateway.verify(aDelivery(alone.key)));
  });

  it('is refused when a certificate that is no CA issued it', async () => {
    const site = await aCertificate('CN=some.site', { issuer: middle });
    const below = await aCertificate(CN, { issuer: site });
    await refused(serving(below.pem, site.pem).gateway.verify(aDelivery(below.key)));
  });

  it('is refused when the anchor is no CA', async () => {
    const site = await aCertificate('CN=some.site', { issuer: root });
    const below = await aCertificate(CN, { issuer: site });
    const serve = () => new Response(below.pem);
    const { gateway } = gatewayWith({ serve, anchors: [site.pem] });
    await refused(gateway.verify(aDelivery(below.key)));
  });

  it('is refused when its issuer has the right key under another name', async () => {
    const renamed = await aCertificate('CN=Other', { ca: true, issuer: root });
    const below = await aCertificate(CN, {
      issuer: { certificate: middle.certificate, keys: renamed.keys },
    });
    await refused(serving(below.pem, renamed.pem).gateway.verify(aDelivery(below.key)));
  });

  it('is refused more than two intermediates below a root', async () => {
    const second = await aCertificate('CN=Second', { ca: true, issuer: middle });
    const third = await aCertificate('CN=Third', { ca: true, issuer: second });
    const [two, three] = [
      await aCertificate(CN, { issuer: second }),
      await aCertificate(CN, { issuer: third }),
    ];
    await serving(two.pem, second.pem).gateway.verify(aDelivery(two.key));
    const { gateway } = serving(three.pem, third.pem, second.pem);
    await refused(gateway.verify(aDelivery(three.key)));
  });

  it.each([
    'CN=messageverificationcerts.paypal.com',
    'CN=messageverificationcerts.sandbox.paypal.com.evil.test',
    'CN=evil.test',
    'O=messageverificationcerts.sandbox.paypal.com',
    'O=x\\0ACN\\=messageverificationcerts.sandbox.paypal.com',
    `${CN}, CN=evil.test`,
  ])('is refused in the name %s', async (subject) => {
    const other = await aCertificate(subject, { issuer: middle });
    await refused(serving(other.pem).gateway.verify(aDelivery(other.key)));
  });

  it.each([
    ['leaf', { notAfter: new Date(NOW.getTime() - 1000) }],
    ['leaf', { notBefore: new Date(NOW.getTime() + 1000) }],
    ['middle', { notAfter: new Date(NOW.getTime() - 1000) }],
  ])('is refused when its %s is not valid now: %j', async (which, dates) => {
    const between =
      which === 'middle'
        ? await aCertificate('CN=Old middle', { ca: true, issuer: root, ...dates })
        : middle;
    const old = await aCertificate(CN, { issuer: between, ...(which === 'leaf' ? dates : {}) });
    await refused(serving(old.pem, between.pem).gateway.verify(aDelivery(old.key)));
  });

  it('is refused with a short key', async () => {
    const short = await aCertificate(CN, { issuer: middle, modulusLength: 1024 });
    await refused(serving(short.pem).gateway.verify(aDelivery(short.key)));
    expect(() => gatewayWith({ known: [short.pem] })).toThrow(/2048 bits/);
  });

  it('stops being accepted when the pinned one expires', async () => {
    const later = new Date(NOW.getTime() + 366 * DAY_MS);
    await refused(pinned(later).verify(aDelivery(leaf.key, { time: later.toISOString() })));
  });

  it('is tried among several pinned ones, and no other is accepted', async () => {
    const next = await aCertificate(CN, { issuer: middle });
    const { gateway, calls } = gatewayWith({ known: [leaf.pem, next.pem] });
    await gateway.verify(aDelivery(leaf.key));
    await gateway.verify(aDelivery(next.key));
    const third = await aCertificate(CN, { issuer: middle });
    await refused(gateway.verify(aDelivery(third.key)));
    expect(calls).toEqual([]);
  });

  it.each([
    'https://api.paypal.com/v1/notifications/certs/CERT-1',
    'http://api.sandbox.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.sandbox.paypal.com.evil.test/v1/notifications/certs/CERT-1',
    'https://evil.test/v1/notifications/certs/CERT-1',
    'https://api.sandbox.paypal.com@evil.test/v1/notifications/certs/CERT-1',
    'https://api.sandbox.paypal.com:8443/v1/notifications/certs/CERT-1',
    'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1?x=1',
    'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1#x',
    'https://api.sandbox.paypal.com/v1/notifications/certs/../certs/CERT-1',
    'https://api.sandbox.paypal.com/v1/notifications/certs/',
    'https://API.sandbox.paypal.com/v1/notifications/certs/CERT-1',
    'https://www.sandbox.paypal.com/v1/notifications/certs/CERT-1',
  ])('is never looked for at %s', async (url) => {
    const { gateway, calls } = serving(leaf.pem);
    await refused(gateway.verify(aDelivery(leaf.key, { headers: { 'paypal-cert-url': url } })));
    expect(calls).toEqual([]);
  });

  it('leaves it undecided while the URL is out of reach, and asks again', async () => {
    const failures = [
      () => Promise.reject(new Error('down')),
      () => new Response('', { status: 503 }),
      () => new Response('', { status: 429 }),
    ];
    let up = false;
    for (const failure of failures) {
      up = false;
      const { gateway } = gatewayWith({ serve: () => (up ? new Response(leaf.pem) : failure()) });
      await undecided(gateway.verify(aDelivery(leaf.key)));
      up = true;
      await gateway.verify(aDelivery(leaf.key));
    }
  });

  it.each([
    ['not found', () => new Response('', { status: 404 })],
    ['a redirect', () => new Response(leaf.pem, { status: 302, headers: { location: '/' } })],
    ['no certificate', () => new Response('<html>')],
    ['a broken one', () => new Response(leaf.pem.replace(/MII/, 'AAA'))],
    ['only a CA', () => new Response(middle.pem)],
    ['too much', () => new Response(`${leaf.pem}${' '.repeat(65_536)}`)],
    ['too many', () => new Response(leaf.pem.repeat(9))],
  ])('is refused when the URL answers with %s', (_name, serve) =>
    refused(gatewayWith({ serve }).gateway.verify(aDelivery(leaf.key))),
  );

  it('is looked up ten times a minute at most, whatever senders name', async () => {
    const { gateway, calls } = gatewayWith({ serve: () => new Response('', { status: 404 }) });
    const from = (at: number) =>
      gateway.verify(aDelivery(leaf.key, { headers: { 'paypal-cert-url': `${CERT_URL}${at}` } }));
    for (let at = 0; at < 10; at += 1) await refused(from(at));
    await undecided(from(10));
    expect(calls).toHaveLength(10);
  });

  it('of a wrong name is refused at start when it is pinned', async () => {
    const other = await aCertificate('CN=evil.test', { issuer: middle });
    expect(() => gatewayWith({ known: [other.pem] })).toThrow(/GATEWAY_PAYPAL_CERTIFICATES/);
  });

  it('has shipped intermediates that DigiCert Global Root G2 of this Node issued', () => {
    const names = builtInRoots().map(({ subject }) => /CN=(.*)/.exec(subject)?.[1]);
    expect(names.sort()).toEqual(['DigiCert Global Root G2', 'DigiCert TLS RSA4096 Root G5']);
    const g2 = builtInRoots().find(({ subject }) => subject.endsWith('Root G2'));
    if (!g2) throw new Error('this Node has no DigiCert Global Root G2');
    for (const pem of PAYPAL_INTERMEDIATES) {
      const certificate = new X509Certificate(pem);
      expect([
        certificate.ca,
        certificate.checkIssued(g2),
        certificate.verify(g2.publicKey),
      ]).toEqual([true, true, true]);
      expect(Date.parse(certificate.validTo)).toBeGreaterThan(NOW.getTime());
    }
  });
});

it('makes demo certificates once, private, and again for another environment', async () => {
  const options = { folder: join(folder, 'demo'), environment: 'sandbox' } as const;
  const files = await createPayPalDemoCertificates(options);
  const made = statSync(files.certificates).mtimeMs;
  expect(statSync(files.demoKey).mode & 0o777).toBe(0o600);
  expect(await createPayPalDemoCertificates(options)).toEqual(files);
  expect(statSync(files.certificates).mtimeMs).toBe(made);
  await createPayPalDemoCertificates({ ...options, environment: 'live' });
  expect(statSync(files.certificates).mtimeMs).toBeGreaterThan(made);
});
