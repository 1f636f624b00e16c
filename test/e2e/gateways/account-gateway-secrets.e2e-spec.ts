import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayBody } from '../../../src/payments/port/wire/account-gateway.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import {
  anOwnGateway,
  deliverNothing,
  NEXT_OWN_SECRET,
  OWN_GATEWAYS,
  OWN_SECRET,
} from './own-gateways.js';

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

const accepted = async (own: GatewayBody, secret: string, at = service) =>
  (await deliverNothing(at, own, secret)).status === 200;

describe('a webhook secret', () => {
  it('counts beside the new one until it is retired', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const rotated = await client.post<GatewayBody>(`${OWN_GATEWAYS}/${own.id}/rotate-secret`, {
      secret: NEXT_OWN_SECRET,
    });
    expect(rotated.body).toMatchObject({
      version: 2,
      previous_secret_ends_at: expect.any(String),
    });
    expect(rotated.text).not.toContain('whsec_');
    expect([await accepted(own, OWN_SECRET), await accepted(own, NEXT_OWN_SECRET)]).toEqual([
      true,
      true,
    ]);
    const retired = await client.post<GatewayBody>(`${OWN_GATEWAYS}/${own.id}/retire-secret`);
    expect(retired.body).toMatchObject({ version: 3, previous_secret_ends_at: null });
    expect([await accepted(own, OWN_SECRET), await accepted(own, NEXT_OWN_SECRET)]).toEqual([
      false,
      true,
    ]);
    const again = await client.post<GatewayBody>(`${OWN_GATEWAYS}/${own.id}/retire-secret`);
    expect(again.body).toEqual(retired.body);
    const audit = await client.get(`/v1/audit?subject=${own.id}`);
    expect(audit.text).not.toMatch(/whsec_|sk_test/);
    expect((audit.body['data'] as { action: string }[]).map(({ action }) => action)).toEqual([
      'gateway.secret_retired',
      'gateway.secret_rotated',
      'gateway.created',
    ]);
  });

  it('ends by itself, or at once when it leaked', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    await client.post(`${OWN_GATEWAYS}/${own.id}/rotate-secret`, {
      secret: NEXT_OWN_SECRET,
      overlap_hours: 2,
    });
    expect(await accepted(own, OWN_SECRET)).toBe(true);
    service.clock.advance({ hours: 2, seconds: 1 });
    expect(await accepted(own, OWN_SECRET)).toBe(false);
    const read = await client.get<GatewayBody>(`${OWN_GATEWAYS}/${own.id}`);
    expect(read.body.previous_secret_ends_at).toBeNull();

    const third = 'whsec_account_gateways_third_0003';
    await client.post(`${OWN_GATEWAYS}/${own.id}/rotate-secret`, {
      secret: third,
      overlap_hours: 0,
    });
    const all = [OWN_SECRET, NEXT_OWN_SECRET, third].map(async (secret) => accepted(own, secret));
    expect(await Promise.all(all)).toEqual([false, false, true]);
  });

  it('does not come back with a change after its end', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    await client.post(`${OWN_GATEWAYS}/${own.id}/rotate-secret`, {
      secret: NEXT_OWN_SECRET,
      overlap_hours: 1,
    });
    service.clock.advance({ hours: 1, seconds: 1 });
    await client.patch(`${OWN_GATEWAYS}/${own.id}`, {
      settings: { api_key: 'sk_test_another_one' },
    });
    expect([await accepted(own, OWN_SECRET), await accepted(own, NEXT_OWN_SECRET)]).toEqual([
      false,
      true,
    ]);
  });

  it('that is changed is known to other processes at their next use', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const other = await startTestService({ database: service.database, clock: service.clock });
    expect(await accepted(own, OWN_SECRET, other)).toBe(true);
    await client.patch(`${OWN_GATEWAYS}/${own.id}`, {
      settings: { webhook_secret: NEXT_OWN_SECRET },
    });
    expect(await accepted(own, OWN_SECRET, other)).toBe(false);
    expect(await accepted(own, NEXT_OWN_SECRET, other)).toBe(true);
    await client.post(`${OWN_GATEWAYS}/${own.id}/disable`);
    const there = await other.aClient({ of: client });
    const path = `/v1/finance/documents/${(await there.anInvoice()).id}/payment-links`;
    expectProblem(await there.post(path, { gateway: own.id }), 409, 'gateway_disabled');
    await other.close();
  });
});

const OLD = 'a test secret of more than thirty-two characters';
const NEW = 'another test secret of more than thirty-two characters';

