import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { DEADLOCK } from '../../support/statements.js';
import { type EveryRoute, everyRouteOf, type Route } from '../every-route.js';
import { expectProblem } from '../expectations.js';
import { aRelayTo, type Relay } from './relay.js';
import { oneIn } from '../../support/share.js';

// No route answers 500, whatever state the database is in.

let database: TestDatabase;
let relay: Relay;
let service: TestService;
let every: EveryRoute;
let bearer: string;
/** Of what only reads, while all is well. */
let healthy: [string, number][];

beforeAll(async () => {
  database = await aDatabase();
  relay = await aRelayTo(database.url);
  // A job's transaction would stand in the way of what is done to all tables at once.
  service = await startTestService({ database: { ...database, url: relay.url }, doesJobs: false });
  every = await everyRouteOf(service);
  bearer = await every.owner.bearer();
  healthy = (await walk(isRead)).map(([route, { status }]) => [route, status]);
});
afterAll(async () => {
  await service.close();
  await relay.close();
  await database.drop();
});
// The traces of a state are seen here, and not by the next test.
beforeEach(async () => {
  await renewed();
  await every.owner.anInvoice();
  expect((await service.call('/readyz')).status).toBe(200);
});

const isAny = () => true;
const isRead = ({ method, path }: Route) => method === 'GET' && path !== '/readyz';
const isWrite = ({ method }: Route) => method !== 'GET';

async function walk(which: (route: Route) => boolean) {
  const answers: [string, Awaited<ReturnType<EveryRoute['call']>>][] = [];
  for (const route of every.routes.filter(which)) {
    answers.push([`${route.method} ${route.path}`, await every.call(route, bearer)]);
  }
  return answers;
}

/** No session goes on with what it was told when it began. */
async function renewed(): Promise<void> {
  await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend'`);
  // Callers that meet an ended connection are refused; these are, and nobody after them.
  await Promise.all(
    Array.from({ length: 20 }, async () => every.owner.get('/v1/finance/documents')),
  );
  await service.call('/readyz');
}

/** Every answer of 500 or above is one of ours, with Retry-After. @returns how many there were */
async function expectOnly(
  codes: readonly string[],
  which: (route: Route) => boolean = isAny,
): Promise<number> {
  const failed = (await walk(which)).filter(([, { status }]) => status >= 500);
  const wrong = failed.filter(([, { status, body, headers }]) => {
    const isOurs = codes.includes(`${body['code']}`);
    return status !== 503 || !isOurs || !headers.has('retry-after');
  });
  expect(wrong.map(([route, { status, text }]) => [route, status, text])).toEqual([]);
  return failed.length;
}

/** Changes many tables at once, again where a statement of the service met it in a deadlock. */
async function change(statements: string): Promise<void> {
  try {
    await database.query(statements);
  } catch (error) {
    if ((error as { code?: string }).code !== DEADLOCK) throw error;
    await change(statements);
  }
}

async function inState<Result>(
  begin: string,
  end: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await change(begin);
  await renewed();
  try {
    return await work();
  } finally {
    await change(end);
  }
}

const name = () => new URL(database.url).pathname.slice(1);
const role = () => new URL(database.url).username;
const tables = async () =>
  (
    await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    )
  ).map((table) => table.name);
const forAll = async (statement: (table: string) => string) =>
  (await tables()).map(statement).join(';');

const readOnly = async (work: () => Promise<void>) =>
  inState(
    `ALTER DATABASE ${name()} SET default_transaction_read_only = on`,
    `ALTER DATABASE ${name()} RESET default_transaction_read_only`,
    work,
  );

