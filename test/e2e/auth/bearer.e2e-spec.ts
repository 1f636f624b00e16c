import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClientsQuery } from '../../../src/auth/infrastructure/api-clients.query.js';
import { publicId } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

// RFC 6750 and RFC 9068: what the guard takes for an access token of ours.

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

const reads = (token: string, path = '/v1/finance/documents') =>
  service.call(path, { headers: { authorization: `Bearer ${token}` } });
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;

/** A token of our own making, after one of the service; without changes, a right one. */
async function signed(
  claims: object = {},
  header: object = {},
  { secret = service.config.secrets[0] ?? '', hash = 'sha256' } = {},
): Promise<string> {
  const [ownHeader, ownClaims] = (await client.bearer()).split('.', 2).map(decoded);
  const text = `${encoded({ ...ownHeader, ...header })}.${encoded({ ...ownClaims, ...claims })}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

/** The same signature under another claim. */
function changed(token: string): string {
  const [header, claims, signature] = token.split('.');
  return `${header}.${encoded({ ...decoded(claims), scope: 'payments:read' })}.${signature}`;
}

describe('the bearer guard', () => {
  it('lets a right token in, whatever the case of the scheme', async () => {
    const answer = await service.call('/v1/finance/documents', {
      headers: { authorization: `bearer ${await signed()}` },
    });
    expect(answer.status).toBe(200);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['garbage', () => 'garbage'],
    ['three parts of garbage', () => 'a.b.c'],
    ['an end in the past', () => signed({ exp: Math.floor(Date.now() / 1000) - 1 })],
    [
      'a wrong signature',
      () => signed({}, {}, { secret: 'another secret of more than thirty-two characters' }),
    ],
    ['no signature', async () => `${(await signed()).split('.').slice(0, 2).join('.')}.`],
    [
      'algorithm none',
      async () => `${encoded({ alg: 'none', typ: 'at+jwt' })}.${(await signed()).split('.')[1]}.`,
    ],
    ['another algorithm', () => signed({}, { alg: 'HS512' }, { hash: 'sha512' })],
    ['type JWT', () => signed({}, { typ: 'JWT' })],
    ['another issuer', () => signed({ iss: 'https://other.example' })],
    ['another audience', () => signed({ aud: 'other' })],
    ['an account that is none', () => signed({ account: 'acc_none' })],
    // As one that a service on another database issued with the same secret.
    ['an account that is not here', () => signed({ account: publicId('acc', randomUUID()) })],
    ['a client that is not here', () => signed({ sub: publicId('cli', randomUUID()) })],
    ['no scope', () => signed({ scope: undefined })],
    ['a changed claim', async () => changed(await signed())],
  ])('refuses a token with %s', async (_, token) => {
    const answer = await reads(await token());
    expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_token']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
  });

  it('is asked once a minute whether its client is still here', async () => {
    const looks = vi.spyOn(ApiClientsQuery.prototype, 'find');
    const token = await client.bearer();
    for (let call = 0; call < 3; call += 1) expect((await reads(token)).status).toBe(200);
    expect(looks).toHaveBeenCalledTimes(1);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    looks.mockRejectedValueOnce(new Error('the database does not answer'));
    expect((await reads(token)).status).toBe(200);
    vi.mocked(performance.now).mockImplementation(() => now() + 122_000);
    looks.mockResolvedValueOnce(undefined);
    expect((await reads(token)).body['code']).toBe('invalid_token');
    vi.restoreAllMocks();
  });

  it.each<[Record<string, string>]>([
    [{}],
    [{ authorization: 'Basic eDp5' }],
    [{ authorization: '' }],
  ])('refuses a call without a token: %j', async (headers) => {
    const answer = await service.call('/v1/finance/documents', { headers });
    expect([answer.status, answer.body['code']]).toEqual([401, 'missing_token']);
    // RFC 6750 3.1: no error code where no token was sent.
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="quittance"');
  });

  it('takes no token from the query string', async () => {
    const access = await client.bearer();
    const query = await service.call(`/v1/finance/documents?access_token=${access}`);
    expect([query.status, query.body['code']]).toEqual([401, 'missing_token']);
  });

  it('ends a token by the clock of the service', async () => {
    const token = await client.bearer();
    service.clock.advance({ seconds: 1799 });
    expect((await reads(token)).status).toBe(200);
    service.clock.advance({ seconds: 2 });
    expect((await reads(token)).status).toBe(401);
  });

  it('names the scope that is missing', async () => {
    const answer = await reads(
      await signed(),
      '/v1/finance/payments/pay_01h455vb4pex5vsknk084sn02q',
    );
    expect([answer.status, answer.body['code']]).toEqual([403, 'insufficient_scope']);
    expect(answer.body['scope']).toBe('payments:read');
    expect(answer.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope".*scope="payments:read"/,
    );
  });
});
