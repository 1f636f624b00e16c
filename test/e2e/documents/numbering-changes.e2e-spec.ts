import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, TOKENS } from '../expectations.js';
import {
  accountOf,
  aSeries,
  audited,
  changed,
  listed,
  NUMBERING,
  numbersOn,
  take,
} from './numbering.js';

// How a series starts again, changes and is brought along from elsewhere, and never repeats a number.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
  service.clock.set('2026-11-20T12:00:00Z');
});

const change = (series: string, body: object) => client.patch(`${NUMBERING}/${series}`, body);

/** A draft becomes a document with a number that no series gave. */
async function imported(number: string): Promise<void> {
  const { id } = await client.anInvoice({ issue: false });
  await service.database.query(
    `UPDATE documents SET lifecycle = 'open', issued_at = now(), number = $1,
       payment_reference = creditor_reference($1, document_id),
       issue_date = '2026-01-01', due_date = '2026-02-01', lapses_at = '2026-02-02'
     WHERE document_id = $2`,
    [number, uuidOf('doc', id)],
  );
  expect((await client.read({ id })).number).toBe(number);
}

describe('a count', () => {
  it('starts again each year, by the date of issue', async () => {
    await aSeries(client, { id: 'y', pattern: 'Y{YYYY}-{SEQ:3}', reset: 'year' });
    const dates = ['2026-11-20', '2026-12-31', '2027-01-01', '2026-12-30', '2027-02-01'];
    expect(await numbersOn(client, ...dates)).toEqual([
      'Y2026-001',
      'Y2026-002',
      'Y2027-001',
      'Y2026-003',
      'Y2027-002',
    ]);
    expect(await audited(client, 'y')).toMatchObject({
      periods: [
        { period: '2026', first: 1, last: 3, first_number: 'Y2026-001', last_number: 'Y2026-003' },
        { period: '2027', first: 1, last: 2, count: 2 },
      ],
      complete: true,
    });
  });

  it('starts again each month', async () => {
    const wish = { id: 'm', pattern: '{YY}{MM}/{SEQ:2}', reset: 'month', start_at: 10 };
    await aSeries(client, wish);
    const dates = ['2026-11-30', '2026-12-01', '2026-12-31', '2025-12-01', '2026-11-01'];
    expect(await numbersOn(client, ...dates)).toEqual([
      '2611/10',
      '2612/10',
      '2612/11',
      '2512/10',
      '2611/11',
    ]);
  });

  it('that never starts again goes on over the years', async () => {
    await aSeries(client, { id: 'n', pattern: '{YYYY}-{SEQ}' });
    expect(await numbersOn(client, '2026-12-31', '2027-01-01', '2026-12-31')).toEqual([
      '2026-1',
      '2027-2',
      '2026-3',
    ]);
  });

  it('goes by the day of issue in the zone of the account where no date is given', async () => {
    client = await service.aClient({ timeZone: 'Pacific/Kiritimati' });
    await aSeries(client, { id: 'y', pattern: '{YYYY}-{SEQ}', reset: 'year' });
    service.clock.set('2026-12-31T10:30:00Z');
    expect((await client.anInvoice()).number).toBe('2027-1');
    const shown = (await listed(client)).find(({ id }) => id === 'y');
    expect(shown).toMatchObject({ period: '2027', next: 2, next_number: '2027-2' });
  });

  it('is not held up by the count of another series', async () => {
    await aSeries(client, { id: 'y', pattern: '{YYYY}-{SEQ}', reset: 'year' });
    await take(service, client, { series: 'y' }, async () => {
      const other = await take(service, client, { series: 'invoice' });
      expect(other.number).toBe('INV-00001');
    });
  });
});

