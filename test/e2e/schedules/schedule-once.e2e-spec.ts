import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { HeldSchedules, ScheduleRounds } from '../../../src/schedules/index.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  aCustomerId,
  create,
  documentsOf,
  periodsOf,
  type ScheduleStage,
  scheduleRequest,
  scheduleStage,
  step,
} from './schedule-stage.js';

let stage: ScheduleStage;
let other: TestService;
beforeAll(async () => {
  stage = await scheduleStage('2027-01-31');
  other = await startTestService({ database: stage.service.database });
});
afterAll(async () => {
  await other.close();
  await stage.close();
});

const rounds = ({ app }: TestService) => app.get(ScheduleRounds).run();

describe('a period', () => {
  it('has one document where two processes make it, with clocks an hour apart', async () => {
    const client = await stage.service.aClient();
    const customerId = await aCustomerId(client);
    const body = scheduleRequest(customerId, {
      start_date: '2027-02-01',
      recurrence: { every: 'day' },
    });
    const schedules = await Promise.all(Array.from({ length: 20 }, () => create(client, body)));
    for (const [one, another] of [
      ['2027-02-03T23:30:00Z', '2027-02-04T00:30:00Z'],
      ['2027-02-05T12:00:00Z', '2027-02-05T11:00:00Z'],
    ] as const) {
      stage.service.clock.set(one);
      other.clock.set(another);
      await Promise.all([rounds(stage.service), rounds(other)]);
    }
    // A schedule that was taken by the other is left to the next round.
    await rounds(other);
    for (const schedule of schedules) {
      const days = (await documentsOf(client, schedule)).map(({ issue_date: day }) => day);
      const all = ['01', '02', '03', '04', '05'].map((day) => `2027-02-${day}`);
      expect(days).toEqual(all);
    }
  });

  it('is missed by the check of the books where somebody takes it away, or makes it twice', async () => {
    const { database } = stage.service;
    const client = await stage.service.aClient();
    const customerId = await aCustomerId(client);
    const body = scheduleRequest(customerId, { start_date: '2027-02-06', periods: 9 });
    stage.service.clock.set('2027-02-06T10:00:00Z');
    const schedule = await create(client, { ...body, recurrence: { every: 'day' } });
    await stage.at('2027-02-09');
    const checks = async () => {
      const integrity = stage.service.app.get(IntegrityQuery);
      const { differences } = await integrity.differences(uuidOf('acc', client.accountId)!);
      return differences.map(({ check }) => check);
    };
    expect(await checks()).toEqual([]);
    const of = `account_id = $1 AND period_start = $2`;
    const account = uuidOf('acc', client.accountId);
    await database.query(`DELETE FROM schedule_periods WHERE ${of}`, [account, '2027-02-07']);
    expect(await checks()).toEqual([
      'periods of a schedule follow each other, without a gap and without a day twice',
    ]);
    await database.query(`DELETE FROM schedule_periods WHERE ${of}`, [account, '2027-02-09']);
    expect(await checks()).toContain('a schedule goes on behind its last period');
    await step(client, schedule, 'pause');
  });

  it('waits for the operator in a database that was restored', async () => {
    const client = await stage.service.aClient();
    const body = scheduleRequest(await aCustomerId(client), { start_date: '2027-03-01' });
    const schedule = await create(client, body);
    await stage.service.database.query(
      `UPDATE held_work SET history = 'another' WHERE kind = 'schedules'`,
    );
    await stage.at('2027-03-01');
    expect(await periodsOf(client, schedule)).toEqual([]);
    const held = stage.service.app.get(HeldSchedules);
    const survey = await held.survey();
    expect(survey.held).toBe(true);
    // That one, and the twenty of each day.
    expect(survey.due).toBe(21);
    expect((await stage.service.metrics()).text).toMatch(/^schedules_held 1$/m);
    await held.release();
    await rounds(stage.service);
    expect(await periodsOf(client, schedule)).toMatchObject([{ status: 'made' }]);
    const { text } = await stage.service.metrics();
    expect(text).toMatch(/^schedules_held 0$/m);
    expect(text).toMatch(/^schedules_due_seconds 0$/m);
  });
});
