import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('the documents of a schedule', () => {
  it('bills in arrears, and the last part by its days', async () => {
    const made = await create(
      client,
      scheduleRequest(customerId, {
        timing: 'in_arrears',
        proration: 'by_day',
        recurrence: { every: 'month', day: 1 },
        start_date: '2027-02-15',
        document: {
          lines: [{ description: 'Rent', unit_amount: 100_000, tax_rate: '0' }],
          discounts: [{ amount: 1000 }],
        },
      }),
    );
    await stage.at('2027-03-01');
    await stage.at('2027-04-01');
    await step(client, made, 'end', { end_date: '2027-04-10' });
    await stage.at('2027-04-10');
    expect((await read(client, made)).status).toBe('active');
    await stage.at('2027-04-11');
    const documents = await documentsOf(client, made);
    // 14 of 28 days, the whole, and 10 of 30.
    expect(documents.map(({ total }) => total)).toEqual([49_500, 99_000, 33_000]);
    expect(documents[0]?.lines[0]).toMatchObject({
      quantity: '14',
      price_base_quantity: '28',
      unit: 'DAY',
    });
    const { body } = await client.get<{ steps: { figure: string; formula: string }[] }>(
      `/v1/finance/documents/${documents[2]?.id}/calculation`,
    );
    const first = body.steps.find(({ figure }) => figure === '/lines/0/subtotal');
    expect(first?.formula).toContain('30');
    expect(await read(client, made)).toMatchObject({ status: 'ended', next: null });
    expectProblem(await client.post(`${PATH}/${made.id}/pause`), 409, 'schedule_ended');
  });

  it('bills what was used, once, and nothing where nothing was', async () => {
    const line = { description: 'Calls', meter: 'calls', unit_amount: 2, tax_rate: '0' };
    const made = await create(
      client,
      scheduleRequest(customerId, {
        timing: 'in_arrears',
        start_date: '2027-02-01',
        document: { lines: [line] },
      }),
    );
    const use = async (quantity: string, day?: string) =>
      client.post(`${PATH}/${made.id}/usage`, { meter: 'calls', quantity, used_on: day });
    stage.service.clock.set('2027-02-20T10:00:00Z');
    expect((await use('100.5')).status).toBe(201);
    const key = { 'Idempotency-Key': 'one-report' };
    const report = { meter: 'calls', quantity: '49.5', used_on: '2027-02-10' };
    for (let count = 0; count < 2; count += 1)
      expect((await client.post(`${PATH}/${made.id}/usage`, report, key)).status).toBe(201);
    expectProblem(await use('1', '2027-02-21'), 422, 'date_in_future');
    const unknown = await client.post(`${PATH}/${made.id}/usage`, { meter: 'x', quantity: '1' });
    expectProblem(unknown, 422, 'unknown_meter');
    const next = await client.get<{ data: { total: number }[] }>(
      `${PATH}/${made.id}/preview?count=2`,
    );
    expect(next.body.data).toMatchObject([{ total: 300 }, { total: null }]);
    await stage.at('2027-03-01');
    // It came late for February.
    await use('7', '2027-02-28');
    await stage.at('2027-04-01');
    await stage.at('2027-05-01');
    expect((await documentsOf(client, made)).map(({ total }) => total)).toEqual([300, 14]);
    expect((await periodsOf(client, made)).map(({ status }) => status)).toEqual([
      'made',
      'made',
      'empty',
    ]);
    const { body } = await client.get<{ data: { billed_period: string }[] }>(
      `${PATH}/${made.id}/usage`,
    );
    expect(body.data.map(({ billed_period: period }) => period)).toEqual([
      '2027-03-01',
      '2027-02-01',
      '2027-02-01',
    ]);
  });

  it('begins with a trial and a fee, changes its prices, and has a minimum', async () => {
    const made = await create(
      client,
      scheduleRequest(customerId, {
        start_date: '2027-02-01',
        trial_end: '2027-02-14',
        periods: 4,
        one_off_lines: [{ description: 'Setup', unit_amount: 2500, tax_rate: '0' }],
        price_changes: [
          { from: '2027-04-01', percent: '3.5' },
          { from: '2027-05-01', line: 'seat', unit_amount: 20_000 },
        ],
        minimum: { amount: 10_100, line: { description: 'Minimum', tax_rate: '0' } },
        document: {
          lines: [{ description: 'Seat', external_id: 'seat', unit_amount: 9999, tax_rate: '0' }],
        },
      }),
    );
    const days = [
      '2027-02-01',
      '2027-02-15',
      '2027-03-15',
      '2027-04-15',
      '2027-05-15',
      '2027-06-15',
    ];
    const before = await client.get<{ data: { total: number | null }[] }>(
      `${PATH}/${made.id}/preview`,
    );
    for (const day of days) await stage.at(day);
    const documents = await documentsOf(client, made);
    // 9999 and 2500; 9999, and 101 to the minimum; 9999 and 3.5 %; the new price.
    expect(documents.map(({ total }) => total)).toEqual([12_499, 10_100, 10_349, 20_000]);
    expect(before.body.data.map(({ total }) => total)).toEqual([
      null,
      12_499,
      10_100,
      10_349,
      20_000,
    ]);
    expect(documents[1]?.lines.map(({ amount }) => amount)).toEqual([9999, 101]);
    expect(await periodsOf(client, made)).toMatchObject([
      { status: 'trial', period_end: '2027-02-14', document_id: null },
      { period_start: '2027-02-15' },
      {},
      {},
      {},
    ]);
    expect((await read(client, made)).status).toBe('ended');
  });

  it('have a line of one time once, also where the first of them is made by hand', async () => {
    const item = await client.post<{ id: string }>('/v1/finance/items', {
      name: 'Hosting',
      prices: [{ currency: 'EUR', unit_amount: 5000 }],
      tax_rate: '0',
    });
    const made = await create(
      client,
      scheduleRequest(customerId, {
        start_date: '2027-02-01',
        one_off_lines: [{ description: 'Setup', unit_amount: 2500, tax_rate: '0' }],
        document: { lines: [{ item_id: item.body.id }] },
      }),
    );
    await client.post(`/v1/finance/items/${item.body.id}/archive`);
    await stage.at('2027-02-01');
    await client.post(`/v1/finance/items/${item.body.id}/unarchive`);
    const path = `${PATH}/${made.id}/periods/2027-02-01/make`;
    expect((await client.post(path)).body).toMatchObject({ status: 'made' });
    await stage.at('2027-03-01');
    expect((await documentsOf(client, made)).map(({ total }) => total)).toEqual([7500, 5000]);
    expect((await read(client, made)).one_off_lines).toEqual([]);
  });
});
