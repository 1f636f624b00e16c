import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as oauth from 'openid-client';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';

// RFC 6749 (tokens) and RFC 7009 (revocation); what a token opens is in bearer.e2e-spec.ts.

interface TokenBody {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
  code?: string;
  error?: string;
  error_description?: string;
  [member: string]: unknown;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient({ scopes: ['documents:read', 'documents:write'] });
});
afterEach(() => service.clock.set(new Date()));

const post = (body: unknown, headers = {}, path = '/v1/auth/token') =>
  service.call<TokenBody>(path, { method: 'POST', body, headers });
const form = (fields: Record<string, string>, headers = {}) =>
  post(new URLSearchParams(fields).toString(), { ...FORM, ...headers });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const credentials = () => ({ client_id: client.id, client_secret: client.secret });
const refresh = (token: string, more: object = {}) =>
  post({ ...credentials(), grant_type: 'refresh_token', refresh_token: token, ...more });
const reads = (token: string, path = '/v1/finance/documents') =>
  service.call(path, { headers: { authorization: `Bearer ${token}` } });

/** Refresh tokens of the same family that nobody has used yet. */
async function leavesOf({ access_token: token }: TokenBody): Promise<bigint> {
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string;
  };
  const [row] = await service.database.query<{ count: bigint }>(
    'SELECT count(*) FROM refresh_tokens WHERE family_id = $1 AND used_at IS NULL',
    [sid],
  );
  return row?.count ?? 0n;
}

async function aToken(): Promise<TokenBody> {
  const answer = await post(credentials());
  expect(answer.status).toBe(200);
  return answer.body;
}

