import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiClientUse } from '../../../src/auth/application/api-client-use.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// Clients that manage clients: nobody gives more than they have, and what ends, ends everywhere.

interface ClientBody {
  id: string;
  client_secret: string;
  name: string;
  scopes: string[];
  addresses: string[] | null;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  previous_secret_ends_at: string | null;
  version: number;
}

const CLIENTS = '/v1/clients';
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let service: TestService;
let other: TestService;
let manager: TestClient;
beforeAll(async () => {
  database = await aDatabase();
  // Addresses of callers come from the proxy's header, so that tests can choose them.
  service = await startTestService({ database, trustProxy: true });
  other = await startTestService({ database, trustProxy: true });
});
afterAll(async () => {
  await service.close();
  await other.close();
  await database.drop();
});
beforeEach(async () => {
  manager = await service.aClient({
    scopes: ['clients:manage', 'documents:read', 'payments:read'],
  });
});

const create = (wish: object = {}, as = manager, headers = {}) =>
  as.post<ClientBody>(CLIENTS, { name: 'shop', scopes: ['documents:read'], ...wish }, headers);
const aClient = async (wish: object = {}): Promise<ClientBody> => {
  const answer = await create(wish);
  expect(answer.status).toBe(201);
  return answer.body;
};
const tokenOf = (
  { id, client_secret: secret }: { id: string; client_secret: string },
  { at = service, from = '192.0.2.1' } = {},
) =>
  at.call<{ access_token: string; refresh_token: string; scope: string; expires_in: number }>(
    '/v1/auth/token',
    {
      method: 'POST',
      body: { client_id: id, client_secret: secret },
      headers: { 'x-forwarded-for': from },
    },
  );
const reads = async (token: string, { at = service, from = '192.0.2.1' } = {}) =>
  at.call('/v1/finance/documents', {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
  });

async function expectEndedEverywhere(token: string): Promise<void> {
  expect((await reads(token)).status).toBe(401);
  while ((await reads(token, { at: other })).status !== 401) await sleep(20);
}

