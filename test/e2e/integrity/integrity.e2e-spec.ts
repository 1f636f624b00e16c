import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IntegrityBody } from '../../../src/integrity/wire/integrity.js';
import { IntegrityQuery, SealsRepository } from '../../../src/integrity/index.js';
import { publicId, uuidOf, UuidV7Generator } from '../../../src/kernel/ids.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { booksOfEverything, checkedBooks, sealAll, uuidIn } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { createLog } from '../../../src/platform/observability/log.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { startTestService, type TestService } from '../../support/service.js';

const PATH = '/v1/finance/integrity';

const ids = new UuidV7Generator();

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

const integrity = async (of = client, query = ''): Promise<IntegrityBody> =>
  checkedBooks(service, of, query);
/** How far it is sealed; nothing is checked. */
const standing = async (of = client) => (await of.get<IntegrityBody>(PATH)).body;
const seal = () => sealAll(service);
const all = () => service.app.get(IntegrityQuery).differences();

/** As the owner of the tables, who turns their triggers off. */
const tamper = async (table: string, sql: string) =>
  service.database.query(`ALTER TABLE ${table} DISABLE TRIGGER USER; ${sql};
    ALTER TABLE ${table} ENABLE TRIGGER USER`);

describe('GET /v1/finance/integrity', () => {
  it('says of new books that they agree, and that nothing is sealed', async () => {
    const own = await service.aClient();
    expect(await integrity(own)).toEqual({
      checks: expect.any(Number),
      differences: [],
      difference_count: 0,
      fully_checked_at: expect.any(String),
      checked_at: expect.stringMatching(/^20/),
      under_way: null,
      sealed: null,
      // Of the audit log: the account was made, the client, and the check.
      unsealed_rows: 4,
      contains_seal: null,
    });
  });

  it('counts what is not sealed, and then what is', async () => {
    await booksOfEverything(service, client);
    const before = await integrity();
    expect(before).toMatchObject({ differences: [], sealed: null });
    expect(before.unsealed_rows).toBeGreaterThan(50);
    await seal();
    expect(await standing()).toMatchObject({
      unsealed_rows: 0,
      sealed: {
        sequence: 1,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        rows: before.unsealed_rows,
      },
    });
    expect((await integrity()).differences).toEqual([]);
  });

  it('is about the caller’s account only', async () => {
    const other = await service.aClient();
    const invoice = await other.anInvoice();
    await seal();
    const contents = (set: string) =>
      tamper(
        'document_contents',
        `UPDATE document_contents SET ${set} WHERE document_id = '${uuidOf('doc', invoice.id)}'`,
      );
    await contents(`notes = 'x'`);
    expect((await integrity(other)).differences).not.toEqual([]);
    expect((await integrity()).differences).toEqual([]);
    await contents('notes = NULL');
    expect((await all()).differences).toEqual([]);
  });

  it('finds a trigger that was left switched off, and a function that was emptied', async () => {
    await service.database.query('ALTER TABLE transfers DISABLE TRIGGER transfers_append_only');
    expect((await integrity()).differences).toEqual([
      expect.objectContaining({ id: 'trigger transfers_append_only on transfers' }),
    ]);
    await service.database.query('ALTER TABLE transfers ENABLE TRIGGER transfers_append_only');
    const [made] = await service.database.query<{ sql: string }>(
      `SELECT pg_get_functiondef('refuse_change'::regproc) AS sql`,
    );
    await service.database.query(`CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger
      LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
    expect((await integrity()).differences).toEqual([
      expect.objectContaining({
        check: 'the schema is as the migrations made it',
        id: 'function refuse_change()',
        stored: expect.stringContaining('RETURN NULL'),
      }),
    ]);
    await service.database.query(made?.sql ?? '');
    expect((await integrity()).differences).toEqual([]);
  });

  it('finds an API client that nobody made, but none from before there was an audit log', async () => {
    const own = await service.aClient();
    const insert = (id: string, made: string) =>
      service.database.query(
        `INSERT INTO api_clients (client_id, account_id, name, secret_sha256, scopes, had_scopes,
           created_at)
         VALUES ('${id}', '${uuidOf('acc', own.accountId)}', 'x', sha256('x'), '{}', '{}', ${made})`,
      );
    const [forged, old] = [ids.next(), ids.next()];
    await insert(old, `(SELECT min(occurred_at) FROM audit_entries) - interval '1 second'`);
    expect((await integrity(own)).differences).toEqual([]);
    await insert(forged, 'now()');
    const found = {
      check: 'the audit log tells who made an API client',
      id: publicId('cli', forged),
      stored: expect.stringMatching(/^made at 20/),
      derived: 'no entry client.created',
    };
    expect((await integrity(own)).differences).toEqual([found]);
    expect((await all()).differences).toEqual([found]);
    expect((await integrity()).differences).toEqual([]);
    await service.database.query('DELETE FROM api_clients WHERE client_id = $1', [forged]);
  });

  it('wants a scope of reports', async () => {
    const reader = await service.aClient({ scopes: ['payments:read'], of: client });
    expect((await reader.get(PATH)).status).toBe(403);
  });

  it.each(['?sequence=1', `?digest=${'0'.repeat(64)}`, '?sequence=0&digest=x', '?page=1'])(
    'refuses %s',
    async (query) => {
      expect(await client.get(`${PATH}${query}`)).toMatchObject({ status: 400 });
    },
  );
});

describe('a chain of seals', () => {
  it('goes on with what is written later, and still has a seal that was kept', async () => {
    const kept = (await integrity()).sealed;
    await client.anInvoice();
    await seal();
    const { sealed } = await integrity();
    expect(sealed?.sequence).toBe((kept?.sequence ?? 0) + 1);
    expect(
      await integrity(client, `?sequence=${kept?.sequence}&digest=${kept?.digest}`),
    ).toMatchObject({ contains_seal: true, differences: [] });
  });

  it('names the account, the seal and the table of what was changed', async () => {
    const own = await service.aClient();
    const invoice = await own.anInvoice();
    await own.pay(invoice);
    await seal();
    await own.pay(invoice, { amount: 100, note: 'changed' });
    await seal();
    await tamper('payments', `UPDATE payments SET note = 'other' WHERE note = 'changed'`);
    expect((await integrity(own)).differences).toEqual([
      {
        check: 'what was sealed of payments is what is there',
        id: own.accountId,
        stored: expect.stringMatching(/^seal 2, .* 1 rows/),
        derived: expect.stringMatching(/^seal 2, .* 1 rows/),
      },
    ]);
    await tamper('payments', `UPDATE payments SET note = 'changed' WHERE note = 'other'`);
  });

  it('waits for a transaction that began earlier and ends later, and seals its rows then', async () => {
    const own = await service.aClient();
    const invoice = await own.anInvoice();
    await seal();
    const late = await service.database.connect();
    try {
      await late.query(`BEGIN; INSERT INTO events (account_id, event_id, type, data, occurred_at)
        SELECT account_id, gen_random_uuid(), 'late', '{}', now() FROM documents
        WHERE document_id = '${uuidIn('doc', invoice)}'`);
      expect((await own.pay(invoice)).status).toBe(201);
      // The payment stands after the open transaction: it has to wait.
      await service.app.get(SealsRepository).sealNext();
      expect((await integrity(own)).unsealed_rows).toBeGreaterThan(0);
      await late.query('COMMIT');
    } finally {
      await late.end();
    }
    await seal();
    expect((await standing(own)).unsealed_rows).toBe(0);
    expect((await integrity(own)).differences).toEqual([]);
  });

  it('is not forked by processes that seal at the same time', async () => {
    const other = await startTestService({ database: service.database });
    try {
      const sealers = [service, other].map(({ app }) => app.get(SealsRepository));
      for (let round = 0; round < 5; round += 1) {
        await client.anInvoice();
        const rounds = sealers.flatMap((one) => [one.sealNext(), one.sealNext()]);
        await Promise.all(rounds);
      }
      await seal();
      expect((await all()).differences).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('keeps no writer waiting, and is not kept by one', async () => {
    const blocked = await service.database.connect();
    await blocked.query('BEGIN; LOCK TABLE documents, payments, transfers IN ROW EXCLUSIVE MODE');
    expect((await all()).differences).toEqual([]);
    await blocked.query('ROLLBACK');
    await blocked.end();
  });

  it('goes on after a restore into a cluster that counts from below', async () => {
    const restored = await startTestService();
    const { database } = restored;
    const counted = (from: number) =>
      database.query(`CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint
        LANGUAGE sql STABLE RETURN ${from}::bigint`);
    const offset = () => database.query('SELECT book_xact_offset() AS offset');
    try {
      const own = await restored.aClient();
      await counted(1_000_000_000);
      await own.anInvoice();
      await sealAll(restored);
      await own.aQuote();
      await counted(0);
      expect(await migrate(database.ownerUrl)).toEqual([]);
      const [before] = await database.query('SELECT max(xact) AS xact FROM events');
      await own.anInvoice();
      const later = await database.query('SELECT FROM events WHERE xact > $1', [before?.['xact']]);
      // Its customer, its draft, its issue.
      expect(later).toHaveLength(3);
      await sealAll(restored);
      const found = await restored.app.get(IntegrityQuery).differences();
      expect(found).toMatchObject({ differences: [], unsealed: 0n });
      const once = await offset();
      await migrate(database.ownerUrl);
      expect(await offset()).toEqual(once);
    } finally {
      await restored.close();
    }
  });

  it('is written by a service by itself, and no longer when it stops', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    const sealing = await startTestService({ sealSeconds: 1, log });
    try {
      const own = await sealing.aClient();
      await own.anInvoice();
      expect((await checkedBooks(sealing, own)).differences).toEqual([]);
      await expect
        .poll(() => standing(own), { timeout: PATIENCE_MS })
        .toMatchObject({ unsealed_rows: 0, sealed: expect.anything() });
    } finally {
      await sealing.close();
    }
    expect(lines).toEqual([]);
  });
});
