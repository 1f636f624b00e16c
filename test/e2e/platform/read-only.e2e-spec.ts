import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RefusalLog } from '../../../src/auth/application/refusal-log.js';
import type { Refusals } from '../../../src/auth/domain/refusals.js';
import { Database } from '../../../src/platform/database/database.js';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work.js';
import type { TestDatabase } from '../../support/database.js';
import { isPoolerInstalled, startPooler } from '../../support/pooler.js';
import { aServerPair, type ServerPair } from '../../support/server-pair.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type EveryRoute, everyRouteOf, type Route } from '../every-route.js';

// A service that only reads, on a real standby, beside one that writes on the primary.

let pair: ServerPair;
let writer: TestService;
let reader: TestService;
let isWriting = true;
let every: EveryRoute;
let bearer: string;

beforeAll(async () => {
  pair = await aServerPair();
  // A job that writes between two reads would make a difference.
  writer = await startTestService({ database: pair.ofPrimary, doesJobs: false });
  every = await everyRouteOf(writer);
  bearer = await every.owner.bearer();
  await pair.caughtUp();
  const { clock } = writer;
  reader = await startTestService({ database: pair.ofStandby, clock, readOnly: true });
}, 600_000);
afterAll(async () => {
  await reader?.close();
  if (isWriting) await writer?.close();
  await pair?.remove();
}, 60_000);

/** Those with a body that store nothing, or are there for a demo alone. */
const READS = new Set([
  'POST /docs/demo-token',
  'POST /v1/auth/token',
  'POST /v1/finance/documents/preview',
  'POST /v1/finance/documents/validate',
  'POST /v1/finance/documents/:id/validate',
  'POST /v1/finance/schedules/preview',
  'POST /v1/finance/schedules/:id/preview',
  'POST /v1/finance/seller/template/preview',
]);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const isRead = (route: Route) => route.method === 'GET' || READS.has(nameOf(route));

interface Feed {
  data: { type: string }[];
  next_cursor: string;
}

type Answers = Map<string, Awaited<ReturnType<EveryRoute['call']>>>;

async function walk(at: TestService, which: (route: Route) => boolean): Promise<Answers> {
  const answers: Answers = new Map();
  for (const route of every.routes.filter(which)) {
    answers.set(nameOf(route), await every.call(route, bearer, {}, at));
  }
  return answers;
}

const statusesOf = (answers: Answers) =>
  [...answers].map(([route, { status }]): [string, number] => [route, status]);

/** The answer without what is of the process or the moment. */
function stable(route: string, { status, text, headers }: Awaited<ReturnType<EveryRoute['call']>>) {
  const type = headers.get('content-type');
  const isFixed = !UNSTABLE.has(route) && !/pdf|zip/.test(type ?? '');
  const told = text
    .replaceAll(reader.url, writer.url)
    .replaceAll(/"(request_id|last_used_at|exported_at)":("[^"]*"|null)/g, '');
  return [route, status, type, isFixed ? told : text.slice(0, 4)];
}

/** Of the one that is asked, or new with each answer. */
const UNSTABLE = new Set([
  'POST /v1/auth/token',
  'GET /readyz',
  'GET /docs',
  'GET /docs/problems',
  'GET /docs/problems/:code',
  'GET /v1/test-clock',
]);

async function contents(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ sum: string }>(
      `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS sum FROM ${name} t`,
    );
    found[name] = row?.sum ?? '';
  }
  return found;
}

const errorsOf = (lines: readonly string[]) =>
  lines.filter((line) => /ERROR|FATAL|PANIC/.test(line));

