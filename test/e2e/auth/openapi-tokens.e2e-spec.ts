import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';
import { expectAsDescribed, type OpenApi } from '../schema-check.js';

// OAuth 2 clients read `error` and `error_description` in JSON, whatever it was that went wrong.

let service: TestService;
let document: OpenApi;
beforeAll(async () => {
  service = await startTestService({ rateLimit: 1, rateBurst: 40 });
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
});
afterAll(() => service.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const REFUSED: [number, string, object][] = [
  [400, 'invalid_request', { body: {} }],
  [400, 'invalid_request', { body: '{', headers: JSON_TYPE }],
  [400, 'invalid_request', { body: '{"scope":"a","scope":"b"}', headers: JSON_TYPE }],
  [400, 'invalid_request', { body: 'scope=a&scope=b', headers: FORM_TYPE }],
  [401, 'invalid_client', { body: { token: 'x', client_id: 'cli_x', client_secret: 'x' } }],
  [413, 'invalid_request', { body: { client_id: 'x'.repeat(200_000) } }],
  [415, 'invalid_request', { body: 'x', headers: { 'content-type': 'text/plain' } }],
  [415, 'invalid_request', { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }],
];

describe.each(['/v1/auth/token', '/v1/auth/revoke'])('a refusal of %s', (path) => {
  it('has its OAuth form, as the OpenAPI document says', async () => {
    for (const [status, error, request] of REFUSED) {
      const answer = await service.call(path, { method: 'POST', ...request });
      expect([status, answer.status, answer.body['error']]).toEqual([status, status, error]);
      expect(answer.body['error_description']).toBe(answer.body['detail']);
      expectAsDescribed(document, 'post', path, answer);
    }
  });
});

describe('too many requests', () => {
  it('are told in the same form', async () => {
    const path = '/v1/auth/token';
    let answer = await service.call(path, { method: 'POST', body: {} });
    for (let sent = 0; sent < 100 && answer.status !== 429; sent += 1) {
      answer = await service.call(path, { method: 'POST', body: {} });
    }
    expect([answer.status, answer.body['error']]).toEqual([429, 'temporarily_unavailable']);
    expectAsDescribed(document, 'post', path, answer);
  });
});
