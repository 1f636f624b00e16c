import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookEndpointWithSecretBody } from '../../../src/feed/wire/webhook-endpoint.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const url = 'https://shop.example.com/hook';
const path = ({ id }: { id: string }) => `/v1/webhook-endpoints/${id}`;

describe('webhook endpoints', () => {
  it('are refused with a sentence for every field that is wrong', async () => {
    const wrong = { url: 'ftp://example.com', types: ['document.sold'], payload: 'fat' };
    expect(await client.post('/v1/webhook-endpoints', wrong)).toMatchObject({
      status: 422,
      body: {
        errors: [
          { pointer: '/url', code: 'invalid_url' },
          { pointer: '/types/0', code: 'unknown_event_type' },
          { pointer: '/payload', code: 'not_in_list' },
        ],
      },
    });
  });

  it('of a live account are https', async () => {
    const live = await service.aClient({ mode: 'live' });
    expect(
      await live.post('/v1/webhook-endpoints', { url: 'http://shop.example.com/hook' }),
    ).toMatchObject({ status: 422, body: { errors: [{ pointer: '/url', code: 'https_needed' }] } });
    expect((await live.post('/v1/webhook-endpoints', { url })).status).toBe(201);
  });

  it('at a place that is not open are refused, and for trying `cli listen` is named', async () => {
    const wish = { url: 'https://10.0.0.1/hook' };
    const refused = async (of: TestClient) => {
      const { status, body } = await of.post<{ errors: { code: string; message: string }[] }>(
        '/v1/webhook-endpoints',
        wish,
      );
      expect([status, body.errors[0]?.code]).toEqual([422, 'url_not_allowed']);
      return body.errors[0]?.message ?? '';
    };
    expect(await refused(client)).toContain('cli listen --forward-to');
    expect(await refused(await service.aClient({ mode: 'live' }))).not.toContain('cli listen');
  });

  it('are 50 in an account', async () => {
    const made = await Promise.all(
      Array.from({ length: 52 }, async () => client.post('/v1/webhook-endpoints', { url })),
    );
    expect(
      made
        .map(({ status }) => status)
        .toSorted()
        .slice(48),
    ).toEqual([201, 201, 409, 409]);
  });

  it('change under their version, and tell no secret again', async () => {
    const wish = { url, metadata: { team: 'a' } };
    const { body: made } = await client.post<WebhookEndpointWithSecretBody>(
      '/v1/webhook-endpoints',
      wish,
    );
    const changed = await client.patch(path(made), { types: ['document.*'], description: 'x' });
    expect(changed.body).toMatchObject({ types: ['document.*'], description: 'x', version: 2 });
    expect(changed.text).not.toContain('secret"');
    const stale = await client.patch(path(made), { types: null }, { 'If-Match': '"1"' });
    expect(stale.status).toBe(412);
    const secret = made.secret!.slice('whsec_'.length);
    const [row] = await service.database.query<{ kept: Buffer }>(
      'SELECT sealed_secret AS kept FROM webhook_endpoints WHERE endpoint_id = $1',
      [uuidOf('whep', made.id)],
    );
    expect(row!.kept.includes(Buffer.from(secret, 'base64'))).toBe(false);
    const { text } = await client.get('/v1/audit?limit=100');
    expect(text).toContain('webhook_endpoint.updated');
    expect(text).not.toContain(secret);
  });
});
