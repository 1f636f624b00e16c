import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { anOwnGateway, NEXT_OWN_SECRET, OWN_GATEWAYS, OWN_SECRET } from './own-gateways.js';

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

describe('a body', () => {
  it('is told all that is wrong with it at once, and no value', async () => {
    const client = await service.aClient();
    const answer = await client.post(OWN_GATEWAYS, {
      name: 'gateway-a',
      provider: 'paypal',
      settings: {
        webhook_id: 'hush hush',
        environment: 'hush',
        certificates: '/etc/hush',
        anchors: '/etc/hush',
        demo_key: '/etc/hush',
        colour: 'hush',
      },
    });
    const body = expectProblem(answer, 422, 'validation_failed');
    expect(pointersOf(body)).toEqual([
      '/name',
      '/settings/anchors',
      '/settings/certificates',
      '/settings/colour',
      '/settings/demo_key',
      '/settings/environment',
      '/settings/webhook_id',
    ]);
    expect(answer.text).not.toContain('hush');
  });

  it('is told also beside a name or a provider that is wrong, as far as anybody knows', async () => {
    const client = await service.aClient();
    const wrong = async (body: object) =>
      expectProblem(await client.post(OWN_GATEWAYS, body), 422, 'validation_failed').errors?.map(
        ({ pointer, code }) => `${pointer} ${code}`,
      );
    const settings = { environment: 'hush', colour: 'hush' };
    expect(await wrong({ name: 'A shop', provider: 'stripe', settings })).toEqual([
      '/name invalid_gateway_name',
      '/settings/colour unknown_setting',
      '/settings/webhook_secret setting_required',
      '/settings/environment invalid_setting',
    ]);
    expect(await wrong({ name: 'A shop', provider: 'unheard-of', settings })).toEqual([
      '/name invalid_gateway_name',
      '/provider unknown_provider',
      '/settings/colour unknown_setting',
    ]);
  });

  const valid = { name: 'hostile', provider: 'stripe', settings: { webhook_secret: OWN_SECRET } };
  const settings = (over: unknown) => ({ ...valid, settings: over });
  const hostile: unknown[] = [
    null,
    [],
    'text',
    7,
    {},
    { ...valid, name: '' },
    { ...valid, name: 'A' },
    { ...valid, name: 'a_b' },
    { ...valid, name: 'gw_01h455vb4pex5vsknk084sn02q' },
    { ...valid, name: 'a--b' },
    { ...valid, name: 'a\u0000b' },
    { ...valid, name: 'x'.repeat(61) },
    { ...valid, name: ['hostile'] },
    { ...valid, name: '../../etc' },
    { ...valid, provider: 'unheard-of' },
    { ...valid, provider: '__proto__' },
    { ...valid, provider: 'constructor' },
    { ...valid, provider: { name: 'stripe' } },
    { ...valid, account_id: 'acc_01h455vb4pex5vsknk084sn02q' },
    { ...valid, version: 9 },
    settings(null),
    settings([OWN_SECRET]),
    settings(OWN_SECRET),
    settings({}),
    settings({ webhook_secret: '' }),
    settings({ webhook_secret: null }),
    settings({ webhook_secret: [OWN_SECRET] }),
    settings({ webhook_secret: `${OWN_SECRET},` }),
    settings({ webhook_secret: `${OWN_SECRET},${NEXT_OWN_SECRET}` }),
    settings({ webhook_secret: 'x'.repeat(4097) }),
    settings({ webhook_secret: '\u0000' }),
    settings({ webhook_secret: OWN_SECRET, constructor: 'x' }),
    settings({ webhook_secret: OWN_SECRET, toString: 'x' }),
    settings({ webhook_secret: OWN_SECRET, 'api/key': 'x' }),
    settings({ webhook_secret: OWN_SECRET, API_KEY: 'x' }),
    settings({ webhook_secret: OWN_SECRET, api_base: 'file:///etc/passwd' }),
    settings({ webhook_secret: OWN_SECRET, environment: 'production' }),
    settings(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, 'x']))),
  ];

  it.each(hostile.map((body, at) => [at, body] as const))(
    'that is hostile (%d) is refused, and not told back',
    async (_at, body) => {
      const client = await service.aClient();
      const answer = await client.post(OWN_GATEWAYS, body);
      expect([400, 415, 422]).toContain(answer.status);
      expect(answer.text).not.toContain(OWN_SECRET);
      expect((await client.get<{ data: unknown[] }>(OWN_GATEWAYS)).body.data).toEqual([]);
      const own = await anOwnGateway(client, stub);
      const patched = await client.patch(`${OWN_GATEWAYS}/${own.id}`, body);
      expect(patched.status).toBeLessThan(500);
      expect(patched.text).not.toContain(OWN_SECRET);
    },
  );

  it.each(['gw_', 'gw_01h455vb4pex5vsknk084sn02q', 'GATEWAY-A', '%00', 'gw_%2e%2e'])(
    'for an id that is none (%s) finds nothing',
    async (id) => {
      const client = await service.aClient();
      expect((await client.get(`${OWN_GATEWAYS}/${id}`)).status).toBeGreaterThanOrEqual(400);
      const answer = await service.call(`/v1/webhooks/${id}`, { method: 'POST', body: '{}' });
      expect([400, 404]).toContain(answer.status);
    },
  );
});
