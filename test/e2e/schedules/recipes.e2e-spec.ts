import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ComingDocumentsBody } from '../../../src/schedules/wire/period.js';
import {
  aCustomerId,
  create,
  documentsOf,
  type ScheduleStage,
  scheduleStage,
} from './schedule-stage.js';

// Each recipe of docs/schedules.md is sent as it stands, and makes what its page says.

const PAGE = readFileSync(new URL('../../../docs/schedules.md', import.meta.url), 'utf8');
const RECIPES = new Map(
  [...PAGE.matchAll(/^```json recipe=(\w+)\n(.*?)^```$/gms)].map(([, name = '', json = '']) => [
    name,
    json,
  ]),
);

/** The days on which rounds run, what is used before them, and the documents: day, total, text. */
const STORIES: Record<
  string,
  { days: string[]; used?: object; documents: [day: string, total: number, line: string][] }
> = {
  rent: {
    days: ['2027-02-01', '2027-03-01', '2027-05-03'],
    documents: [
      ['2027-02-01', 95_000, 'Rent February 2027'],
      ['2027-03-01', 95_000, 'Rent March 2027'],
      ['2027-04-01', 95_000, 'Rent April 2027'],
      // The first of May is a Saturday.
      ['2027-05-03', 95_000, 'Rent May 2027'],
    ],
  },
  hours: {
    days: ['2027-03-01', '2027-04-01'],
    used: { meter: 'hours', quantity: '12.5' },
    documents: [['2027-03-01', 141_313, 'Hours, 1 February 2027 to 28 February 2027']],
  },
  retainer: {
    days: ['2027-02-15', '2027-02-17T11:00:00Z', '2027-03-01', '2027-03-03T11:00:00Z'],
    documents: [
      // 14 of 28 days and setting up; then a whole month.
      ['2027-02-17', 208_250, 'Retainer February 2027'],
      ['2027-03-03', 297_500, 'Retainer March 2027'],
    ],
  },
  licence: {
    days: ['2027-03-01', '2028-03-01', '2029-03-01', '2030-03-01'],
    documents: [
      ['2027-03-01', 1_428_000, 'Licence, 1 March 2027 to 29 February 2028'],
      ['2028-03-01', 1_462_272, 'Licence, 1 March 2028 to 28 February 2029'],
      ['2029-03-01', 1_507_603, 'Licence, 1 March 2029 to 28 February 2030'],
    ],
  },
  metered: {
    days: ['2027-03-01', '2027-04-01'],
    used: { meter: 'calls', quantity: '10000' },
    documents: [
      ['2027-03-01', 2975, 'Calls'],
      ['2027-04-01', 1190, 'Minimum'],
    ],
  },
};

let stage: ScheduleStage;
beforeAll(async () => {
  stage = await scheduleStage('2027-01-31');
});
afterAll(() => stage.close());

describe('the recipes of docs/schedules.md', () => {
  it('are those that are tried here', () => {
    expect([...RECIPES.keys()].sort()).toEqual(Object.keys(STORIES).sort());
  });

  it.each(Object.entries(STORIES))('%s', async (name, { days, used, documents }) => {
    stage.service.clock.set('2027-01-31T10:00:00Z');
    const client = await stage.service.aClient();
    const customerId = await aCustomerId(client);
    const text = RECIPES.get(name) ?? '';
    const body = JSON.parse(text.replace(/cus_\w+/, customerId)) as object;
    const { data } = (
      await client.post<ComingDocumentsBody>('/v1/finance/schedules/preview?count=24', body)
    ).body;
    const schedule = await create(client, body);
    if (used) {
      stage.service.clock.set('2027-02-20T10:00:00Z');
      await client.post(`/v1/finance/schedules/${schedule.id}/usage`, used);
    }
    for (const day of days) await stage.at(day);
    const made = await documentsOf(client, schedule);
    expect(
      made.map(({ issue_date: day, total, lines }) => [day, total, lines[0]?.description]),
    ).toEqual(documents);
    // Of what is used, a preview knows nothing.
    if (!used) {
      const seen = data.slice(0, documents.length).map((one) => [one.issue_date, one.total]);
      expect(seen).toEqual(documents.map(([day, total]) => [day, total]));
    }
  });
});
