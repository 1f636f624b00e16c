import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { expectProblem, pointersOf } from '../expectations.js';
import {
  aCustomerId,
  create,
  type ScheduleStage,
  scheduleRequest,
  scheduleStage,
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

async function refused(over: object, status: number, code: string, pointers: string[]) {
  const body = scheduleRequest(customerId, { start_date: '2027-02-01', ...over });
  const problem = expectProblem(await client.post(PATH, body), status, code);
  expect(pointersOf(problem)).toEqual(pointers);
  if (/^start_date|external_id/.test(code)) return;
  // A preview refuses the same.
  const seen = expectProblem(await client.post(`${PATH}/preview`, body), status, code);
  expect(pointersOf(seen)).toEqual(pointers);
}

describe('a schedule is refused', () => {
  it('where its days do not go together', async () => {
    await refused({ start_date: '2027-01-30' }, 422, 'start_date_over', ['/start_date']);
    await refused({ start_date: '2026-01-29', backdated: true }, 422, 'start_date_too_early', [
      '/start_date',
    ]);
    await refused({ end_date: '2027-01-31' }, 422, 'schedule_ends_before_start', ['/end_date']);
    await refused({ trial_end: '2027-01-31' }, 422, 'schedule_ends_before_start', ['/trial_end']);
    const at = '/recurrence';
    await refused({ recurrence: {} }, 422, 'one_value_required', [at]);
    const both = { every: 'month', rrule: 'FREQ=DAILY' };
    await refused({ recurrence: both }, 422, 'one_value_required', [at]);
    const misplaced = { every: 'day', day: 3, weekday: 'MO' };
    await refused({ recurrence: misplaced }, 422, 'validation_failed', [
      `${at}/day`,
      `${at}/weekday`,
    ]);
    for (const rrule of [
      'FREQ=HOURLY',
      'FREQ=DAILY;COUNT=3',
      'BYDAY=MO',
      'FREQ=DAILY;FREQ=DAILY',
      'x',
    ])
      await refused({ recurrence: { rrule } }, 422, 'unknown_recurrence', [`${at}/rrule`]);
    const never = { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' };
    await refused({ recurrence: never }, 422, 'recurrence_never_comes', [`${at}/rrule`]);
    const part = { recurrence: { rrule: 'FREQ=MONTHLY;BYDAY=-1FR' }, proration: 'by_day' };
    await refused(part, 422, 'first_part_unmeasured', ['/start_date']);
    const nowhere = { business_days: { country: 'DE', region: 'XX', move: 'after' } };
    await refused(nowhere, 422, 'unknown_calendar', ['/business_days']);
    await refused({ action: 'draft', review_hours: 1 }, 422, 'review_needs_issue', [
      '/review_hours',
    ]);
  });

  it('where its document would be', async () => {
    const document = { lines: [{ description: 'x', tax_rate: '19' }] };
    await refused({ document }, 422, 'one_price_required', ['/document/lines/0/unit_amount']);
    const nobody = { customer_id: 'cus_01h455vb4pex5vsknk084sn02q' };
    await refused({ document: nobody }, 422, 'unknown_customer', ['/document/customer_id']);
    const gone = await aCustomerId(client);
    await client.post(`/v1/finance/customers/${gone}/archive`);
    const archived = { customer_id: gone };
    await refused({ document: archived }, 422, 'customer_archived', ['/document/customer_id']);
    const prices = {
      price_changes: [{ from: '2027-03-01', unit_amount: 1 }, { from: '2027-03-01' }],
    };
    await refused(prices, 422, 'validation_failed', ['/price_changes/0/line', '/price_changes/1']);
  });

  it('to a caller who may not collect, or of another account', async () => {
    const scopes = ['documents:read', 'documents:write'];
    const writer = await stage.service.aClient({ scopes, of: client });
    const body = scheduleRequest(customerId, { start_date: '2027-02-01', action: 'collect' });
    expectProblem(await writer.post(PATH, body), 403, 'insufficient_scope');
    const made = await create(writer, { ...body, action: 'send' });
    const patch = await writer.patch(`${PATH}/${made.id}`, { action: 'collect' });
    expectProblem(patch, 403, 'insufficient_scope');
    const stranger = await stage.service.aClient();
    expectProblem(await stranger.get(`${PATH}/${made.id}`), 404, 'schedule_not_found');
    expectProblem(await stranger.post(`${PATH}/${made.id}/pause`), 404, 'schedule_not_found');
    expectProblem(await stranger.get(`${PATH}/sch_nonsense`), 404, 'schedule_not_found');
  });
});
