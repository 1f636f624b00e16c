import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SkippedNumbers } from '../../../src/documents/index.js';
import { GivenNumbers } from '../../../src/documents/application/given-numbers.js';
import { IntegrityQuery, LossAcceptance } from '../../../src/integrity/index.js';
import { LossWatch } from '../../../src/integrity/application/loss-watch.js';
import { Sealer } from '../../../src/integrity/application/sealer.js';
import { LossesRepository } from '../../../src/integrity/infrastructure/losses.repository.js';
import { Chance } from '../../../src/testing/chance.js';
import { Succession } from '../../../src/platform/database/servers/succession.js';
import { untilAllHaveEnded } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { RUN_SEED, tries } from '../../support/share.js';
import { expectProblem } from '../expectations.js';
import { accountOf, aSeries, audited, changed } from './numbering.js';

// Numbers whose documents a database server lost: nobody gets them again, and the audit tells them. The
// rows are deleted, as a server that lacks them would stand.

let folder: string;
let file: string;
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-skipped-'));
  file = join(folder, 'heads');
  service = await startTestService({ sealHeadsFile: file });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  client = await service.aClient();
  await service.app.get(LossAcceptance).accept();
});

const LOST = ['documents', 'document_lines', 'document_tax_groups', 'events', 'credited_lines'];

/** As the owner of the tables, who may turn their triggers off; at once, as nobody sees a half of it. */
async function tamper(...statements: [sql: string, ...values: unknown[]][]): Promise<void> {
  const owner = await service.database.connect();
  const turn = async (how: string) => {
    for (const table of [...LOST, 'number_counters'])
      await owner.query(`ALTER TABLE ${table} ${how} TRIGGER USER`);
  };
  try {
    await owner.query('BEGIN');
    await turn('DISABLE');
    for (const [sql, ...values] of statements) await owner.query(sql, values);
    await turn('ENABLE');
    await owner.query('COMMIT');
  } finally {
    await owner.end();
  }
}

/** @returns takes away all that the account gets from now on, as a server that never had it */
async function aServerThatLags(): Promise<() => Promise<void>> {
  const of = [accountOf(client)];
  const counters = await service.database.query<{ series: string; period: string; last: bigint }>(
    'SELECT series, period, last_sequence AS last FROM number_counters WHERE account_id = $1',
    of,
  );
  const ids = async (table: string, id: string) => {
    const rows = await service.database.query<{ id: string }>(
      `SELECT ${id} AS id FROM ${table} WHERE account_id = $1`,
      of,
    );
    return rows.map((row) => row.id);
  };
  const documents = await ids('documents', 'document_id');
  const events = await ids('events', 'event_id');
  const kept = counters.map(({ series, period }) => `${series} ${period}`);
  const others = 'WHERE account_id = $1 AND NOT';
  return async () =>
    tamper(
      [`DELETE FROM events ${others} event_id = ANY ($2)`, ...of, events],
      [`DELETE FROM credited_lines ${others} credit_note_id = ANY ($2)`, ...of, documents],
      [`DELETE FROM documents ${others} document_id = ANY ($2)`, ...of, documents],
      [`DELETE FROM number_counters ${others} series || ' ' || period = ANY ($2)`, ...of, kept],
      ...counters.map(({ series, period, last }): [string, ...unknown[]] => [
        `UPDATE number_counters SET last_sequence = $2
         WHERE account_id = $1 AND series = $3 AND period = $4`,
        accountOf(client),
        last,
        series,
        period,
      ]),
    );
}

const look = () => service.app.get(LossWatch).look();
const seal = async () => {
  await untilAllHaveEnded(service);
  await service.app.get(Sealer).seal();
};
/** As the next process, which remembers nothing. */
const forget = () => {
  const given = service.app.get(GivenNumbers);
  given.forget(new Set(given.last().map(({ documentId }) => documentId)));
};
const numberOf = async (over: Record<string, unknown> = {}) =>
  (await client.anInvoice(over)).number ?? '';
const periodsOf = async (series = 'invoice') => (await audited(client, series)).periods;
const skips = async () => {
  const { body } = await client.get<{ data: { subject: string; actor: object; after: object }[] }>(
    '/v1/audit?action=numbering.skipped',
  );
  return body.data.map(({ subject, actor, after }) => ({ subject, actor, after }));
};

