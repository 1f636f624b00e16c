import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// More rights come with a new secret, and managers get none that may become more.

interface Made {
  id: string;
  client_secret: string;
  scopes: string[];
  addresses: string[] | null;
  previous_secret_ends_at: string | null;
}

const CLIENTS = '/v1/clients';

let database: TestDatabase;
let service: TestService;
let other: TestService;
let manager: TestClient;
beforeAll(async () => {
  database = await aDatabase();
  service = await startTestService({ database, trustProxy: true });
  other = await startTestService({ database });
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

const rotate = async (id: string, body: object = {}, as = manager) =>
  as.post<Made>(`${CLIENTS}/${id}/rotate`, body);
const aClient = async (wish: object): Promise<Made> =>
  (await manager.post<Made>(CLIENTS, { name: 'shop', scopes: ['documents:read'], ...wish })).body;
const tokenOf = async ({ id, client_secret }: Made) =>
  service.call<{ access_token: string; scope: string }>('/v1/auth/token', {
    method: 'POST',
    body: { client_id: id, client_secret },
    headers: { 'x-forwarded-for': '192.0.2.1' },
  });

async function expectEnded(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  while ((await other.call('/v1/finance/documents', { headers })).status !== 401) await sleep(20);
}

describe('a rotation', () => {
  it('gives more rights, and ends the old secret and its tokens for it', async () => {
    const made = await aClient({ addresses: ['192.0.2.0/24'] });
    const { body: token } = await tokenOf(made);
    const scopes = ['documents:read', 'payments:read'];
    const path = `${CLIENTS}/${made.id}`;
    for (const more of [{ scopes }, { addresses: null }, { scopes, name: 'more' }]) {
      expectProblem(await manager.patch(path, more), 409, 'new_secret_needed');
    }
    const kept = await rotate(made.id, { scopes, overlap_hours: 24 });
    expectProblem(kept, 409, 'new_secret_needed');
    expect((await tokenOf(made)).status).toBe(200);
    const { body } = await rotate(made.id, { scopes });
    expect([body.scopes, body.addresses]).toEqual([scopes, ['192.0.2.0/24']]);
    expect(body.previous_secret_ends_at).toBeNull();
    expect((await tokenOf(made)).status).toBe(401);
    await expectEnded(token.access_token);
    expect((await tokenOf(body)).body.scope).toBe(scopes.join(' '));
  });

  it('may take rights along, and then leaves the old secret its time', async () => {
    const made = await aClient({ scopes: ['documents:read', 'payments:read'] });
    const { body: token } = await tokenOf(made);
    const { body } = await rotate(made.id, { scopes: ['documents:read'] });
    expect(body.previous_secret_ends_at).not.toBeNull();
    await expectEnded(token.access_token);
    for (const one of [made, body]) {
      expect((await tokenOf(one)).body.scope).toBe('documents:read');
    }
  });
});

describe('a manager', () => {
  it('gets no secret of a client that it narrowed, and cannot end that one', async () => {
    const strong = await service.aClient({ of: manager });
    const path = `${CLIENTS}/${strong.id}`;
    await manager.patch(path, { scopes: ['documents:read'] });
    const refused = [
      await rotate(strong.id),
      await rotate(strong.id, { overlap_hours: 0 }),
      await rotate(strong.id, { scopes: ['documents:read'] }),
      await manager.delete(path),
    ];
    for (const answer of refused) expectProblem(answer, 403, 'client_exceeds_caller');
    const admin = await service.aClient({ of: manager });
    expect((await rotate(strong.id, {}, admin)).status).toBe(200);
  });

  it('that was revoked elsewhere this very second makes no client any more', async () => {
    for (let round = 0; round < 5; round += 1) {
      const admin = await service.aClient({ of: manager });
      const second = await service.aClient({ of: manager });
      const authorization = `Bearer ${await second.bearer()}`;
      await admin.delete(`${CLIENTS}/${second.id}`);
      const body = { name: 'late', scopes: ['documents:read'] };
      const late = await other.call(CLIENTS, { method: 'POST', body, headers: { authorization } });
      expect([401, 403]).toContain(late.status);
    }
  });
});
