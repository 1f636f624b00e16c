import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/feed/wire/event.js';
import { allIsShown } from '../../feed/shown.js';
import type { TestClient } from '../../support/client.js';
import { expectProblem } from '../expectations.js';
import {
  aCustomerId,
  create,
  documentsOf,
  periodsOf,
  read,
  type ScheduleStage,
  scheduleRequest,
  scheduleStage,
  step,
} from './schedule-stage.js';

const PATH = '/v1/finance/schedules';

let stage: ScheduleStage;
let client: TestClient;
let customerId: string;
beforeAll(async () => {
  stage = await scheduleStage('2027-01-31');
});
afterAll(() => stage.close());
beforeEach(async () => {
  stage.service.clock.set('2027-01-31T10:00:00Z');
  client = await stage.service.aClient();
  customerId = await aCustomerId(client);
});

describe('a schedule', () => {
  it('keeps its day in months that have none, and makes each document once', async () => {
    const made = await create(client, scheduleRequest(customerId, { start_date: '2027-01-31' }));
    expect(made).toMatchObject({
      status: 'active',
      recurrence: { every: 'month', interval: 1, day: 31 },
      next: { period_start: '2027-01-31', period_end: '2027-02-27', runs_on: '2027-01-31' },
    });
    for (const day of ['2027-01-31', '2027-02-28', '2027-02-28', '2027-03-31', '2027-04-30'])
      await stage.at(day);
    const documents = await documentsOf(client, made);
    expect(documents.map((one) => [one.issue_date, one.status, one.total])).toEqual([
      ['2027-01-31', 'open', 11_900],
      ['2027-02-28', 'open', 11_900],
      ['2027-03-31', 'open', 11_900],
      ['2027-04-30', 'open', 11_900],
    ]);
    expect(documents.map(({ service_period: period }) => period)).toEqual([
      { start: '2027-01-31', end: '2027-02-27' },
      { start: '2027-02-28', end: '2027-03-30' },
      { start: '2027-03-31', end: '2027-04-29' },
      { start: '2027-04-30', end: '2027-05-30' },
    ]);
    expect(documents.map(({ lines }) => lines[0]?.description)).toEqual([
      'Retainer January 2027',
      'Retainer February 2027',
      'Retainer March 2027',
      'Retainer April 2027',
    ]);
    expect((await read(client, made)).period_count).toBe(4);
  });

  it.each([
    ['2027-01-31T22:30:00Z', '2027-01-31'],
    ['2027-01-31T23:30:00Z', '2027-02-01'],
  ])('without start_date at %s begins on %s, the day in Berlin', async (instant, today) => {
    stage.service.clock.set(instant);
    client = await stage.service.aClient({ timeZone: 'Europe/Berlin' });
    const body = scheduleRequest(await aCustomerId(client));
    expect(await create(client, body)).toMatchObject({
      start_date: today,
      next: { period_start: today },
    });
    const preview = await client.post<{ data: object[] }>(`${PATH}/preview`, body);
    expect(preview.body.data[0]).toMatchObject({ period_start: today });
  });

  it('makes all that was missed, each with its own date, or the newest, or asks', async () => {
    const bodies = (['all', 'newest', 'ask'] as const).map((missed) =>
      scheduleRequest(customerId, { missed, start_date: '2027-02-01' }),
    );
    const [all, newest, ask] = await Promise.all(bodies.map((body) => create(client, body)));
    await stage.at('2027-04-15');
    const dates = async (schedule: { id: string }) =>
      (await periodsOf(client, schedule)).map(({ status, runs_on: day }) => `${day} ${status}`);
    expect(await dates(all!)).toEqual(['2027-02-01 made', '2027-03-01 made', '2027-04-01 made']);
    expect((await documentsOf(client, all!)).map((one) => one.issue_date)).toEqual([
      '2027-02-01',
      '2027-03-01',
      '2027-04-01',
    ]);
    expect(await dates(newest!)).toEqual([
      '2027-02-01 skipped',
      '2027-03-01 skipped',
      '2027-04-01 made',
    ]);
    expect(await dates(ask!)).toEqual([
      '2027-02-01 waiting',
      '2027-03-01 waiting',
      '2027-04-01 waiting',
    ]);
    const path = `${PATH}/${ask!.id}/periods`;
    const later = await client.post(`${path}/2027-02-01/make`);
    expect(later.body).toMatchObject({ status: 'made' });
    const skipped = await client.post(`${path}/2027-03-01/skip`);
    expect(skipped.body).toMatchObject({ status: 'skipped', document_id: null });
    const [document] = await documentsOf(client, ask!);
    expect(document).toMatchObject({
      issue_date: '2027-04-15',
      service_period: { start: '2027-02-01', end: '2027-02-28' },
    });
    expectProblem(await client.post(`${path}/2027-02-01/make`), 409, 'schedule_period_settled');
    expectProblem(await client.post(`${path}/2027-02-02/make`), 404, 'schedule_period_not_found');
  });

  it('does nothing where the clock was set back', async () => {
    const made = await create(client, scheduleRequest(customerId, { start_date: '2027-02-01' }));
    for (const day of ['2027-02-01', '2027-01-15', '2027-02-01']) await stage.at(day);
    expect(await periodsOf(client, made)).toHaveLength(1);
  });

  it('keeps a draft for review, which may be changed, stopped or issued at once', async () => {
    const wish = { review_hours: 47, start_date: '2027-02-01' };
    const [kept, stopped, early] = await Promise.all(
      [1, 2, 3].map(() => create(client, scheduleRequest(customerId, wish))),
    );
    await stage.at('2027-02-01');
    const drafts = await Promise.all(
      [kept, stopped, early].map(async (one) => (await documentsOf(client, one!))[0]!),
    );
    expect(drafts.map(({ status }) => status)).toEqual(['draft', 'draft', 'draft']);
    const [mine, gone] = drafts;
    await client.patch(`/v1/finance/documents/${mine!.id}`, { notes: 'Seen' });
    expect((await client.delete(`/v1/finance/documents/${gone!.id}`)).status).toBe(204);
    const at = `${PATH}/${early!.id}/periods/2027-02-01/make`;
    expect((await client.post(at)).body).toMatchObject({ status: 'made', issue_at: null });
    await stage.at('2027-02-02');
    expect((await documentsOf(client, kept!))[0]?.status).toBe('draft');
    await stage.at('2027-02-03');
    expect((await documentsOf(client, kept!))[0]).toMatchObject({
      status: 'open',
      issue_date: '2027-02-03',
      notes: 'Seen',
    });
    expect(await periodsOf(client, stopped!)).toMatchObject([
      { status: 'stopped', document_id: null },
    ]);
    expect((await documentsOf(client, early!))[0]).toMatchObject({ issue_date: '2027-02-01' });
  });

  it('waits for a person where a period cannot be made, and goes on with the others', async () => {
    const item = await client.post<{ id: string }>('/v1/finance/items', {
      name: 'Hosting',
      prices: [{ currency: 'EUR', unit_amount: 5000 }],
      tax_rate: '19',
    });
    const document = { lines: [{ item_id: item.body.id }] };
    const made = await create(
      client,
      scheduleRequest(customerId, { document, start_date: '2027-02-01' }),
    );
    const other = await create(client, scheduleRequest(customerId, { start_date: '2027-02-01' }));
    await client.patch(`/v1/finance/items/${item.body.id}`, {
      prices: [{ currency: 'EUR', unit_amount: 6000 }],
    });
    await stage.at('2027-02-01');
    await client.post(`/v1/finance/items/${item.body.id}/archive`);
    await stage.at('2027-03-01');
    expect(await periodsOf(client, made)).toMatchObject([
      { status: 'made' },
      {
        status: 'failed',
        problem: { code: 'item_archived', errors: [{ pointer: '/lines/0/item_id' }] },
      },
    ]);
    expect((await documentsOf(client, made)).map(({ net_total: net }) => net)).toEqual([6000]);
    expect(await documentsOf(client, other)).toHaveLength(2);
    const path = '/v1/finance/schedule-periods?status=failed,waiting';
    expect((await client.get<{ data: object[] }>(path)).body.data).toHaveLength(1);
    const again = `${PATH}/${made.id}/periods/2027-03-01/make`;
    expectProblem(await client.post(again), 422, 'item_archived');
    await client.post(`/v1/finance/items/${item.body.id}/unarchive`);
    expect((await client.post(again)).body).toMatchObject({ status: 'made', problem: null });
    await stage.at('2027-03-02');
    expect(await documentsOf(client, made)).toHaveLength(2);
  });

  it('may be paused, resumed, skipped and moved', async () => {
    const made = await create(client, scheduleRequest(customerId, { start_date: '2027-02-01' }));
    await step(client, made, 'pause');
    expect((await step(client, made, 'pause')).version).toBe(2);
    await stage.at('2027-03-15');
    expect(await periodsOf(client, made)).toEqual([]);
    const resumed = await step(client, made, 'resume');
    expect(resumed).toMatchObject({ status: 'active', next: { period_start: '2027-04-01' } });
    expectProblem(await client.post(`${PATH}/${made.id}/resume`), 409, 'schedule_not_paused');
    const without = await step(client, made, 'skip', { period_start: '2027-05-01' });
    expect(without.skips).toEqual(['2027-05-01']);
    const moved = await step(client, made, 'move', { runs_on: '2027-04-06' });
    expect(moved.next).toEqual({
      period_start: '2027-04-01',
      period_end: '2027-04-30',
      runs_on: '2027-04-06',
    });
    await stage.at('2027-04-05');
    expect(await documentsOf(client, made)).toEqual([]);
    for (const day of ['2027-04-06', '2027-05-01', '2027-06-01']) await stage.at(day);
    const periods = await periodsOf(client, made);
    expect(periods.map(({ period_start: start, status }) => [start, status])).toEqual([
      ['2027-02-01', 'skipped'],
      ['2027-03-01', 'skipped'],
      ['2027-04-01', 'made'],
      ['2027-05-01', 'skipped'],
      ['2027-06-01', 'made'],
    ]);
    const beyond = await client.post(`${PATH}/${made.id}/skip`, { period_start: '2027-07-02' });
    expectProblem(beyond, 422, 'period_out_of_reach');
  });

  it('leaves weekends and holidays out, and keeps its periods', async () => {
    const made = await create(
      client,
      scheduleRequest(customerId, {
        start_date: '2027-05-01',
        business_days: { country: 'DE', region: 'BY', move: 'after' },
      }),
    );
    // 1 May is a Saturday, and 1 November a Monday that is a holiday in Bavaria.
    expect(made.next).toEqual({
      period_start: '2027-05-01',
      period_end: '2027-05-31',
      runs_on: '2027-05-03',
    });
    const { body } = await client.get<{ data: { runs_on: string }[] }>(
      `${PATH}/${made.id}/preview?count=8`,
    );
    expect(body.data.map(({ runs_on: day }) => day)).toEqual([
      '2027-05-03',
      '2027-06-01',
      '2027-07-01',
      '2027-08-02',
      '2027-09-01',
      '2027-10-01',
      '2027-11-02',
      '2027-12-01',
    ]);
  });

  it('shows what a change would do, and does it from the next period on', async () => {
    const made = await create(client, scheduleRequest(customerId, { start_date: '2027-02-28' }));
    await stage.at('2027-02-28');
    const change = {
      recurrence: { every: 'month', day: 1 },
      document: {
        customer_id: customerId,
        lines: [{ description: 'Retainer', unit_amount: 20_000, tax_rate: '0' }],
      },
    };
    const path = `${PATH}/${made.id}`;
    const shown = await client.post<{ data: object[] }>(`${path}/preview?count=2`, change);
    expect(shown.body.data).toMatchObject([
      { period_start: '2027-03-28', period_end: '2027-03-31', total: 20_000 },
      { period_start: '2027-04-01', period_end: '2027-04-30', issue_date: '2027-04-01' },
    ]);
    expect((await read(client, made)).version).toBe(2);
    const stale = await client.patch(path, change, { 'If-Match': '"1"' });
    expectProblem(stale, 412, 'version_mismatch');
    const changed = await client.patch(path, change, { 'If-Match': '"2"' });
    expect(changed.body).toMatchObject({ version: 3, next: { period_start: '2027-03-28' } });
    await stage.at('2027-04-01');
    expect((await documentsOf(client, made)).map(({ total }) => total)).toEqual([
      11_900, 20_000, 20_000,
    ]);
  });

  it('tells once that it has ended, whatever ended it', async () => {
    const body = scheduleRequest(customerId, { start_date: '2027-02-01' });
    const [byChange, byPause, byStep] = await Promise.all(
      [body, { ...body, periods: 2 }, body].map((wish) => create(client, wish)),
    );
    await step(client, byPause!, 'pause');
    await stage.at('2027-02-01');
    const path = `${PATH}/${byChange!.id}`;
    const changed = await client.patch(path, { end_date: '2027-02-28' });
    expect(changed.body).toMatchObject({ status: 'ended', next: null });
    await step(client, byStep!, 'end', { end_date: '2027-02-01' });
    stage.service.clock.set('2027-05-01T10:00:00Z');
    const resumed = await step(client, byPause!, 'resume');
    expect(resumed).toMatchObject({ status: 'ended', period_count: 2 });
    await allIsShown(stage.service.database);
    const told = await client.get<{ data: EventBody[] }>(
      '/v1/events?after=beginning&limit=100&types=schedule.*',
    );
    const steps = told.body.data.map(({ type, data }) => {
      const { id, version } = (data as Record<string, unknown>)['schedule'] as {
        id: string;
        version: number;
      };
      return { type, id, version };
    });
    const ends = steps.filter(({ type }) => type === 'schedule.ended').map(({ id }) => id);
    expect(ends.toSorted()).toEqual([byChange!.id, byPause!.id, byStep!.id].toSorted());
    const versions = steps.filter(({ id }) => id === byPause!.id).map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    expect(versions.at(-1)).toBe(resumed.version);
  });
});
