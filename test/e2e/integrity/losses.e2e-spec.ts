import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommittedFacts, EventLog, EventsQuery } from '../../../src/events/index.js';
import { LossAcceptance } from '../../../src/integrity/index.js';
import { LossWatch } from '../../../src/integrity/application/loss-watch.js';
import { SealHeadsFile } from '../../../src/integrity/infrastructure/heads-file.repository.js';
import { LossesRepository } from '../../../src/integrity/infrastructure/losses.repository.js';
import { publicId, type Uuid, uuidOf } from '../../../src/kernel/ids.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.js';
import { Database } from '../../../src/platform/database/database.js';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

// Facts that a process was told are stored: it remembers and asks for them. A failover: test/startup/failover.

let service: TestService;
let client: TestClient;
let facts: CommittedFacts;
beforeAll(async () => {
  service = await startTestService();
  facts = service.app.get(CommittedFacts);
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
  await service.app.get(LossWatch).look();
});

const ours = () => {
  const accountId = uuidOf('acc', client.accountId);
  return facts.last().filter((one) => one.accountId === accountId);
};
const stored = async () =>
  service.database.query<{ event_id: Uuid }>('SELECT event_id FROM events WHERE account_id = $1', [
    uuidOf('acc', client.accountId),
  ]);

describe('the facts that are remembered', () => {
  it('are those that are stored, of groups with members that were refused, too', async () => {
    const invoice = await client.anInvoice();
    const amounts = [100, 100, 9_999_999, 100, 9_999_999, 100, 100, 9_999_999];
    const answers = await Promise.all(amounts.map((amount) => client.pay(invoice, { amount })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const ids = (await stored()).map(({ event_id: id }) => id);
    expect(
      ours()
        .map(({ eventId }) => eventId)
        .toSorted(),
    ).toEqual(ids.toSorted());
    expect(ids.length).toBeGreaterThan(5);
  });

  it('are none of a transaction that was undone', async () => {
    await client.anInvoice();
    const before = ours().length;
    const [{ accountId } = { accountId: '' as Uuid }] = ours();
    const undone = service.app.get(UnitOfWork).run(async (tx) => {
      const actor = { type: 'operator', id: 'us' } as const;
      service.app.get(EventLog).tell(tx, { accountId, actor }, 'item.created', {} as never);
      await tx.flush();
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(ours()).toHaveLength(before);
  });

  it('are at most some thousand', () => {
    const many = new CommittedFacts({} as EventsQuery);
    const event = { accountId: 'a' as Uuid, type: 'x', document: null, data: {} } as never;
    for (let count = 0; count < 50_000; count += 1) many.note([event], [`${count}` as Uuid]);
    expect(many.last()).toHaveLength(20_000);
    expect(many.newest?.eventId).toBe('49999');
  });
});

describe('a host that tells no timeline', () => {
  it('is asked for facts all the same', async () => {
    // As hosts that keep the log elsewhere refuse it.
    await service.database
      .query(`CREATE FUNCTION pg_current_wal_lsn() RETURNS pg_lsn LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'not here' USING ERRCODE = 'feature_not_supported'; END $$`);
    const url = `${service.database.ownerUrl}?options=-csearch_path%3Dpublic,pg_catalog`;
    const limits = { poolSize: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 };
    const dataSource = await new DataSource(dataSourceOptions({ url, ...limits })).initialize();
    try {
      const losses = new LossesRepository(new Database(dataSource), service.app.get(SealHeadsFile));
      const standing = await losses.standing(facts.newest);
      expect(standing).toEqual({ timeline: null, isStandby: false, hasFact: true });
    } finally {
      await dataSource.destroy();
      await service.database.query('DROP FUNCTION public.pg_current_wal_lsn()');
    }
  });
});

describe('a fact that is gone', () => {
  it('is told once, by the number of its document, until it is accepted', async () => {
    const invoice = await client.anInvoice();
    const losses = service.app.get(LossesRepository);
    expect(await losses.open()).toEqual([]);
    const { eventId } = facts.newest!;
    await service.database.query(`ALTER TABLE events DISABLE TRIGGER USER;
      DELETE FROM events WHERE event_id = '${eventId}'; ALTER TABLE events ENABLE TRIGGER USER`);
    await service.app.get(LossWatch).look();
    await service.app.get(LossWatch).look();
    const [loss, ...others] = await losses.open();
    expect(others).toEqual([]);
    expect(loss).toMatchObject({ count: 1, seals: [] });
    expect(loss?.facts[0]).toMatch(new RegExp(`^document.issued evt_.* of ${invoice.number}$`));
    expect(await service.app.get(EventsQuery).missing(facts.last())).toEqual(new Set());
    expect(await service.app.get(LossWatch).isHeld()).toBe(true);
    expect((await service.metrics()).text).toMatch(/^history_losses 1$/m);
    expect(await service.app.get(LossAcceptance).accept()).toEqual([loss]);
    expect(await service.app.get(LossWatch).isHeld()).toBe(false);
    expect((await service.metrics()).text).toMatch(/^history_losses 0$/m);
  });

  it('is named also where thousands are, as of a primary that went on alone', async () => {
    const accountId = uuidOf('acc', client.accountId);
    const event = { accountId, type: 'payment.recorded', document: null, data: {} } as never;
    const ids = Array.from({ length: 2500 }, () => randomUUID() as Uuid);
    for (const id of ids) facts.note([event], [id]);
    await service.app.get(LossWatch).look();
    const told = await service.app.get(LossesRepository).open();
    expect(told.map(({ count }) => count)).toEqual([1000, 1000, 500]);
    const names = told.flatMap((loss) => loss.facts);
    expect(names).toEqual(ids.map((id) => `payment.recorded ${publicId('evt', id)}`));
    expect(await service.app.get(LossAcceptance).accept()).toEqual(told);
  });
});
