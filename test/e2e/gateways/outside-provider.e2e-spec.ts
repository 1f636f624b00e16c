import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Providers } from '../../../src/gateways/index.js';
import { Money } from '../../../src/kernel/money.js';
import { Gateways } from '../../../src/payments/index.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures/gateways/', import.meta.url));
const installed = async (modules: string) =>
  Providers.installed({ QUITTANCE_PROVIDERS: modules }, FIXTURES);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-providers-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each([
  ['that is given its parts', './acme-provider.mjs'],
  ['that imports them', './acme-imported.mjs'],
])('a provider of the installation %s', (_, file) => {
  let service: TestService;
  let client: TestClient;
  beforeAll(async () => {
    const providers = await installed(file);
    const { gateways } = await loadConfig({}, folder, providers);
    service = await startTestService({
      providers,
      gateways: gateways.filter(({ name }) => name === 'acme'),
    });
    client = await service.aClient();
  });
  afterAll(() => service.close());

  it('takes a payment through a gateway of its own', async () => {
    const invoice = await client.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}/payment-links`;
    const { body: link } = await client.post(path, { gateway: 'acme' });
    expect(link).toMatchObject({ status: 'open', gateway: 'acme' });
    expect(link['url']).toContain(`/acme/${String(link['id'])}`);

    const amount = Money.of(BigInt(Number(link['amount'])), String(link['currency']));
    const gateway = service.app.get(Gateways).get('acme');
    const linkId = String(link['id']);
    const sent = gateway.samplePaidDelivery({ id: linkId, amount }, service.clock.now());
    const deliver = async (body: string) =>
      service.call('/v1/webhooks/acme', { method: 'POST', body, headers: sent.headers });
    expect((await deliver(`${sent.body} `)).body).toMatchObject({ code: 'invalid_signature' });
    expect((await deliver(sent.body)).body).toEqual({ status: 'ok' });
    const { body: paid } = await client.get(`/v1/finance/documents/${invoice.id}`);
    expect(paid).toMatchObject({ status: 'paid', amount_due: 0 });
    const { body: payments } = await client.get(`/v1/finance/documents/${invoice.id}/payments`);
    expect(payments['data']).toMatchObject([{ method: 'direct_debit' }]);
  });
});

describe('QUITTANCE_PROVIDERS', () => {
  it.each([
    ['./nowhere.mjs', /nowhere\.mjs cannot be loaded/],
    ['./no-function.mjs', /no-function\.mjs has to export a provider by default/],
    ['./no-provider.mjs', /no-provider\.mjs makes no provider; .*name, settings, unsafe/],
    ['./acme-provider.mjs,./acme-provider.mjs', /brings acme, whose name or gateway is there/],
  ])('refuses %s with a sentence', async (modules, sentence) => {
    await expect(installed(modules)).rejects.toThrow(sentence);
  });

  it('lets a provider bring its own demo, and adds its secret to those that are there', async () => {
    const dataDir = join(folder, 'old', '.quittance');
    await mkdir(dataDir, { recursive: true });
    const old = {
      secret: 's'.repeat(48),
      stripe: 'whsec_old',
      sandbox: 'whsec_b2xk',
      paypalWebhookId: 'OLD',
    };
    const file = join(dataDir, 'secrets.json');
    await writeFile(file, JSON.stringify(old));
    const providers = await installed('./acme-provider.mjs');
    const { gateways, secrets } = await loadConfig({}, join(folder, 'old'), providers);
    const settings = Object.fromEntries(gateways.map((one) => [one.name, one.settings]));
    expect(secrets).toEqual([old.secret]);
    expect(settings).toMatchObject({
      'gateway-a': { webhook_secret: old.stripe },
      'gateway-b': { webhook_id: old.paypalWebhookId },
      sandbox: { webhook_secret: old.sandbox },
      acme: { webhook_secret: 'a secret that was made up for acme' },
    });
    const acme = 'a secret that was made up for acme';
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ ...old, acme });
  });
});
