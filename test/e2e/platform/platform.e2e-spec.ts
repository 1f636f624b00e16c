import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { aDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { aRelayTo } from './relay.js';

// The common part of all routes: refusals, headers, limits and health.

const DOCUMENTS = '/v1/finance/documents';
const JSON_TYPE = { 'content-type': 'application/json' };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

/** As it is said: no Content-Length, chunk by chunk, until the answer comes. */
async function chunked(
  path: string,
  chunks: number,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const authorization = `Bearer ${await client.bearer()}`;
  return new Promise((resolve, reject) => {
    const headers = { ...JSON_TYPE, authorization, 'transfer-encoding': 'chunked' };
    const request = httpRequest(`${service.url}${path}`, { method: 'POST', headers });
    let answered = false;
    request.on('error', (error) => (answered ? undefined : reject(error)));
    request.on('response', (response) => {
      answered = true;
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          body: JSON.parse(Buffer.concat(parts).toString()) as unknown,
        });
      });
    });
    for (let sent = 0; sent < chunks; sent += 1) request.write('x'.repeat(10_000));
    request.end();
  });
}

describe('a request is refused as problem+json', () => {
  it.each([
    ['GET', '/v2'],
    ['GET', '/v1'],
    ['GET', '/v2/finance/documents'],
    ['POST', `${DOCUMENTS}/x/y/z`],
    ['GET', '/v1/portal'],
    ['GET', '/.env'],
    ['GET', '/v1/../../etc/passwd'],
  ])('404: %s %s', async (method, path) => {
    expectProblem(await service.call(path, { method }), 404, 'route_not_found');
  });

  it.each([
    ['PUT', DOCUMENTS, ['GET', 'HEAD', 'POST']],
    ['DELETE', '/v1/auth/token', ['POST']],
    ['GET', '/v1/auth/token', ['POST']],
    ['GET', '/v1/webhooks/gateway-a', ['POST']],
    ['GET', '/v1/portal/x/reject', ['POST']],
    ['POST', '/v1/portal/documents/x/pdf', ['GET', 'HEAD']],
    ['POST', '/livez', ['GET', 'HEAD']],
  ])('405 with Allow: %s %s', async (method, path, allowed) => {
    const answer = await service.call(path, { method });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allowed);
  });

  it.each([
    ['', 404],
    ['doc_', 404],
    ['doc_01h455vb4pex5vsknk084sn02q', 404],
    ['doc_81h455vb4pex5vsknk084sn02q', 404],
    ['DOC_01H455VB4PEX5VSKNK084SN02Q', 404],
    ['cus_01h455vb4pex5vsknk084sn02q', 404],
    ["'%20OR%201=1--", 404],
    ['%00', 404],
    ['x'.repeat(3000), 404],
    ['00000000-0000-0000-0000-000000000000', 404],
  ])('bad id %#', async (id, status) => {
    const answer = await client.get(`${DOCUMENTS}/${id}/pdf`);
    expectProblem(answer, status, id ? 'document_not_found' : 'route_not_found');
  });

  it.each(['%', '%zz', '%E0%A4%A', '%ff', '%c0%af'])('400: path with %s', async (part) => {
    expectProblem(await client.get(`${DOCUMENTS}/${part}`), 400, 'malformed_path');
  });

  it.each([
    ['text/plain', 'unsupported_media_type'],
    ['text/html', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['multipart/form-data; boundary=x', 'unsupported_media_type'],
    ['', 'unsupported_media_type'],
  ])('415: Content-Type %s', async (type, code) => {
    const body = Buffer.from('{}');
    const answer = await client.post(DOCUMENTS, body, { 'content-type': type });
    expectProblem(answer, 415, code);
  });

  it.each(['gzip', 'br', 'deflate', 'unknown'])('415: Content-Encoding %s', async (encoding) => {
    const headers = { ...JSON_TYPE, 'content-encoding': encoding };
    expectProblem(await client.post(DOCUMENTS, '{}', headers), 415, 'unsupported_encoding');
    const webhook = { method: 'POST', body: '{}', headers };
    const answer = await service.call('/v1/webhooks/gateway-a', webhook);
    expectProblem(answer, 415, 'unsupported_encoding');
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const token = await service.call('/v1/auth/token', {
      method: 'POST',
      body: 'a=b',
      headers: form,
    });
    expectProblem(token, 415, 'unsupported_encoding');
  });

  it.each([
    ['/v1/finance/documents', 8_388_608],
    ['/v1/finance/documents/doc_01h455vb4pex5vsknk084sn02q/issue', 102_400],
    ['/v1/webhooks/gateway-a', 262_144],
  ])('413: more than the limit of %s', async (path, limit) => {
    const tooLarge = `{"notes":"${'x'.repeat(limit)}"}`;
    expectProblem(await client.post(path, tooLarge, JSON_TYPE), 413, 'body_too_large');
    expectProblem(await chunked(path, Math.ceil(limit / 10_000) + 1), 413, 'body_too_large');
    const fits = await client.post(path, tooLarge.slice(0, limit), JSON_TYPE);
    expect(fits.status).toBe(400);
  });

  it('413: a form above its limit', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `client_id=${'x'.repeat(30_000)}`;
    const answer = await service.call('/v1/auth/token', { method: 'POST', body, headers });
    expectProblem(answer, 413, 'body_too_large');
  });

  it('400: JSON that is none', async () => {
    expectProblem(await client.post(DOCUMENTS, '{', JSON_TYPE), 400, 'malformed_json');
  });
});

