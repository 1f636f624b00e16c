import { DataSource } from 'typeorm';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IntegrityJob } from '../../../src/integrity/application/integrity-job.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { IntegrityRunsRepository } from '../../../src/integrity/infrastructure/integrity-runs.repository.js';
import type { IntegrityBody, IntegrityRunBody } from '../../../src/integrity/wire/integrity.js';
import { NO_ACCOUNT, UuidV7Generator } from '../../../src/kernel/ids.js';
import { checkedBooks, sealAll, uuidIn } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { startTestService, type TestService } from '../../support/service.js';

const PATH = '/v1/finance/integrity';
const RUNS = `${PATH}/runs`;

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService({ doesJobs: false });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.database.query('DELETE FROM integrity_runs');
  client = await service.aClient();
});

const work = async (of = service) => of.app.get(IntegrityJob).run();
const start = async () => (await client.post<IntegrityRunBody>(RUNS, {})).body;
const read = async ({ id }: { id: string }) =>
  (await client.get<IntegrityRunBody>(`${RUNS}/${id}`)).body;
const step = async ({ id }: { id: string }, name: string) =>
  client.post<IntegrityRunBody>(`${RUNS}/${id}/${name}`, {});
const wrongSum = (amount: number) =>
  service.database.query('UPDATE documents SET amount_paid = $1', [amount]);

/** Says of a document that more was paid. */
const overstate = ({ id }: { id: string }, by: number) =>
  service.database.query(
    'UPDATE documents SET amount_paid = amount_paid + $2 WHERE document_id = $1',
    [uuidIn('doc', { id }), by],
  );
/** A run to its end: whether it looked at all, and what it found something about. */
const checked = async (body: object = {}) => {
  const { body: run } = await client.post<IntegrityRunBody>(RUNS, body);
  await work();
  const { full, differences } = await read(run);
  return { full, ids: [...new Set(differences.map(({ id }) => id))] };
};

/** Of all accounts, as each day. */
const daily = async () => {
  await service.app.get(IntegrityRunsRepository).askWhenDue(24, new UuidV7Generator().next());
  expect(await work()).toBe(1);
  const [run] = await service.database.query<{ full: boolean; differences: bigint }>(
    `SELECT is_full AS full, differences FROM integrity_runs WHERE account_id = '${NO_ACCOUNT}'
     ORDER BY finished_at DESC LIMIT 1`,
  );
  // As if it had been yesterday.
  await service.database.query(
    `UPDATE integrity_runs SET requested_at = requested_at - interval '1 day'`,
  );
  return run;
};

/** Holds a check at the table, until it is let go. */
async function blocked(): Promise<pg.Client> {
  const holder = await service.database.connect();
  await holder.query('BEGIN; LOCK TABLE payments IN ACCESS EXCLUSIVE MODE');
  return holder;
}

describe('a check of the books', () => {
  it('is told only when there was one', async () => {
    expect(await client.get(PATH)).toMatchObject({
      status: 404,
      body: { code: 'books_not_checked' },
    });
  });

  it('is asked for, made, and read', async () => {
    await client.anInvoice();
    const { status, body, headers } = await client.post<IntegrityRunBody>(RUNS, {});
    expect(status).toBe(201);
    expect(headers.get('location')).toMatch(new RegExp(`${RUNS}/${body.id}$`));
    expect(body).toMatchObject({ status: 'waiting', checks: null, checks_done: 0 });
    expect(await work()).toBe(1);
    const run = await read(body);
    expect(run).toMatchObject({ status: 'finished', difference_count: 0, differences: [] });
    expect(run.checks).toBeGreaterThan(100);
    expect(run.checks_done).toBe(run.checks);
    expect((await client.get<IntegrityBody>(PATH)).body).toMatchObject({
      checks: run.checks,
      differences: [],
      checked_at: run.started_at,
      under_way: null,
    });
  });

  it('is one of an account at a time', async () => {
    const first = await start();
    const second = await client.post<IntegrityRunBody>(RUNS, {});
    expect(second).toMatchObject({ status: 200, body: { id: first.id } });
    const many = await Promise.all(Array.from({ length: 8 }, async () => client.post(RUNS, {})));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    const [own, of] = [client, await service.aClient()];
    expect(await of.post(RUNS, {})).toMatchObject({ status: 201 });
    expect(await of.get(`${RUNS}/${first.id}`)).toMatchObject({
      status: 404,
      body: { code: 'integrity_run_not_found' },
    });
    expect(await work()).toBe(2);
    expect(await own.post(RUNS, {})).toMatchObject({ status: 201 });
  });

  it('is one, where eight ask at once', async () => {
    const many = await Promise.all(
      Array.from({ length: 8 }, async () => client.post<IntegrityRunBody>(RUNS, {})),
    );
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(many.map(({ body }) => body.id)).size).toBe(1);
  });

  it('keeps what it found until the next, also while that is under way', async () => {
    const invoice = await client.anInvoice();
    await wrongSum(1);
    const { differences, difference_count: count } = await checkedBooks(service, client);
    expect(differences).toContainEqual(
      expect.objectContaining({ id: invoice.id, stored: '1', derived: '0' }),
    );
    expect(count).toBe(differences.length);
    await wrongSum(0);
    const next = await start();
    const { body } = await client.get<IntegrityBody>(PATH);
    expect(body).toMatchObject({ differences, under_way: { id: next.id, status: 'waiting' } });
    await work();
    expect((await client.get<IntegrityBody>(PATH)).body.differences).toEqual([]);
  });

  it('of all accounts speaks for each that there was, if it found nothing', async () => {
    const daily = await startTestService({ database: service.database, integrityHours: 24 });
    try {
      expect(await work(daily)).toBe(1);
      expect(await client.get(PATH)).toMatchObject({ status: 200, body: { differences: [] } });
      expect(await (await service.aClient()).get(PATH)).toMatchObject({ status: 404 });
      await service.database.query('DELETE FROM integrity_runs');
      await client.anInvoice();
      await wrongSum(1);
      expect(await work(daily)).toBe(1);
      expect(await client.get(PATH)).toMatchObject({ status: 404 });
    } finally {
      await wrongSum(0);
      await daily.close();
    }
  });

  it('is in the audit log, which is sealed', async () => {
    const run = await start();
    await work();
    const { body } = await client.get<{ data: { action: string; subject: string }[] }>('/v1/audit');
    const entries = body.data.filter(({ subject }) => subject === run.id);
    expect(entries.map(({ action }) => action)).toEqual([
      'integrity.checked',
      'integrity.requested',
    ]);
  });
});

