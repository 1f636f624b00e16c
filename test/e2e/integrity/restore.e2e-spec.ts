import { afterEach, describe, expect, it, vi } from 'vitest';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { booksOfEverything, sealAll } from '../../support/books.js';
import type { TestDatabase } from '../../support/database.js';
import { beforeVersions, emptyBeforeVersions, sealInVersion1 } from '../../support/first-seals.js';
import { aRestoredCopy, domainIds } from '../../support/restore.js';
import { startTestService, type TestService } from '../../support/service.js';

// Seals in a database that was dumped, and restored where the catalog has other ids.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const started: TestService[] = [];
const copies: TestDatabase[] = [];
afterEach(async () => {
  for (const service of started.splice(0).toReversed()) await service.close();
  for (const copy of copies.splice(0)) await copy.drop();
});

async function service(database?: TestDatabase): Promise<TestService> {
  const one = await startTestService(database ? { database } : {});
  started.push(one);
  return one;
}

/** Restored, migrated, and with a service on it. */
async function restored(
  source: TestDatabase,
  shape?: (url: string) => Promise<unknown>,
): Promise<TestService> {
  const copy = await aRestoredCopy(source, shape);
  copies.push(copy);
  expect(await domainIds(copy)).not.toBe(await domainIds(source));
  await migrate(copy.url);
  return service(copy);
}

const integrity = async ({ app }: TestService) => app.get(IntegrityQuery).differences();
const agrees = async (one: TestService) =>
  expect(await integrity(one)).toMatchObject({ differences: [], unsealed: 0n });

const tamper = async ({ database }: TestService, table: string, sql: string) =>
  database.query(`ALTER TABLE ${table} DISABLE TRIGGER USER; ${sql};
    ALTER TABLE ${table} ENABLE TRIGGER USER`);

/** In every account: one more event and transfer, in a window of its own. */
async function goOn(one: TestService): Promise<void> {
  const client = await one.aClient();
  await client.pay(await client.anInvoice(), { amount: 100 });
  await sealAll(one);
}

/** Books with windows of version 1, as they are before the versions are migrated to. */
async function firstBooks(): Promise<TestService> {
  const made = await service();
  const client = await made.aClient();
  await booksOfEverything(made, client);
  await beforeVersions(made.database.ownerUrl);
  await sealInVersion1(made.database);
  return made;
}

describe('a restored database', () => {
  it('agrees with its seals, goes on with them, and shows what was changed in it', async () => {
    const made = await service();
    await booksOfEverything(made, await made.aClient());
    await sealAll(made);
    await goOn(made);
    const copy = await restored(made.database);
    await agrees(copy);
    await goOn(copy);
    await agrees(copy);
    await tamper(
      copy,
      'transfers',
      `UPDATE transfers SET debit = 'payment_differences/EUR' WHERE ctid = (
        SELECT ctid FROM transfers WHERE fact = 'payment.recorded' ORDER BY transfer_id LIMIT 1)`,
    );
    expect((await integrity(copy)).differences).toContainEqual(
      expect.objectContaining({ check: 'what was sealed of transfers is what is there' }),
    );
    await agrees(made);
  });

  it('agrees in a cluster that counts transactions from below', async () => {
    const made = await service();
    await made.database.query(`CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint
      LANGUAGE sql STABLE RETURN 1000000000::bigint`);
    await goOn(made);
    await made.database.query(`CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint
      LANGUAGE sql STABLE RETURN 0::bigint`);
    const copy = await restored(made.database);
    await agrees(copy);
    await goOn(copy);
    await agrees(copy);
    const again = await restored(copy.database);
    await goOn(again);
    await agrees(again);
  });
});

describe('seals of version 1', () => {
  it('are verified after the versions were migrated to, and where that is restored', async () => {
    const made = await firstBooks();
    await migrate({ owner: made.database.ownerUrl, app: made.database.url, reader: null });
    // What is to be sealed yet is the audit log's word of the migration.
    expect(await integrity(made)).toMatchObject({ differences: [], unsealed: 1n });
    await goOn(made);
    await agrees(made);
    const versions = await made.database.query('SELECT version FROM seals GROUP BY 1 ORDER BY 1');
    expect(versions).toEqual([{ version: 1 }, { version: 2 }]);
    const copy = await restored(made.database);
    await goOn(copy);
    await agrees(copy);
  });

  it.each([
    [
      'transfers',
      `UPDATE transfers SET debit = 'cash/XXX' WHERE ctid = (SELECT max(ctid) FROM transfers)`,
    ],
    ['events', `UPDATE events SET type = 'x' WHERE ctid = (SELECT max(ctid) FROM events)`],
  ])('show what was changed of %s in a restored copy', async (table, sql) => {
    const made = await firstBooks();
    await made.database.query(`INSERT INTO events (account_id, event_id, type, data, occurred_at)
      SELECT account_id, gen_random_uuid(), 'later', '{}', now() FROM accounts LIMIT 1;
      INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount,
          currency, effective_on, recorded_at)
        SELECT account_id, gen_random_uuid(), fact, gen_random_uuid(), debit, credit, 7, currency,
          effective_on, now() FROM transfers LIMIT 1`);
    await sealInVersion1(made.database);
    await migrate({ owner: made.database.ownerUrl, app: made.database.url, reader: null });
    const copy = await restored(made.database);
    const before = (await integrity(copy)).differences.map(({ check }) => check);
    const check = `what was sealed of ${table} is what is there`;
    expect(before).not.toContain(check);
    await copy.database.query(
      'ALTER DOMAIN ledger_account DROP CONSTRAINT ledger_account_of_the_chart',
    );
    await copy.database.query('ALTER TABLE transfers DROP CONSTRAINT transfers_sound');
    await tamper(copy, table, sql);
    expect((await integrity(copy)).differences).toContainEqual(
      expect.objectContaining({ check, stored: expect.stringMatching(/^seal 2,/) }),
    );
  });

  it('that were restored before they could be kept are named, once, and the rest is verified', async () => {
    const made = await firstBooks();
    const copy = await restored(made.database, emptyBeforeVersions);
    await goOn(copy);
    expect((await integrity(copy)).differences).toEqual([
      {
        check: 'seals of version 1 can be verified in this database',
        id: expect.stringMatching(/^acc_/),
        stored: '1 of seals 1 to 1',
        derived: 'not verifiable: restored from a dump before version 2, or changed',
      },
    ]);
    await tamper(copy, 'payments', `UPDATE payments SET note = 'other' WHERE note = 'note'`);
    expect((await integrity(copy)).differences).toContainEqual(
      expect.objectContaining({ check: 'what was sealed of payments is what is there' }),
    );
  });
});