function expectOAuthError(answer: Answer<TokenBody>, status: number, error: string): void {
  expect([answer.status, answer.body.error, answer.body.code]).toEqual([status, error, error]);
  expect(answer.body.error_description).toMatch(/\w/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

describe('credentials', () => {
  it.each<[string, () => Promise<Answer<TokenBody>>]>([
    ['as JSON', () => post(credentials())],
    [
      'as JSON with their grant type',
      () => post({ ...credentials(), grant_type: 'client_credentials' }),
    ],
    ['as a form', () => form({ ...credentials(), grant_type: 'client_credentials' })],
    [
      'as HTTP Basic',
      () => form({ grant_type: 'client_credentials' }, basic(client.id, client.secret)),
    ],
    ['as HTTP Basic without a body', () => post(undefined, basic(client.id, client.secret))],
  ])('%s are exchanged for a bearer token', async (_, exchange) => {
    const answer = await exchange();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 1800,
      refresh_token: expect.stringMatching(/^qtc_test_[0-9A-Za-z]{49}$/),
      scope: 'documents:read documents:write',
    });
    expect((await reads(answer.body.access_token)).status).toBe(200);
  });

  it('that are wrong are answered alike for an unknown client and for a wrong secret', async () => {
    const stranger = 'cli_01h455vb4pex5vsknk084sn02q';
    const answers = [
      await post({ client_id: client.id, client_secret: 'wrong' }),
      await post({ client_id: stranger, client_secret: 'wrong' }),
      await post({ client_id: stranger, client_secret: client.secret }),
      await post({ client_id: 'no id at all', client_secret: client.secret }),
    ];
    for (const answer of answers) {
      expectOAuthError(answer, 401, 'invalid_client');
      expect(answer.headers.get('www-authenticate')).toMatch(/realm="quittance"/);
    }
    const bodies = answers.map(({ body }) => ({ ...body, request_id: '' }));
    expect(bodies).toEqual(bodies.map(() => bodies[0]));
    const challenges = answers.map(({ headers }) => headers.get('www-authenticate'));
    expect(new Set(challenges).size).toBe(1);
  });

  it('that are wrong in HTTP Basic are answered with the challenge of HTTP Basic', async () => {
    const answer = await form({ grant_type: 'client_credentials' }, basic(client.id, 'wrong'));
    expectOAuthError(answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  it.each<[string, () => Promise<Answer<TokenBody>>]>([
    ['no body', () => post({})],
    ['no client_id', () => post({ client_secret: client.secret })],
    ['no client_secret', () => post({ client_id: client.id })],
    ['a number as secret', () => post({ client_id: client.id, client_secret: 5 })],
    ['a secret twice', () => form(credentials(), basic(client.id, client.secret))],
    ['a broken HTTP Basic header', () => post({}, { authorization: 'Basic !!' })],
    ['a bearer header', () => post({}, { authorization: 'Bearer x' })],
    ['a refresh without its token', () => post({ ...credentials(), grant_type: 'refresh_token' })],
    ['null as secret', () => post({ client_id: client.id, client_secret: null })],
    ['null as client_id', () => post({ client_id: null, client_secret: client.secret })],
    ['null as refresh token', () => refresh(null as never)],
    ['a list as secret', () => post({ client_id: client.id, client_secret: ['a'] })],
    ['another client_id beside HTTP Basic', () => form({ client_id: 'x' }, basic(client.id, 'y'))],
  ])('with %s are 400 invalid_request', async (_, exchange) => {
    expectOAuthError(await exchange(), 400, 'invalid_request');
  });

  it('with a client_id twice in a form are 400 invalid_request, too', async () => {
    const { status, body } = await post('client_id=a&client_id=b&client_secret=c', FORM);
    expect([status, body.error, body.code]).toEqual([400, 'invalid_request', 'duplicate_key']);
  });

  it.each(['password', 'authorization_code', 'CLIENT_CREDENTIALS'])(
    'with the grant type %s are 400 unsupported_grant_type',
    async (grantType) => {
      const answer = await post({ ...credentials(), grant_type: grantType });
      expectOAuthError(answer, 400, 'unsupported_grant_type');
    },
  );

  it('that come as no JSON are refused in the words of RFC 6749 too', async () => {
    const answer = await post('{"client_id":', { 'content-type': 'application/json' });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it('with parameters that we do not know are taken as without them (RFC 6749 3.2)', async () => {
    const more = { audience: 'x', client_assertion: 'y', constructor: 'z' };
    expect((await form({ ...credentials(), ...more })).status).toBe(200);
    expect((await post({ ...credentials(), ...more, deep: { a: [1] } })).status).toBe(200);
    const revoked = { ...credentials(), ...more, token: 'unknown' };
    expect((await post(revoked, {}, '/v1/auth/revoke')).status).toBe(200);
  });

  it('with an empty parameter are taken as without it (RFC 6749 3.2)', async () => {
    const answer = await form({ ...credentials(), scope: '' });
    expect([answer.status, answer.body.scope]).toEqual([200, 'documents:read documents:write']);
  });
});

describe('a scope', () => {
  it('narrows the token to what was asked for', async () => {
    const { status, body } = await post({ ...credentials(), scope: 'documents:read' });
    expect([status, body.scope]).toEqual([200, 'documents:read']);
    const write = await service.call('/v1/finance/documents', {
      method: 'POST',
      body: {},
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect([write.status, write.body['code']]).toEqual([403, 'insufficient_scope']);
    expect((await reads(body.access_token)).status).toBe(200);
  });

  it.each(['payments:write', 'documents:read payments:write', 'nonsense'])(
    'that the client has not is refused: %s',
    async (scope) => {
      expectOAuthError(await post({ ...credentials(), scope }), 400, 'invalid_scope');
    },
  );

  it('cannot be widened by a refresh', async () => {
    const narrow = await post({ ...credentials(), scope: 'documents:read' });
    const wider = await refresh(narrow.body.refresh_token, { scope: 'documents:write' });
    expectOAuthError(wider, 400, 'invalid_scope');
    const same = await refresh(narrow.body.refresh_token);
    expect([same.status, same.body.scope]).toEqual([200, 'documents:read']);
  });

  it('of a refresh narrows its access token, not the refresh token (RFC 6749 6)', async () => {
    const first = await aToken();
    const narrowed = await refresh(first.refresh_token, { scope: 'documents:read' });
    expect(narrowed.body.scope).toBe('documents:read');
    const next = await refresh(narrowed.body.refresh_token);
    expect([next.status, next.body.scope]).toEqual([200, 'documents:read documents:write']);
  });
});

describe('a refresh token', () => {
  it('is exchanged for new tokens, and those for the next', async () => {
    const first = await aToken();
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(Object.keys(second.body).sort()).toEqual(Object.keys(first).sort());
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect((await reads(second.body.access_token)).status).toBe(200);
    const third = await refresh(second.body.refresh_token);
    expect(third.status).toBe(200);
  });

  it('has one successor: whoever repeats it within the grace gets that one again', async () => {
    const first = await aToken();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refresh(first.refresh_token)),
    );
    service.clock.advance({ seconds: 9 });
    answers.push(await refresh(first.refresh_token));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [next, ...others] = new Set(answers.map(({ body }) => body.refresh_token));
    expect(others).toEqual([]);
    // Also after the successor was used: there is one branch, and it has one end.
    const third = await refresh(next ?? '');
    const repeated = await refresh(first.refresh_token);
    expect([repeated.status, repeated.body.refresh_token]).toEqual([200, next]);
    expect((await refresh(next ?? '')).body.refresh_token).toBe(third.body.refresh_token);
    expect(await leavesOf(first)).toBe(1n);
  });

  it('that returns after the grace ends its whole family, and no other', async () => {
    const other = await aToken();
    const first = await aToken();
    const second = await refresh(first.refresh_token);
    service.clock.advance({ seconds: 11 });
    expectOAuthError(await refresh(first.refresh_token), 400, 'invalid_grant');
    expectOAuthError(await refresh(second.body.refresh_token), 400, 'invalid_grant');
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it('ends with its family, however often it is refreshed', async () => {
    let { refresh_token: token } = await aToken();
    const { refreshTokenDays, refreshFamilyDays } = service.config;
    for (let day = 20; day < refreshFamilyDays; day += 20) {
      service.clock.advance({ days: 20 });
      const answer = await refresh(token);
      expect([day, answer.status]).toEqual([day, 200]);
      token = answer.body.refresh_token;
    }
    expect(refreshTokenDays).toBeGreaterThan(20);
    service.clock.advance({ days: 10, seconds: -1 });
    const last = await refresh(token);
    expect(last.status).toBe(200);
    // Neither does its access token.
    expect(last.body.expires_in).toBeLessThan(5);
    service.clock.advance({ seconds: 2 });
    expectOAuthError(await refresh(last.body.refresh_token), 400, 'invalid_grant');
  });

  it('ends after its days', async () => {
    const { refresh_token: token } = await aToken();
    service.clock.advance({ days: service.config.refreshTokenDays, seconds: 1 });
    expectOAuthError(await refresh(token), 400, 'invalid_grant');
  });

  it('of another client, or of nobody, is refused', async () => {
    const { refresh_token: token } = await aToken();
    const thief = await service.aClient();
    const stolen = { client_id: thief.id, client_secret: thief.secret };
    expectOAuthError(await refresh(token, stolen), 400, 'invalid_grant');
    expectOAuthError(await refresh('x'.repeat(43)), 400, 'invalid_grant');
    expect((await refresh(token)).status).toBe(200);
  });

  it('is refused with a wrong secret, and without any (RFC 6749 6), and stays as it was', async () => {
    const { refresh_token: token } = await aToken();
    const body = { grant_type: 'refresh_token', refresh_token: token };
    const refused = [
      await post({ ...body, client_id: client.id, client_secret: 'wrong' }),
      await post(body),
      await post({ ...body, client_id: client.id }),
      await form(body),
      await form(body, basic(client.id, 'wrong')),
    ];
    for (const answer of refused) {
      expectOAuthError(answer, 401, 'invalid_client');
      expect(answer.headers.get('www-authenticate')).toMatch(/realm="quittance"/);
    }
    service.clock.advance({ seconds: 11 });
    expect((await form(body, basic(client.id, client.secret))).status).toBe(200);
  });

  it('is ended by its client, with its family', async () => {
    const first = await aToken();
    const second = await refresh(first.refresh_token);
    const body = { ...credentials(), token: first.refresh_token };
    const revoked = await post(body, {}, '/v1/auth/revoke');
    expect(revoked.status).toBe(200);
    expectOAuthError(await refresh(second.body.refresh_token), 400, 'invalid_grant');
    const again = await post(body, {}, '/v1/auth/revoke');
    expect([again.status, again.text]).toEqual([200, revoked.text]);
  });

  it('is not ended by another client, who learns nothing', async () => {
    const first = await aToken();
    const other = await service.aClient();
    const body = { client_id: other.id, client_secret: other.secret, token: first.refresh_token };
    const answer = await post(body, {}, '/v1/auth/revoke');
    const unknown = await post({ ...body, token: 'unknown' }, {}, '/v1/auth/revoke');
    expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text]);
    expect((await refresh(first.refresh_token)).status).toBe(200);
    const wrong = await post({ ...body, client_secret: 'wrong' }, {}, '/v1/auth/revoke');
    expectOAuthError(wrong, 401, 'invalid_client');
    const nobody = await post({ token: first.refresh_token }, {}, '/v1/auth/revoke');
    expectOAuthError(nobody, 400, 'invalid_request');
  });
});

function configured(secret: string): oauth.Configuration {
  const server = { issuer: service.url, token_endpoint: `${service.url}/v1/auth/token` };
  const configuration = new oauth.Configuration(server, client.id, secret);
  oauth.allowInsecureRequests(configuration);
  return configuration;
}

describe('openid-client', () => {
  it('gets a token and refreshes it', async () => {
    const configuration = configured(client.secret);
    const first = await oauth.clientCredentialsGrant(configuration, { scope: 'documents:read' });
    expect([first.expires_in, first.scope]).toEqual([1800, 'documents:read']);
    const second = await oauth.refreshTokenGrant(configuration, first.refresh_token ?? '');
    expect((await reads(second.access_token)).status).toBe(200);
  });

  it('gets a token with HTTP Basic', async () => {
    const server = { issuer: service.url, token_endpoint: `${service.url}/v1/auth/token` };
    const method = oauth.ClientSecretBasic(client.secret);
    const configuration = new oauth.Configuration(server, client.id, undefined, method);
    oauth.allowInsecureRequests(configuration);
    const { access_token: token } = await oauth.clientCredentialsGrant(configuration);
    expect((await reads(token)).status).toBe(200);
  });

  it('reads our refusals', async () => {
    const refused = oauth.refreshTokenGrant(configured(client.secret), 'unknown');
    await expect(refused).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
    const wrong = oauth.clientCredentialsGrant(configured('wrong'));
    await expect(wrong).rejects.toMatchObject({ status: 401 });
  });
});

describe('the database', () => {
  it('holds no secret in plain', async () => {
    const issued = await aToken();
    const tables = ['api_clients', 'refresh_tokens', 'idempotency_keys'];
    const dumps = await Promise.all(
      tables.map((table) =>
        service.database.query<object>(`SELECT t::text AS row FROM ${table} t`),
      ),
    );
    const dump = JSON.stringify(dumps);
    expect(dump).toContain('documents:write');
    for (const secret of [client.secret, issued.refresh_token, issued.access_token]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
      expect(dump).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    }
  });
});
