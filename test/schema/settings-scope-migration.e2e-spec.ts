import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SettingsScope1763930100000 } from '../../migrations/1763930100000-settings-scope.js';
import { uuidOf } from '../../src/kernel/ids.js';
import { SCOPES } from '../../src/platform/http/access.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

describe('the upgrade to scopes of settings and audit', () => {
  const NEW = ['audit:read', 'settings:write'];
  const old = SCOPES.filter((scope) =>
    /^(documents|payments|refunds|events|webhooks|reports)/.test(scope),
  );

  it('gives them to clients that could do everything, and to nobody else', async () => {
    const everything = await service.aClient({ scopes: old });
    const limited = await service.aClient({ scopes: old.slice(1), of: everything });
    const revoked = await service.aClient({ scopes: old, of: everything });
    const { database } = service;
    await database.query('UPDATE api_clients SET revoked_at = now() WHERE client_id = $1', [
      uuidOf('cli', revoked.id),
    ]);
    const runner = { query: (sql: string) => database.query(sql) };
    const migration = new SettingsScope1763930100000();
    for (const _ of [1, 2]) await migration.up(runner as never);
    const scopes = async () =>
      (
        await database.query<{ scopes: string[] }>(
          'SELECT scopes FROM api_clients ORDER BY client_id',
        )
      ).map((row) => row.scopes);
    expect(await scopes()).toEqual([[...old, ...NEW], old.slice(1), old]);
    const bank = { bank_accounts: [] };
    expect((await everything.patch('/v1/finance/seller', bank)).status).toBe(200);
    expect((await limited.patch('/v1/finance/seller', bank)).status).toBe(403);
    await migration.down(runner as never);
    expect(await scopes()).toEqual([old, old.slice(1), old]);
  });
});
