import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TokenIssuer } from '../../../src/auth/index.js';
import { defineExtension } from '../../../src/extensions/extension.js';
import { Installation } from '../../../src/extensions/installation.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

/** Its tokens are plain: `client scopes seconds`, and it counts how often it is asked. */
const asked: string[] = [];
class OwnIssuer extends TokenIssuer {
  async verify(token: string) {
    asked.push(token);
    const [, clientId = '', scopes = '', seconds = ''] =
      /^own\.(\w+)\.([\w:+]+)\.(\d+)$/.exec(token) ?? [];
    if (clientId === '') return null;
    const expiresAt = new Date(service.clock.now().getTime() + Number(seconds) * 1000);
    return { clientId, scopes: scopes.split('+'), expiresAt };
  }
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  const ports = [{ provide: TokenIssuer, useClass: OwnIssuer }];
  const extension = defineExtension({ name: 'ownissuer', quittance: '*', ports });
  service = await startTestService({ installation: new Installation([extension]) });
  client = await service.aClient({ scopes: ['documents:read', 'clients:manage'] });
});
afterAll(() => service.close());

const listed = async (token: string) =>
  service.call('/v1/finance/documents', { headers: { authorization: `Bearer ${token}` } });
const tokenFor = (scopes: string, seconds = 600, of = client) =>
  `own.${of.id}.${scopes}.${seconds}`;

describe('a token of another issuer', () => {
  it('stands for a client of ours, and is verified once', async () => {
    const token = tokenFor('documents:read');
    expect(await listed(token)).toMatchObject({ status: 200 });
    expect(await listed(token)).toMatchObject({ status: 200 });
    expect(asked.filter((one) => one === token)).toHaveLength(1);
    // Ours are not shown to it.
    expect(await client.get('/v1/finance/documents')).toMatchObject({ status: 200 });
    expect(asked).not.toContain(await client.bearer());
  });

  it('may no more than it says, and no more than its client', async () => {
    const [less, more] = [tokenFor('clients:manage'), tokenFor('documents:read+documents:write')];
    expect(await listed(less)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    const written = await service.call('/v1/finance/documents', {
      method: 'POST',
      headers: { authorization: `Bearer ${more}` },
      body: {},
    });
    expect(written).toMatchObject({ status: 403, body: { scope: 'documents:write' } });
  });

  it.each(['nonsense', 'own.cli_01h455vb4pex5vsknk084sn02q.documents:read.600', 'own.x.y.1'])(
    'that is none (%s) is refused as ours are',
    async (token) =>
      expect(await listed(token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } }),
  );

  it('ends with its time', async () => {
    const token = tokenFor('documents:read', 60);
    expect(await listed(token)).toMatchObject({ status: 200 });
    service.clock.advance({ seconds: 61 });
    expect(await listed(token)).toMatchObject({ status: 401 });
  });

  it('ends with its client', async () => {
    const other = await service.aClient({ scopes: ['documents:read'], of: client });
    const token = tokenFor('documents:read', 600, other);
    expect(await listed(token)).toMatchObject({ status: 200 });
    const revoked = await client.delete(`/v1/clients/${other.id}`);
    expect(revoked.status).toBe(200);
    expect(await listed(token)).toMatchObject({ status: 401 });
    expect(await listed(`${token}0`)).toMatchObject({ status: 401 });
  });

  it('never sees one of ours that has ended', async () => {
    const own = await service.aClient({ scopes: ['documents:read'], of: client });
    const token = await own.bearer();
    expect((await client.delete(`/v1/clients/${own.id}`)).status).toBe(200);
    expect(await listed(token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
    expect(asked).not.toContain(token);
  });
});