describe('a new client', () => {
  it('is made with its secret, which is shown once, and listed without', async () => {
    const made = await create({ name: '  web shop ' });
    expect(made.status).toBe(201);
    expect(made.headers.get('etag')).toBe('"1"');
    expect(made.body).toMatchObject({
      id: expect.stringMatching(/^cli_/),
      name: 'web shop',
      scopes: ['documents:read'],
      addresses: null,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      previous_secret_ends_at: null,
      version: 1,
      client_secret: expect.stringMatching(/^qtc_test_[0-9A-Za-z]{49}$/),
    });
    const { client_secret: secret, ...shown } = made.body;
    const one = await manager.get<ClientBody>(`${CLIENTS}/${shown.id}`);
    expect([one.status, one.body, one.headers.get('etag')]).toEqual([200, shown, '"1"']);
    const list = await manager.get<{ data: ClientBody[] }>(CLIENTS);
    expect(list.body.data.map(({ id }) => id)).toEqual([shown.id, manager.id]);
    expect(list.text).not.toContain(secret);
    expect((await tokenOf(made.body)).body.scope).toBe('documents:read');
  });

  it('is made once by one Idempotency-Key, with the same secret', async () => {
    const key = { 'idempotency-key': 'a-client' };
    const first = await create({}, manager, key);
    const again = await create({}, manager, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    const rotate = () => manager.post(`${CLIENTS}/${first.body.id}/rotate`, {}, key);
    expect((await rotate()).text).toBe((await rotate()).text);
    expect((await tokenOf(first.body)).status).toBe(200);
  });

  it.each<[object, string]>([
    [{ name: '' }, 'invalid_text'],
    [{ name: null }, 'required'],
    [{ scopes: [] }, 'unknown_scope'],
    [{ scopes: ['documents:burn'] }, 'unknown_scope'],
    [{ scopes: 'documents:read' }, 'unknown_scope'],
    [{ scopes: null }, 'required'],
    [{ addresses: [] }, 'invalid_addresses'],
    [{ addresses: ['192.0.2.0/33'] }, 'invalid_addresses'],
    [{ addresses: [null] }, 'invalid_addresses'],
    [{ addresses: Array.from({ length: 21 }, () => '192.0.2.1') }, 'invalid_addresses'],
    [{ expires_at: 'tomorrow' }, 'invalid_instant'],
    [{ secret: 'x' }, 'unknown_field'],
  ])('with %j is refused: %s', async (wish, code) => {
    expectProblem(await create(wish), 422, code);
  });

  it('may not have more than its maker', async () => {
    expectProblem(await create({ scopes: ['payments:write'] }), 403, 'client_exceeds_caller');
    const { body } = await create({ scopes: ['clients:manage', 'documents:read'] });
    const addresses = ['192.0.2.0/25'];
    const expires = new Date(service.clock.now().getTime() + HOUR_MS).toISOString();
    const limits = { addresses, expires_at: expires };
    await manager.patch(`${CLIENTS}/${body.id}`, limits);
    const from = { 'x-forwarded-for': '192.0.2.7' };
    const token = await tokenOf(body, { from: '192.0.2.7' });
    const make = (wish: object) =>
      service.call<ClientBody>(CLIENTS, {
        method: 'POST',
        body: { name: 'x', scopes: ['documents:read'], ...wish },
        headers: { ...from, authorization: `Bearer ${token.body.access_token}` },
      });
    // A field that it leaves out is as its maker's.
    expect((await make({})).body).toMatchObject(limits);
    expect((await make({ addresses: ['192.0.2.9'] })).status).toBe(201);
    expectProblem(await make({ addresses: ['192.0.2.0/24'] }), 403, 'client_exceeds_caller');
    const later = new Date(service.clock.now().getTime() + 2 * HOUR_MS).toISOString();
    expectProblem(await make({ expires_at: later }), 403, 'client_exceeds_caller');
  });
});

/** Besides the manager; of another account, none counts. */
const insertClients = (count: number, more = 'NULL, NULL') =>
  database.query(
    `INSERT INTO api_clients (client_id, account_id, name, secret_sha256, scopes, had_scopes,
       created_at, expires_at, revoked_at)
     SELECT gen_random_uuid(), account_id, 'n', sha256('x'), '{documents:read}',
       '{documents:read}', now(), ${more}
     FROM (SELECT account_id FROM api_clients WHERE client_id = $1) a, generate_series(1, $2::int)`,
    [uuidOf('cli', manager.id), count],
  );

describe('the live clients of an account', () => {
  it('are a hundred at most, however many are made at once', async () => {
    await insertClients(96);
    const made = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(async () => create()));
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) expectProblem(answer, 409, 'too_many_clients');
    const gone = made.find(({ status }) => status === 201)?.body.id ?? '';
    expect((await manager.delete(`${CLIENTS}/${gone}`)).status).toBe(200);
    expect([(await create()).status, (await create()).status]).toEqual([201, 409]);
    expect((await create({}, await service.aClient())).status).toBe(201);
  });

  it('are not those that have ended, which may not come back beyond the limit', async () => {
    const ended = await aClient({ expires_at: '2020-01-01T00:00:00Z' });
    await insertClients(98, "'2020-01-01', NULL");
    await insertClients(50, 'NULL, now()');
    await insertClients(98);
    const path = `${CLIENTS}/${ended.id}`;
    expect((await manager.patch(path, { name: 'still ended' })).status).toBe(200);
    const last = await aClient();
    expectProblem(await create(), 409, 'too_many_clients');
    const goOn = async () => rotate(ended.id, { expires_at: null });
    expectProblem(await goOn(), 409, 'too_many_clients');
    await manager.delete(`${CLIENTS}/${last.id}`);
    expect((await goOn()).status).toBe(200);
  });
});

