import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Revocations } from '../../../src/auth/application/revocations.js';
import { RefusalLog } from '../../../src/auth/index.js';
import { Retention } from '../../../src/platform/database/retention.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { TestClock } from '../../../src/testing/test-clock.js';

// Rows that grow with requests are forgotten by age, and never while somebody may still need them.

interface TokenBody {
  access_token: string;
  refresh_token: string;
  error?: string;
}

let service: TestService;
let client: TestClient;

async function startAt(daysAgo: number): Promise<void> {
  const clock = new TestClock();
  clock.advance({ days: -daysAgo });
  service = await startTestService({ clock });
  client = await service.aClient({ scopes: ['documents:read'] });
}
afterEach(() => service.close());

const post = async (body: object, path = '/v1/auth/token') =>
  (
    await service.call<TokenBody>(path, {
      method: 'POST',
      body: { client_id: client.id, client_secret: client.secret, ...body },
    })
  ).body;
const login = () => post({});
const refresh = (token: string) => post({ grant_type: 'refresh_token', refresh_token: token });
const reads = async (token: string) =>
  (
    await service.call('/v1/finance/documents', {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;

/** How many rows each table has left after a round. */
async function left(): Promise<Record<string, number>> {
  await service.app.get(Retention).run();
  const [counts = {}] = await service.database.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM token_families) AS families,
       (SELECT count(*)::int FROM refresh_tokens) AS tokens,
       (SELECT count(*)::int FROM revocations) AS revocations`,
  );
  return counts;
}

/** The clock of the database cannot be turned: everything gets older instead. */
async function passed(days: number): Promise<void> {
  await service.database.query(
    `UPDATE token_families SET started_at = started_at - interval '${days} days',
       ends_at = ends_at - interval '${days} days', revoked_at = revoked_at - interval '${days} days';
     UPDATE refresh_tokens SET issued_at = issued_at - interval '${days} days',
       expires_at = expires_at - interval '${days} days', used_at = used_at - interval '${days} days';
     UPDATE revocations SET revoked_at = revoked_at - interval '${days} days'`,
  );
}

describe('a family of tokens', () => {
  beforeEach(() => startAt(0));

  it('is forgotten with its tokens, a week after nothing of it can be refreshed', async () => {
    const first = await login();
    await refresh(first.refresh_token);
    await passed(36);
    expect(await left()).toMatchObject({ families: 1, tokens: 2 });
    await passed(2);
    expect(await left()).toMatchObject({ families: 0, tokens: 0 });
    expect((await refresh(first.refresh_token)).error).toBe('invalid_grant');
  });

  it('that is refreshed keeps each of its tokens, and ends when the oldest one returns', async () => {
    const first = await login();
    let last = first;
    for (let month = 0; month < 3; month += 1) {
      await passed(28);
      last = await refresh(last.refresh_token);
      expect(await left()).toMatchObject({ families: 1, tokens: month + 2 });
    }
    // Long expired, and still known: somebody has kept a copy.
    expect((await refresh(first.refresh_token)).error).toBe('invalid_grant');
    expect(await reads(last.access_token)).toBe(401);
    expect((await refresh(last.refresh_token)).error).toBe('invalid_grant');
    await service.app.get(RefusalLog).write();
    const told = await service.database.query(
      `SELECT FROM audit_entries WHERE action = 'refresh_token.reused'`,
    );
    expect(told).toHaveLength(1);
  });

  it('of more tokens than are deleted at once is forgotten, and no other', async () => {
    const [long, live] = [await login(), await login()];
    await service.database.query(
      `INSERT INTO refresh_tokens (token_sha256, family_id, issued_at, expires_at, used_at)
       SELECT sha256(n::text::bytea), family_id, started_at, ends_at, started_at
       FROM (SELECT * FROM token_families ORDER BY started_at LIMIT 1) f, generate_series(1, 5001) n`,
    );
    await passed(29);
    const { refresh_token: next } = await refresh(live.refresh_token);
    await passed(9);
    expect(await left()).toMatchObject({ families: 1, tokens: 2 });
    expect((await refresh(next)).refresh_token).toBeDefined();
    expect((await refresh(long.refresh_token)).error).toBe('invalid_grant');
  });
});

describe('a revocation', () => {
  beforeEach(() => startAt(0));

  it('is forgotten when no access token can be as old, and not before', async () => {
    const tokens = await login();
    await post({ token: tokens.access_token }, '/v1/auth/revoke');
    await passed(2);
    expect(await left()).toMatchObject({ revocations: 1 });
    await passed(1);
    expect(await left()).toMatchObject({ revocations: 0 });
  });
});

const leap = (days: number) =>
  service.clock.set(new Date(service.clock.now().getTime() + days * 86_400_000));

describe('a clock that leaps forwards', () => {
  beforeEach(() => startAt(60));

  it('makes no family and no revocation old, nor to the memory of the process', async () => {
    const [kept, revoked] = [await login(), await login()];
    await post({ token: revoked.access_token }, '/v1/auth/revoke');
    expect(await reads(revoked.access_token)).toBe(401);
    leap(60);
    // To the database all this is from two months ago, as it is to us.
    expect(await left()).toEqual({ families: 2, tokens: 2, revocations: 1 });
    await service.app.get(Revocations).refresh();
    leap(-60);
    expect(await reads(revoked.access_token)).toBe(401);
    expect(await reads(kept.access_token)).toBe(200);
    expect((await refresh(kept.refresh_token)).refresh_token).toBeDefined();
  });

  it('is made up for by the time that passes', async () => {
    const { access_token: token } = await login();
    await post({ token }, '/v1/auth/revoke');
    leap(60);
    service.clock.advance({ days: 3 });
    expect(await left()).toMatchObject({ families: 1, revocations: 0 });
    service.clock.advance({ days: 8 });
    expect(await left()).toMatchObject({ families: 0, tokens: 0 });
  });
});
