import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPayPalDemoCertificates } from '../../src/demo/paypal-demo-certificates.js';
import { type Delivery, InvalidSignature } from '../../src/payments/port/domain/gateway.js';
import { hostileTexts } from '../../src/testing/contract/hostile-texts.js';
import { HostWatch } from '../../src/testing/contract/host-watch.js';
import { aGateway, NOW, settingsOfPayPal, signedAgain } from './gateway-builders.js';
import { API_SETTINGS } from './provider-trials.js';

// The contract has every text of every event lead elsewhere; PayPal's address of a certificate is a header.

let folder = '';
let payPal: Record<string, string> = {};
let watch: HostWatch;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-hostile-names-'));
  const environment = 'sandbox';
  const files = await createPayPalDemoCertificates({ folder, environment, now: NOW });
  payPal = settingsOfPayPal(files);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  watch = await HostWatch.open();
});
afterEach(() => watch.close());

const at = (url: string): Delivery => {
  const headers = { ...signedAgain('paypal', '{}', folder), 'paypal-cert-url': url };
  return { rawBody: Buffer.from('{}'), headers };
};

const withoutCertificates = () =>
  aGateway(
    'paypal',
    { ...payPal, ...API_SETTINGS['paypal']?.(watch.base), certificates: '', demo_key: '' },
    { fetch: watch.fetch },
  );

describe('the certificate of PayPal', () => {
  const path = '/v1/notifications/certs/CERT-1';

  it('is fetched from no other place than its own', async () => {
    const gateway = withoutCertificates();
    const port = watch.elsewhere;
    const host = 'api.sandbox.paypal.com';
    const urls = [
      ...hostileTexts(port),
      ...hostileTexts(port).map((text) => `https://${host}/v1/notifications/certs/${text}`),
      ...hostileTexts(port).map((text) => `https://${host}${text}`),
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
    expect([watch.connections, watch.asked]).toEqual([0, []]);
  });

  it('is fetched from there', async () => {
    const url = `https://api.sandbox.paypal.com${path}`;
    await expect(withoutCertificates().verify(at(url))).rejects.toMatchObject({
      code: 'gateway_unavailable',
    });
    expect(watch.asked).toEqual([url]);
  });
});
