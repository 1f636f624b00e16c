import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RefusalLog } from '../../../src/auth/index.js';
import type { AuditEntryBody } from '../../../src/auth/wire/audit.js';
import type { IssuedPortalTokenBody } from '../../../src/documents/wire/portal-token.js';
import { NO_ACCOUNT } from '../../../src/kernel/ids.js';
import { SCOPES } from '../../../src/platform/http/access.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { aPng } from '../../support/images.js';
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

interface AuditPage {
  data: AuditEntryBody[];
  has_more: boolean;
  next_cursor: string | null;
}

const list = async (query = '', by = client) => by.get<AuditPage>(`/v1/audit${query}`);

/** The entries since the client was made, oldest first. */
const entries = async (query = ''): Promise<AuditEntryBody[]> =>
  (await list(query)).body.data
    .filter(({ action }) => !['account.created', 'client.created'].includes(action))
    .toReversed();

const count = async (query: string) => (await entries(query)).length;

const paidTo = (iban: string) => ({
  bank_accounts: [{ holder: null, bank_name: null, iban, bic: null }],
});

/** Of each entry, what it says of the change. */
const changes = async () =>
  (await entries()).map(({ action, subject, before, after }) => [action, subject, before, after]);

describe('the audit log', () => {
  it('says who changed what, from where, in which request, and from what to what', async () => {
    const path = '/v1/finance/payment-settings';
    const tolerance = [{ currency: 'EUR', amount: 50 }];
    const headers = { 'x-request-id': 'request-1' };
    await client.patch(path, { underpayment_tolerance: tolerance }, headers);
    expect(await entries()).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        action: 'payment_settings.updated',
        subject: null,
        actor: { type: 'client', id: client.id },
        address: '127.0.0.1',
        request_id: 'request-1',
        before: { underpayment_tolerance: {} },
        after: { underpayment_tolerance: { EUR: 50 } },
        occurrences: 1,
        occurred_at: expect.any(String),
      },
    ]);
  });

  it('has nothing of a change that was refused, and nothing twice of a repeat', async () => {
    const path = '/v1/finance/payment-settings';
    const body = { underpayment_tolerance: [] };
    await client.patch(path, body, { 'if-match': '"7"' });
    expect(await entries()).toEqual([]);
    const headers = { 'idempotency-key': 'once' };
    for (const _ of [1, 2]) await client.patch(path, body, headers);
    expect(await entries()).toHaveLength(1);
  });

  it('begins with the account', async () => {
    const { body } = await list('?action=account.*');
    const [created] = body.data;
    expect(created).toMatchObject({
      action: 'account.created',
      subject: client.accountId,
      actor: { type: 'operator', id: expect.stringMatching(/^.+@.+$/) },
      address: null,
      after: { name: 'Acme', currency: 'EUR', payment_terms_days: 30 },
    });
  });

  it('has the seller, with the ends of bank accounts, and the logo', async () => {
    const path = '/v1/finance/seller';
    const ibans = ['DE02100500000054540402', 'NL91ABNA0417164300'];
    for (const iban of ibans) await client.patch(path, { bank_accounts: [{ iban }] });
    await client.put(`${path}/logo`, aPng({ width: 20, height: 10 }), {
      'content-type': 'image/png',
    });
    await client.delete(`${path}/logo`);
    const logo = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await changes()).toEqual([
      ['seller.updated', null, { bank_accounts: [] }, paidTo('****0402')],
      ['seller.updated', null, paidTo('****0402'), paidTo('****4300')],
      ['seller.updated', null, { logo: null }, { logo }],
      ['seller.updated', null, { logo }, { logo: null }],
    ]);
    const kept = await service.database.query(
      'SELECT before::text, after::text FROM audit_entries',
    );
    for (const iban of ibans) expect(JSON.stringify(kept)).not.toContain(iban);
  });

  it('has customers, and of who comes and goes only the id', async () => {
    const { id } = await client.aCustomer();
    const path = `/v1/finance/customers/${id}`;
    await client.patch(path, { email: 'new@globex.example', metadata: { token: 'hunter2' } });
    await client.patch(path, { email: 'new@globex.example' });
    await client.post(`${path}/archive`);
    await client.post(`${path}/archive`);
    await client.post(`${path}/unarchive`);
    await client.delete(path);
    const at = expect.any(String);
    expect(await changes()).toEqual([
      ['customer.created', id, null, null],
      [
        'customer.updated',
        id,
        { email: 'accounts@globex.example', metadata: {} },
        { email: 'new@globex.example', metadata: { token: '[not kept]' } },
      ],
      ['customer.updated', id, {}, {}],
      ['customer.archived', id, { archived_at: null }, { archived_at: at }],
      ['customer.unarchived', id, { archived_at: at }, { archived_at: null }],
      ['customer.deleted', id, null, null],
    ]);
  });

  it('has number series, and where they go on', async () => {
    const path = '/v1/finance/numbering';
    const pattern = 'X-{SEQ:3}';
    await client.post(path, { id: 'x', kind: 'invoice', pattern, reset: 'never' });
    await client.patch(`${path}/x`, { next: 40, default: true });
    expect(await changes()).toEqual([
      [
        'numbering.created',
        'x',
        null,
        {
          kind: 'invoice',
          pattern,
          reset: 'never',
          default: false,
          dates_in_order: false,
          start_at: '1',
          next: '1',
        },
      ],
      ['numbering.updated', 'x', { default: false, next: '1' }, { default: true, next: '40' }],
    ]);
  });

  it('has portal links, and never what opens them', async () => {
    const invoice = await client.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}/portal-tokens`;
    const made = [];
    for (const _ of [1, 2, 3]) made.push((await client.post<IssuedPortalTokenBody>(path)).body);
    const [first, second, third] = made.map(({ id }) => id);
    await client.delete(`${path}/${first}`);
    await client.delete(path);
    await client.delete(path);
    const expires = expect.any(String);
    const of = { document_id: invoice.id, expires_at: expires };
    expect(await changes()).toEqual([
      ['portal_token.created', first, null, of],
      ['portal_token.created', second, null, of],
      ['portal_token.created', third, null, of],
      ['portal_token.revoked', first, null, { portal_token_ids: [first] }],
      [
        'portal_token.revoked',
        invoice.id,
        null,
        { portal_token_ids: expect.arrayContaining([second, third]) },
      ],
    ]);
    const { text } = await list();
    for (const { token } of made) expect(text).not.toContain(token);
  });
});

describe('its list', () => {
  const SETTINGS = '/v1/finance/payment-settings';
  const changed = async (amount: number, by = client) =>
    by.patch(SETTINGS, { underpayment_tolerance: [{ currency: 'EUR', amount }] });

  it('goes from page to page, newest first, each entry once', async () => {
    for (const amount of [1, 2, 3, 4, 5]) await changed(amount);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = `?limit=2&action=payment_settings.updated${cursor && `&cursor=${cursor}`}`;
      const { status, body }: Answer<AuditPage> = await list(query);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ after }) => JSON.stringify(after)));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(
      [5, 4, 3, 2, 1].map((n) => JSON.stringify({ underpayment_tolerance: { EUR: n } })),
    );
  });

  it('is filtered by action, actor, subject, address and time', async () => {
    const other = await service.aClient({ of: client });
    const { id } = await client.aCustomer();
    await changed(1, other);
    service.clock.advance({ seconds: 10 });
    const from = service.clock.now().toISOString();
    service.clock.advance({ seconds: 10 });
    await changed(2);
    expect(await count('')).toBe(3);
    expect(await count('?action=customer.*')).toBe(1);
    expect(await count('?action=customer.created')).toBe(1);
    expect(await count('?action=customer')).toBe(0);
    expect(await count(`?actor=${other.id}`)).toBe(1);
    expect(await count(`?subject=${id}`)).toBe(1);
    expect(await count('?address=127.0.0.0/8')).toBe(3);
    expect(await count('?address=127.0.0.1')).toBe(3);
    expect(await count('?address=2001:db8::/32')).toBe(0);
    expect(await count(`?from=${from}`)).toBe(1);
    expect(await count(`?to=${from}`)).toBe(2);
  });

  it.each([
    ['action', 'DROP TABLE'],
    ['action', 'a.*.*'],
    ['address', '192.0.2.0/33'],
    ['address', '192.0.2.0/8/8'],
    ['address', 'fe80::1%eth0'],
    ['address', '192.0.2'],
    ['from', 'yesterday'],
    ['limit', '1000'],
    ['unknown', '1'],
  ])('refuses %s=%s', async (name, value) => {
    const answer = await list(`?${name}=${encodeURIComponent(value)}`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('invalid_query')]);
  });

  it('is an account’s own, and of its readers', async () => {
    await changed(1);
    const [entry] = await entries();
    const path = `/v1/audit/${entry?.id}`;
    expect((await client.get(path)).body).toEqual(entry);
    const stranger = await service.aClient();
    expect((await list(`?subject=${client.accountId}`, stranger)).body.data).toEqual([]);
    expect([(await stranger.get(path)).status, (await client.get('/v1/audit/x')).status]).toEqual([
      404, 404,
    ]);
    const scopes = SCOPES.filter((scope) => scope !== 'audit:read');
    const other = await service.aClient({ of: client, scopes });
    const refused = await other.get('/v1/audit');
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
  });
});

const refusedSignatures = async () =>
  service.database.query<{ subject: string; address: string; occurrences: number }>(
    `SELECT subject, host(address) AS address, actor_type, occurrences, account_id
     FROM audit_entries WHERE action = 'signature.refused' ORDER BY occurred_at, entry_id`,
  );

const askToken = async (body: object, by = client) =>
  service.call<{ refresh_token: string }>('/v1/auth/token', {
    method: 'POST',
    body: { client_id: by.id, client_secret: by.secret, ...body },
  });

describe('refused credentials', () => {
  beforeEach(async () => {
    await askToken({ client_secret: 'hunter2' });
    await askToken({ client_id: 'cli_01h455vb4pex5vsknk084sn02q' });
    await askToken({ client_id: 'hunter3' });
    await service.app.get(RefusalLog).write();
  });

  it('are entries of the account whose client it was said to be', async () => {
    const entry = { actor: { type: 'none', id: null }, subject: client.id, address: '127.0.0.1' };
    expect(await entries('?action=login.failed')).toEqual([expect.objectContaining(entry)]);
  });

  it('are of no account where nobody is known, without what was sent', async () => {
    const kept = await service.database.query<{ subject: string | null }>(
      `SELECT subject FROM audit_entries WHERE action = 'login.failed' AND account_id = $1`,
      [NO_ACCOUNT],
    );
    expect(new Set(kept.map(({ subject }) => subject))).toEqual(new Set([null]));
    const all = await service.database.query(
      'SELECT to_jsonb(a)::text AS text FROM audit_entries a',
    );
    expect(JSON.stringify(all)).not.toMatch(/hunter[23]/);
  });
});

describe('a refresh token', () => {
  it('that comes again is an entry of its account, and one that is revoked, too', async () => {
    const { body: first } = await askToken({});
    const again = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    expect((await askToken(again)).status).toBe(200);
    service.clock.advance({ seconds: 60 });
    expect((await askToken(again)).status).toBe(400);
    await service.app.get(RefusalLog).write();
    expect(await entries('?action=refresh_token.reused')).toEqual([
      expect.objectContaining({ subject: client.id, address: '127.0.0.1' }),
    ]);
    const { body: other } = await askToken({});
    const body = { client_id: client.id, client_secret: client.secret, token: other.refresh_token };
    await service.call('/v1/auth/revoke', { method: 'POST', body });
    const actor = { type: 'client', id: client.id };
    expect(await entries('?action=token.*')).toEqual([
      expect.objectContaining({ action: 'token.revoked', actor, subject: client.id }),
    ]);
    const metrics = await service.metrics();
    expect(metrics.text).toMatch(/^refresh_token_reuse_total 1$/m);
    expect(metrics.text).toMatch(/^logins_failed_total \d+$/m);
  });
});

describe('a refused signature', () => {
  it('is counted with the others of its minute, and nobody waits for it', async () => {
    const forged = async () =>
      service.call('/v1/webhooks/gateway-a', { method: 'POST', body: { id: 'evt_forged' } });
    const log = service.app.get(RefusalLog);
    expect((await forged()).status).toBe(400);
    await log.write();
    await Promise.all(Array.from({ length: 300 }, forged));
    await log.write();
    const one = {
      account_id: NO_ACCOUNT,
      subject: 'gateway-a',
      address: '127.0.0.1',
      actor_type: 'none',
      occurrences: 1,
    };
    expect(await refusedSignatures()).toEqual([one]);
    service.clock.advance({ seconds: 120 });
    await log.write();
    expect(await refusedSignatures()).toEqual([one, { ...one, occurrences: 300 }]);
    const metrics = await service.metrics();
    expect(metrics.text).toContain('signatures_refused_total{gateway="gateway-a"} 301');
    expect(metrics.text).toContain('audit_entries_total{action="signature.refused"} 2');
  });
});