describe('a change', () => {
  it('of the pattern holds from the next number, which goes on', async () => {
    await client.anInvoice();
    const after = await changed(client, 'invoice', { pattern: 'RE-{YYYY}-{SEQ:4}' });
    expect(after).toMatchObject({ next: 2, next_number: 'RE-2026-0002' });
    expect((await client.anInvoice()).number).toBe('RE-2026-0002');
    await changed(client, 'invoice', { pattern: 'INV-{SEQ:5}' });
    expect((await client.anInvoice()).number).toBe('INV-00003');
    expect(await audited(client, 'invoice')).toMatchObject({
      periods: [{ count: 3, first_number: 'INV-00001', last_number: 'INV-00003' }],
      complete: true,
    });
  });

  it('of nothing changes nothing', async () => {
    const [, before] = await listed(client);
    const body = { pattern: null, default: null, reset: null, next: null };
    const shown = await changed(client, 'invoice', {});
    expect(shown).toEqual({ ...before, id: 'invoice', created_at: expect.any(String) });
    expect((await change('invoice', body)).status).toBe(200);
    expect(await changed(client, 'invoice', { default: true, next: 1 })).toMatchObject({ next: 1 });
    expect((await client.anInvoice()).number).toBe('INV-00001');
  });

  it('is refused where the pattern does not carry the reset', async () => {
    expectProblem(await change('invoice', { reset: 'year' }), 422, 'invalid_pattern');
    await changed(client, 'invoice', { pattern: '{YY}-{SEQ}', reset: 'year' });
    expectProblem(await change('invoice', { pattern: '{SEQ}' }), 422, 'invalid_pattern');
    expectProblem(await change('invoice', { reset: 'month' }), 422, 'invalid_pattern');
    expectProblem(await change('invoice', { id: 'x' }), 422, 'unknown_field');
    expectProblem(await change('invoice', { kind: 'quote' }), 422, 'unknown_field');
    expectProblem(await change('invoice', { start_at: 5 }), 422, 'unknown_field');
  });

  it('leaves each kind its default', async () => {
    expectProblem(await change('invoice', { default: false }), 409, 'default_required');
    await aSeries(client, { id: 'web', pattern: 'W{SEQ}' });
    await changed(client, 'invoice', { default: false });
    expectProblem(await change('web', { default: false }), 409, 'default_required');
    await changed(client, 'proforma', { default: true });
    expect((await client.aQuote()).number).toBe('PRO-00001');
    const defaults = (await listed(client)).filter((one) => one.default);
    expect(defaults.map(({ id }) => id)).toEqual(['credit_note', 'proforma', 'web']);
  });

  it('of the default is seen by who waited for the old one', async () => {
    await client.anInvoice();
    await aSeries(client, { id: 'web', pattern: 'W{SEQ}', default: false });
    const changer = await service.database.connect();
    try {
      await changer.query('BEGIN');
      await changer.query(
        `UPDATE number_series SET is_default = false WHERE series = 'invoice' AND account_id = $1`,
        [accountOf(client)],
      );
      await changer.query(
        `UPDATE number_series SET is_default = true WHERE series = 'web' AND account_id = $1`,
        [accountOf(client)],
      );
      const issued = client.anInvoice();
      await service.database.untilBlocked();
      await changer.query('COMMIT');
      expect((await issued).number).toBe('W1');
    } finally {
      await changer.end();
    }
  });

  it('of the pattern or the reset is seen by who waited for it', async () => {
    await aSeries(client, { id: 'web', pattern: 'W{SEQ}' });
    await client.anInvoice();
    const changer = await service.database.connect();
    try {
      await changer.query('BEGIN');
      await changer.query(
        `UPDATE number_series SET pattern = '{YYYY}-{SEQ:2}', reset = 'year'
         WHERE series = 'web' AND account_id = $1`,
        [accountOf(client)],
      );
      const issued = client.anInvoice();
      await service.database.untilBlocked();
      await changer.query('COMMIT');
      expect((await issued).number).toBe('2026-01');
    } finally {
      await changer.end();
    }
  });

  it('waits for a number that is being taken', async () => {
    await aSeries(client, { id: 'y', pattern: '{YYYY}-{SEQ}' });
    let answer: Promise<{ status: number }> | undefined;
    await take(service, client, {}, async () => {
      answer = change('y', { reset: 'year', next: 5 });
      await service.database.untilBlocked();
    });
    expect((await answer)?.status).toBe(200);
  });
});

describe('next', () => {
  it('raises a count before the first number of its period', async () => {
    expect(await changed(client, 'invoice', { next: 124 })).toMatchObject({
      next: 124,
      next_number: 'INV-00124',
    });
    await changed(client, 'invoice', { next: 123 });
    expect((await client.anInvoice()).number).toBe('INV-00123');
    expect((await client.anInvoice()).number).toBe('INV-00124');
    expect(await audited(client, 'invoice')).toMatchObject({
      periods: [{ first: 123, last: 124, count: 2, gap_count: 0 }],
      complete: true,
    });
  });

  it('does not raise it afterwards, also when all was voided', async () => {
    await client.void(await client.anInvoice());
    for (const next of [1, 3, 100]) {
      const problem = expectProblem(await change('invoice', { next }), 409, 'counter_not_raisable');
      expect(problem['period']).toBe('');
    }
    expect(await changed(client, 'invoice', { next: 2 })).toMatchObject({ next: 2 });
    expect((await client.anInvoice()).number).toBe('INV-00002');
  });

  it('does not go below the start', async () => {
    await aSeries(client, { id: 'web', pattern: 'W{SEQ}', start_at: 50 });
    expectProblem(await change('web', { next: 49 }), 409, 'counter_not_raisable');
    expect(await changed(client, 'web', { next: 50 })).toMatchObject({ next: 50 });
  });

  it('is for the present period only', async () => {
    await aSeries(client, { id: 'y', pattern: '{YYYY}-{SEQ}', reset: 'year' });
    await changed(client, 'y', { next: 123 });
    expect(await numbersOn(client, '2026-11-20', '2027-01-01')).toEqual(['2026-123', '2027-1']);
    service.clock.set('2027-02-01T00:00:00Z');
    expectProblem(await change('y', { next: 9 }), 409, 'counter_not_raisable');
    service.clock.set('2028-02-01T00:00:00Z');
    expect(await changed(client, 'y', { next: 9 })).toMatchObject({ next_number: '2028-9' });
  });

  it.each([0, -1, 1.5, 1e12, '5', true])('is not %j', async (next) => {
    expectProblem(await change('invoice', { next }), 422, 'invalid_integer');
  });
});

