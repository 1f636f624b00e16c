import { afterEach, describe, expect, it } from 'vitest';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { allIsShown } from '../../feed/shown.js';
import { booksOfEverything, sealAll } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import type { TestDatabase } from '../../support/database.js';
import { aRestoredCopy, domainIds } from '../../support/restore.js';
import { startTestService, type TestService } from '../../support/service.js';

// Seals in a database that was dumped, and restored where the catalog has other ids.

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
async function restored(source: TestDatabase): Promise<TestService> {
  const copy = await aRestoredCopy(source);
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

const page = async (of: TestClient, after: string) =>
  of.get<{ data: { type: string }[]; next_cursor: string }>(`/v1/events?after=${after}`);

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

  it('refuses places of readers of events, and gives them all that it has, and what comes', async () => {
    const made = await service();
    await made.database.query(`CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint
      LANGUAGE sql STABLE RETURN 1000000000::bigint`);
    const client = await made.aClient();
    const invoice = await client.anInvoice();
    await allIsShown(made.database);
    const before = (await page(client, 'beginning')).body;
    const copy = await restored(made.database);
    const again = await copy.aClient({ of: client });
    expect((await page(again, before.next_cursor)).body).toMatchObject({ code: 'history_changed' });
    await allIsShown(copy.database);
    const there = (await page(again, 'beginning')).body;
    expect(there.data).toEqual(before.data);
    await again.pay(invoice, { amount: 100 });
    await allIsShown(copy.database);
    const next = (await page(again, there.next_cursor)).body;
    expect(next.data.map(({ type }) => type)).toEqual([
      'payment.recorded',
      'document.partially_paid',
    ]);
  });
});