describe('a check behind one that found nothing', () => {
  it('looks at what is new, and all look at all after differences, or when they are told to', async () => {
    const old = await client.anInvoice();
    await sealAll(service);
    expect(await checked()).toEqual({ full: true, ids: [] });
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 10 });
    expect(await checked()).toEqual({ full: false, ids: [] });
    await overstate(old, 1);
    expect(await checked({ full: true })).toEqual({ full: true, ids: [old.id] });
    expect(await checked()).toEqual({ full: true, ids: [old.id] });
    await overstate(old, -1);
    expect(await checked()).toEqual({ full: true, ids: [] });
    await overstate(invoice, 1);
    expect(await checked()).toEqual({ full: false, ids: [invoice.id] });
    const { differences } = (await client.get<IntegrityBody>(PATH)).body;
    expect(new Set(differences.map(({ id }) => id))).toEqual(new Set([invoice.id]));
    await overstate(invoice, -1);
  });

  it('looks at all where that is what the operator wants', async () => {
    const other = await startTestService({
      database: service.database,
      doesJobs: false,
      integrityShares: 1,
    });
    try {
      await client.anInvoice();
      await sealAll(service);
      expect(await checked()).toMatchObject({ full: true });
      const run = await start();
      await work(other);
      expect(await read(run)).toMatchObject({ status: 'finished', full: true });
    } finally {
      await other.close();
    }
  });

  it('looks at all of what is old within thirty', async () => {
    const invoices = [];
    for (let window = 0; window < 70; window += 1) {
      invoices.push(await client.anInvoice());
      if (window % 2 === 1) await sealAll(service);
    }
    expect(await checked()).toEqual({ full: true, ids: [] });
    const hidden = invoices[41]!;
    await overstate(hidden, 1);
    let runs = 1;
    while ((await checked()).ids.length === 0 && runs < 40) runs += 1;
    expect(runs).toBeGreaterThan(1);
    expect(runs).toBeLessThanOrEqual(30);
    await overstate(hidden, -1);
  });

  it('does not hide what one of a part did not look at', async () => {
    const windows = [];
    for (let window = 0; window < 40; window += 1) {
      windows.push(await client.anInvoice());
      await sealAll(service);
    }
    expect(await daily()).toEqual({ full: true, differences: 0n });
    expect(await daily()).toEqual({ full: false, differences: 0n });
    const old = windows.at(-1)!;
    await overstate(old, 1);
    expect(await daily()).toEqual({ full: false, differences: 0n });
    expect((await client.get<IntegrityBody>(PATH)).body.differences).toEqual([]);
    const found = await checked({ full: true });
    expect(found).toEqual({ full: true, ids: [old.id] });
    // One that began before, and ended after it.
    await service.database.query(
      'UPDATE integrity_runs SET finished_at = clock_timestamp() WHERE NOT is_full',
    );
    const told = async () => (await client.get<IntegrityBody>(PATH)).body.difference_count;
    expect(await told()).toBeGreaterThan(0);
    expect(await daily()).toMatchObject({ full: true });
    expect(await told()).toBeGreaterThan(0);
    await overstate(old, -1);
    expect(await daily()).toEqual({ full: true, differences: 0n });
    expect(await told()).toBe(0);
    expect(await daily()).toEqual({ full: false, differences: 0n });
  });

  it('of an account begins where one of all ended', async () => {
    await client.anInvoice();
    await sealAll(service);
    await daily();
    expect(await checked()).toEqual({ full: false, ids: [] });
  });
});