async function keyIds(name: string): Promise<string[]> {
  const rows = await service.database.query<{ key: string }>(
    `SELECT encode(substr(sealed_settings, 1, 4), 'hex') AS key FROM gateways WHERE name = $1`,
    [name],
  );
  return rows.map(({ key }) => key);
}

describe('the settings at rest', () => {
  it('follow the secret of the service as it rotates', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const [first] = await keyIds(own.name);
    const { database, clock } = service;
    const both = await startTestService({ database, clock, secrets: [NEW, OLD] });
    const [second] = await keyIds(own.name);
    expect(second).not.toBe(first);
    expect((await deliverNothing(both, own, OWN_SECRET)).status).toBe(200);
    await both.close();
    const alone = await startTestService({ database, clock, secrets: [NEW] });
    expect((await deliverNothing(alone, own, OWN_SECRET)).status).toBe(200);
    await alone.close();
    // Back, for the tests that come after.
    await (await startTestService({ database, clock, secrets: [OLD, NEW] })).close();
    expect(await keyIds(own.name)).toEqual([first]);
  });

  it('that cannot be read are told so, and can be given again', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const { database, clock } = service;
    const lost = await startTestService({ database, clock, secrets: [NEW] });
    const there = await lost.aClient({ of: client });
    const refused = await deliverNothing(lost, own, OWN_SECRET);
    expectProblem(refused, 503, 'gateway_unreadable');
    const read = await there.get<GatewayBody>(`${OWN_GATEWAYS}/${own.id}`);
    expect(read.body.settings).toBeNull();
    for (const [step, body] of [
      ['test', {}],
      ['rotate-secret', { secret: NEXT_OWN_SECRET }],
      ['retire-secret', {}],
    ] as const) {
      const answer = await there.post(`${OWN_GATEWAYS}/${own.id}/${step}`, body);
      expectProblem(answer, 503, 'gateway_unreadable');
    }
    const settings = { webhook_secret: NEXT_OWN_SECRET };
    expect((await there.patch(`${OWN_GATEWAYS}/${own.id}`, { settings })).status).toBe(200);
    expect((await deliverNothing(lost, own, NEXT_OWN_SECRET)).status).toBe(200);
    await lost.close();
  });

  it('are of one gateway: in the row of another they are nothing', async () => {
    const [anna, ben] = [await service.aClient(), await service.aClient()];
    const [annas, bens] = [await anOwnGateway(anna, stub), await anOwnGateway(ben, stub)];
    await service.database.query(
      `UPDATE gateways SET version = version + 1, sealed_settings =
         (SELECT sealed_settings FROM gateways WHERE name = $1) WHERE name = $2`,
      [annas.name, bens.name],
    );
    expectProblem(await deliverNothing(service, bens), 503, 'gateway_unreadable');
    expect((await deliverNothing(service, annas)).status).toBe(200);
  });

  it('stay with their account, and are never deleted', async () => {
    const own = await anOwnGateway(await service.aClient(), stub);
    for (const change of [
      'DELETE FROM gateways WHERE name = $1',
      'UPDATE gateways SET account_id = account_id WHERE name = $1',
      "UPDATE gateways SET provider = 'sandbox' WHERE name = $1",
    ]) {
      await expect(service.database.query(change, [own.name])).rejects.toThrow(/is refused/);
    }
  });
});

describe('a test', () => {
  it('tells whether credentials, events and clocks are right', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const test = async () => (await client.post(`${OWN_GATEWAYS}/${own.id}/test`)).body['checks'];
    const url = own.webhook_url;
    stub.answers['GET /v1/balance'] = [200, { object: 'balance' }];
    const endpoint = { url, status: 'enabled', enabled_events: ['*'] };
    stub.answers['GET /v1/webhook_endpoints'] = [200, { data: [endpoint] }];
    service.clock.set(new Date());
    expect(await test()).toEqual([
      { check: 'credentials', status: 'ok', detail: expect.any(String) },
      { check: 'clock', status: 'ok', detail: expect.any(String) },
      { check: 'webhook', status: 'ok', detail: expect.any(String) },
    ]);
    stub.answers['GET /v1/balance'] = [401, { error: { type: 'invalid_request_error' } }];
    expect(await test()).toContainEqual(
      expect.objectContaining({ check: 'credentials', status: 'failed' }),
    );
    stub.answers['GET /v1/balance'] = [500, {}];
    expect(await test()).toEqual([
      { check: 'credentials', status: 'unknown', detail: expect.any(String) },
    ]);
  });
});