describe('a service that only reads, on a standby', () => {
  it('answers every read as the one on the primary does', async () => {
    // The first visit of a page is kept on the primary.
    await walk(writer, isRead);
    const expected = await walk(writer, isRead);
    await pair.caughtUp();
    pair.lines.length = 0;
    const found = await walk(reader, isRead);
    for (const [route, answer] of found) {
      const of = expected.get(route);
      if (of) expect.soft(stable(route, answer)).toEqual(stable(route, of));
    }
    expect([...found.keys()]).toEqual([...expected.keys()]);
    expect(found.size).toBeGreaterThan(100);
    expect(errorsOf(pair.lines)).toEqual([]);
  });

  it('refuses every write before it reaches the database', async () => {
    pair.lines.length = 0;
    const found = await walk(reader, (route) => !isRead(route));
    const wrong = [...found].filter(([, { status, body, headers }]) => {
      return status !== 503 || body['code'] !== 'database_read_only' || !headers.has('retry-after');
    });
    expect(wrong.map(([route, { status, text }]) => [route, status, text])).toEqual([]);
    expect(found.size).toBeGreaterThan(80);
    expect(errorsOf(pair.lines)).toEqual([]);
  });

  it('is ready, and says that it only reads', async () => {
    const ready = await reader.call('/readyz');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ok', read_only: true }]);
    const status = await fetch(new URL('/status.json', reader.metricsUrl));
    expect(await status.json()).toMatchObject({ readOnly: true });
    const page = await (await fetch(new URL('/status', reader.metricsUrl))).text();
    expect(page).toContain('It only reads');
  });

  it('prints a PDF that is not stored, and stores it nowhere', async () => {
    const invoice = await every.owner.anInvoice();
    await pair.caughtUp();
    pair.lines.length = 0;
    const headers = { authorization: `Bearer ${bearer}` };
    const printed = await reader.call(`/v1/finance/documents/${invoice.id}/pdf`, { headers });
    expect([printed.status, printed.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect(errorsOf(pair.lines)).toEqual([]);
  });

  it('tells those who wait for an event of one that the primary wrote', async () => {
    const headers = { authorization: `Bearer ${bearer}` };
    const seen = await reader.call<Feed>('/v1/events?after=now', { headers });
    const waiting = reader.call<Feed>(`/v1/events?after=${seen.body.next_cursor}&wait=20`, {
      headers,
    });
    await every.owner.anInvoice();
    const types = (await waiting).body.data.map(({ type }) => type);
    expect(types).toContain('document.created');
  });

  it('shows a client the page of a document, and keeps no visit', async () => {
    const invoice = await every.owner.anInvoice();
    const token = await every.owner.aPortalToken(invoice);
    await pair.caughtUp();
    pair.lines.length = 0;
    const page = await reader.call(`/v1/portal/${token}`, {
      headers: { accept: 'text/html' },
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(errorsOf(pair.lines)).toEqual([]);
  });
});

describe('its tokens', () => {
  it('are access tokens that hold everywhere, without one to refresh', async () => {
    const credentials = { client_id: every.owner.id, client_secret: every.owner.secret };
    const body = { ...credentials, grant_type: 'client_credentials' };
    const answer = await reader.call('/v1/auth/token', { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'scope',
      'token_type',
    ]);
    const headers = { authorization: `Bearer ${String(answer.body['access_token'])}` };
    for (const at of [reader, writer]) {
      expect((await at.call('/v1/finance/documents', { headers })).status).toBe(200);
    }
  });

  it('are not given to a wrong secret, of which nothing is kept', async () => {
    pair.lines.length = 0;
    const body = { client_id: every.owner.id, client_secret: 'wrong' };
    const answer = await reader.call('/v1/auth/token', { method: 'POST', body });
    expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_client']);
    // A process that writes keeps it within a second.
    await sleep(2000);
    expect(errorsOf(pair.lines)).toEqual([]);
    // Nor does it wait in memory, where nobody would take it away.
    const { refusals } = reader.app.get(RefusalLog) as unknown as { refusals: Refusals };
    expect(refusals.due(new Date(8.64e15))).toEqual([]);
  });

  it('cannot be refreshed nor revoked there', async () => {
    const credentials = { client_id: every.owner.id, client_secret: every.owner.secret };
    const first = await writer.call('/v1/auth/token', { method: 'POST', body: credentials });
    const { refresh_token: refresh } = first.body;
    const body = { ...credentials, grant_type: 'refresh_token', refresh_token: refresh };
    pair.lines.length = 0;
    const refused = await reader.call('/v1/auth/token', { method: 'POST', body });
    expect([refused.status, refused.body['code'], refused.body['error']]).toEqual([
      503,
      'database_read_only',
      'temporarily_unavailable',
    ]);
    const revoked = await reader.call('/v1/auth/revoke', {
      method: 'POST',
      body: { ...credentials, token: refresh },
    });
    expect([revoked.status, revoked.body['code']]).toEqual([503, 'database_read_only']);
    expect(errorsOf(pair.lines)).toEqual([]);
  });

  it('end there, too, when they are revoked on the primary', async () => {
    const other = await writer.aClient({ of: every.owner });
    await pair.caughtUp();
    const headers = { authorization: `Bearer ${await other.bearer()}` };
    expect((await reader.call('/v1/finance/documents', { headers })).status).toBe(200);
    await every.owner.delete(`/v1/clients/${other.id}`);
    await pair.caughtUp();
    await expect
      .poll(async () => (await reader.call('/v1/finance/documents', { headers })).status, {
        timeout: 20_000,
      })
      .toBe(401);
  });
});

/** Straight, and where a session is only that of a transaction. */
const WAYS: [string, () => Promise<{ url: string; end(): Promise<void> }>][] = [
  ['straight', async () => ({ url: pair.ofPrimary.url, end: async () => undefined })],
  [
    'through a pooler',
    async () => {
      const pooler = await startPooler(pair.ofPrimary.url);
      return { url: pooler.before(pair.ofPrimary.url), end: async () => pooler.stop() };
    },
  ],
];

describe('a service that only reads, on a primary', () => {
  let expected: [string, number][];
  beforeAll(async () => {
    expected = statusesOf(await walk(writer, isRead));
    // Nobody else writes from here on.
    await writer.close();
    isWriting = false;
  });

  it.each(WAYS.slice(0, isPoolerInstalled ? 2 : 1))(
    'changes nothing, whatever it is asked, %s',
    async (_, way) => {
      const { url, end } = await way();
      const database = { ...pair.ofPrimary, url };
      const alone = await startTestService({ database, clock: writer.clock, readOnly: true });
      try {
        const before = await contents(pair.ofPrimary);
        expect(statusesOf(await walk(alone, isRead))).toEqual(expected);
        const writes = statusesOf(await walk(alone, (route) => !isRead(route)));
        expect(new Set(writes.map(([, status]) => status))).toEqual(new Set([503]));
        // Past the guard, too, no session would write.
        const statement = alone.app.get(Database).query('DELETE FROM idempotency_keys');
        await expect(statement).rejects.toMatchObject({ code: 'database_read_only' });
        const work = alone.app
          .get(UnitOfWork)
          .run(async (tx) => tx.read('DELETE FROM idempotency_keys'));
        await expect(work).rejects.toMatchObject({ code: 'database_read_only' });
        expect(await contents(pair.ofPrimary)).toEqual(before);
      } finally {
        await alone.close();
        await end();
      }
    },
  );
});
