import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dateIn } from '../../../src/kernel/clock.js';
import { ScheduleRounds } from '../../../src/schedules/index.js';
import {
  differencesOf,
  MADE,
  type MadePeriodRow,
  type PlannedIn,
  ZONES,
} from '../../schedules/judged-year.js';
import { aPlanned, requestOf } from '../../schedules/planned-year.js';
import { randomOf } from '../../support/random.js';
import type { TestClient } from '../../support/client.js';
import { RUN_SEED, tries } from '../../support/share.js';
import { startTestService, type TestService } from '../../support/service.js';
import { aCustomerId, create } from './schedule-stage.js';

// A share of `npm run faults:schedules`, without its faults.

const FIRST = '2027-07-01';
const STEP_HOURS = 12;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

describe('a year of schedules of all kinds, in twelve zones', () => {
  it('makes what an independent calculation expects', async () => {
    const random = randomOf(RUN_SEED);
    const count = tries({ pushed: 36, full: 400 });
    const start = new Date(`${FIRST}T00:20:00Z`);
    service.clock.set(start);
    const clients = await Promise.all(ZONES.map(async (timeZone) => service.aClient({ timeZone })));
    const customers = await Promise.all(clients.map(async (client) => aCustomerId(client)));
    const plans = new Map<string, PlannedIn>();
    const reports: { on: string; zone: string; send: () => Promise<unknown> }[] = [];
    for (let index = 0; index < count; index += 1) {
      const at = index % ZONES.length;
      const [zone, client] = [ZONES[at]!, clients[at]!];
      const planned = aPlanned(random, '2027-07-03');
      const name = `plan-${index}`;
      const { id } = await create(client, requestOf(planned, customers[at]!, name));
      plans.set(name, { planned, zone });
      for (const { on, quantity } of planned.used ?? []) {
        reports.push({ on, zone, send: async () => use(client, id, quantity) });
      }
    }
    const instants: Date[] = [];
    for (let step = 0; step <= (366 * 24) / STEP_HOURS; step += 1) {
      const instant = new Date(start.getTime() + step * STEP_HOURS * 3_600_000);
      service.clock.set(instant);
      await service.app.get(ScheduleRounds).run();
      instants.push(instant);
      for (const report of reports.filter(({ on, zone }) => on === dateIn(zone, instant))) {
        reports.splice(reports.indexOf(report), 1);
        await report.send();
      }
    }
    const rows = await service.database.query<MadePeriodRow>(MADE);
    expect(rows.length).toBeGreaterThan(count * 3);
    expect(differencesOf(plans, rows, instants)).toEqual([]);
  }, 600_000);
});

async function use(client: TestClient, id: string, quantity: number): Promise<void> {
  const path = `/v1/finance/schedules/${id}/usage`;
  // One that ended is told so.
  const { status } = await client.post(path, { meter: 'use', quantity: String(quantity) });
  expect([201, 409]).toContain(status);
}
