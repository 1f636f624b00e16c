import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NumberSeriesBody } from '../../../src/documents/wire/numbering.js';
import { NumberSeriesRepository } from '../../../src/documents/infrastructure/number-series.repository.js';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, pointersOf, TOKENS } from '../expectations.js';
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

// Number series: which there are and what they give. How they change is in
// numbering-changes.e2e-spec.ts, that nothing is missing in numbering-audit.e2e-spec.ts.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const make = (body: object, headers = {}) => client.post(NUMBERING, body, headers);

const couldProduce = async (number: string, kind = 'invoice' as const) =>
  service.app
    .get(UnitOfWork)
    .run(async (tx) =>
      service.app.get(NumberSeriesRepository).couldProduce(tx, accountOf(client), kind, number),
    );

describe('a new account', () => {
  it('has four series, and writes nothing to show them', async () => {
    const before = await contentsOf(service.database, TOKENS);
    expect(
      (await listed(client)).map((one) => [
        one.id,
        one.kind,
        one.pattern,
        one.default,
        one.next_number,
      ]),
    ).toEqual([
      ['credit_note', 'credit_note', 'CRN-{SEQ:5}', true, 'CRN-00001'],
      ['invoice', 'invoice', 'INV-{SEQ:5}', true, 'INV-00001'],
      ['proforma', 'quote', 'PRO-{SEQ:5}', false, 'PRO-00001'],
      ['quote', 'quote', 'QUO-{SEQ:5}', true, 'QUO-00001'],
    ]);
    for (const { id } of await listed(client)) {
      const one = await client.get<NumberSeriesBody>(`${NUMBERING}/${id}`);
      expect([one.status, one.body]).toEqual([
        200,
        expect.objectContaining({ id, reset: 'never', start_at: 1, next: 1, created_at: null }),
      ]);
      expect(await audited(client, id)).toMatchObject({
        series_id: id,
        periods: [],
        complete: true,
      });
    }
    expect(await contentsOf(service.database, TOKENS)).toEqual(before);
  });

  it('gives INV-00001 and QUO-00001 first, and counts them apart', async () => {
    expect((await client.anInvoice()).number).toBe('INV-00001');
    expect((await client.aQuote()).number).toBe('QUO-00001');
    expect((await client.anInvoice()).number).toBe('INV-00002');
    expect((await listed(client)).map(({ next_number }) => next_number)).toEqual([
      'CRN-00001',
      'INV-00003',
      'PRO-00001',
      'QUO-00002',
    ]);
  });

  it('gives every first number once when 20 are issued at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => client.anInvoice()));
    expect(new Set(made.map(({ number }) => number)).size).toBe(20);
    expect(await audited(client, 'invoice')).toMatchObject({
      periods: [{ first: 1, last: 20, count: 20 }],
      complete: true,
    });
  });

  it('does not see the series of another', async () => {
    await aSeries(client, { id: 'web', pattern: 'W{SEQ}' });
    const other = await service.aClient();
    expect((await listed(other)).map(({ id }) => id)).not.toContain('web');
    expectProblem(await other.get(`${NUMBERING}/web`), 404, 'series_not_found');
    expect((await other.anInvoice()).number).toBe('INV-00001');
  });
});

