import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as oauth from 'openid-client';
import { Revocations } from '../../../src/auth/application/revocations.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';

// An end holds everywhere: two processes on one database, as an operator runs them.

interface TokenBody {
  access_token: string;
  refresh_token: string;
  error?: string;
}

let database: TestDatabase;
let service: TestService;
let other: TestService;
let client: TestClient;
beforeAll(async () => {
  database = await aDatabase();
  service = await startTestService({ database });
  other = await startTestService({ database });
});
afterAll(async () => {
  await service.close();
  await other.close();
  await database.drop();
});
beforeEach(async () => {
  client = await service.aClient({ scopes: ['documents:read', 'documents:write'] });
});

const post = (body: object, path = '/v1/auth/token', at = service) =>
  at.call<TokenBody>(path, {
    method: 'POST',
    body: { client_id: client.id, client_secret: client.secret, ...body },
  });
const refresh = (token: string, at = service) =>
  post({ grant_type: 'refresh_token', refresh_token: token }, '/v1/auth/token', at);
const revoke = async (token: string, more: object = {}) =>
  (await post({ token, ...more }, '/v1/auth/revoke')).status;
const reads = async (at: TestService, token: string) =>
  (await at.call('/v1/finance/documents', { headers: { authorization: `Bearer ${token}` } }))
    .status;

/** Of a family of its own; each process has seen it, and remembers it. */
async function aToken(): Promise<TokenBody> {
  const { body, status } = await post({});
  expect([status, await reads(service, body.access_token)]).toEqual([200, 200]);
  expect(await reads(other, body.access_token)).toBe(200);
  return body;
}

/**
 * The end comes at once where it was revoked, and soon elsewhere: the test's own patience is the
 * limit.
 */
async function expectEndedEverywhere(token: string): Promise<void> {
  expect(await reads(service, token)).toBe(401);
  await untilEnded(other, token);
}

async function untilEnded(at: TestService, token: string): Promise<void> {
  while ((await reads(at, token)) !== 401) await sleep(20);
}

describe('a revocation', () => {
  it.each<[string, (tokens: TokenBody) => [string, object]]>([
    ['refresh token', (tokens) => [tokens.refresh_token, {}]],
    ['access token', (tokens) => [tokens.access_token, {}]],
    [
      'access token that is called a refresh token',
      (tokens) => [tokens.access_token, { token_type_hint: 'refresh_token' }],
    ],
    [
      'refresh token that is called an access token',
      (tokens) => [tokens.refresh_token, { token_type_hint: 'access_token' }],
    ],
  ])('of a %s ends its family in every process, and no other', async (_, named) => {
    const [first, bystander] = [await aToken(), await aToken()];
    const { body: second } = await refresh(first.refresh_token);
    expect(await reads(other, second.access_token)).toBe(200);
    const [token, more] = named(first);
    expect(await revoke(token, more)).toBe(200);
    await expectEndedEverywhere(first.access_token);
    await expectEndedEverywhere(second.access_token);
    expect((await refresh(second.refresh_token, other)).body.error).toBe('invalid_grant');
    expect(await reads(other, bystander.access_token)).toBe(200);
    expect((await refresh(bystander.refresh_token)).status).toBe(200);
    expect(await revoke(token, more)).toBe(200);
  });

  it('of another client’s tokens is answered alike, and ends nothing', async () => {
    const tokens = await aToken();
    const thief = await service.aClient();
    const as = { client_id: thief.id, client_secret: thief.secret };
    expect(await revoke(tokens.access_token, as)).toBe(200);
    expect(await revoke(tokens.refresh_token, as)).toBe(200);
    expect(await reads(service, tokens.access_token)).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('is known to a process that starts afterwards', async () => {
    const { access_token: token } = await aToken();
    expect(await revoke(token)).toBe(200);
    const late = await startTestService({ database });
    try {
      expect(await reads(late, token)).toBe(401);
    } finally {
      await late.close();
    }
  });

  it('is told even where its transaction ends after later ones', async () => {
    const [slow, fast] = [await aToken(), await aToken()];
    const connection = await database.connect();
    await connection.query('BEGIN');
    await connection.query('SELECT pg_current_xact_id()');
    expect(await revoke(fast.access_token)).toBe(200);
    await expectEndedEverywhere(fast.access_token);
    const sid = sidOf(slow);
    await connection.query(
      `INSERT INTO revocations (revocation_id, client_id, family_id, revoked_at)
       SELECT gen_random_uuid(), client_id, family_id, now() FROM token_families WHERE family_id = $1`,
      [sid],
    );
    await connection.query('COMMIT');
    await connection.end();
    await Promise.all([service, other].map(({ app }) => app.get(Revocations).refresh()));
    await expectEndedEverywhere(slow.access_token);
  });

  it('of very many families ends all tokens of their client, and is one entry', async () => {
    const bystander = await aToken();
    await database.query(
      `INSERT INTO revocations (revocation_id, client_id, family_id, revoked_at)
       SELECT gen_random_uuid(), client_id, gen_random_uuid(), now()
       FROM token_families, generate_series(1, 1000) WHERE family_id = $1`,
      [sidOf(bystander)],
    );
    expect(await revoke((await aToken()).refresh_token)).toBe(200);
    await expectEndedEverywhere(bystander.access_token);
    const entries = await database.query(
      `SELECT below_version FROM revocations WHERE client_id =
         (SELECT client_id FROM token_families WHERE family_id = $1) AND below_version IS NOT NULL`,
      [sidOf(bystander)],
    );
    expect(entries).toEqual([{ below_version: 2 }]);
    // The family itself is as good as before, and gives tokens that work.
    const { body } = await refresh(bystander.refresh_token);
    expect(await reads(other, body.access_token)).toBe(200);
  });
});

const sidOf = ({ access_token: token }: TokenBody) =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string })
    .sid;

