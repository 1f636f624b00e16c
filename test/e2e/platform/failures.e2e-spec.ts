import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';

// An address that fails too often is not listened to; each test has addresses of its own.

const DOCUMENTS = '/v1/finance/documents';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ trustProxy: true, rateLimit: 100, failureBurst: 5 });
});
afterAll(() => service.close());

const from = (address: string, path: string, call: Call = {}) =>
  service.call(path, { ...call, headers: { ...call.headers, 'x-forwarded-for': address } });

async function codesOf(count: number, send: (index: number) => ReturnType<typeof from>) {
  const codes: unknown[] = [];
  for (let index = 0; index < count; index += 1) codes.push((await send(index)).body['code']);
  return codes;
}
const spent = (code: string) => [...Array<string>(5).fill(code), 'too_many_failures'];

describe('failures of one address', () => {
  it.each<[string, string, string, Call, string]>([
    [
      'bad bearers',
      '203.0.113.1',
      DOCUMENTS,
      { headers: { authorization: 'Bearer x' } },
      'invalid_token',
    ],
    ['no bearers', '203.0.113.2', DOCUMENTS, {}, 'missing_token'],
    ['unknown paths', '203.0.113.3', '/.env', {}, 'route_not_found'],
    ['guessed links', '203.0.113.4', '/v1/portal/guess', {}, 'portal_link_not_found'],
    [
      'forged webhooks',
      '203.0.113.5',
      '/v1/webhooks/gateway-a',
      { method: 'POST', body: '{}' },
      'invalid_signature',
    ],
    [
      'wrong credentials',
      '203.0.113.6',
      '/v1/auth/token',
      { method: 'POST', body: { client_id: 'cli_x', client_secret: 'x' } },
      'invalid_client',
    ],
  ])('are counted: %s', async (_, address, path, call, code) => {
    expect(await codesOf(6, () => from(address, path, call))).toEqual(spent(code));
    const refused = await from(address, path, call);
    expect([refused.status, refused.body['code']]).toEqual([429, 'too_many_failures']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await codesOf(1, () => from('203.0.113.99', path, call))).toEqual([code]);
    service.clock.advance({ seconds: 2 });
    expect(await codesOf(1, () => from(address, path, call))).toEqual([code]);
    service.clock.advance({ seconds: 60 });
  });

  it('are those of its /64', async () => {
    const codes = await codesOf(6, (index) => from(`2001:db8:0:7:${index}::1`, '/.env'));
    expect(codes).toEqual(spent('route_not_found'));
    expect(await codesOf(1, () => from('2001:db8:0:8::1', '/.env'))).toEqual(['route_not_found']);
  });

  it('do not touch a client with a good token behind the same address', async () => {
    const client = await service.aClient();
    const address = { 'x-forwarded-for': '203.0.113.7' };
    await client.bearer();
    await codesOf(7, () => from('203.0.113.7', '/.env'));
    expect((await client.get(DOCUMENTS, address)).status).toBe(200);
  });

  it.each(['203.0.113.8', '10.0.0.8'])('never stop good webhooks: %s', async (address) => {
    const client = await service.aClient();
    const invoice = await client.anInvoice();
    const deliver = async () => {
      const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount: 100 });
      const call = { method: 'POST', ...service.paidDelivery(link) };
      return (await from(address, '/v1/webhooks/sandbox', call)).status;
    };
    if (address.startsWith('203')) expect(await deliver()).toBe(200);
    const forged = { method: 'POST', body: '{}' };
    await codesOf(8, () => from(address, '/v1/webhooks/sandbox', forged));
    expect(await deliver()).toBe(200);
  });

  it('and refusals are counted by code', async () => {
    const { text } = await service.metrics();
    expect(text).toMatch(/http_refusals_total\{code="too_many_failures"\} \d+/);
  });
});

describe('/docs', () => {
  it.each(['/docs', '/v1/openapi.json', '/v1/openapi-3.0.json'])(
    'has the limit of every route: %s',
    async (path) => {
      const answer = await from('203.0.113.50', path);
      expect(answer.headers.get('ratelimit')).toMatch(/^"default";r=\d+/);
    },
  );
});