/** The check of the books sees a gap where the audit does. */
async function expectWhole(): Promise<void> {
  const { differences } = await service.app.get(IntegrityQuery).differences();
  const gaps = differences.filter(
    ({ check, id }) => check.includes('gap') && id === client.accountId,
  );
  expect(gaps).toEqual([]);
}

describe('numbers that a server lost', () => {
  it('are skipped: the next document goes on behind them', async () => {
    await client.anInvoice();
    const lose = await aServerThatLags();
    const lost = [await numberOf(), await numberOf()];
    expect(lost).toEqual(['INV-00002', 'INV-00003']);
    await lose();
    await look();
    expect(await numberOf()).toBe('INV-00004');
    expect(await audited(client, 'invoice')).toMatchObject({
      complete: true,
      periods: [
        {
          first: 1,
          last: 4,
          first_number: 'INV-00001',
          last_number: 'INV-00004',
          count: 2,
          gap_count: 0,
          skipped: [{ from: 2, to: 3 }],
          skipped_count: 2,
        },
      ],
    });
    expect(await skips()).toEqual([
      {
        subject: 'invoice',
        actor: { type: 'operator', id: null },
        after: { period: '', from: 2, to: 3 },
      },
    ]);
    await expectWhole();
    // A document that is deleted beside them is still a gap.
    await tamper(['DELETE FROM documents WHERE account_id = $1', accountOf(client)]);
    expect(await audited(client, 'invoice')).toMatchObject({
      complete: false,
      periods: [
        {
          count: 0,
          gap_count: 2,
          gaps: [
            { from: 1, to: 1 },
            { from: 4, to: 4 },
          ],
        },
      ],
    });
  });

  it('are skipped once, also by two who look at the same time', async () => {
    const lose = await aServerThatLags();
    await numberOf();
    await lose();
    const numbers = service.app.get(SkippedNumbers);
    await Promise.all([1, 2, 3, 4].map(async () => numbers.skipLost([])));
    await look();
    expect(await skips()).toHaveLength(1);
    expect(await numberOf()).toBe('INV-00002');
    expect(await periodsOf()).toMatchObject([{ first: 1, last: 2, count: 1, skipped_count: 1 }]);
    await expectWhole();
  });

  it('are each period’s and each series’ own, from where a count begins', async () => {
    await aSeries(client, {
      id: 'web',
      pattern: 'W-{YYYY}-{MM}-{SEQ}',
      reset: 'month',
      start_at: 7,
    });
    await changed(client, 'credit_note', { next: 40 });
    const lose = await aServerThatLags();
    const invoice = await client.anInvoice({ issue_date: '2026-10-05' });
    await numberOf({ issue_date: '2026-09-05' });
    await numberOf({ issue_date: '2026-10-06' });
    expect((await aCreditNote(client, invoice)).number).toBe('CRN-00040');
    await lose();
    await look();
    expect(await numberOf({ issue_date: '2026-10-07' })).toBe('W-2026-10-9');
    expect(await numberOf({ issue_date: '2026-09-07' })).toBe('W-2026-09-8');
    expect(await numberOf({ issue_date: '2026-11-07' })).toBe('W-2026-11-7');
    expect(await periodsOf('web')).toMatchObject([
      { period: '2026-09', first: 7, last: 8, skipped: [{ from: 7, to: 7 }] },
      { period: '2026-10', first: 7, last: 9, skipped: [{ from: 7, to: 8 }] },
      { period: '2026-11', first: 7, last: 7, skipped: [] },
    ]);
    expect(await periodsOf('credit_note')).toMatchObject([
      { first: 40, last: 40, count: 0, skipped_count: 1, gap_count: 0 },
    ]);
    await expectWhole();
  });

  it('are told where somebody got one before we looked', async () => {
    const lose = await aServerThatLags();
    const before = await client.anInvoice();
    await lose();
    const after = await client.anInvoice();
    expect(after.number).toBe(before.number);
    // The newest fact is gone, too, so that the process looks at all that it knows.
    await tamper(['DELETE FROM events WHERE account_id = $1', accountOf(client)]);
    await look();
    const facts = (await service.app.get(LossesRepository).open()).flatMap((loss) => loss.facts);
    expect(facts).toContain(`${before.number} of ${before.id}, and of ${after.id}`);
    await look();
    expect((await service.app.get(LossesRepository).open()).flatMap((one) => one.facts)).toEqual(
      facts,
    );
  });
});