describe('a client', () => {
  it('is renamed, by the version that was read', async () => {
    const { id } = await aClient();
    const renamed = await manager.patch<ClientBody>(`${CLIENTS}/${id}`, { name: 'till' });
    expect([renamed.status, renamed.body.name, renamed.body.version]).toEqual([200, 'till', 2]);
    const stale = await manager.patch(`${CLIENTS}/${id}`, { name: 'x' }, { 'if-match': '"1"' });
    expectProblem(stale, 412, 'version_mismatch');
  });

  it('whose scopes are narrowed loses the tokens that had them, everywhere, and no others', async () => {
    const made = await aClient({ scopes: ['documents:read', 'payments:read'] });
    const bystander = await tokenOf(await aClient());
    const { body: wide } = await tokenOf(made);
    expect((await reads(wide.access_token, { at: other })).status).toBe(200);
    await manager.patch(`${CLIENTS}/${made.id}`, { name: 'renamed' });
    expect((await reads(wide.access_token)).status).toBe(200);
    await manager.patch(`${CLIENTS}/${made.id}`, { scopes: ['documents:read'] });
    await expectEndedEverywhere(wide.access_token);
    const refreshed = await service.call<{ scope: string; access_token: string }>(
      '/v1/auth/token',
      {
        method: 'POST',
        body: {
          client_id: made.id,
          client_secret: made.client_secret,
          grant_type: 'refresh_token',
          refresh_token: wide.refresh_token,
        },
      },
    );
    expect(refreshed.body.scope).toBe('documents:read');
    expect((await reads(refreshed.body.access_token, { at: other })).status).toBe(200);
    expect((await reads(bystander.body.access_token, { at: other })).status).toBe(200);
  });

  it('of some addresses gets tokens, and uses them, from those alone', async () => {
    const made = await aClient({ addresses: ['192.0.2.0/24', '2001:db8::/32'] });
    for (const from of ['192.0.2.200', '2001:db8::7', '::ffff:192.0.2.3']) {
      const { status, body } = await tokenOf(made, { from });
      expect([from, status]).toEqual([from, 200]);
      expect((await reads(body.access_token, { from })).status).toBe(200);
      expect((await reads(body.access_token, { from: '192.0.2.9', at: other })).status).toBe(200);
      const elsewhere = await reads(body.access_token, { from: '198.51.100.1' });
      expectProblem(elsewhere, 403, 'address_not_allowed');
    }
    for (const from of ['198.51.100.1', '2001:db9::1']) {
      expect((await tokenOf(made, { from })).status).toBe(401);
    }
    const { body } = await tokenOf(made);
    await manager.patch(`${CLIENTS}/${made.id}`, { addresses: ['192.0.2.128/25'] });
    await expectEndedEverywhere(body.access_token);
    expect((await tokenOf(made)).status).toBe(401);
    const { body: free } = await rotate(made.id, { addresses: null });
    expect((await tokenOf(free, { from: '198.51.100.1' })).status).toBe(200);
  });

  it('that ends gives tokens that end with it', async () => {
    const soon = new Date(service.clock.now().getTime() + 600_000).toISOString();
    const made = await aClient({ expires_at: soon });
    const { body } = await tokenOf(made);
    expect(body.expires_in).toBeLessThanOrEqual(600);
    service.clock.advance({ seconds: 601 });
    try {
      expect((await reads(body.access_token)).status).toBe(401);
      expect((await tokenOf(made)).status).toBe(401);
    } finally {
      service.clock.set(new Date());
    }
  });

  it('shows when it was last used', async () => {
    const made = await aClient();
    const { body } = await tokenOf(made);
    await reads(body.access_token);
    await service.app.get(ApiClientUse).write();
    const shown = await manager.get<ClientBody>(`${CLIENTS}/${made.id}`);
    expect(shown.body.last_used_at).toMatch(/^\d{4}-/);
    expect(shown.body.version).toBe(1);
  });
});

const rotate = (id: string, body: object = {}, as = manager) =>
  as.post<ClientBody>(`${CLIENTS}/${id}/rotate`, body);

