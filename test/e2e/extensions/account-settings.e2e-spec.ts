import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AccountSettings } from '../../../src/extensions/account-settings.js';
import { defineExtension } from '../../../src/extensions/extension.js';
import { Installation } from '../../../src/extensions/installation.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { surveyAccountGateways } from '../../../src/payments/index.js';
import { AccountProviderCatalogue } from '../../../src/gateways/index.js';
import { SystemClock } from '../../../src/kernel/clock.js';
import { OutgoingClient } from '../../../src/platform/http/outgoing/outgoing-client.js';
import type { TestClient } from '../../support/client.js';
import { observers } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';

/* Settings that each account has of an extension: kept as those of its gateways are. */

const PATH = '/v1/ext/club/settings';
const SECRET = 'club-key-0123456789';
const Settings = z.strictObject({
  api_key: z.string().min(10, 'is too short'),
  rate: z.coerce.number('has to be a number').int('has to be whole').optional(),
});
const club = defineExtension({
  name: 'club',
  quittance: '^0.2',
  accountSettings: { schema: Settings, kinds: { api_key: 'secret', rate: 'shown' } },
});
const installation = new Installation([club]);

interface Body {
  settings: { name: string; value: string | null; ends_in: string | null }[] | null;
  version: number;
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService({ installation });
  observers.delete(service.url);
  client = await service.aClient();
});
afterAll(() => service.close());

const of = async (one: TestClient, by = service) =>
  by.app.get(AccountSettings).of(uuidOf('acc', one.accountId)!, Settings);

describe('settings of an account for an extension', () => {
  it('are given, told without secrets, and read by the extension as its schema says', async () => {
    expect(await of(client)).toBeNull();
    expect(await client.get(PATH)).toMatchObject({
      status: 200,
      body: { settings: [], version: 1 },
    });
    const given = { settings: { api_key: SECRET, rate: '7' } };
    const { status, body, text } = await client.patch<Body>(PATH, given);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: 2,
      settings: [
        { name: 'api_key', value: null, ends_in: '6789' },
        { name: 'rate', value: '7', ends_in: null },
      ],
    });
    expect(text).not.toContain(SECRET);
    expect(await of(client)).toEqual({ api_key: SECRET, rate: 7 });
    const rows = await service.database.query('SELECT * FROM extension_settings');
    expect(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? '' : value)),
    ).not.toContain(SECRET);
    const log = await client.get<{ data: object[] }>('/v1/audit?action=extension_settings.updated');
    expect(log.text).not.toContain(SECRET);
    expect(log.body.data).toMatchObject([
      {
        subject: 'club',
        after: { api_key_set_at: expect.any(String), rate_set_at: expect.any(String) },
      },
    ]);
  });

  it('change one by one, by version, and once for each key', async () => {
    const key = { 'If-Match': '"2"', 'Idempotency-Key': 'once' };
    const change = { settings: { rate: null } };
    const once = await client.patch<Body>(PATH, change, key);
    expect(once).toMatchObject({ status: 200, body: { version: 3 } });
    expect(await client.patch<Body>(PATH, change, key)).toMatchObject({ text: once.text });
    expect(await of(client)).toEqual({ api_key: SECRET });
    const stale = await client.patch(PATH, { settings: { rate: '8' } }, { 'If-Match': '"2"' });
    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
  });

  it.each<[object, string, string]>([
    [{ colour: 'red' }, '/settings/colour', 'unknown_setting'],
    [{ rate: 'much' }, '/settings/rate', 'invalid_setting'],
    [{ api_key: null }, '/settings/api_key', 'setting_required'],
    [{ api_key: 'short-one' }, '/settings/api_key', 'invalid_setting'],
  ])('%o is refused, and nothing of it is told', async (settings, pointer, code) => {
    const answer = await client.patch(PATH, { settings });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
    expect(answer.text).not.toContain('short-one');
    expect(await of(client)).toEqual({ api_key: SECRET });
  });

  it('are for those who may change settings, of their own account', async () => {
    const reader = await service.aClient({ of: client, scopes: ['documents:read'] });
    expect(await reader.get(PATH)).toMatchObject({ status: 403 });
    const other = await service.aClient();
    expect(await other.get(PATH)).toMatchObject({ body: { settings: [] } });
    expect(await of(other)).toBeNull();
  });

  it('of one account are nothing in the row of another', async () => {
    const other = await service.aClient();
    await other.patch(PATH, { settings: { api_key: 'another-key-01' } });
    await service.database.query(
      `UPDATE extension_settings SET sealed_settings =
         (SELECT sealed_settings FROM extension_settings WHERE account_id = $1)
       WHERE account_id = $2`,
      [uuidOf('acc', client.accountId), uuidOf('acc', other.accountId)],
    );
    expect(await other.get(PATH)).toMatchObject({ status: 200, body: { settings: null } });
    expect(await of(other)).toBeNull();
    const again = { settings: { api_key: 'another-key-02' } };
    expect(await other.patch(PATH, again)).toMatchObject({ status: 200 });
    expect(await of(other)).toEqual({ api_key: 'another-key-02' });
  });

  it('follow the secret of the service, also while the extension is away', async () => {
    const [OLD, NEW] = [service.config.secrets[0]!, 'n'.repeat(40)];
    const { database, clock, config } = service;
    const survey = async (secrets: string[]) => {
      const with_ = { ...config, secrets };
      const outgoing = service.app.get(OutgoingClient);
      const catalogue = new AccountProviderCatalogue([], with_, new SystemClock(), outgoing);
      const query = database.query.bind(database) as Parameters<typeof surveyAccountGateways>[0];
      return (await surveyAccountGateways(query, with_, catalogue)).warnings.join();
    };
    const named = `settings of club of ${client.accountId}`;
    expect(await survey([NEW, OLD])).toContain(`${named} are encrypted with an older secret`);
    expect(await survey([NEW])).toContain(`${named} were encrypted with a secret`);
    await (await startTestService({ database, clock, secrets: [NEW, OLD] })).close();
    expect(await survey([NEW])).toBe('');
    const alone = await startTestService({ database, clock, installation, secrets: [NEW] });
    expect(await of(client, alone)).toEqual({ api_key: SECRET });
    await alone.close();
    expect(await of(client)).toBeNull();
  });

  it('are in the OpenAPI document by names of their own', async () => {
    const { body } = await service.call<{
      paths: Record<string, Record<string, { operationId: string }>>;
    }>('/v1/openapi.json');
    expect(body.paths[PATH]?.['get']?.operationId).toBe('getClubSettings');
    expect(body.paths[PATH]?.['patch']?.operationId).toBe('updateClubSettings');
  });
});