/** Policies of rows raise what a real one would, for each row that is read, locked or written. */
async function raising(
  state: string,
  work: () => Promise<void>,
  { readsToo = true } = {},
): Promise<void> {
  const begin = `CREATE OR REPLACE FUNCTION fault() RETURNS boolean LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${state}'; END $$;
    ${await forAll(
      (table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY fault ON ${table} USING (fault());
        CREATE POLICY shown ON ${table} FOR SELECT USING (${!readsToo})`,
    )}`;
  const end = await forAll(
    (table) => `DROP POLICY fault ON ${table};
      DROP POLICY shown ON ${table};
      ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY;
      ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`,
  );
  await inState(begin, end, work);
}

describe('a read-only database', () => {
  it('is read as before, and refuses changes', async () => {
    await readOnly(async () => {
      const read = (await walk(isRead)).map(([route, { status }]) => [route, status]);
      expect(read).toEqual(healthy);
      expect(await expectOnly(['database_read_only'], isWrite)).toBeGreaterThan(20);
      const ready = expectProblem(await service.call('/readyz'), 503, 'database_read_only');
      expect(ready['reason']).toBe('read_only');
    });
  });

  it('shows the PDF of a document that was never printed', async () => {
    const invoice = await every.owner.anInvoice();
    await readOnly(async () => {
      const answer = await every.owner.get(`/v1/finance/documents/${invoice.id}/pdf`);
      expect([answer.status, answer.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    });
  });

  it('shows a client an open invoice, whose visit it cannot keep', async () => {
    const invoice = await every.owner.anInvoice();
    const token = await every.owner.aPortalToken(invoice);
    const headers = {
      accept: 'text/html',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    await readOnly(async () => {
      const page = await service.call(`/v1/portal/${token}`, { headers });
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Pay now')]);
      expect((await service.call('/readyz')).status).toBe(503);
    });
  });
});

describe('every route', () => {
  it('is refused where nobody listens', async () => {
    await relay.close();
    try {
      expect(await expectOnly(['database_unavailable'])).toBeGreaterThan(50);
    } finally {
      await relay.open();
    }
  });

  it('is refused where no connection is left', async () => {
    const limit = `ALTER DATABASE ${name()} CONNECTION LIMIT`;
    const failed = await inState(`${limit} 0`, `${limit} -1`, async () =>
      expectOnly(['database_unavailable']),
    );
    expect(failed).toBeGreaterThan(50);
  });

  it('is refused where the role has no privileges', async () => {
    const all = `ALL ON ALL TABLES IN SCHEMA public`;
    const failed = await inState(
      `REVOKE ${all} FROM ${role()}`,
      `GRANT ${all} TO ${role()}`,
      async () => expectOnly(['database_unavailable']),
    );
    expect(failed).toBeGreaterThan(50);
  });

  it('is refused where the tables are of another version', async () => {
    const gone = await forAll((table) => `ALTER TABLE ${table} RENAME TO ${table}_gone`);
    const back = await forAll((table) => `ALTER TABLE ${table}_gone RENAME TO ${table}`);
    await inState(gone, back, async () => {
      expect(await expectOnly(['database_unavailable'])).toBeGreaterThan(50);
      const { body } = await service.call('/readyz');
      expect(body['reason']).toBe('schema_mismatch');
    });
  });

  const states = [
    ['a full disk', '53100', 'disk_full'],
    ['no memory', '53200', null],
    ['a statement that was canceled', '57014', null],
    ['a server that is shut down', '57P01', null],
    ['an I/O error', '58030', 'broken'],
    ['damaged data', 'XX001', 'broken'],
    ['a damaged index', 'XX002', 'broken'],
    ['an internal error of PostgreSQL', 'XX000', 'broken'],
    ['a plan that does not fit any more', '26000', null],
    ['a kind of database that cannot do it', '0A000', 'broken'],
  ] as const;

  it.each(oneIn(3, states))('is refused with %s (%s)', async (_, state, reason) => {
    await raising(state, async () => {
      expect(await expectOnly(['database_unavailable'])).toBeGreaterThan(40);
      const pay = await every.owner.post(
        '/v1/finance/documents',
        { customer: { name: 'Full' }, lines: [] },
        { authorization: `Bearer ${bearer}` },
      );
      expect(pay.status).toBe(422);
      const ready = await service.call('/readyz');
      expect([ready.status, ready.body['reason']]).toEqual(
        reason === null ? [200, undefined] : [503, reason],
      );
    });
  });

  it('that writes may have to wait for others, as it says', async () => {
    const lockNotAvailable = '55P03';
    await raising(
      lockNotAvailable,
      async () => {
        const answers = await walk(isAny);
        const busy = answers.filter(([, { body }]) => body['code'] === 'document_busy');
        expect(busy.length).toBeGreaterThan(100);
        expect(busy.filter(([route]) => route.startsWith('GET '))).toEqual([]);
        // A provider would take 409 for the end of its event, and a client for that of its token.
        const failed = answers.filter(([, { status }]) => status >= 500);
        expect(failed.map(([route, { status, body }]) => [route, status, body['code']])).toEqual([
          ['POST /v1/auth/token', 503, 'token_busy'],
          ['POST /v1/webhooks/:gateway', 503, 'document_busy'],
        ]);
      },
      { readsToo: false },
    );
  });
});