describe('a rotation', () => {
  it('gives another secret, and the one before works for its hours', async () => {
    const made = await aClient();
    const { body } = await rotate(made.id, { overlap_hours: 2 });
    expect(body.client_secret).not.toBe(made.client_secret);
    expect((await tokenOf(made)).status).toBe(200);
    expect((await tokenOf(body)).status).toBe(200);
    service.clock.advance({ hours: 2, seconds: 1 });
    try {
      expect((await tokenOf(made)).status).toBe(401);
      expect((await tokenOf(body)).status).toBe(200);
    } finally {
      service.clock.set(new Date());
    }
    // Of three, the first has ended.
    const { body: third } = await rotate(made.id);
    expect((await tokenOf(made)).status).toBe(401);
    expect([(await tokenOf(body)).status, (await tokenOf(third)).status]).toEqual([200, 200]);
  });

  it('at once ends the secret before, and all access tokens', async () => {
    const made = await aClient();
    const { body: token } = await tokenOf(made);
    const { body } = await rotate(made.id, { overlap_hours: 0 });
    expect(body.previous_secret_ends_at).toBeNull();
    expect((await tokenOf(made)).status).toBe(401);
    await expectEndedEverywhere(token.access_token);
    expect((await tokenOf(body)).status).toBe(200);
  });

  it('of a client that may do more is refused: its secret would be the caller’s', async () => {
    const strong = await service.aClient({ of: manager });
    expectProblem(await rotate(strong.id), 403, 'client_exceeds_caller');
  });
});

describe('a revocation', () => {
  it('ends secrets and tokens everywhere, for good', async () => {
    const made = await aClient();
    const { body: token } = await tokenOf(made);
    expect((await reads(token.access_token, { at: other })).status).toBe(200);
    const revoked = await manager.delete<ClientBody>(`${CLIENTS}/${made.id}`);
    expect([revoked.status, revoked.body.revoked_at]).toEqual([200, expect.any(String)]);
    await expectEndedEverywhere(token.access_token);
    expect((await tokenOf(made, { at: other })).status).toBe(401);
    const again = await manager.delete<ClientBody>(`${CLIENTS}/${made.id}`);
    expect(again.body).toEqual(revoked.body);
    expectProblem(
      await manager.patch(`${CLIENTS}/${made.id}`, { name: 'x' }),
      409,
      'client_revoked',
    );
    expectProblem(await manager.post(`${CLIENTS}/${made.id}/rotate`), 409, 'client_revoked');
  });
});

describe('a client that manages clients', () => {
  it('may rename and rotate itself, but not shut itself out', async () => {
    const own = `${CLIENTS}/${manager.id}`;
    expect((await manager.patch(own, { name: 'me' })).status).toBe(200);
    expect((await manager.post(`${own}/rotate`)).status).toBe(200);
    const refused: Answer<unknown>[] = [
      await manager.delete(own),
      await manager.patch(own, { scopes: ['documents:read'] }),
      await manager.patch(own, { addresses: ['198.51.100.0/24'] }),
      await manager.post(`${own}/rotate`, { overlap_hours: 0 }),
    ];
    for (const answer of refused) expectProblem(answer, 409, 'client_is_caller');
    expect((await manager.get(CLIENTS)).status).toBe(200);
  });

  it('cannot widen another beyond itself, but may keep and narrow what it has', async () => {
    const strong = await service.aClient({ of: manager });
    const path = `${CLIENTS}/${strong.id}`;
    expect((await manager.patch(path, { name: 'strong' })).status).toBe(200);
    const scopes = ['documents:read', 'payments:write'];
    expect((await manager.patch(path, { scopes })).status).toBe(200);
    const wider = await manager.patch(path, { scopes: [...scopes, 'refunds:write'] });
    expectProblem(wider, 403, 'client_exceeds_caller');
  });

  it('does not see those of another account, and needs its scope', async () => {
    const made = await aClient();
    const stranger = await service.aClient();
    const path = `${CLIENTS}/${made.id}`;
    const answers = [
      await stranger.get(path),
      await stranger.patch(path, { name: 'x' }),
      await stranger.delete(path),
      await stranger.post(`${path}/rotate`),
      await stranger.get(`${CLIENTS}/cli_x`),
    ];
    for (const answer of answers) expectProblem(answer, 404, 'client_not_found');
    expect((await stranger.get<{ data: object[] }>(CLIENTS)).body.data).toHaveLength(1);
    const reader = await service.aClient({ of: manager, scopes: ['documents:read'] });
    expectProblem(await reader.get(CLIENTS), 403, 'insufficient_scope');
  });
});