describe('a number is not given twice', () => {
  it('by two series of a kind', async () => {
    const wish = { id: 'web', kind: 'invoice', pattern: 'INV-{SEQ:3}', start_at: 500 };
    const problem = expectProblem(await client.post(NUMBERING, wish), 409, 'pattern_taken');
    expect(problem['series_id']).toBe('invoice');
    await aSeries(client, { ...wish, kind: 'quote', default: false });
    await aSeries(client, { ...wish, id: 'w', pattern: 'W{SEQ}' });
    expectProblem(await change('w', { pattern: 'INV-{SEQ}' }), 409, 'pattern_taken');
    expectProblem(await change('invoice', { pattern: 'W{SEQ}' }), 409, 'pattern_taken');
    expect((await listed(client)).map(({ pattern }) => pattern)).toContain('W{SEQ}');
  });

  it('when a count begins to start again', async () => {
    await changed(client, 'invoice', { pattern: 'INV-{YYYY}-{SEQ:5}' });
    await numbersOn(client, '2026-10-01', '2026-11-01', '2027-01-01');
    const problem = expectProblem(await change('invoice', { reset: 'year' }), 409, 'pattern_taken');
    expect(problem['number']).toMatch(/^INV-202[67]-0000[23]$/);
    // 2027 has a number of its own already, 2026 could go on.
    expectProblem(await change('invoice', { reset: 'year', next: 3 }), 409, 'pattern_taken');
    await changed(client, 'invoice', { pattern: 'INV-{YYYY}-{SEQ:3}', reset: 'year' });
    expect(await numbersOn(client, '2026-11-01', '2027-01-01')).toEqual([
      'INV-2026-001',
      'INV-2027-001',
    ]);
  });

  it('when it goes on behind what was given', async () => {
    await changed(client, 'invoice', { pattern: 'INV-{YYYY}-{SEQ:5}' });
    await numbersOn(client, '2026-10-01', '2026-11-01');
    expectProblem(await change('invoice', { reset: 'year', next: 2 }), 409, 'pattern_taken');
    await changed(client, 'invoice', { reset: 'year', next: 3 });
    expect(await numbersOn(client, '2026-11-01', '2027-01-01')).toEqual([
      'INV-2026-00003',
      'INV-2027-00001',
    ]);
    expect((await audited(client, 'invoice')).complete).toBe(true);
  });

  it('when it came from elsewhere', async () => {
    await imported('OLD-00017');
    await imported('other');
    const pattern = 'OLD-{SEQ:5}';
    const problem = expectProblem(await change('invoice', { pattern }), 409, 'pattern_taken');
    expect(problem['number']).toBe('OLD-00017');
    const wish = { id: 'web', kind: 'invoice', pattern };
    expectProblem(await client.post(NUMBERING, { ...wish, start_at: 17 }), 409, 'pattern_taken');
    await changed(client, 'invoice', { pattern, next: 18 });
    expect((await client.anInvoice()).number).toBe('OLD-00018');
    expect((await audited(client, 'invoice')).periods).toMatchObject([{ first: 18, count: 1 }]);
  });

  it('when a raised count is lowered again', async () => {
    await changed(client, 'invoice', { next: 1000 });
    await imported('INV-00500');
    expectProblem(await change('invoice', { next: 500 }), 409, 'pattern_taken');
    await changed(client, 'invoice', { next: 501 });
    expect((await client.anInvoice()).number).toBe('INV-00501');
  });

  it('if it slipped in all the same: issuing is refused, and leaves no gap', async () => {
    await imported('INV-00002');
    expect((await client.anInvoice()).number).toBe('INV-00001');
    const draft = await client.anInvoice({ issue: false });
    const before = await contentsOf(service.database, TOKENS);
    const path = `/v1/finance/documents/${draft.id}/issue`;
    expectProblem(await client.post(path), 409, 'number_taken');
    expect(await contentsOf(service.database, TOKENS)).toEqual(before);
    await changed(client, 'invoice', { pattern: 'N{SEQ}' });
    expect((await client.issue(draft)).number).toBe('N2');
    expect((await audited(client, 'invoice')).complete).toBe(true);
  });
});