describe('a refresh token that returns after the grace', () => {
  it('ends the access tokens of its family in every process, too', async () => {
    const first = await aToken();
    const { body: second } = await refresh(first.refresh_token);
    service.clock.advance({ seconds: 11 });
    try {
      expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    } finally {
      service.clock.set(new Date());
    }
    await expectEndedEverywhere(first.access_token);
    await expectEndedEverywhere(second.access_token);
  });

  it('leaves nobody a token, whoever comes first', async () => {
    // The thief has the old token, the client the new one; both come at once, to both processes.
    const given: string[] = [];
    for (let race = 0; race < 10; race += 1) {
      const first = await aToken();
      const { body: second } = await refresh(first.refresh_token);
      service.clock.advance({ seconds: 11 });
      other.clock.advance({ seconds: 11 });
      const answers = await Promise.all([
        refresh(second.refresh_token, other),
        refresh(first.refresh_token, service),
        refresh(second.refresh_token, service),
        post({ token: second.refresh_token }, '/v1/auth/revoke', other),
      ]);
      const live = answers.flatMap(({ body }: Answer<TokenBody>) => body.refresh_token ?? []);
      for (const token of live) {
        expect((await refresh(token)).body.error).toBe('invalid_grant');
      }
      service.clock.set(new Date());
      other.clock.set(new Date());
      expect(answers[1]?.body.error).toBe('invalid_grant');
      given.push(...answers.flatMap(({ body }: Answer<TokenBody>) => body.access_token ?? []));
    }
    // Once for all of them: a process hears of revocations each second.
    for (const token of given) {
      await untilEnded(service, token);
      await untilEnded(other, token);
    }
  });
});

describe('openid-client', () => {
  it('refreshes, revokes, and reads our refusals', async () => {
    const server = {
      issuer: service.url,
      token_endpoint: `${service.url}/v1/auth/token`,
      revocation_endpoint: `${service.url}/v1/auth/revoke`,
    };
    const configuration = new oauth.Configuration(server, client.id, client.secret);
    oauth.allowInsecureRequests(configuration);
    const first = await oauth.clientCredentialsGrant(configuration, { audience: 'whoever' });
    const second = await oauth.refreshTokenGrant(configuration, first.refresh_token ?? '');
    const again = await oauth.refreshTokenGrant(configuration, first.refresh_token ?? '');
    expect(again.refresh_token).toBe(second.refresh_token);
    const hint = { token_type_hint: 'access_token' };
    await oauth.tokenRevocation(configuration, second.access_token, hint);
    await expectEndedEverywhere(first.access_token);
    const refused = oauth.refreshTokenGrant(configuration, second.refresh_token ?? '');
    await expect(refused).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
    const forged = new oauth.Configuration(server, client.id, 'wrong');
    oauth.allowInsecureRequests(forged);
    const revoked = oauth.tokenRevocation(forged, second.access_token);
    await expect(revoked).rejects.toMatchObject({ status: 401 });
  });
});