describe('a series', () => {
  it('is made, read, listed, and used once it is the default', async () => {
    const made = await aSeries(client, {
      id: 'web-shop_2',
      pattern: 'WEB-{YYYY}-{SEQ:3}',
      reset: 'year',
      start_at: 7,
      default: false,
    });
    const year = service.clock.now().toISOString().slice(0, 4);
    expect(made).toEqual({
      id: 'web-shop_2',
      kind: 'invoice',
      dates_in_order: false,
      pattern: 'WEB-{YYYY}-{SEQ:3}',
      reset: 'year',
      default: false,
      start_at: 7,
      period: year,
      next: 7,
      next_number: `WEB-${year}-007`,
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await client.get(`${NUMBERING}/web-shop_2`)).body).toEqual(made);
    expect(await listed(client)).toContainEqual(made);
    expect((await client.anInvoice()).number).toBe('INV-00001');
    expect(await changed(client, 'web-shop_2', { default: true })).toEqual({
      ...made,
      default: true,
    });
    expect((await client.anInvoice()).number).toBe(`WEB-${year}-007`);
    const invoices = (await listed(client)).filter(({ kind }) => kind === 'invoice');
    expect(invoices.map((one) => [one.id, one.default, one.next])).toEqual([
      ['invoice', false, 2],
      ['web-shop_2', true, 8],
    ]);
  });

  it('is one of several, each with a count of its own', async () => {
    await aSeries(client, { id: 'a', pattern: 'A{SEQ:2}' });
    await aSeries(client, { id: 'b', pattern: 'B{SEQ:2}' });
    const numbers: string[] = [];
    for (const series of ['a', 'b', 'a', null, 'invoice', 'a']) {
      numbers.push((await take(service, client, { series })).number);
    }
    expect(numbers).toEqual(['A01', 'B01', 'A02', 'B02', 'INV-00001', 'A03']);
  });

  it('gives a number with its place', async () => {
    await aSeries(client, {
      id: 'm',
      pattern: '{YY}{MM}-{SEQ}',
      reset: 'month',
      start_at: 100,
    });
    const place = { series: 'm', period: '2026-11', sequence: 100n, before: null };
    expect(await take(service, client)).toEqual({ number: '2611-100', ...place });
    expect(await take(service, client, { kind: 'quote', series: 'proforma' })).toEqual({
      number: 'PRO-00001',
      series: 'proforma',
      period: '',
      sequence: 1n,
      before: null,
    });
    expect((await take(service, client, { kind: 'credit_note' })).number).toBe('CRN-00001');
  });

  it('is asked for in vain when it is unknown, or of another kind', async () => {
    for (const series of ['nowhere', 'quote']) {
      await expect(take(service, client, { series })).rejects.toMatchObject({
        code: 'unknown_series',
        errors: [{ pointer: '/series_id' }],
      });
    }
    await client.anInvoice();
    await expect(take(service, client, { series: 'quote' })).rejects.toMatchObject({
      code: 'unknown_series',
    });
  });

  it('is made once', async () => {
    await aSeries(client, { id: 'web', pattern: 'W{SEQ}' });
    const again = { id: 'web', kind: 'quote', pattern: 'V{SEQ}' };
    expectProblem(await make(again), 409, 'series_exists');
    expectProblem(await make({ ...again, id: 'proforma' }), 409, 'series_exists');
    const at_once = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        make({ id: 'race', kind: 'invoice', pattern: `R${n}-{SEQ}`, default: true }),
      ),
    );
    expect(at_once.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const defaults = (await listed(client)).filter((one) => one.kind === 'invoice' && one.default);
    expect(defaults.map(({ id }) => id)).toEqual(['race']);
  });

  it('is made once by requests with one Idempotency-Key', async () => {
    const body = { id: 'web', kind: 'invoice', pattern: 'W{SEQ}' };
    const first = await make(body, { 'Idempotency-Key': 'k' });
    const again = await make(body, { 'Idempotency-Key': 'k' });
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('may be one of a hundred, no more', async () => {
    await client.anInvoice();
    await service.database.query(
      `INSERT INTO number_series
       SELECT $1, 's' || n, 'quote', 'S' || n || '-{SEQ}', 'never', false, 1, now()
       FROM generate_series(1, 95) n`,
      [accountOf(client)],
    );
    await aSeries(client, { id: 'last', pattern: 'L{SEQ}' });
    const more = { id: 'more', kind: 'invoice', pattern: 'M{SEQ}' };
    expectProblem(await make(more), 409, 'too_many_series');
  });

  it('is not found by another name', async () => {
    for (const name of ['nowhere', 'INVOICE', '%00', 'a%2Fb', 'x'.repeat(41), 'constructor']) {
      const path = `${NUMBERING}/${name}`;
      expectProblem(await client.get(path), 404, 'series_not_found');
      expectProblem(await client.get(`${path}/audit`), 404, 'series_not_found');
      expectProblem(await client.patch(path, {}), 404, 'series_not_found');
    }
  });

  it.each([
    ['no pattern', { pattern: undefined }, 'required', ['/pattern']],
    ['no sequence', { pattern: 'INV-{YYYY}' }, 'invalid_pattern', ['/pattern']],
    ['an unknown token', { pattern: '{QQ}{SEQ}' }, 'invalid_pattern', ['/pattern']],
    ['a long pattern', { pattern: '{SEQ}'.padEnd(41, 'x') }, 'invalid_pattern', ['/pattern']],
    ['a NUL', { pattern: '{SEQ}\0' }, 'invalid_pattern', ['/pattern']],
    ['half a character', { pattern: '{SEQ}\ud800' }, 'invalid_pattern', ['/pattern']],
    ['a number as pattern', { pattern: 5 }, 'invalid_pattern', ['/pattern']],
    ['a list as pattern', { pattern: ['{SEQ}'] }, 'invalid_pattern', ['/pattern']],
    ['a year that it does not show', { reset: 'year' }, 'invalid_pattern', ['/pattern']],
    [
      'a month that it does not show',
      { reset: 'month', pattern: '{YYYY}{SEQ}' },
      'invalid_pattern',
      ['/pattern'],
    ],
    ['another reset', { reset: 'week' }, 'not_in_list', ['/reset']],
    ['another kind', { kind: 'receipt' }, 'not_in_list', ['/kind']],
    ['a name in capitals', { id: 'Web' }, 'invalid_series', ['/id']],
    ['a name with a space', { id: 'a b' }, 'invalid_series', ['/id']],
    ['an empty name', { id: '' }, 'invalid_series', ['/id']],
    ['a long name', { id: 'x'.repeat(41) }, 'invalid_series', ['/id']],
    ['a start at zero', { start_at: 0 }, 'invalid_integer', ['/start_at']],
    ['a start between numbers', { start_at: 1.5 }, 'invalid_integer', ['/start_at']],
    ['a start as text', { start_at: '1' }, 'invalid_integer', ['/start_at']],
    ['a start beyond count', { start_at: 1e12 }, 'invalid_integer', ['/start_at']],
    ['a default as text', { default: 'yes' }, 'invalid_boolean', ['/default']],
    ['an unknown field', { prefix: 'X' }, 'unknown_field', ['/prefix']],
    [
      'much at once',
      { pattern: 'x', kind: 'y', id: '', next: 1 },
      'validation_failed',
      ['/id', '/kind', '/next', '/pattern'],
    ],
  ])('is not made with %s', async (_, over, code, pointers) => {
    const before = await contentsOf(service.database, TOKENS);
    await client.bearer();
    const wish = { id: 'web', kind: 'invoice', pattern: 'W{SEQ}', ...over };
    const problem = expectProblem(await make(wish), 422, code);
    expect(pointersOf(problem)).toEqual(pointers);
    expect(await contentsOf(service.database, TOKENS)).toEqual(before);
  });
});

describe('a number from elsewhere', () => {
  it('could come from a series that is built in and was never used', async () => {
    expect(await couldProduce('INV-00001')).toBe(true);
    expect(await couldProduce('INV-1')).toBe(false);
    expect(await couldProduce('QUO-00001')).toBe(false);
  });

  it('could come from any series of its kind, from the next number on', async () => {
    await aSeries(client, { id: 'y', pattern: '{YYYY}-{SEQ:2}', reset: 'year', start_at: 5 });
    await numbersOn(client, '2026-11-20', '2026-11-20');
    const verdicts: [string, boolean][] = [
      ['2026-04', false],
      ['2026-05', false],
      ['2026-06', false],
      ['2026-07', true],
      ['2026-4711', true],
      ['2027-04', false],
      ['2027-05', true],
      ['INV-00001', true],
      ['INV-2026', false],
    ];
    for (const [number, verdict] of verdicts) {
      expect([number, await couldProduce(number)]).toEqual([number, verdict]);
    }
    await changed(client, 'invoice', { next: 900 });
    expect([await couldProduce('INV-00899'), await couldProduce('INV-00900')]).toEqual([
      false,
      true,
    ]);
  });

  it('is checked while numbers are taken, but not while a series changes', async () => {
    await client.anInvoice();
    await take(service, client, {}, async () => {
      expect(await couldProduce('X9')).toBe(false);
    });
    const changer = await service.database.connect();
    try {
      await changer.query('BEGIN');
      await changer.query('SELECT FROM number_series WHERE account_id = $1 FOR UPDATE', [
        accountOf(client),
      ]);
      const verdict = couldProduce('X9');
      await service.database.untilBlocked();
      await changer.query(
        `UPDATE number_series SET pattern = 'X{SEQ}' WHERE account_id = $1 AND series = 'invoice'`,
        [accountOf(client)],
      );
      await changer.query('COMMIT');
      expect(await verdict).toBe(true);
    } finally {
      await changer.end();
    }
  });
});