describe('X-Request-Id', () => {
  it.each(['abc', 'A-1_b.c', 'x'.repeat(64)])('is echoed: %s', async (id) => {
    const answer = await service.call('/nowhere', { headers: { 'x-request-id': id } });
    expect([answer.headers.get('x-request-id'), answer.body['request_id']]).toEqual([id, id]);
  });

  it.each(['', ' ', 'a b', 'x'.repeat(65), '<script>', '"}', 'é', '../../x', 'a,b'])(
    'is made anew for %j',
    async (id) => {
      const answer = await service.call('/nowhere', { headers: { 'x-request-id': id } });
      const made = answer.headers.get('x-request-id');
      expect(made).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(answer.body['request_id']).toBe(made);
    },
  );

  it('is another one for each request', async () => {
    const answers = await Promise.all([service.call('/livez'), service.call('/livez')]);
    const [first, second] = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(first).not.toBe(second);
  });
});

const hsts = async (of: TestService, scheme: string) => {
  const answer = await of.call('/livez', { headers: { 'x-forwarded-proto': scheme } });
  return answer.headers.get('strict-transport-security');
};

describe('security headers', () => {
  it.each(['/livez', '/nowhere', '/v1/openapi.json', DOCUMENTS, '/v1/portal/x'])(
    'are on %s',
    async (path) => {
      const { headers } = await service.call(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toMatch(/no-store/);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
      expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
      expect(headers.get('x-frame-options')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );

  it('pin TLS only where a trusted proxy says that there is TLS', async () => {
    expect(await hsts(service, 'https')).toBeNull();
    const proxied = await startTestService({ trustProxy: true, database: service.database });
    try {
      expect(await hsts(proxied, 'https')).toMatch(/^max-age=31536000/);
      expect(await hsts(proxied, 'http')).toBeNull();
    } finally {
      await proxied.close();
    }
  });
});

describe('the rate limit', () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startTestService({ rateLimit: 1, rateBurst: 5 });
  });
  afterAll(() => limited.close());

  it('turns a client away, each for itself, and lets it in again', async () => {
    const [one, other] = [await limited.aClient(), await limited.aClient()];
    await Promise.all([one.bearer(), other.bearer()]);
    const answers = [];
    for (let count = 0; count < 7; count += 1) answers.push(await one.get(DOCUMENTS));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const remaining = answers.map(({ headers }) =>
      /;r=(\d+);/.exec(headers.get('ratelimit') ?? ''),
    );
    expect(remaining.map((match) => match?.[1])).toEqual(['4', '3', '2', '1', '0', '0', '0']);
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-policy')).toBe('"default";q=5;w=5');
    }
    const [refused] = answers.slice(-1);
    if (refused) expectProblem(refused, 429, 'rate_limited');
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect((await other.get(DOCUMENTS)).status).toBe(200);
    limited.clock.advance({ seconds: 1 });
    expect((await one.get(DOCUMENTS)).status).toBe(200);
  });

  it('counts strangers by their address, and never turns a provider away', async () => {
    limited.clock.advance({ seconds: 60 });
    const guesses = [];
    for (let count = 0; count < 7; count += 1) guesses.push(await limited.call('/v1/portal/guess'));
    expect(guesses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429, 429]);
    const webhook = { method: 'POST', body: '{}' };
    for (let count = 0; count < 7; count += 1) {
      expect((await limited.call('/v1/webhooks/gateway-a', webhook)).status).toBe(400);
    }
  });
});

describe('a path', () => {
  it.each(['/Metrics', '/LIVEZ', '/v1/Finance/documents'])('is exact in case: %s', async (path) => {
    expectProblem(await client.get(path), 404, 'route_not_found');
  });
});

describe('health', () => {
  it('says that it lives, is ready, and how it does', async () => {
    for (const path of ['/livez', '/readyz']) {
      const answer = await service.call(path);
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    }
    await client.get(`${DOCUMENTS}/doc_01h455vb4pex5vsknk084sn02q`);
    const metrics = await service.metrics();
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(metrics.text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/v1\/finance\/documents\/:id",status="404"\} \d+/,
    );
    expect(metrics.text).not.toContain('doc_01h455vb4pex5vsknk084sn02q');
  });

  it('is told to Prometheus at a port of its own, and not at the one of the API', async () => {
    expectProblem(await service.call('/metrics'), 404, 'route_not_found');
    expectProblem(await client.post('/metrics'), 404, 'route_not_found');
  });

  it('is not ready without its database, still alive, and recovers', async () => {
    const database = await aDatabase();
    const relay = await aRelayTo(database.url);
    const service = await startTestService({ database: { ...database, url: relay.url } });
    try {
      expect((await service.call('/readyz')).status).toBe(200);
      await relay.close();
      const answer = await service.call('/readyz');
      expectProblem(answer, 503, 'database_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await service.call('/livez')).status).toBe(200);
      const portal = await service.call(`/v1/portal/${'A'.repeat(43)}`);
      expectProblem(portal, 503, 'database_unavailable');
      await relay.open();
      expect((await service.call('/readyz')).status).toBe(200);
    } finally {
      await service.close();
      await relay.close();
      await database.drop();
    }
  });

  it('is not ready when its database was dropped', async () => {
    const database = await aDatabase();
    const service = await startTestService({ database });
    try {
      await database.drop();
      expectProblem(await service.call('/readyz'), 503, 'database_unavailable');
    } finally {
      await service.close();
    }
  });
});