describe('numbers in the file of heads', () => {
  it('are skipped by a process that gave none of them, also once the loss is accepted', async () => {
    const lose = await aServerThatLags();
    await numberOf();
    await numberOf();
    await seal();
    await numberOf();
    await lose();
    forget();
    await seal();
    // Of the third, which was not sealed, nobody knows.
    await look();
    await service.app.get(LossAcceptance).accept();
    await look();
    expect(await numberOf()).toBe('INV-00003');
    expect(await skips()).toMatchObject([{ after: { from: 1, to: 2 } }]);
    await expectWhole();
  });
});

describe('whatever is issued, sealed and lost, in any order', () => {
  it(`gives no number twice (TEST_SEED=${RUN_SEED})`, async () => {
    const chance = new Chance(RUN_SEED);
    await aSeries(client, {
      id: 'web',
      pattern: 'W-{YYYY}-{MM}-{SEQ}',
      reset: 'month',
      start_at: 7,
    });
    await aSeries(client, { id: 'shop', pattern: 'S-{YY}-{SEQ:3}', reset: 'year', default: false });
    const series = ['invoice', 'web', 'shop'];
    const all: string[] = [];
    let lost = 0;
    const issue = async () => {
      const day = `2026-${chance.of(['09', '10', '11'])}-1${chance.below(10)}`;
      const number = await numberOf({ series_id: chance.of(series), issue_date: day });
      expect(all).not.toContain(number);
      all.push(number);
    };
    for (let round = 0; round < tries({ pushed: 6, full: 40 }); round += 1) {
      for (let count = chance.below(4); count > 0; count -= 1) await issue();
      const lose = await aServerThatLags();
      const inTheEnd = 1 + chance.below(5);
      for (let count = 0; count < inTheEnd; count += 1) await issue();
      const isRemembered = chance.below(2) === 0;
      if (!isRemembered) {
        await seal();
        forget();
      }
      await lose();
      lost += inTheEnd;
      await look();
      await service.app.get(LossAcceptance).accept();
    }
    const periods = (await Promise.all(series.map(async (one) => audited(client, one)))).flatMap(
      ({ complete, periods: of }) => of.map((period) => ({ ...period, complete })),
    );
    expect(periods.filter(({ complete }) => !complete)).toEqual([]);
    const sum = (of: (period: (typeof periods)[number]) => number) =>
      periods.reduce((total, period) => total + of(period), 0);
    expect(sum(({ skipped_count: count }) => count)).toBe(lost);
    expect(sum(({ count }) => count)).toBe(all.length - lost);
    await expectWhole();
  });
});

describe('after another server took over', () => {
  it('no number is given until each process has looked, and payments go on', async () => {
    const invoice = await client.anInvoice();
    const draft = await client.anInvoice({ issue: false });
    const issue = async () => client.post(`/v1/finance/documents/${draft.id}/issue`);
    const { timeline } = service.app.get(Succession);
    expect(timeline).toBe(1);
    service.app.get(Succession).looked(2);
    // The server that answers is another one than was looked at.
    expectProblem(await issue(), 503, 'numbers_held');
    await look();
    const answer = await issue();
    expectProblem(answer, 503, 'numbers_held');
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(15);
    const paid = await client.pay(invoice);
    expect(paid.status).toBe(201);
    const { id } = (paid.body as { payment: { id: string } }).payment;
    const path = `/v1/finance/payments/${id}/refunds`;
    const refund = async () => client.post(path, { amount: 100, meaning: 'lowers_document' });
    expectProblem(await refund(), 503, 'numbers_held');
    const later = performance.now() + 15_001;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    const issued = [await issue(), await refund()];
    clock.mockRestore();
    expect(issued.map(({ status }) => status)).toEqual([200, 201]);
    expect(await periodsOf('credit_note')).toMatchObject([{ first: 1, last: 1 }]);
    expect(await periodsOf()).toMatchObject([{ count: 2, gap_count: 0, skipped_count: 0 }]);
  });
});
