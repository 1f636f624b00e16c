import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { sha256 } from '../../src/auth/index.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';

// A database of the version before families had rows is migrated with the tokens that are in it.

const ACCOUNT = '0193b5a0-0000-7000-8000-00000000aaaa';
const CLIENT = '0193b5a0-0000-7000-8000-000000000001';
const LIVE = '0193b5a0-0000-7000-8000-000000000002';
const ENDED = '0193b5a0-0000-7000-8000-000000000003';
const CLIENT_ID = 'cli_01jett0000e008000000000001';
const SECRET = 'the-secret-from-before-without-a-prefix-43c';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  const limits = { poolSize: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const { migrations, ...options } = dataSourceOptions({ url: database.url, ...limits });
  const earlier = migrations.filter(({ name }) => name.slice(-13) < '1763910000000');
  const before = await new DataSource({ ...options, migrations: earlier }).initialize();
  await before.runMigrations();
  await before.destroy();
});
afterAll(() => database.drop());

const insertToken = (text: string, family: string, over: { used?: Date; revoked?: Date } = {}) =>
  database.query(
    `INSERT INTO refresh_tokens (token_sha256, account_id, client_id, family_id, scopes, issued_at,
       expires_at, used_at, revoked_at)
     VALUES ($1, $2, $3, $4, '{documents:read,payments:read}', now() - interval '20 days',
       now() + interval '10 days', $5, $6)`,
    [sha256(text), ACCOUNT, CLIENT, family, over.used ?? null, over.revoked ?? null],
  );

describe('the migration of refresh tokens', () => {
  it('keeps the live ones, and ends for good what a race had left of a revoked family', async () => {
    await database.query(
      `INSERT INTO accounts (account_id, name, seller, currency, time_zone, language,
         payment_terms_days, version, created_at, updated_at)
       VALUES ($1, 'Acme', '{}', 'EUR', 'UTC', 'en', 30, 1, now(), now())`,
      [ACCOUNT],
    );
    await database.query(
      `INSERT INTO api_clients (client_id, account_id, name, secret_sha256, scopes, created_at)
       VALUES ($1, $2, 'shop', $3, '{documents:read,payments:read,reports:read}', now())`,
      [CLIENT, ACCOUNT, sha256(SECRET)],
    );
    await insertToken('used', LIVE, { used: new Date() });
    await insertToken('live', LIVE);
    await insertToken('revoked', ENDED, { revoked: new Date() });
    await insertToken('of the thief', ENDED);
    expect(await migrate(database.url)).toContain('TokenFamilies1763910000000');

    const service = await startTestService({ database });
    try {
      const refresh = async (token: string) => {
        const body = { grant_type: 'refresh_token', refresh_token: token };
        const credentials = { client_id: CLIENT_ID, client_secret: SECRET };
        const answer = await service.call('/v1/auth/token', {
          method: 'POST',
          body: { ...credentials, ...body },
        });
        return [answer.status, answer.body['scope'] ?? answer.body['error']];
      };
      expect(await refresh('live')).toEqual([200, 'documents:read payments:read']);
      expect(await refresh('of the thief')).toEqual([400, 'invalid_grant']);
      expect(await refresh('revoked')).toEqual([400, 'invalid_grant']);
      const [family] = await database.query(
        `SELECT started_at < now() - interval '19 days' AS old,
           ends_at = started_at + interval '90 days' AS ends FROM token_families
         WHERE family_id = $1`,
        [LIVE],
      );
      expect(family).toEqual({ old: true, ends: true });
    } finally {
      await service.close();
    }
  });
});