describe('a check that is under way', () => {
  it('waits while it is paused, and goes on behind what is done', async () => {
    const run = await start();
    const holder = await blocked();
    const working = work();
    await expect
      .poll(async () => (await read(run)).checks_done, { timeout: PATIENCE_MS })
      .toBeGreaterThan(0);
    expect((await step(run, 'pause')).body.status).toBe('paused');
    await holder.query('COMMIT');
    await holder.end();
    expect(await working).toBe(0);
    const paused = await read(run);
    expect(paused.status).toBe('paused');
    expect(paused.checks_done).toBeLessThan(paused.checks ?? 0);
    expect(await work()).toBe(0);
    expect((await step(run, 'pause')).body.status).toBe('paused');
    expect((await step(run, 'resume')).body.status).toBe('waiting');
    expect(await work()).toBe(1);
    const { checks, ...after } = await read(run);
    expect(after).toMatchObject({ status: 'finished', checks_done: checks, differences: [] });
    const [names] = await service.database.query<{ all: number }>(
      `SELECT count(DISTINCT name)::int AS all FROM integrity_runs, unnest(checks_done) name`,
    );
    expect(names?.all).toBe(checks);
  });

  it('is canceled, and no step is left', async () => {
    const run = await start();
    expect((await step(run, 'cancel')).body).toMatchObject({
      status: 'canceled',
      finished_at: expect.stringMatching(/^20/),
    });
    expect(await work()).toBe(0);
    expect((await step(run, 'cancel')).status).toBe(200);
    for (const name of ['pause', 'resume']) {
      expect(await step(run, name)).toMatchObject({
        status: 409,
        body: { code: 'integrity_run_ended' },
      });
    }
    expect(await client.get(PATH)).toMatchObject({ status: 404 });
    expect(await client.post(RUNS, {})).toMatchObject({ status: 201 });
  });

  it('is taken over where its process is silent, which writes no more', async () => {
    const run = await start();
    const runs = service.app.get(IntegrityRunsRepository);
    const ids = new UuidV7Generator();
    const first = await runs.take(ids.next());
    if (!first) throw new Error('no check waits');
    const one = { check: 'one', checks: 2 };
    expect(await runs.keep(first, one, [])).toBe(true);
    expect(await runs.take(ids.next())).toBeUndefined();
    await service.database.query(
      `UPDATE integrity_runs SET alive_at = alive_at - interval '61 seconds'`,
    );
    const second = await runs.take(ids.next());
    expect(second).toMatchObject({ runId: uuidIn('chk', run), done: ['one'] });
    expect(await runs.keep(first, { check: 'two', checks: 2 }, [])).toBe(false);
    await runs.giveBack(first, 'two');
    expect(await read(run)).toMatchObject({
      status: 'running',
      checks_done: 1,
      failed_check: null,
    });
  });

  it('has failed when a single check cannot be made three times, and says which', async () => {
    const run = await start();
    await service.database.query('ALTER TABLE exchange_rates RENAME COLUMN quote TO quoted');
    try {
      await expect(work()).rejects.toThrow('could not be made');
      expect((await read(run)).status).toBe('waiting');
      for (let again = 0; again < 2; again += 1) await expect(work()).rejects.toThrow();
      expect(await read(run)).toMatchObject({
        status: 'failed',
        failed_check: expect.stringContaining('exchange_rates'),
        finished_at: expect.stringMatching(/^20/),
      });
      expect(await work()).toBe(0);
      expect(await client.get(PATH)).toMatchObject({ status: 404 });
    } finally {
      await service.database.query('ALTER TABLE exchange_rates RENAME COLUMN quoted TO quote');
    }
    expect((await checkedBooks(service, client)).differences).toEqual([]);
  });

  it('leaves no statement behind where its process has gone', async () => {
    const other = await startTestService({ database: service.database });
    const holder = await blocked();
    try {
      const check = other.app.get(IntegrityQuery).differences();
      const failed = expect(check).rejects.toThrow();
      const reading = async () =>
        (
          await service.database.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).length;
      await expect.poll(reading, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
      const { master } = other.app.get(DataSource).driver as unknown as {
        master: { _clients: pg.PoolClient[] };
      };
      for (const { connection } of master._clients) connection.stream.destroy();
      await failed;
      await expect.poll(reading, { timeout: PATIENCE_MS }).toBe(0);
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
      await other.close();
    }
  });
});
