import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineGateways } from '../../../src/cli/doctor/gateway-doctor.js';
import { Providers } from '../../../src/gateways/index.js';
import type { Config } from '../../../src/platform/config/config.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { anOwnGateway, OWN_GATEWAYS } from './own-gateways.js';

const OLD = 'a test secret of more than thirty-two characters';
const NEW = 'another test secret of more than thirty-two characters';

let service: TestService;
let stub: ProviderStub;

beforeAll(async () => {
  stub = await startProviderStub();
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  await stub.close();
});

const doctor = async (over: Partial<Config> = {}) =>
  examineGateways(
    { ...service.config, ...over },
    new Providers(),
    service.database.query as Parameters<typeof examineGateways>[2],
  );

describe('the doctor', () => {
  it('names gateways of accounts that work, miss events, or are refused', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    stub.answers['GET /v1/balance'] = [200, {}];
    const endpoint = { url: own.webhook_url, status: 'enabled', enabled_events: ['*'] };
    stub.answers['GET /v1/webhook_endpoints'] = [200, { data: [endpoint] }];
    expect(await doctor()).toContain(`${own.id} works`);

    const some = { ...endpoint, enabled_events: ['charge.refunded'] };
    stub.answers['GET /v1/webhook_endpoints'] = [200, { data: [some] }];
    expect(await doctor()).toEqual({
      warning: expect.stringContaining(`${own.id}: webhook: these events are not subscribed`),
    });

    stub.answers['GET /v1/balance'] = [401, {}];
    await expect(doctor()).rejects.toThrow(`${own.id}: credentials: the credentials are refused`);
    stub.answers['GET /v1/balance'] = [200, {}];
    await client.patch(`${OWN_GATEWAYS}/${own.id}`, { settings: { api_key: null } });
  });

  it('names those that an older secret encrypted, or one that is gone', async () => {
    const own = await anOwnGateway(await service.aClient(), null);
    expect(await doctor({ secrets: [NEW, OLD] })).toEqual({
      warning: expect.stringContaining(`${own.id} is encrypted with an older secret`),
    });
    expect(await doctor({ secrets: [NEW] })).toEqual({
      warning: expect.stringContaining(`${own.id} was encrypted with a secret`),
    });
  });

  it('names one that is called as a gateway that was configured later', async () => {
    const own = await anOwnGateway(await service.aClient(), null);
    const later = { name: own.name, provider: 'stripe', settings: { webhook_secret: 'x' } };
    const gateways = [...service.config.gateways, later];
    expect(await doctor({ gateways })).toEqual({
      warning: expect.stringContaining(`${own.id} is called ${own.name}`),
    });
  });
});
